//! The secret that the journal is sealed with.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use countersign_ledger::Keys;

use crate::OpenError;

/// Reads the key, or makes one for a journal that was not sealed yet.
pub(crate) fn load(file: &Path, is_sealed: bool) -> Result<Keys, OpenError> {
    let unwritable = |error: std::io::Error| OpenError::Unwritable { path: file.into(), reason: error.to_string() };
    match OpenOptions::new().read(true).open(file) {
        Ok(mut open) => {
            let mut text = String::new();
            open.read_to_string(&mut text).map_err(unwritable)?;
            let mut secret = [0; 32];
            hex::decode_to_slice(text.trim(), &mut secret).map_err(|_| OpenError::BadKey { path: file.into() })?;
            Ok(Keys::new(secret))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            if is_sealed {
                return Err(OpenError::NoKey { path: file.into() });
            }
            make(file).map_err(unwritable)
        }
        Err(error) => Err(unwritable(error)),
    }
}

/// Written under another name first: a key is there whole, or not at all.
fn make(file: &Path) -> std::io::Result<Keys> {
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).map_err(std::io::Error::other)?;
    let unfinished = file.with_extension("new");
    let mut options = OpenOptions::new();
    options.create(true).truncate(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut open = options.open(&unfinished)?;
    open.write_all(hex::encode(secret).as_bytes())?;
    open.sync_all()?;
    std::fs::rename(&unfinished, file)?;
    Ok(Keys::new(secret))
}
