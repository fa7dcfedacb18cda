//! Which files are journals, and how an older one becomes a newer one.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::OpenError;

/// Marks a SQLite file as ours: "CSgn".
const APPLICATION_ID: u32 = 0x4353_676e;

/// Each is applied once, in order, and never edited.
const MIGRATIONS: &[&str] = &[include_str!("../../../migrations/0001_journal.sql")];

/// Opens the journal file, makes it if it is not there, and brings it up to date.
pub(crate) fn open(path: &Path) -> Result<Connection, OpenError> {
    check_header(path)?;
    connect(path).map_err(|error| match error.sqlite_error_code() {
        Some(ErrorCode::DiskFull) => OpenError::Full { path: path.into() },
        Some(ErrorCode::NotADatabase) => OpenError::NotAJournal { path: path.into() },
        Some(ErrorCode::DatabaseCorrupt) => OpenError::Damaged { path: path.into(), reason: error.to_string() },
        _ => OpenError::Unwritable { path: path.into(), reason: error.to_string() },
    })
}

/// Judges the file by its first hundred bytes, without SQLite, so that a file that is not ours stays as it is to the
/// byte: merely opening a database can replay its log.
fn check_header(path: &Path) -> Result<(), OpenError> {
    let unwritable = |reason: String| OpenError::Unwritable { path: path.into(), reason };
    let mut header = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(100).read_to_end(&mut header).map_err(|e| unwritable(e.to_string()))?,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(unwritable(error.to_string())),
    };
    if header.is_empty() {
        return Ok(());
    }
    let number_at = |offset: usize| {
        let bytes = header.get(offset..offset + 4).and_then(|bytes| <[u8; 4]>::try_from(bytes).ok());
        bytes.map(u32::from_be_bytes)
    };
    let (Some(version), Some(application)) = (number_at(60), number_at(68)) else {
        return Err(OpenError::NotAJournal { path: path.into() });
    };
    if !header.starts_with(b"SQLite format 3\0") || application != APPLICATION_ID {
        return Err(OpenError::NotAJournal { path: path.into() });
    }
    check_version(path, version)
}

fn check_version(path: &Path, found: u32) -> Result<(), OpenError> {
    let known = known();
    if found > known { Err(OpenError::Newer { path: path.into(), found, known }) } else { Ok(()) }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut db = Connection::open_with_flags(path, flags)?;
    db.pragma_update(None, "synchronous", "full")?;
    migrate(&mut db)?;
    // After the first migration, so that the file's own header says whose it is even when a log lies beside it.
    db.pragma_update(None, "journal_mode", "wal")?;
    Ok(db)
}

fn migrate(db: &mut Connection) -> rusqlite::Result<()> {
    let tx = db.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let done: u32 = tx.pragma_query_value(None, "user_version", |row| row.get(0))?;
    for (version, sql) in (1u32..).zip(MIGRATIONS) {
        if version > done {
            tx.execute_batch(sql)?;
            tx.pragma_update(None, "user_version", version)?;
            tx.pragma_update(None, "application_id", APPLICATION_ID)?;
        }
    }
    tx.commit()
}

fn known() -> u32 {
    u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX)
}
