//! The one secret of a data folder, which everything is sealed and signed with: in the system's keychain, or in a file
//! that only the person can read where there is none.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use countersign_ledger::Keys;
use keyring::Entry;

use crate::OpenError;

/// Where the secret is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptIn {
    /// In the system's keychain.
    Keychain,
    /// In a file of the data folder.
    File,
}

/// What the keychain's entries are called.
const SERVICE: &str = "Countersign";

/// What the key file begins with when it only says where in the keychain the secret is.
const IN_KEYCHAIN: &str = "keychain ";

/// How long the keychain gets: it may have to ask the person for a password.
const PATIENCE: Duration = Duration::from_secs(120);

/// Reads the secret, or makes one for a journal that was not sealed yet, in the keychain if there is one to be used.
pub(crate) fn load(file: &Path, is_sealed: bool, keep_in: KeptIn) -> Result<(Keys, KeptIn), OpenError> {
    let unwritable = |error: std::io::Error| OpenError::Unwritable { path: file.into(), reason: error.to_string() };
    match OpenOptions::new().read(true).open(file) {
        Ok(mut open) => {
            let mut text = String::new();
            open.read_to_string(&mut text).map_err(|error| match error.kind() {
                ErrorKind::InvalidData => OpenError::BadKey { path: file.into() },
                _ => unwritable(error),
            })?;
            match text.trim().strip_prefix(IN_KEYCHAIN) {
                Some(name) => from_keychain(file, name).map(|secret| (Keys::new(secret), KeptIn::Keychain)),
                None => read(file, &text).map(|secret| (Keys::new(secret), KeptIn::File)),
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if is_sealed {
                return Err(OpenError::NoKey { path: file.into() });
            }
            make(file, keep_in).map_err(unwritable)
        }
        Err(error) => Err(unwritable(error)),
    }
}

fn read(file: &Path, text: &str) -> Result<[u8; 32], OpenError> {
    let mut secret = [0; 32];
    hex::decode_to_slice(text.trim(), &mut secret).map_err(|_| OpenError::BadKey { path: file.into() })?;
    Ok(secret)
}

fn from_keychain(file: &Path, name: &str) -> Result<[u8; 32], OpenError> {
    let locked = |error: keyring::Error| match error {
        keyring::Error::NoEntry => OpenError::NoKey { path: file.into() },
        error => OpenError::Keychain { reason: error.to_string() },
    };
    let name = name.to_owned();
    let asked = in_time(move || Entry::new(SERVICE, &name)?.get_password());
    let text = asked.ok_or_else(|| OpenError::Keychain { reason: "it did not answer".into() })?.map_err(locked)?;
    read(file, &text)
}

/// The keychain keeps it, if there is one that gives it back; otherwise the file does. Either way the file is written under
/// another name first: a key is there whole, or not at all.
fn make(file: &Path, keep_in: KeptIn) -> std::io::Result<(Keys, KeptIn)> {
    let (mut secret, mut name) = ([0; 32], [0; 16]);
    getrandom::fill(&mut secret).map_err(std::io::Error::other)?;
    getrandom::fill(&mut name).map_err(std::io::Error::other)?;
    let (secret_text, name) = (hex::encode(secret), hex::encode(name));
    let is_kept = keep_in == KeptIn::Keychain && {
        let (name, secret) = (name.clone(), secret_text.clone());
        let kept = in_time(move || {
            let entry = Entry::new(SERVICE, &name)?;
            entry.set_password(&secret)?;
            Ok(entry.get_password()? == secret)
        });
        matches!(kept, Some(Ok(true)))
    };
    let (text, kept_in) = match is_kept {
        true => (format!("{IN_KEYCHAIN}{name}"), KeptIn::Keychain),
        false => (secret_text, KeptIn::File),
    };
    let unfinished = file.with_extension("new");
    let mut options = OpenOptions::new();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut open = options.open(&unfinished)?;
    open.write_all(text.as_bytes())?;
    open.sync_all()?;
    std::fs::rename(&unfinished, file)?;
    Ok((Keys::new(secret), kept_in))
}

/// On a thread of its own: it may wait for the person, and must not hold up whoever else runs here.
fn in_time<T: Send + 'static>(
    ask: impl FnOnce() -> Result<T, keyring::Error> + Send + 'static,
) -> Option<Result<T, keyring::Error>> {
    let (answer, answered) = mpsc::channel();
    // Whoever waits may have given up.
    thread::spawn(move || drop(answer.send(ask())));
    answered.recv_timeout(PATIENCE).ok()
}
