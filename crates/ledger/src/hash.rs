use std::fmt;

use memchr::memchr;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::canonical::string_length;

/// A SHA-256, written in hex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hash(pub [u8; 32]);

impl Hash {
    /// What the first entry of a chain follows.
    pub const NONE: Self = Self([0; 32]);
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Hash> for String {
    fn from(hash: Hash) -> Self {
        hash.to_string()
    }
}

impl TryFrom<String> for Hash {
    type Error = hex::FromHexError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map(|()| Self(bytes))
    }
}

/// What keeps the strings of one entry from being guessed by their hashes. Secret, and different for each entry.
#[derive(Clone, Copy)]
pub struct Salt(pub [u8; 32]);

impl Salt {
    /// The salt of each string, in order: one can be given away without the others.
    pub fn each(&self) -> impl Iterator<Item = [u8; 16]> {
        (0_u64..).flat_map(|block| {
            let hash: [u8; 32] = Sha256::new().chain_update(self.0).chain_update(block.to_be_bytes()).finalize().into();
            let (even, odd) = hash.split_at(16);
            [even, odd].map(|half| half.try_into().unwrap_or_default())
        })
    }
}

/// The strings of canonical JSON that are values, as they are written between the quotes, in order.
pub fn leaves(bytes: &[u8]) -> Vec<&[u8]> {
    let mut leaves = Vec::new();
    scan(bytes, |_| {}, |leaf| leaves.push(leaf));
    leaves
}

/// The commitment to an entry: to each of its strings, and to everything around them.
pub fn commit(bytes: &[u8], salt: &Salt) -> Hash {
    let mut salts = salt.each();
    commit_with(bytes, |leaf| leaf_hash(salts.next().unwrap_or_default(), leaf))
}

/// The same, told what each string's hash is.
pub(crate) fn commit_with(bytes: &[u8], mut hash: impl FnMut(&[u8]) -> Hash) -> Hash {
    // Hashed in one go each: a hash takes many small pieces badly.
    let (mut frame, mut all) = (Vec::with_capacity(bytes.len()), Vec::with_capacity(bytes.len()));
    scan(bytes, |around| frame.extend_from_slice(around), |leaf| all.extend_from_slice(&hash(leaf).0));
    all.extend_from_slice(&Sha256::digest(frame));
    Hash(Sha256::digest(all).into())
}

/// The hash of one string.
pub(crate) fn leaf_hash(salt: [u8; 16], leaf: &[u8]) -> Hash {
    Hash(Sha256::new_with_prefix(salt).chain_update(leaf).finalize().into())
}

/// An entry's hash: of the hash of the entry before it and its own commitment.
pub fn chain(previous: Hash, commitment: Hash) -> Hash {
    Hash(Sha256::new().chain_update(previous.0).chain_update(commitment.0).finalize().into())
}

/// Tells strings that are values from everything around them, in one pass.
fn scan<'a>(bytes: &'a [u8], mut around: impl FnMut(&'a [u8]), mut leaf: impl FnMut(&'a [u8])) {
    // Where what is around the next leaf begins, and where to look for that leaf.
    let (mut kept, mut from) = (0, 0);
    while let Some(quote) = bytes.get(from..).and_then(|rest| memchr(b'"', rest)) {
        let start = from + quote + 1;
        let end = start + string_length(bytes.get(start..).unwrap_or_default());
        from = end + 1;
        // A string before a colon is a name.
        if bytes.get(from) != Some(&b':') {
            around(bytes.get(kept..start).unwrap_or_default());
            leaf(bytes.get(start..end).unwrap_or_default());
            kept = end;
        }
    }
    around(bytes.get(kept..).unwrap_or_default());
}
