//! What the journal promises to whoever appends and reads.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;

use countersign_kernel::{Mode, Timestamp};
use countersign_ledger::{Hash, Seal, SealKey, chain, commit};
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
    append_with_the_key(home.path(), strange);

    let journal = open(home.path());
    let error = journal.after(0, 10).await.unwrap_err();
    assert!(matches!(&error, StoreError::Unreadable { seq: 2, reason } if reason.contains("from_the_future")));
    close(journal, home.path());
    let db = rusqlite::Connection::open(&file).unwrap();
    let kept: String = db.query_one("select body from entries where seq = 2", (), |row| row.get(0)).unwrap();
    assert_eq!(kept, strange);
}

#[tokio::test]
async fn rows_can_be_neither_changed_nor_removed() {
    let home = tempfile::tempdir().unwrap();
    let journal = open(home.path());
    journal.append(&Stream::Mode, 0, modes(1)).await.unwrap();
    close(journal, home.path());
    let db = rusqlite::Connection::open(home.path().join("journal.db")).unwrap();
    for tamper in ["update entries set body = ''", "delete from entries"] {
        let refused = db.execute(tamper, ()).unwrap_err();
        assert!(refused.to_string().contains("append-only"), "{tamper}: {refused}");
    }
}

/// What a later version of the app would do.
fn append_with_the_key(home: &Path, body: &str) {
    let mut secret = [0; 32];
    hex::decode_to_slice(std::fs::read_to_string(home.join("key")).unwrap(), &mut secret).unwrap();
    let key = SealKey::new(secret);
    let db = rusqlite::Connection::open(home.join("journal.db")).unwrap();
    let (hash, seal): ([u8; 32], [u8; 32]) =
        db.query_row("select hash, seal from entries where seq = 1", (), |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let hash = chain(Hash(hash), commit(body.as_bytes(), &key.salt(2)));
    let seal = key.seal(Seal(seal), 2, hash, "mode", 2);
    let insert = "insert into entries (seq, stream, version, body, hash, seal) values (2, 'mode', 2, ?1, ?2, ?3)";
    db.execute(insert, (body, hash.0, seal.0)).unwrap();
    db.execute("update head set seq = 2, seal = ?1", [key.head(2, seal).0]).unwrap();
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
