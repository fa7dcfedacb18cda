//! Whether a journal is as it was written.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::Path;

use countersign_ledger::{Hash, Seal, SealKey, chain, commit};

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

/// How many entries are read and hashed at a time.
const PAGE: usize = 1000;

/// An entry as it is found, and what its content commits to.
struct Found {
    seq: u64,
    stream: String,
    version: Option<u64>,
    body: Option<String>,
    commitment: Hash,
    hash: Option<Hash>,
    seal: Option<Seal>,
}

/// Walks through all of it, oldest first. Reading goes on while what was read is hashed, on as many cores as there are.
pub(crate) fn walk(path: &Path, key: &SealKey) -> Result<Verified, VerifyError> {
    let db = schema::reader(path).map_err(VerifyError::NotACopy)?;
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    std::thread::scope(|scope| {
        let mut pages = VecDeque::new();
        let mut walker = Walker { key, streams: HashMap::new(), last: 0, sealed: Seal::NONE };
        let mut select = db
            .prepare("select seq, stream, version, body, hash, seal from entries order by seq")
            .map_err(StoreError::from)?;
        let mut rows = select.query(()).map_err(StoreError::from)?;
        loop {
            let page = read_page(&mut rows)?;
            let is_last = page.is_empty();
            if !is_last {
                pages.push_back(scope.spawn(move || hash_page(page, key)));
            }
            while pages.len() > if is_last { 0 } else { cores } {
                let hashed = pages.pop_front().map(std::thread::ScopedJoinHandle::join);
                let hashed = hashed.transpose().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                for found in hashed.into_iter().flatten() {
                    walker.check(found)?;
                }
            }
            if is_last {
                return walker.end(schema::read_head(&db)?);
            }
        }
    })
}

fn read_page(rows: &mut rusqlite::Rows<'_>) -> Result<Vec<Found>, StoreError> {
    let mut page = Vec::with_capacity(PAGE);
    while page.len() < PAGE
        && let Some(row) = rows.next()?
    {
        // A column of another type is as good as changed.
        page.push(Found {
            seq: row.get(0)?,
            stream: row.get(1).unwrap_or_default(),
            version: row.get(2).ok(),
            body: row.get(3).ok(),
            commitment: Hash::NONE,
            hash: row.get(4).ok().map(Hash),
            seal: row.get(5).ok().map(Seal),
        });
    }
    Ok(page)
}

fn hash_page(mut page: Vec<Found>, key: &SealKey) -> Vec<Found> {
    for found in &mut page {
        // Once it is hashed nobody needs it any more.
        found.commitment = commit(found.body.take().unwrap_or_default().as_bytes(), &key.salt(found.seq));
    }
    page
}

struct Walker<'a> {
    key: &'a SealKey,
    /// Where each stream is.
    streams: HashMap<String, (u64, Hash)>,
    last: u64,
    sealed: Seal,
}

impl Walker<'_> {
    fn check(&mut self, found: Found) -> Result<(), VerifyError> {
        let Found { seq, stream, version, commitment, hash, seal, .. } = found;
        let damaged = |seq, damage| Err(VerifyError::Damaged { seq, damage });
        if seq != self.last + 1 {
            return damaged(self.last + 1, Damage::Missing);
        }
        let (before, previous) = self.streams.get(&stream).copied().unwrap_or((0, Hash::NONE));
        let Some(version) = version.filter(|version| *version == before + 1) else {
            return damaged(seq, Damage::Order);
        };
        let computed = chain(previous, commitment);
        let fits = |hash| Some(self.key.seal(self.sealed, seq, hash, &stream, version)) == seal;
        match (hash == Some(computed), hash.is_some_and(fits)) {
            (true, true) => {}
            (true, false) => return damaged(seq, Damage::Seal),
            (false, true) => return damaged(seq, Damage::Content),
            (false, false) if fits(computed) => return damaged(seq, Damage::Hash),
            (false, false) => return damaged(seq, Damage::Seal),
        }
        match self.streams.get_mut(&stream) {
            Some(tip) => *tip = (version, computed),
            None => drop(self.streams.insert(stream, (version, computed))),
        }
        (self.last, self.sealed) = (seq, seal.unwrap_or(Seal::NONE));
        Ok(())
    }

    fn end(&self, (seq, head): (u64, Seal)) -> Result<Verified, VerifyError> {
        let verified = Verified { entries: self.last, streams: self.streams.len() as u64 };
        let empty = self.last == 0 && seq == 0;
        if empty || (seq == self.last && self.key.head(self.last, self.sealed) == head) {
            Ok(verified)
        } else {
            Err(VerifyError::Damaged { seq: self.last + 1, damage: Damage::End })
        }
    }
}

/// Copies a journal, in use or not, and gives the copy its name only when it is as it was written.
pub(crate) fn copy(from: &Path, to: &Path, key: &SealKey) -> Result<Verified, VerifyError> {
    let failed = |path: &Path, reason: String| VerifyError::File { path: path.display().to_string(), reason };
    let unfinished = to.with_extension("unfinished");
    let _ = fs::remove_file(&unfinished);
    let db = schema::reader(from).map_err(VerifyError::NotACopy)?;
    if schema::check(from).map_err(VerifyError::NotACopy)? == Some(schema::known()) {
        schema::check_shape(&db)?;
    }
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
