use std::sync::mpsc;
use std::thread;

use rusqlite::{Connection, Row, TransactionBehavior, named_params};
use tokio::sync::{oneshot, watch};

use crate::{DataFolder, Entry, OpenError, Record, StoreError, Stream, schema};

/// The append-only journal. One thread owns the database; clones share it.
#[derive(Clone, Debug)]
pub struct Journal {
    jobs: mpsc::Sender<Job>,
    head: watch::Receiver<u64>,
}

type Job = Box<dyn FnOnce(&mut Writer) + Send>;

/// What the journal's thread holds. The folder is held as long as the database is open.
struct Writer {
    db: Connection,
    head: watch::Sender<u64>,
    _folder: DataFolder,
}

impl Journal {
    /// Opens the journal of a data folder, or begins one.
    pub fn open(folder: DataFolder) -> Result<Self, OpenError> {
        let path = folder.journal();
        let db = schema::open(&path)?;
        let last: u64 = db
            .query_one("select coalesce(max(seq), 0) from events", (), |row| row.get(0))
            .map_err(|error| OpenError::Damaged { path: path.clone(), reason: error.to_string() })?;

        let (head, watched) = watch::channel(last);
        let (jobs, queue) = mpsc::channel::<Job>();
        let mut writer = Writer { db, head, _folder: folder };
        thread::Builder::new()
            .name("journal".into())
            .spawn(move || {
                for job in queue {
                    job(&mut writer);
                }
            })
            .map_err(|error| OpenError::Unwritable { path, reason: error.to_string() })?;
        Ok(Self { jobs, head: watched })
    }

    /// Appends to a stream that is at `expected`, all or nothing. On the disk when this returns; gives the last place.
    pub async fn append(&self, stream: &Stream, expected: u64, entries: Vec<Entry>) -> Result<u64, StoreError> {
        let stream = stream.to_string();
        self.run(move |writer| {
            let tx = writer.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let found: u64 = tx
                .prepare_cached("select coalesce(max(version), 0) from events where stream = :stream")?
                .query_one(named_params! {":stream": stream}, |row| row.get(0))?;
            if found != expected {
                return Err(StoreError::Conflict { expected, found });
            }
            let mut insert = tx.prepare_cached(
                "insert into events (stream, version, body) values (:stream, :version, :body) returning seq",
            )?;
            let mut last = *writer.head.borrow();
            for (version, entry) in (expected + 1..).zip(&entries) {
                let body = serde_json::to_string(entry).map_err(|error| StoreError::Sqlite(error.to_string()))?;
                let row = named_params! {":stream": stream, ":version": version, ":body": body};
                last = insert.query_one(row, |row| row.get(0))?;
            }
            drop(insert);
            tx.commit()?;
            writer.head.send_replace(last);
            Ok(last)
        })
        .await
    }

    /// Everything that happened to one stream, oldest first.
    pub async fn read(&self, stream: &Stream) -> Result<Vec<Record>, StoreError> {
        let stream = stream.to_string();
        self.run(move |writer| {
            let mut select = writer
                .db
                .prepare_cached("select seq, version, body from events where stream = :stream order by version")?;
            select.query_and_then(named_params! {":stream": stream}, record)?.collect()
        })
        .await
    }

    /// At most `limit` records after a place, in order.
    pub async fn after(&self, seq: u64, limit: u32) -> Result<Vec<Record>, StoreError> {
        self.run(move |writer| {
            let mut select = writer
                .db
                .prepare_cached("select seq, version, body from events where seq > :seq order by seq limit :limit")?;
            select.query_and_then(named_params! {":seq": seq, ":limit": limit}, record)?.collect()
        })
        .await
    }

    /// The place of the last record, and word of every later one.
    pub fn head(&self) -> watch::Receiver<u64> {
        self.head.clone()
    }

    async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Writer) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let job: Job = Box::new(move |writer| {
            // Whoever asked may have gone; what was done stays done.
            let _ = answer.send(job(writer));
        });
        self.jobs.send(job).map_err(|_| StoreError::Closed)?;
        answered.await.map_err(|_| StoreError::Closed)?
    }
}

fn record(row: &Row<'_>) -> Result<Record, StoreError> {
    let seq = row.get(0)?;
    let body: String = row.get(2)?;
    let entry =
        serde_json::from_str(&body).map_err(|error| StoreError::Unreadable { seq, reason: error.to_string() })?;
    Ok(Record { seq, version: row.get(1)?, entry })
}
