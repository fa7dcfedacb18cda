use std::path::PathBuf;

use rusqlite::ErrorCode;

/// Why a data folder could not be opened. Nothing in it was changed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It cannot be made, or cannot be written to.
    #[error("cannot write to the data folder `{}`: {reason}", path.display())]
    Unwritable {
        /// Which folder.
        path: PathBuf,
        /// What the system said.
        reason: String,
    },
    /// There is no room left on its disk.
    #[error("no space left for the data folder `{}`", path.display())]
    Full {
        /// Which folder.
        path: PathBuf,
    },
    /// Another process has it open.
    #[error("the data folder `{}` is in use by another Countersign", path.display())]
    InUse {
        /// Which folder.
        path: PathBuf,
    },
    /// There is no journal in it.
    #[error("there is no journal in `{}`", path.display())]
    Nothing {
        /// Which folder.
        path: PathBuf,
    },
    /// An earlier version of the app wrote it, and it has not been opened since.
    #[error("`{}` was written by an earlier version", path.display())]
    Older {
        /// Which file.
        path: PathBuf,
    },
    /// A later version of the app wrote it.
    #[error("`{}` has format {found}; this version knows formats up to {known}", path.display())]
    Newer {
        /// Which file.
        path: PathBuf,
        /// Its format.
        found: u32,
        /// The newest format known here.
        known: u32,
    },
    /// The file is something else.
    #[error("`{}` is not a Countersign journal", path.display())]
    NotAJournal {
        /// Which file.
        path: PathBuf,
    },
    /// There is a journal, and not the key it is sealed with.
    #[error("the key `{}` of the journal is missing", path.display())]
    NoKey {
        /// Where it should be.
        path: PathBuf,
    },
    /// The key is in the system's keychain, which does not give it.
    #[error("the system's keychain does not give the journal's key: {reason}")]
    Keychain {
        /// What it said.
        reason: String,
    },
    /// What is there is not a key.
    #[error("`{}` is not a key", path.display())]
    BadKey {
        /// Which file.
        path: PathBuf,
    },
    /// The file is a journal, and broken.
    #[error("the journal `{}` is damaged: {reason}", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What SQLite said.
        reason: String,
    },
}

/// Why the journal did not do what was asked. An append that failed appended nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Somebody else appended first.
    #[error("the stream is at version {found}, not {expected}")]
    Conflict {
        /// What the caller had seen.
        expected: u64,
        /// What is there.
        found: u64,
    },
    /// The negotiation has ended, and this cannot follow an end.
    #[error("the negotiation is over, and stays as it is")]
    Over,
    /// It cannot be written exactly.
    #[error("it cannot be written down: {0}")]
    Unwritable(String),
    /// There is no room left on the disk.
    #[error("no space left on the disk")]
    Full,
    /// An event that this version cannot read.
    #[error("event {seq} cannot be read: {reason}")]
    Unreadable {
        /// Its place.
        seq: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// The file is broken.
    #[error("the journal is damaged: {0}")]
    Damaged(String),
    /// SQLite failed.
    #[error("the journal could not be used: {0}")]
    Sqlite(String),
    /// The writer thread is gone.
    #[error("the journal is closed")]
    Closed,
}

impl StoreError {
    /// Whether it concerns one append alone, and nobody else who writes at the same time.
    pub(crate) fn is_own_fault(&self) -> bool {
        match self {
            Self::Conflict { .. } | Self::Over | Self::Unwritable(_) => true,
            Self::Full | Self::Unreadable { .. } | Self::Damaged(_) | Self::Sqlite(_) | Self::Closed => false,
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        if let rusqlite::Error::FromSqlConversionFailure(..) | rusqlite::Error::InvalidColumnType(..) = error {
            return Self::Damaged(error.to_string());
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DiskFull) => Self::Full,
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => Self::Damaged(error.to_string()),
            _ => Self::Sqlite(error.to_string()),
        }
    }
}
