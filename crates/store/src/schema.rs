//! Which files are journals, and how an older one becomes a newer one.

use std::collections::HashMap;
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

use countersign_ledger::{Hash, Seal, SealKey, canonical};
use rusqlite::{Connection, OpenFlags, OptionalExtension as _, Transaction, TransactionBehavior, named_params};

use crate::writer::{Tip, insert};
use crate::{OpenError, StoreError, views};

/// Marks a SQLite file as ours: "CSgn".
const APPLICATION_ID: u32 = 0x4353_676e;

/// The first format with seals.
pub(crate) const SEALED: u32 = 2;

/// Each is applied once, in order, and never edited.
const MIGRATIONS: &[&str] = &[
    include_str!("../../../migrations/0001_journal.sql"),
    include_str!("../../../migrations/0002_ledger.sql"),
    include_str!("../../../migrations/0003_opportunities.sql"),
];

/// Which form lists are kept in. With another one they are made anew when a journal is opened.
const VIEWS: u32 = 1;

/// Opens the journal file, makes it if it is not there, and brings it up to date. An older one is copied first.
pub(crate) fn open(path: &Path, key: &SealKey) -> Result<(Connection, Tip), OpenError> {
    connect(path, key).map_err(|error| explain(path, error))
}

/// A second connection, for reading only.
pub(crate) fn reader(path: &Path) -> Result<Connection, OpenError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, flags).map_err(|error| explain(path, error.into()))
}

pub(crate) fn explain(path: &Path, error: StoreError) -> OpenError {
    let path = path.into();
    match error {
        StoreError::Full => OpenError::Full { path },
        StoreError::Damaged(reason) => OpenError::Damaged { path, reason },
        error => OpenError::Unwritable { path, reason: error.to_string() },
    }
}

/// Judges the file by its first hundred bytes, without SQLite, so that a file that is not ours stays as it is to the
/// byte: merely opening a database can replay its log.
/// Gives its format; none when there is no file, or nothing in it.
pub(crate) fn check(path: &Path) -> Result<Option<u32>, OpenError> {
    let unwritable = |reason: String| OpenError::Unwritable { path: path.into(), reason };
    let mut header = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(100).read_to_end(&mut header).map_err(|e| unwritable(e.to_string()))?,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(unwritable(error.to_string())),
    };
    if header.is_empty() {
        return Ok(None);
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
    let known = known();
    if version > known {
        return Err(OpenError::Newer { path: path.into(), found: version, known });
    }
    Ok(Some(version))
}

fn connect(path: &Path, key: &SealKey) -> Result<(Connection, Tip), StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut db = Connection::open_with_flags(path, flags)?;
    db.pragma_update(None, "synchronous", "full")?;
    // Before anything is written: what is refused stays as it is.
    if format(&db)? >= SEALED {
        check_end(&db, key)?;
    }
    if format(&db)? == known() {
        check_shape(&db)?;
    }
    bring_up_to_date(&mut db, path, key)?;
    // After the first migration, so that the file's own header says whose it is even when a log lies beside it.
    db.pragma_update(None, "journal_mode", "wal")?;
    let last = last(&db)?;
    Ok((db, last))
}

fn format(db: &Connection) -> Result<u32, StoreError> {
    Ok(db.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Whether the file has our tables and nothing besides: a trigger that somebody added could do anything.
pub(crate) fn check_shape(db: &Connection) -> Result<(), StoreError> {
    let fresh = Connection::open_in_memory()?;
    for sql in MIGRATIONS {
        fresh.execute_batch(sql)?;
    }
    fresh.execute_batch("drop table events")?;
    let shape = |db: &Connection| -> Result<Vec<(String, String)>, StoreError> {
        let mut select = db.prepare(
            "select name, sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by name",
        )?;
        Ok(select.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect::<Result<_, _>>()?)
    };
    if shape(db)? == shape(&fresh)? {
        Ok(())
    } else {
        Err(StoreError::Damaged("it has tables or triggers that are not ours".into()))
    }
}

/// Where the journal ends.
pub(crate) fn last(db: &Connection) -> Result<Tip, StoreError> {
    let last = db
        .prepare_cached("select seq, seal from entries order by seq desc limit 1")?
        .query_row((), |row| Ok(Tip { seq: row.get(0)?, seal: Seal(row.get(1)?) }))
        .optional()?;
    Ok(last.unwrap_or(Tip { seq: 0, seal: Seal::NONE }))
}

/// Appending to what was cut off or added to would hide that.
fn check_end(db: &Connection, key: &SealKey) -> Result<(), StoreError> {
    let (last, (seq, head)) = (self::last(db)?, read_head(db)?);
    let is_empty = last.seq == 0 && seq == 0;
    if !is_empty && (seq, head) != (last.seq, key.head(last.seq, last.seal)) {
        return Err(StoreError::Damaged("it was cut off, or added to by somebody without its key".into()));
    }
    Ok(())
}

/// All of it in one commit, so that what cannot be brought up to date stays as it is.
fn bring_up_to_date(db: &mut Connection, path: &Path, key: &SealKey) -> Result<(), StoreError> {
    let done = format(db)?;
    if done == known() && has_lists(db)? {
        return Ok(());
    }
    if done > 0 && done < known() {
        let copy = path.with_extension(format!("v{done}.db"));
        // One that an upgrade which did not get far left behind.
        let _ = std::fs::remove_file(&copy);
        db.execute("vacuum into ?1", [copy.to_string_lossy()])?;
    }
    let tx = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
    for (version, sql) in (1u32..).zip(MIGRATIONS).filter(|(version, _)| *version > done) {
        tx.execute_batch(sql)?;
        if version == SEALED {
            seal_what_was_there(&tx, key)?;
        }
        tx.pragma_update(None, "user_version", version)?;
        tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    }
    if !has_lists(&tx)? {
        views::rebuild(&tx)?;
        tx.execute("insert or replace into views (id, form) values (1, ?1)", [VIEWS])?;
    }
    Ok(tx.commit()?)
}

/// Whether what lists are read from is in the form that is known here.
fn has_lists(db: &Connection) -> Result<bool, StoreError> {
    let form = db.query_row("select form from views", (), |row| row.get(0)).optional()?;
    Ok(form == Some(VIEWS))
}

/// What was written before there were seals is sealed as it is found.
fn seal_what_was_there(tx: &Transaction<'_>, key: &SealKey) -> Result<(), StoreError> {
    let mut tip = Tip { seq: 0, seal: Seal::NONE };
    let mut hashes: HashMap<String, Hash> = HashMap::new();
    let mut select = tx.prepare("select stream, version, body from events order by seq")?;
    let mut rows = select.query(())?;
    while let Some(row) = rows.next()? {
        let (stream, version, body): (String, u64, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let unwritable = |reason: String| StoreError::Unwritable(reason);
        let body: serde_json::Value = serde_json::from_str(&body).map_err(|error| unwritable(error.to_string()))?;
        let body = canonical(&body).map_err(|error| unwritable(error.to_string()))?;
        let hash = hashes.entry(stream.clone()).or_insert(Hash::NONE);
        insert(tx, key, &mut tip, &stream, version, &body, hash)?;
    }
    write_head(tx, key, tip)?;
    Ok(tx.execute_batch("drop table events")?)
}

/// Says where the journal ends.
pub(crate) fn write_head(tx: &Transaction<'_>, key: &SealKey, tip: Tip) -> Result<(), StoreError> {
    let mut replace = tx.prepare_cached("insert or replace into head (id, seq, seal) values (1, :seq, :seal)")?;
    replace.execute(named_params! {":seq": tip.seq, ":seal": key.head(tip.seq, tip.seal).0})?;
    Ok(())
}

/// Where the journal says that it ends; nowhere when nothing was ever written.
pub(crate) fn read_head(db: &Connection) -> Result<(u64, Seal), StoreError> {
    let head = db.query_row("select seq, seal from head", (), |row| Ok((row.get(0)?, Seal(row.get(1)?)))).optional()?;
    Ok(head.unwrap_or((0, Seal::NONE)))
}

pub(crate) fn known() -> u32 {
    u32::try_from(MIGRATIONS.len()).unwrap_or(u32::MAX)
}
