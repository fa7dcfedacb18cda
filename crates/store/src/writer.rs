//! The one thread that writes. Whatever waits while it commits goes into the next commit together.

use std::sync::mpsc;

use countersign_kernel::Timestamp;
use countersign_ledger::{Hash, Keys, Seal, SealKey, canonical, chain, commit};
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, named_params};
use tokio::sync::{oneshot, watch};

use crate::{Append, Checkpoint, DataFolder, Entry, StoreError, Stream, schema, views};

/// How many appends share one commit at most.
const MOST_TOGETHER: usize = 256;

/// Something to be written, and who waits for it.
pub(crate) enum Task {
    Append(Box<Append>, Done),
    Rebuild(Done),
}

type Done = oneshot::Sender<Result<u64, StoreError>>;

/// What the writing thread holds. The folder is held as long as the database is open.
pub(crate) struct Writer {
    pub(crate) db: Connection,
    pub(crate) keys: Keys,
    pub(crate) last: Tip,
    pub(crate) head: watch::Sender<u64>,
    pub(crate) _folder: DataFolder,
}

/// The end of the journal.
#[derive(Clone, Copy)]
pub(crate) struct Tip {
    pub(crate) seq: u64,
    pub(crate) seal: Seal,
}

impl Writer {
    pub(crate) fn run(mut self, queue: &mpsc::Receiver<Task>) {
        while let Ok(first) = queue.recv() {
            let together = std::iter::once(first).chain(queue.try_iter()).take(MOST_TOGETHER).collect();
            self.write(together);
        }
    }

    /// Writes all of them in one commit. Who is too late is told so and keeps nobody else from it.
    fn write(&mut self, tasks: Vec<Task>) {
        let mut answers = Vec::with_capacity(tasks.len());
        let committed = self.commit(tasks, &mut answers);
        if committed.is_ok() {
            self.head.send_replace(self.last.seq);
        }
        for (done, answer) in answers {
            let answer = committed.clone().and(answer);
            // Whoever asked may have gone; what was done stays done.
            let _ = done.send(answer);
        }
    }

    fn commit(
        &mut self,
        tasks: Vec<Task>,
        answers: &mut Vec<(Done, Result<u64, StoreError>)>,
    ) -> Result<(), StoreError> {
        let mut waiting = tasks.into_iter();
        let written = (|| {
            let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut tip = self.last;
            for task in waiting.by_ref() {
                let (done, answer) = match task {
                    Task::Append(append, done) => (done, append_one(&tx, &self.keys, &mut tip, append)),
                    Task::Rebuild(done) => (done, views::rebuild(&tx)),
                };
                // What is this task's own fault leaves nothing behind; any other failure takes everything with it.
                let fatal = answer.as_ref().err().filter(|error| !error.is_own_fault()).cloned();
                answers.push((done, answer));
                if let Some(error) = fatal {
                    return Err(error);
                }
            }
            if tip.seq != self.last.seq {
                schema::write_head(&tx, &self.keys.seal, tip)?;
            }
            tx.commit()?;
            self.last = tip;
            Ok(())
        })();
        if let Err(error) = &written {
            answers.extend(waiting.map(|task| match task {
                Task::Append(_, done) | Task::Rebuild(done) => (done, Err(error.clone())),
            }));
        }
        written
    }
}

fn append_one(tx: &Transaction<'_>, keys: &Keys, tip: &mut Tip, append: Box<Append>) -> Result<u64, StoreError> {
    let Append { stream, expected, entries, standing } = *append;
    if let Stream::Negotiation(id) = &stream
        && stream.is_taken()
    {
        return Err(StoreError::Unwritable(format!("a negotiation cannot be called `{id}`")));
    }
    let (found, mut hash) = last_of(tx, &stream.to_string())?;
    if found != expected {
        return Err(StoreError::Conflict { expected, found });
    }
    let bodies: Result<Vec<Vec<u8>>, _> = entries.iter().map(canonical).collect();
    // A value that cannot be written exactly is this append's fault alone, and nothing of it is written.
    let bodies = bodies.map_err(|error| StoreError::Unwritable(error.to_string()))?;
    if let Some(standing) = &standing {
        views::put(tx, standing, entries.iter().all(Entry::follows_an_end))?;
    }
    let name = stream.to_string();
    for (version, body) in (expected + 1..).zip(bodies) {
        insert(tx, &keys.seal, tip, &name, version, &body, &mut hash)?;
    }
    let last = tip.seq;
    if let (Stream::Negotiation(id), Some(standing)) = (stream, standing)
        && standing.is_closed
    {
        let entries = expected + entries.len() as u64;
        let closed = Checkpoint { negotiation_id: id, entries, hash, proof: None };
        checkpoint(tx, keys, tip, closed, standing.opportunity.changed_at)?;
    }
    Ok(last)
}

/// Signs where a negotiation stood when it ended.
fn checkpoint(
    tx: &Transaction<'_>,
    keys: &Keys,
    tip: &mut Tip,
    mut checkpoint: Checkpoint,
    at: Timestamp,
) -> Result<(), StoreError> {
    // It never fails, and if it did, what was written before it must go too.
    let failed = |error: String| StoreError::Sqlite(error);
    checkpoint.proof = Some(keys.agent.sign(&checkpoint, &at.rfc3339()).map_err(|error| failed(error.to_string()))?);
    let body = canonical(&Entry::Checkpoint(checkpoint)).map_err(|error| failed(error.to_string()))?;
    let stream = Stream::Checkpoints.to_string();
    let (version, mut hash) = last_of(tx, &stream)?;
    insert(tx, &keys.seal, tip, &stream, version + 1, &body, &mut hash)
}

/// Where a stream ends.
fn last_of(tx: &Transaction<'_>, stream: &str) -> Result<(u64, Hash), StoreError> {
    let last = tx
        .prepare_cached("select version, hash from entries where stream = :stream order by version desc limit 1")?
        .query_row(named_params! {":stream": stream}, |row| Ok((row.get(0)?, Hash(row.get(1)?))))
        .optional()?;
    Ok(last.unwrap_or((0, Hash::NONE)))
}

/// Hashes, seals and writes one entry at the end.
pub(crate) fn insert(
    tx: &Transaction<'_>,
    key: &SealKey,
    tip: &mut Tip,
    stream: &str,
    version: u64,
    body: &[u8],
    hash: &mut Hash,
) -> Result<(), StoreError> {
    let seq = tip.seq + 1;
    *hash = chain(*hash, commit(body, &key.salt(seq)));
    let seal = key.seal(tip.seal, seq, *hash, stream, version);
    let body = std::str::from_utf8(body).map_err(|error| StoreError::Unwritable(error.to_string()))?;
    tx.prepare_cached(
        "insert into entries (seq, stream, version, body, hash, seal)
         values (:seq, :stream, :version, :body, :hash, :seal)",
    )?
    .execute(named_params! {
        ":seq": seq, ":stream": stream, ":version": version, ":body": body, ":hash": hash.0, ":seal": seal.0,
    })?;
    *tip = Tip { seq, seal };
    Ok(())
}
