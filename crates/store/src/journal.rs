use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;

use countersign_ledger::SealKey;
use rusqlite::{Connection, Row, named_params};
use tokio::sync::{oneshot, watch};

use crate::verify::{self, Verified};
use crate::writer::{Append, Writer};
use crate::{DataFolder, Entry, OpenError, Record, StoreError, Stream, VerifyError, key, schema};

/// The append-only journal. One thread writes and one reads; clones share them.
#[derive(Clone, Debug)]
pub struct Journal {
    appends: mpsc::Sender<Append>,
    reads: mpsc::Sender<Read>,
    head: watch::Receiver<u64>,
    path: PathBuf,
    key: SealKey,
}

type Read = Box<dyn FnOnce(&mut Connection) + Send>;

impl Journal {
    /// Opens the journal of a data folder, or begins one.
    pub fn open(folder: DataFolder) -> Result<Self, OpenError> {
        let path = folder.journal();
        let is_sealed = schema::check(&path)?.is_some_and(|format| format >= schema::SEALED);
        let key = key::load(&folder.key(), is_sealed)?;
        let (db, last) = schema::open(&path, &key)?;
        let mut reader = schema::reader(&path)?;

        let (head, watched) = watch::channel(last.seq);
        let (appends, queue) = mpsc::channel();
        let (reads, questions) = mpsc::channel::<Read>();
        let writer = Writer { db, key: key.clone(), last, head, _folder: folder };
        let failed = |error: std::io::Error| OpenError::Unwritable { path: path.clone(), reason: error.to_string() };
        let named = |name: &str| thread::Builder::new().name(name.into());
        named("journal").spawn(move || writer.run(&queue)).map_err(failed)?;
        named("journal-reader")
            .spawn(move || questions.into_iter().for_each(|read| read(&mut reader)))
            .map_err(failed)?;
        Ok(Self { appends, reads, head: watched, path, key })
    }

    /// Appends to a stream that is at `expected`, all or nothing. On the disk when this returns; gives the last place.
    pub async fn append(&self, stream: &Stream, expected: u64, entries: Vec<Entry>) -> Result<u64, StoreError> {
        let (done, answer) = oneshot::channel();
        let append = Append { stream: stream.to_string(), expected, entries, done };
        self.appends.send(append).map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// Everything that happened to one stream, oldest first.
    pub async fn read(&self, stream: &Stream) -> Result<Vec<Record>, StoreError> {
        let stream = stream.to_string();
        self.ask(move |db| {
            let mut select =
                db.prepare_cached("select seq, version, body from entries where stream = :stream order by version")?;
            select.query_and_then(named_params! {":stream": stream}, record)?.collect()
        })
        .await
    }

    /// At most `limit` records after a place, in order.
    pub async fn after(&self, seq: u64, limit: u32) -> Result<Vec<Record>, StoreError> {
        self.ask(move |db| {
            let mut select =
                db.prepare_cached("select seq, version, body from entries where seq > :seq order by seq limit :limit")?;
            select.query_and_then(named_params! {":seq": seq, ":limit": limit}, record)?.collect()
        })
        .await
    }

    /// The place of the last record, and word of every later one.
    pub fn head(&self) -> watch::Receiver<u64> {
        self.head.clone()
    }

    /// Walks through the whole journal, and names the first entry that is not as it was written.
    pub async fn verify(&self) -> Result<Verified, VerifyError> {
        let (path, key) = (self.path.clone(), self.key.clone());
        let walked = tokio::task::spawn_blocking(move || verify::walk(&path, &key)).await;
        walked.map_err(|_| VerifyError::Store(StoreError::Closed))?
    }

    /// Writes a copy of the journal as it is now, while it is in use. The copy is verified before it gets its name.
    pub async fn backup(&self, to: PathBuf) -> Result<Verified, VerifyError> {
        let (path, key) = (self.path.clone(), self.key.clone());
        let copied = tokio::task::spawn_blocking(move || verify::copy(&path, &to, &key)).await;
        copied.map_err(|_| VerifyError::Store(StoreError::Closed))?
    }

    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let read: Read = Box::new(move |db| {
            // Whoever asked may have gone.
            let _ = answer.send(question(db));
        });
        self.reads.send(read).map_err(|_| StoreError::Closed)?;
        answered.await.map_err(|_| StoreError::Closed)?
    }
}

/// Walks through the journal of a folder that need not open, and names the first entry that is not as it was written.
pub fn verify(folder: &DataFolder) -> Result<Verified, VerifyError> {
    let journal = folder.journal();
    schema::check(&journal).map_err(VerifyError::NotACopy)?;
    let key = key::load(&folder.key(), true).map_err(VerifyError::NotACopy)?;
    verify::walk(&journal, &key)
}

/// Puts a copy in the place of a data folder's journal. What was there is kept beside it. The copy is verified first, with
/// the folder's own key.
pub fn restore(folder: &DataFolder, from: &Path) -> Result<Verified, VerifyError> {
    let journal = folder.journal();
    schema::check(from).map_err(VerifyError::NotACopy)?;
    let key = key::load(&folder.key(), true).map_err(VerifyError::NotACopy)?;
    let unfinished = journal.with_extension("restoring");
    let verified = verify::copy(from, &unfinished, &key)?;
    verify::replace(&journal, &unfinished)?;
    Ok(verified)
}

fn record(row: &Row<'_>) -> Result<Record, StoreError> {
    let seq = row.get(0)?;
    let body: String = row.get(2)?;
    let entry =
        serde_json::from_str(&body).map_err(|error| StoreError::Unreadable { seq, reason: error.to_string() })?;
    Ok(Record { seq, version: row.get(1)?, entry })
}
