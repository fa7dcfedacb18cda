use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::{KeptIn, OpenError};

/// The file that the journal is in.
pub(crate) const JOURNAL: &str = "journal.db";

/// The file that the journal's key is in.
pub(crate) const KEY: &str = "key";

/// The person's data folder, held by this process alone until dropped.
#[derive(Debug)]
pub struct DataFolder {
    path: PathBuf,
    pub(crate) keep_in: KeptIn,
    _lock: File,
}

impl DataFolder {
    /// Makes the folder if it is missing and takes hold of it.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        let failed = |error: io::Error| match error.kind() {
            io::ErrorKind::StorageFull => OpenError::Full { path: path.into() },
            _ => OpenError::Unwritable { path: path.into(), reason: error.to_string() },
        };
        std::fs::create_dir_all(path).map_err(failed)?;
        let lock =
            OpenOptions::new().create(true).truncate(false).write(true).open(path.join("lock")).map_err(failed)?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.into(), keep_in: KeptIn::File, _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(OpenError::InUse { path: path.into() }),
            Err(TryLockError::Error(error)) => Err(failed(error)),
        }
    }

    /// A journal that is begun in it has its secret in the system's keychain, if there is one.
    #[must_use]
    pub fn with_keychain(self) -> Self {
        Self { keep_in: KeptIn::Keychain, ..self }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the key is that the journal is sealed with.
    pub fn key(&self) -> PathBuf {
        self.path.join(KEY)
    }

    /// Where the journal is.
    pub fn journal(&self) -> PathBuf {
        self.path.join(JOURNAL)
    }
}
