//! Whether a journal is as it was written.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use countersign_ledger::{Hash, Seal, SealKey, chain, commit};
use rusqlite::Connection;

use crate::{OpenError, StoreError, schema};

/// A journal that is as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// How many entries it has.
    pub entries: u64,
    /// How many streams they are in.
    pub streams: u64,
}

/// Why a journal, or a copy of one, is not as it was written.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// An entry is not as it was.
    #[error("entry {seq}: {damage}")]
    Damaged {
        /// Its place; the first that is wrong.
        seq: u64,
        /// What is wrong.
        damage: Damage,
    },
    /// It is not a journal that could be verified here.
    #[error(transparent)]
    NotACopy(OpenError),
    /// It could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file could not be written.
    #[error("`{path}` could not be written: {reason}")]
    File {
        /// Which.
        path: String,
        /// What the system said.
        reason: String,
    },
}

/// What is wrong with an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// It is not there.
    #[error("it is missing")]
    Missing,
    /// Its place in its stream does not follow the one before.
    #[error("it is out of order in its stream")]
    Order,
    /// What it says was changed.
    #[error("what it says was changed")]
    Content,
    /// Its hash was changed.
    #[error("its hash was changed")]
    Hash,
    /// Its seal was changed, or it was moved, or sealed without the key.
    #[error("its seal does not fit: it was moved, or written by somebody without the key")]
    Seal,
    /// The journal does not end here.
    #[error("the journal was cut off here, or added to by somebody without the key")]
    End,
}

/// Walks through all of it, oldest first.
pub(crate) fn walk(path: &Path, key: &SealKey) -> Result<Verified, VerifyError> {
    let db = schema::reader(path).map_err(VerifyError::NotACopy)?;
    walk_through(&db, key)
}

fn walk_through(db: &Connection, key: &SealKey) -> Result<Verified, VerifyError> {
    let mut streams: HashMap<String, (u64, Hash)> = HashMap::new();
    let (mut last, mut sealed) = (0, Seal::NONE);
    let mut select = db
        .prepare("select seq, stream, version, body, hash, seal from entries order by seq")
        .map_err(StoreError::from)?;
    let mut rows = select.query(()).map_err(StoreError::from)?;
    while let Some(row) = rows.next().map_err(StoreError::from)? {
        let seq: u64 = row.get(0).map_err(StoreError::from)?;
        let damaged = |seq, damage| VerifyError::Damaged { seq, damage };
        if seq != last + 1 {
            return Err(damaged(last + 1, Damage::Missing));
        }
        // A column of another type is as good as changed.
        let stream =
            row.get_ref(1).ok().and_then(|stream| stream.as_str().ok()).ok_or(damaged(seq, Damage::Content))?;
        let version: u64 = row.get(2).map_err(|_| damaged(seq, Damage::Order))?;
        let body = row.get_ref(3).ok().and_then(|body| body.as_bytes().ok()).ok_or(damaged(seq, Damage::Content))?;
        let hash = row.get(4).map(Hash).map_err(|_| damaged(seq, Damage::Hash))?;
        let seal = row.get(5).map(Seal).map_err(|_| damaged(seq, Damage::Seal))?;

        let tip = match streams.get_mut(stream) {
            Some(tip) => tip,
            None => streams.entry(stream.to_owned()).or_insert((0, Hash::NONE)),
        };
        let computed = chain(tip.1, commit(body, &key.salt(seq)));
        let fits = |hash| key.seal(sealed, seq, hash, stream, version) == seal;
        if version != tip.0 + 1 {
            return Err(damaged(seq, Damage::Order));
        }
        match (computed == hash, fits(hash)) {
            (true, true) => {}
            (true, false) => return Err(damaged(seq, Damage::Seal)),
            (false, true) => return Err(damaged(seq, Damage::Content)),
            (false, false) if fits(computed) => return Err(damaged(seq, Damage::Hash)),
            (false, false) => return Err(damaged(seq, Damage::Seal)),
        }
        *tip = (version, hash);
        (last, sealed) = (seq, seal);
    }
    let (seq, head) = schema::read_head(db)?;
    if last == 0 && seq == 0 {
        return Ok(Verified { entries: 0, streams: 0 });
    }
    if seq != last || key.head(last, sealed) != head {
        return Err(VerifyError::Damaged { seq: last + 1, damage: Damage::End });
    }
    Ok(Verified { entries: last, streams: streams.len() as u64 })
}

/// Copies a journal, in use or not, and gives the copy its name only when it is as it was written.
pub(crate) fn copy(from: &Path, to: &Path, key: &SealKey) -> Result<Verified, VerifyError> {
    let failed = |path: &Path, reason: String| VerifyError::File { path: path.display().to_string(), reason };
    let unfinished = to.with_extension("unfinished");
    let _ = fs::remove_file(&unfinished);
    let db = schema::reader(from).map_err(VerifyError::NotACopy)?;
    db.execute("vacuum into ?1", [unfinished.to_string_lossy()])
        .map_err(|error| failed(&unfinished, error.to_string()))?;
    let verified = walk(&unfinished, key).inspect_err(|_| {
        let _ = fs::remove_file(&unfinished);
    })?;
    let renamed =
        fs::File::open(&unfinished).and_then(|file| file.sync_all()).and_then(|()| fs::rename(&unfinished, to));
    renamed.map_err(|error| failed(to, error.to_string()))?;
    Ok(verified)
}

/// Puts one file in another's place and keeps what was there, with its log, beside it.
pub(crate) fn replace(journal: &Path, by: &Path) -> Result<(), VerifyError> {
    let failed =
        |error: std::io::Error| VerifyError::File { path: journal.display().to_string(), reason: error.to_string() };
    let beside = |ending: &str| journal.with_extension(ending);
    if journal.exists() {
        for (from, to) in [("db", "db-replaced"), ("db-wal", "db-replaced-wal"), ("db-shm", "db-replaced-shm")] {
            let _ = fs::remove_file(beside(to));
            match fs::rename(beside(from), beside(to)) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(failed(error)),
                Ok(()) | Err(_) => {}
            }
        }
    }
    fs::rename(by, journal).map_err(failed)
}
