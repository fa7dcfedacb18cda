//! What the journal promises to whoever appends and reads.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;

use countersign_kernel::{Mode, Timestamp};
use countersign_store::{DataFolder, Entry, Journal, Record, StoreError, Stream};

#[tokio::test]
async fn what_was_appended_is_there_after_reopening() {
    let home = tempfile::tempdir().unwrap();
    let journal = open(home.path());
    assert_eq!(journal.append(&Stream::Mode, 0, modes(2)).await, Ok(2));
    let before = journal.after(0, 10).await.unwrap();
    close(journal, home.path());

    let journal = open(home.path());
    assert_eq!(journal.after(0, 10).await.unwrap(), before);
    assert_eq!(*journal.head().borrow(), 2);
}

#[tokio::test]
async fn of_two_who_saw_the_same_version_one_appends() {
    let home = tempfile::tempdir().unwrap();
    let journal = open(home.path());
    let (first, second) =
        tokio::join!(journal.append(&Stream::Mode, 0, modes(1)), journal.append(&Stream::Mode, 0, modes(1)));
    let conflict = Err(StoreError::Conflict { expected: 0, found: 1 });
    assert!((first == Ok(1) && second == conflict) || (second == Ok(1) && first == conflict));
    assert_eq!(journal.read(&Stream::Mode).await.unwrap().len(), 1);
}

#[tokio::test]
async fn places_and_versions_have_no_gaps() {
    let home = tempfile::tempdir().unwrap();
    let journal = open(home.path());
    journal.append(&Stream::Mode, 0, modes(2)).await.unwrap();
    journal.append(&Stream::Mode, 7, modes(2)).await.unwrap_err();
    journal.append(&Stream::Mode, 2, modes(1)).await.unwrap();
    let places: Vec<_> = journal.after(0, 10).await.unwrap().iter().map(place).collect();
    assert_eq!(places, [(1, 1), (2, 2), (3, 3)]);
    let page: Vec<_> = journal.after(1, 1).await.unwrap().iter().map(place).collect();
    assert_eq!(page, [(2, 2)]);
}

#[tokio::test]
async fn who_watches_is_woken_by_an_append() {
    let home = tempfile::tempdir().unwrap();
    let journal = open(home.path());
    let mut head = journal.head();
    let (woken, appended) = tokio::join!(head.wait_for(|head| *head == 1), journal.append(&Stream::Mode, 0, modes(1)));
    assert_eq!((*woken.unwrap(), appended), (1, Ok(1)));
}

#[tokio::test]
async fn an_event_that_cannot_be_read_is_named_and_kept() {
    let home = tempfile::tempdir().unwrap();
    let journal = open(home.path());
    journal.append(&Stream::Mode, 0, modes(1)).await.unwrap();
    close(journal, home.path());
    let file = home.path().join("journal.db");
    let strange = r#"{"from_the_future":{}}"#;
    let db = rusqlite::Connection::open(&file).unwrap();
    db.execute("insert into events (stream, version, body) values ('mode', 2, ?1)", [strange]).unwrap();
    drop(db);

    let journal = open(home.path());
    let error = journal.after(0, 10).await.unwrap_err();
    assert!(matches!(&error, StoreError::Unreadable { seq: 2, reason } if reason.contains("from_the_future")));
    close(journal, home.path());
    let db = rusqlite::Connection::open(&file).unwrap();
    let kept: String = db.query_one("select body from events where seq = 2", (), |row| row.get(0)).unwrap();
    assert_eq!(kept, strange);
}

#[tokio::test]
async fn rows_can_be_neither_changed_nor_removed() {
    let home = tempfile::tempdir().unwrap();
    let journal = open(home.path());
    journal.append(&Stream::Mode, 0, modes(1)).await.unwrap();
    close(journal, home.path());
    let db = rusqlite::Connection::open(home.path().join("journal.db")).unwrap();
    for tamper in ["update events set body = ''", "delete from events"] {
        let refused = db.execute(tamper, ()).unwrap_err();
        assert!(refused.to_string().contains("append-only"), "{tamper}: {refused}");
    }
}

fn open(home: &Path) -> Journal {
    Journal::open(DataFolder::open(home).unwrap()).unwrap()
}

/// Drops the journal and waits until its thread has let go of the folder.
fn close(journal: Journal, home: &Path) {
    drop(journal);
    while DataFolder::open(home).is_err() {
        std::thread::yield_now();
    }
}

fn modes(count: i64) -> Vec<Entry> {
    (0..count).map(|at| Entry::Mode { mode: Mode::Off, at: Timestamp(at) }).collect()
}

fn place(record: &Record) -> (u64, u64) {
    (record.seq, record.version)
}
