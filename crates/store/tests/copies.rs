//! Older journals, copies, and what happens when many write at once.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;

use countersign_kernel::{Mode, NegotiationId, Timestamp};
use countersign_store::{
    Append, DataFolder, Entry, Journal, OpenError, SqliteJournal, Stream, Verified, VerifyError, restore, verify,
};
use rusqlite::Connection;

const FIRST: &str = include_str!("../../../migrations/0001_journal.sql");

#[tokio::test]
async fn an_older_journal_is_copied_then_sealed_as_it_is_found() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("journal.db");
    let db = Connection::open(&file).unwrap();
    db.execute_batch(FIRST).unwrap();
    db.execute_batch("pragma user_version = 1; pragma application_id = 0x4353676e").unwrap();
    let body = r#"{"mode":{"mode":"off","at":5}}"#;
    for (stream, version) in [("mode", 1), ("n-1", 1), ("mode", 2)] {
        let insert = "insert into events (stream, version, body) values (?1, ?2, ?3)";
        db.execute(insert, (stream, version, body)).unwrap();
    }
    drop(db);

    let journal = SqliteJournal::open(folder(home.path())).unwrap();
    assert_eq!(journal.verify().await.unwrap(), Verified { entries: 3, streams: 2 });
    let read = journal.read(Stream::Mode, 0, 100).await.unwrap();
    assert_eq!(read.len(), 2);
    assert_eq!(read.last().unwrap().entry, Entry::Mode { mode: Mode::Off, agent: None, at: Timestamp(5) });
    assert_eq!(journal.append(append(Stream::Mode, 2, vec![entry(6)])).await, Ok(4));

    let copy = Connection::open(home.path().join("journal.v1.db")).unwrap();
    let count: u32 = copy.query_one("select count(*) from events", (), |row| row.get(0)).unwrap();
    assert_eq!(count, 3, "as it was before");
}

#[tokio::test]
async fn a_copy_made_while_it_is_written_to_is_whole() {
    let home = tempfile::tempdir().unwrap();
    let journal = SqliteJournal::open(folder(home.path())).unwrap();
    let writing = tokio::spawn({
        let journal = journal.clone();
        async move {
            for version in 0..200 {
                journal.append(append(Stream::Mode, version, vec![entry(1)])).await.unwrap();
            }
        }
    });
    let mut seen = 0;
    for round in 0..5 {
        let to = home.path().join(format!("copy-{round}.db"));
        let copied = journal.backup(to.clone()).await.unwrap();
        assert!(copied.entries >= seen && to.is_file());
        seen = copied.entries;
    }
    writing.await.unwrap();
    assert!(!home.path().join("copy-0.unfinished").exists());
}

#[tokio::test]
async fn restoring_brings_back_what_was_copied_and_keeps_what_was_there() {
    let home = tempfile::tempdir().unwrap();
    let copy = home.path().join("copy.db");
    let journal = SqliteJournal::open(folder(home.path())).unwrap();
    journal.append(append(Stream::Mode, 0, vec![entry(1)])).await.unwrap();
    journal.backup(copy.clone()).await.unwrap();
    journal.append(append(Stream::Mode, 1, vec![entry(2)])).await.unwrap();
    drop(journal);

    let held = folder(home.path());
    assert_eq!(restore(&held, &copy).unwrap(), Verified { entries: 1, streams: 1 });
    assert_eq!(verify(&held).unwrap().entries, 1);
    drop(held);
    let journal = SqliteJournal::open(folder(home.path())).unwrap();
    assert_eq!(journal.append(append(Stream::Mode, 1, vec![entry(3)])).await, Ok(2));
    let kept = Connection::open(home.path().join("journal.db-replaced")).unwrap();
    let count: u32 = kept.query_one("select count(*) from entries", (), |row| row.get(0)).unwrap();
    assert_eq!(count, 2);
}

#[tokio::test]
async fn a_copy_that_was_changed_does_not_replace_anything() {
    let home = tempfile::tempdir().unwrap();
    let copy = home.path().join("copy.db");
    let journal = SqliteJournal::open(folder(home.path())).unwrap();
    journal.append(append(Stream::Mode, 0, vec![entry(1), entry(2)])).await.unwrap();
    journal.backup(copy.clone()).await.unwrap();
    drop(journal);
    let db = Connection::open(&copy).unwrap();
    let trigger = "select sql from sqlite_schema where name = 'entries_are_not_changed'";
    let trigger: String = db.query_one(trigger, (), |row| row.get(0)).unwrap();
    db.execute_batch("drop trigger entries_are_not_changed; update entries set body = '{}' where seq = 2").unwrap();
    db.execute_batch(&trigger).unwrap();
    drop(db);
    let held = folder(home.path());
    assert!(matches!(restore(&held, &copy), Err(VerifyError::Damaged { seq: 2, .. })));
    std::fs::write(&copy, "a shopping list").unwrap();
    assert!(matches!(restore(&held, &copy), Err(VerifyError::NotACopy(OpenError::NotAJournal { .. }))));
    assert!(restore(&held, &home.path().join("nothing.db")).is_err());
    assert_eq!(verify(&held).unwrap().entries, 2, "what was there is there");
}

#[tokio::test]
async fn many_write_at_once_and_each_gets_its_own_answer() {
    let home = tempfile::tempdir().unwrap();
    let journal = SqliteJournal::open(folder(home.path())).unwrap();
    let tasks: Vec<_> = (0..64)
        .map(|writer| {
            let journal = journal.clone();
            tokio::spawn(async move {
                let stream = Stream::Negotiation(NegotiationId(format!("n-{}", writer / 2)));
                let mut conflicts = 0;
                let mut version = 0;
                while version < 20 {
                    match journal.append(append(stream.clone(), version, vec![entry(writer)])).await {
                        Ok(_) => version += 1,
                        Err(countersign_store::StoreError::Conflict { found, .. }) => {
                            conflicts += 1;
                            version = found;
                        }
                        Err(other) => unreachable!("{other}"),
                    }
                }
                conflicts
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
    // Two writers to each stream: every version was written once, by one of them.
    assert_eq!(journal.verify().await.unwrap().streams, 32);
    for stream in 0..32 {
        let read = journal.read(Stream::Negotiation(NegotiationId(format!("n-{stream}"))), 0, 1000).await.unwrap();
        assert!(read.len() >= 20);
        assert!(read.iter().zip(1..).all(|(record, version)| record.version == version));
    }
}

fn entry(at: i64) -> Entry {
    Entry::Mode { mode: Mode::Off, agent: None, at: Timestamp(at) }
}

/// Waits until the journal's thread has let go of it.
fn folder(home: &Path) -> DataFolder {
    loop {
        match DataFolder::open(home) {
            Err(OpenError::InUse { .. }) => std::thread::yield_now(),
            folder => return folder.unwrap(),
        }
    }
}

fn append(stream: Stream, expected: u64, entries: Vec<Entry>) -> Append {
    Append { stream, expected, entries, standing: None }
}
