//! The one thread that writes. Whatever waits while it commits goes into the next commit together.

use std::sync::mpsc;

use countersign_ledger::{Hash, Seal, SealKey, canonical, chain, commit};
use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, named_params};
use tokio::sync::{oneshot, watch};

use crate::{DataFolder, Entry, StoreError, schema};

/// How many appends share one commit at most.
const MOST_TOGETHER: usize = 256;

/// Something to be appended, and who waits for it.
pub(crate) struct Append {
    pub(crate) stream: String,
    pub(crate) expected: u64,
    pub(crate) entries: Vec<Entry>,
    pub(crate) done: oneshot::Sender<Result<u64, StoreError>>,
}

/// What the writing thread holds. The folder is held as long as the database is open.
pub(crate) struct Writer {
    pub(crate) db: Connection,
    pub(crate) key: SealKey,
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
    pub(crate) fn run(mut self, queue: &mpsc::Receiver<Append>) {
        while let Ok(first) = queue.recv() {
            let together = std::iter::once(first).chain(queue.try_iter()).take(MOST_TOGETHER).collect();
            self.write(together);
        }
    }

    /// Writes all of them in one commit. Who is too late is told so and keeps nobody else from it.
    fn write(&mut self, appends: Vec<Append>) {
        let mut answers = Vec::with_capacity(appends.len());
        let committed = self.commit(appends, &mut answers);
        for (done, answer) in answers {
            let answer = committed.clone().and(answer);
            // Whoever asked may have gone; what was done stays done.
            let _ = done.send(answer);
        }
        if committed.is_ok() {
            self.head.send_replace(self.last.seq);
        }
    }

    #[expect(clippy::type_complexity, reason = "who waits, and what they are told")]
    fn commit(
        &mut self,
        appends: Vec<Append>,
        answers: &mut Vec<(oneshot::Sender<Result<u64, StoreError>>, Result<u64, StoreError>)>,
    ) -> Result<(), StoreError> {
        let mut waiting = appends.into_iter();
        let written = (|| {
            let tx = self.db.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let mut tip = self.last;
            for Append { stream, expected, entries, done } in waiting.by_ref() {
                let answer = append(&tx, &self.key, &mut tip, &stream, expected, &entries);
                // What is this append's own fault is found before anything is written; any other failure takes
                // everything with it.
                let own =
                    |error: &&StoreError| matches!(error, StoreError::Conflict { .. } | StoreError::Unwritable(_));
                let fatal = answer.as_ref().err().filter(|error| !own(error)).cloned();
                answers.push((done, answer));
                if let Some(error) = fatal {
                    return Err(error);
                }
            }
            if tip.seq != self.last.seq {
                schema::write_head(&tx, &self.key, tip)?;
            }
            tx.commit()?;
            self.last = tip;
            Ok(())
        })();
        if let Err(error) = &written {
            answers.extend(waiting.map(|append| (append.done, Err(error.clone()))));
        }
        written
    }
}

fn append(
    tx: &Transaction<'_>,
    key: &SealKey,
    tip: &mut Tip,
    stream: &str,
    expected: u64,
    entries: &[Entry],
) -> Result<u64, StoreError> {
    let before = tx
        .prepare_cached("select version, hash from entries where stream = :stream order by version desc limit 1")?
        .query_row(named_params! {":stream": stream}, |row| Ok((row.get::<_, u64>(0)?, row.get::<_, [u8; 32]>(1)?)))
        .optional()?;
    let (found, mut hash) = before.map_or((0, Hash::NONE), |(version, hash)| (version, Hash(hash)));
    if found != expected {
        return Err(StoreError::Conflict { expected, found });
    }
    let bodies: Result<Vec<Vec<u8>>, _> = entries.iter().map(canonical).collect();
    // A value that cannot be written exactly is this append's fault alone, and nothing of it is written.
    let bodies = bodies.map_err(|error| StoreError::Unwritable(error.to_string()))?;
    for (version, body) in (expected + 1..).zip(bodies) {
        insert(tx, key, tip, stream, version, &body, &mut hash)?;
    }
    Ok(tip.seq)
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
