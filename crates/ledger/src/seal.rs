use std::fmt;

use hmac::{Hmac, KeyInit as _, Mac};
use sha2::Sha256;

use crate::{Hash, Identity, Salt};

/// Everything that follows from the one secret of a data folder.
#[derive(Clone, Debug)]
pub struct Keys {
    /// Seals the journal.
    pub seal: SealKey,
    /// Signs what the person's agent says.
    pub agent: Identity,
    /// Signs what the person decides. No agent gets to see it.
    pub person: Identity,
}

impl Keys {
    /// From 32 secret bytes.
    pub fn new(secret: [u8; 32]) -> Self {
        let master = hmac(&secret);
        let identity = |label: &[u8]| Identity::new(mac(&master, &[label]));
        Self { seal: SealKey::new(secret), agent: identity(b"agent"), person: identity(b"person") }
    }
}

/// What only this machine's person has. Whoever can edit the journal's file, but does not have it, cannot make the seals
/// fit again.
#[derive(Clone)]
pub struct SealKey {
    seal: Hmac<Sha256>,
    salt: Hmac<Sha256>,
    head: Hmac<Sha256>,
}

/// An HMAC-SHA-256 over everything up to one entry of the journal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seal(pub [u8; 32]);

impl Seal {
    /// What the first entry follows.
    pub const NONE: Self = Self([0; 32]);
}

impl SealKey {
    /// From 32 secret bytes.
    pub fn new(secret: [u8; 32]) -> Self {
        let master = hmac(&secret);
        let derived = |label: &[u8]| hmac(&mac(&master, &[label]));
        Self { seal: derived(b"seal"), salt: derived(b"salt"), head: derived(b"head") }
    }

    /// The salt of the entry at one place.
    pub fn salt(&self, seq: u64) -> Salt {
        Salt(mac(&self.salt, &[&seq.to_be_bytes()]))
    }

    /// Seals an entry at its places in the journal and in its stream, and with it everything before it.
    pub fn seal(&self, previous: Seal, seq: u64, hash: Hash, stream: &str, version: u64) -> Seal {
        let (seq, version) = (seq.to_be_bytes(), version.to_be_bytes());
        Seal(mac(&self.seal, &[&previous.0, &seq, &version, &hash.0, stream.as_bytes()]))
    }

    /// Says that this is where the journal ends: without it, cutting entries off the end would leave no trace.
    pub fn head(&self, seq: u64, last: Seal) -> Seal {
        Seal(mac(&self.head, &[&seq.to_be_bytes(), &last.0]))
    }
}

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealKey")
    }
}

impl fmt::Debug for Seal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

fn hmac(key: &[u8; 32]) -> Hmac<Sha256> {
    // A key shorter than a block is filled up with zeros.
    let mut block = [0; 64];
    let (start, _) = block.split_at_mut(32);
    start.copy_from_slice(key);
    Hmac::new(&block.into())
}

fn mac(keyed: &Hmac<Sha256>, parts: &[&[u8]]) -> [u8; 32] {
    let mut mac = keyed.clone();
    parts.iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes().into()
}
