//! The journal on SQLite keeps what every journal promises, and its file holds what was appended.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on should stop")]

use std::path::Path;

use countersign_ledger::{Hash, Seal, SealKey, chain, commit};
use countersign_store::{DataFolder, Journal, SqliteJournal, StoreError};
use countersign_testkit::contract::modes;
use countersign_testkit::keeps_its_promises;
use tempfile::TempDir;

keeps_its_promises!(fresh);

#[tokio::test]
async fn what_was_appended_is_there_after_reopening() {
    let home = tempfile::tempdir().unwrap();
    let journal = open(home.path());
    assert_eq!(journal.append(modes(0, 2)).await, Ok(2));
    let before = journal.after(0, 10).await.unwrap();
    close(journal, home.path());

    let journal = open(home.path());
    assert_eq!(journal.after(0, 10).await.unwrap(), before);
    assert_eq!(*journal.head().borrow(), 2);
}

#[tokio::test]
async fn an_event_that_cannot_be_read_is_named_and_kept() {
    let home = tempfile::tempdir().unwrap();
    let journal = open(home.path());
    journal.append(modes(0, 1)).await.unwrap();
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
    journal.append(modes(0, 1)).await.unwrap();
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

fn fresh() -> (SqliteJournal, TempDir) {
    let home = tempfile::tempdir().unwrap();
    (open(home.path()), home)
}

fn open(home: &Path) -> SqliteJournal {
    SqliteJournal::open(DataFolder::open(home).unwrap()).unwrap()
}

/// Drops the journal and waits until its thread has let go of the folder.
fn close(journal: SqliteJournal, home: &Path) {
    drop(journal);
    while DataFolder::open(home).is_err() {
        std::thread::yield_now();
    }
}
