use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use countersign_kernel::{Folder, NegotiationId, Opportunity, Timestamp};
use countersign_ledger::{Export, Hash, Keys, Mask};
use rusqlite::{Connection, Row, named_params};
use tokio::sync::{oneshot, watch};

use crate::folder::{JOURNAL, KEY};
use crate::verify::{self, Verified};
use crate::writer::{Task, Writer};
use crate::{
    Answer, Append, DataFolder, Journal, KeptIn, OpenError, Overview, Record, StoreError, Stream, VerifyError, key,
    schema, views,
};

/// The journal of a data folder, on SQLite. One thread writes and one reads; clones share them.
#[derive(Clone, Debug)]
pub struct SqliteJournal {
    tasks: mpsc::Sender<Task>,
    reads: mpsc::Sender<Read>,
    head: watch::Receiver<u64>,
    path: PathBuf,
    keys: Keys,
    kept_in: KeptIn,
}

/// How often who only looks finds out what another process wrote.
const LOOK_AGAIN: Duration = Duration::from_millis(250);

type Read = Box<dyn FnOnce(&mut Connection) + Send>;

impl SqliteJournal {
    /// Opens the journal of a data folder, or begins one.
    pub fn open(folder: DataFolder) -> Result<Self, OpenError> {
        let path = folder.journal();
        let is_sealed = schema::check(&path)?.is_some_and(|format| format >= schema::SEALED);
        let (keys, kept_in) = key::load(&folder.key(), is_sealed, folder.keep_in)?;
        let (db, last) = schema::open(&path, &keys.seal)?;
        let mut reader = schema::reader(&path)?;

        let (head, watched) = watch::channel(last.seq);
        let (tasks, queue) = mpsc::channel();
        let (reads, questions) = mpsc::channel::<Read>();
        let writer = Writer { db, keys: keys.clone(), last, head, _folder: folder };
        let failed = |error: std::io::Error| OpenError::Unwritable { path: path.clone(), reason: error.to_string() };
        let named = |name: &str| thread::Builder::new().name(name.into());
        named("journal").spawn(move || writer.run(&queue)).map_err(failed)?;
        named("journal-reader")
            .spawn(move || questions.into_iter().for_each(|read| read(&mut reader)))
            .map_err(failed)?;
        Ok(Self { tasks, reads, head: watched, path, keys, kept_in })
    }

    /// Opens the journal of a data folder to look at it, also while another process writes to it. Nothing can be appended,
    /// and nothing in the folder is changed.
    pub fn look(home: &Path) -> Result<Self, OpenError> {
        let path = home.join(JOURNAL);
        match schema::check(&path)? {
            None => return Err(OpenError::Nothing { path: home.into() }),
            Some(format) if format < schema::known() => return Err(OpenError::Older { path }),
            Some(_) => {}
        }
        let (keys, kept_in) = key::load(&home.join(KEY), true, KeptIn::File)?;
        let mut reader = schema::reader(&path)?;
        let last = schema::last(&reader).map_err(|error| schema::explain(&path, error))?;
        let (head, watched) = watch::channel(last.seq);
        let (reads, questions) = mpsc::channel::<Read>();
        // Nobody is at the other end: who appends is told that it is closed.
        let (tasks, _) = mpsc::channel();
        let failed = |error: std::io::Error| OpenError::Unwritable { path: path.clone(), reason: error.to_string() };
        let looker = move || {
            loop {
                match questions.recv_timeout(LOOK_AGAIN) {
                    Ok(read) => read(&mut reader),
                    Err(mpsc::RecvTimeoutError::Timeout) => {
                        let grown = schema::last(&reader).map_or(0, |last| last.seq);
                        head.send_if_modified(|head| std::mem::replace(head, grown.max(*head)) < grown);
                    }
                    Err(mpsc::RecvTimeoutError::Disconnected) => return,
                }
            }
        };
        thread::Builder::new().name("journal-reader".into()).spawn(looker).map_err(failed)?;
        Ok(Self { tasks, reads, head: watched, path, keys, kept_in })
    }

    /// A copy of one negotiation that others can verify, signed by the person's agent; with a mask, what is sensitive is
    /// left out.
    pub async fn export(&self, id: &NegotiationId, mask: Option<Mask>, at: Timestamp) -> Result<Export, StoreError> {
        let (stream, seal) = (Stream::Negotiation(id.clone()).to_string(), self.keys.seal.clone());
        let entries = self
            .ask(move |db| {
                let mut select =
                    db.prepare_cached("select seq, body, hash from entries where stream = :stream order by version")?;
                let row = |row: &Row<'_>| {
                    let (seq, body): (u64, String) = (row.get(0)?, row.get(1)?);
                    let body = serde_json::from_str(&body)
                        .map_err(|error| StoreError::Unreadable { seq, reason: error.to_string() })?;
                    Ok((body, seal.salt(seq), Hash(row.get(2)?)))
                };
                select.query_and_then(named_params! {":stream": stream}, row)?.collect::<Result<Vec<_>, StoreError>>()
            })
            .await?;
        let mut export = Export::new(id.to_string(), entries, mask.as_ref());
        let proof = self.keys.agent.sign(&export, &at.rfc3339());
        export.proof = Some(proof.map_err(|error| StoreError::Unwritable(error.to_string()))?);
        Ok(export)
    }

    /// Who seals and signs here.
    pub fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Walks through the whole journal, and names the first entry that is not as it was written.
    pub async fn verify(&self) -> Result<Verified, VerifyError> {
        let (path, key) = (self.path.clone(), self.keys.seal.clone());
        let walked = tokio::task::spawn_blocking(move || verify::walk(&path, &key)).await;
        walked.map_err(|_| VerifyError::Store(StoreError::Closed))?
    }

    /// Writes a copy of the journal as it is now, while it is in use. The copy is verified before it gets its name.
    pub async fn backup(&self, to: PathBuf) -> Result<Verified, VerifyError> {
        let (path, key) = (self.path.clone(), self.keys.seal.clone());
        let copied = tokio::task::spawn_blocking(move || verify::copy(&path, &to, &key)).await;
        copied.map_err(|_| VerifyError::Store(StoreError::Closed))?
    }

    /// The negotiations whose lists are not what their entries come to.
    pub async fn out_of_step(&self) -> Result<Vec<NegotiationId>, StoreError> {
        self.ask(views::out_of_step).await
    }

    /// Where the folder's secret is kept.
    pub fn kept_in(&self) -> KeptIn {
        self.kept_in
    }

    fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&mut Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Answer<'_, T> {
        Box::pin(async move {
            let (answer, answered) = oneshot::channel();
            let read: Read = Box::new(move |db| {
                // Whoever asked may have gone.
                let _ = answer.send(question(db));
            });
            self.reads.send(read).map_err(|_| StoreError::Closed)?;
            answered.await.map_err(|_| StoreError::Closed)?
        })
    }

    fn tell<T: Send + 'static>(
        &self,
        task: impl FnOnce(oneshot::Sender<Result<T, StoreError>>) -> Task + Send + 'static,
    ) -> Answer<'_, T> {
        Box::pin(async move {
            let (done, answer) = oneshot::channel();
            self.tasks.send(task(done)).map_err(|_| StoreError::Closed)?;
            answer.await.map_err(|_| StoreError::Closed)?
        })
    }
}

impl Journal for SqliteJournal {
    fn append(&self, append: Append) -> Answer<'_, u64> {
        self.tell(|done| Task::Append(Box::new(append), done))
    }

    fn read(&self, stream: Stream, after: u64, limit: u32) -> Answer<'_, Vec<Record>> {
        self.ask(move |db| {
            let mut select = db.prepare_cached(
                "select seq, version, body from entries where stream = :stream and version > :after
                 order by version limit :limit",
            )?;
            let params = named_params! {":stream": stream.to_string(), ":after": after, ":limit": limit};
            select.query_and_then(params, record)?.collect()
        })
    }

    fn after(&self, seq: u64, limit: u32) -> Answer<'_, Vec<Record>> {
        self.ask(move |db| {
            let mut select =
                db.prepare_cached("select seq, version, body from entries where seq > :seq order by seq limit :limit")?;
            select.query_and_then(named_params! {":seq": seq, ":limit": limit}, record)?.collect()
        })
    }

    fn head(&self) -> watch::Receiver<u64> {
        self.head.clone()
    }

    fn due(&self, limit: u32) -> Answer<'_, Vec<(NegotiationId, Timestamp)>> {
        self.ask(move |db| views::due(db, limit))
    }

    fn ready(&self, after: Option<NegotiationId>, limit: u32) -> Answer<'_, Vec<NegotiationId>> {
        self.ask(move |db| views::ready(db, after.as_ref(), limit))
    }

    fn list(&self, folder: Folder, after: Option<Opportunity>, limit: u32) -> Answer<'_, Vec<Opportunity>> {
        self.ask(move |db| views::list(db, folder, after.as_ref(), limit))
    }

    fn overview(&self, limit: u32) -> Answer<'_, Overview> {
        self.ask(move |db| views::overview(db, limit))
    }

    fn rebuild(&self) -> Answer<'_, u64> {
        self.tell(Task::Rebuild)
    }
}

/// Walks through the journal of a folder that need not open, and names the first entry that is not as it was written.
pub fn verify(folder: &DataFolder) -> Result<Verified, VerifyError> {
    let journal = folder.journal();
    schema::check(&journal).map_err(VerifyError::NotACopy)?;
    let (keys, _) = key::load(&folder.key(), true, KeptIn::File).map_err(VerifyError::NotACopy)?;
    verify::walk(&journal, &keys.seal)
}

/// Puts a copy in the place of a data folder's journal. What was there is kept beside it. The copy is verified first, with
/// the folder's own key.
pub fn restore(folder: &DataFolder, from: &Path) -> Result<Verified, VerifyError> {
    let journal = folder.journal();
    schema::check(from).map_err(VerifyError::NotACopy)?;
    let (keys, _) = key::load(&folder.key(), true, KeptIn::File).map_err(VerifyError::NotACopy)?;
    let unfinished = journal.with_extension("restoring");
    let verified = verify::copy(from, &unfinished, &keys.seal)?;
    verify::replace(&journal, &unfinished)?;
    Ok(verified)
}

fn record(row: &Row<'_>) -> Result<Record, StoreError> {
    let seq = row.get(0)?;
    let body = row.get_ref(2)?.as_str().map_err(|error| StoreError::Damaged(error.to_string()))?;
    let entry =
        serde_json::from_str(body).map_err(|error| StoreError::Unreadable { seq, reason: error.to_string() })?;
    Ok(Record { seq, version: row.get(1)?, entry })
}
