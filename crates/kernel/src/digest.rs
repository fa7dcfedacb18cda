use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The SHA-256 of what a person was shown, in hex. A decision carries it, so it can only mean what was on the screen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Digest(String);

impl Digest {
    /// The digest of a value's JSON. Fields are written in declaration order, so equal values have equal digests.
    pub(crate) fn of(value: &impl Serialize) -> Self {
        let mut hasher = Sha256::new();
        // INVARIANT: the kernel's own types always serialise (string keys, no floats), and the hasher takes any bytes.
        let written = serde_json::to_writer(Hashing(&mut hasher), value);
        debug_assert!(written.is_ok(), "kernel types serialise");
        Self(hex::encode(hasher.finalize()))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

struct Hashing<'a>(&'a mut Sha256);

impl std::io::Write for Hashing<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
