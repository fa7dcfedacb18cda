//! What is opened, what is refused, and that what is refused stays as it was.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::fs;
use std::path::Path;

use countersign_store::{DataFolder, OpenError, SqliteJournal};

#[test]
fn a_missing_folder_is_made() {
    let home = tempfile::tempdir().unwrap();
    let deep = home.path().join("not/there/yet");
    open(&deep).unwrap();
    assert!(deep.join("journal.db").is_file());
}

#[test]
fn a_folder_is_held_by_one_and_free_when_let_go() {
    let home = tempfile::tempdir().unwrap();
    let first = DataFolder::open(home.path()).unwrap();
    assert!(matches!(DataFolder::open(home.path()), Err(OpenError::InUse { .. })));
    drop(first);
    DataFolder::open(home.path()).unwrap();
}

#[test]
fn a_file_in_the_folders_place_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("file");
    fs::write(&file, "mine").unwrap();
    assert!(matches!(open(&file), Err(OpenError::Unwritable { .. })));
    assert_eq!(fs::read(&file).unwrap(), b"mine");
}

#[test]
fn a_file_that_is_no_database_is_left_alone() {
    refuses(b"a shopping list", |error| matches!(error, OpenError::NotAJournal { .. }));
    refuses(&[0; 200], |error| matches!(error, OpenError::NotAJournal { .. }));
    refuses(b"SQLite format 3\0", |error| matches!(error, OpenError::NotAJournal { .. }));
}

#[test]
fn a_database_of_something_else_is_left_alone() {
    let other = tempfile::NamedTempFile::new().unwrap();
    let db = rusqlite::Connection::open(other.path()).unwrap();
    db.execute_batch("create table bookmarks (url text)").unwrap();
    drop(db);
    refuses(&fs::read(other.path()).unwrap(), |error| matches!(error, OpenError::NotAJournal { .. }));
}

#[test]
fn a_journal_of_a_newer_format_is_left_alone() {
    let mut bytes = journal();
    bytes[60..64].copy_from_slice(&99u32.to_be_bytes());
    refuses(&bytes, |error| matches!(error, OpenError::Newer { found: 99, .. }));
}

#[test]
fn a_journal_with_broken_pages_is_left_alone() {
    let mut bytes = journal();
    bytes[100..].fill(0xff);
    refuses(&bytes, |error| matches!(error, OpenError::Damaged { .. }));
}

#[test]
fn an_empty_file_becomes_a_journal() {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("journal.db"), "").unwrap();
    open(home.path()).unwrap();
}

fn open(home: &Path) -> Result<SqliteJournal, OpenError> {
    SqliteJournal::open(DataFolder::open(home)?)
}

/// A fresh journal's bytes.
fn journal() -> Vec<u8> {
    let home = tempfile::tempdir().unwrap();
    drop(open(home.path()).unwrap());
    // The thread has let go of the file when the folder can be had again.
    while DataFolder::open(home.path()).is_err() {
        std::thread::yield_now();
    }
    fs::read(home.path().join("journal.db")).unwrap()
}

#[track_caller]
fn refuses(bytes: &[u8], expected: impl FnOnce(&OpenError) -> bool) {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("journal.db");
    fs::write(&file, bytes).unwrap();
    fs::write(home.path().join("key"), "00".repeat(32)).unwrap();
    let error = open(home.path()).unwrap_err();
    assert!(expected(&error), "{error}");
    assert_eq!(fs::read(&file).unwrap(), bytes, "to the byte");
}
