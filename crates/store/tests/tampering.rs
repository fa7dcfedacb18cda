//! Whatever somebody does to the file, it is found out and named.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use std::path::Path;

use countersign_kernel::{Mode, NegotiationId, Timestamp};
use countersign_ledger::{Hash, Seal, SealKey, chain, commit};
use countersign_store::{
    Append, Damage, DataFolder, Entry, Journal, OpenError, SqliteJournal, Stream, Verified, VerifyError, verify,
};
use rusqlite::Connection;

#[tokio::test]
async fn what_nobody_touched_verifies() {
    let home = journal().await;
    assert_eq!(verify(&folder(&home)).unwrap(), Verified { entries: 6, streams: 3 });
    let journal = SqliteJournal::open(folder(&home)).unwrap();
    assert_eq!(journal.verify().await.unwrap(), Verified { entries: 6, streams: 3 });
    let empty = tempfile::tempdir().unwrap();
    let begun = SqliteJournal::open(folder(&empty)).unwrap();
    assert_eq!(begun.verify().await.unwrap(), Verified { entries: 0, streams: 0 });
}

#[tokio::test]
async fn every_change_is_found_and_named() {
    let at_the_end = 7;
    for (change, seq, damage) in [
        // Each field of a row.
        ("update entries set body = replace(body, 'off', 'on') where seq = 3", 3, Damage::Content),
        ("update entries set body = body || ' ' where seq = 3", 3, Damage::Content),
        ("update entries set body = '' where seq = 3", 3, Damage::Content),
        ("update entries set hash = zeroblob(32) where seq = 3", 3, Damage::Hash),
        ("update entries set hash = x'00' where seq = 3", 3, Damage::Hash),
        ("update entries set seal = zeroblob(32) where seq = 3", 3, Damage::Seal),
        ("update entries set seal = x'' where seq = 3", 3, Damage::Seal),
        ("update entries set version = 9 where seq = 3", 3, Damage::Order),
        ("update entries set version = -1 where seq = 3", 3, Damage::Order),
        ("update entries set stream = 'x' where seq = 3", 3, Damage::Order),
        ("update entries set stream = 'x' where seq = 1", 1, Damage::Seal),
        ("update entries set seq = 30 where seq = 3", 3, Damage::Missing),
        ("update entries set seq = 0 where seq = 1", 1, Damage::Missing),
        // The first and the last row.
        ("update entries set body = replace(body, 'off', 'on') where seq = 1", 1, Damage::Content),
        ("update entries set body = replace(body, 'off', 'on') where seq = 6", 6, Damage::Content),
        // A stream given another name throughout.
        ("update entries set stream = 'x' where stream = 'n-1'", 2, Damage::Seal),
        // Removed at the beginning, in the middle, at the end, altogether.
        ("delete from entries where seq = 1", 1, Damage::Missing),
        ("delete from entries where seq = 4", 4, Damage::Missing),
        ("delete from entries where seq = 6", 6, Damage::End),
        ("delete from entries where seq > 2", 3, Damage::End),
        ("delete from entries", 1, Damage::End),
        // Removed, and closed up.
        ("delete from entries where seq = 4; update entries set seq = seq - 1 where seq > 4", 4, Damage::Seal),
        // Cut off, and the end moved.
        ("delete from entries where seq = 6; update head set seq = 5", 6, Damage::End),
        ("delete from head", at_the_end, Damage::End),
        ("update head set seal = zeroblob(32)", at_the_end, Damage::End),
        // Two rows swapped, of one stream and of two.
        (
            "update entries set seq = 100 where seq = 3; update entries set seq = 3 where seq = 5;
             update entries set seq = 5 where seq = 100",
            3,
            Damage::Order,
        ),
        (
            "update entries set seq = 100 where seq = 1; update entries set seq = 1 where seq = 2;
             update entries set seq = 2 where seq = 100",
            1,
            Damage::Seal,
        ),
        // The contents of two rows swapped.
        ("update entries set body = (select body from entries where seq = 5) where seq = 3", 3, Damage::Content),
        // A row added at the end, a copy of another.
        ("insert into entries select 7, stream, 4, body, hash, seal from entries where seq = 5", 7, Damage::Seal),
    ] {
        let home = journal().await;
        tamper(home.path(), change);
        let found = verify(&folder(&home)).err().unwrap_or_else(|| unreachable!("{change}"));
        let named = matches!(&found, VerifyError::Damaged { seq: at, damage: what } if (*at, *what) == (seq, damage));
        assert!(named, "{change}: {found}");
    }
}

/// With the format's description and everything but the key.
#[tokio::test]
async fn rechaining_without_the_key_does_not_help() {
    for forged_key in [[0; 32], [1; 32]] {
        let home = journal().await;
        tamper(home.path(), "update entries set body = replace(body, '\"at\":3', '\"at\":9') where seq = 3");
        let db = Connection::open(home.path().join("journal.db")).unwrap();
        let key = SealKey::new(forged_key);
        let mut rows: Vec<(u64, String, u64, String)> = db
            .prepare("select seq, stream, version, body from entries order by seq")
            .unwrap()
            .query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        let (mut hashes, mut seal) = (std::collections::HashMap::new(), Seal::NONE);
        for (seq, stream, version, body) in rows.drain(..) {
            let hash = hashes.entry(stream.clone()).or_insert(Hash::NONE);
            *hash = chain(*hash, commit(body.as_bytes(), &key.salt(seq)));
            seal = key.seal(seal, seq, *hash, &stream, version);
            db.execute("update entries set hash = ?1, seal = ?2 where seq = ?3", (hash.0, seal.0, seq)).unwrap();
        }
        db.execute("update head set seal = ?1", [key.head(6, seal).0]).unwrap();
        drop(db);
        let found = verify(&folder(&home)).unwrap_err();
        assert!(matches!(found, VerifyError::Damaged { seq: 1, damage: Damage::Seal }), "{found}");
        assert!(
            matches!(SqliteJournal::open(folder(&home)), Err(OpenError::Damaged { .. })),
            "and it is not written to"
        );
    }
}

#[tokio::test]
async fn a_journal_that_was_cut_off_is_not_written_to() {
    for cut in ["delete from entries where seq > 4", "delete from entries"] {
        let home = journal().await;
        tamper(home.path(), cut);
        assert!(matches!(SqliteJournal::open(folder(&home)), Err(OpenError::Damaged { .. })), "{cut}");
    }
}

/// Copies are not in the mode that a journal in use is in, and may lack their lists: neither is put right too early.
#[tokio::test]
async fn what_is_refused_for_its_end_stays_as_it_is() {
    for change in ["update head set seal = zeroblob(32)", "update head set seal = zeroblob(32); delete from views"] {
        let home = journal().await;
        drop(folder(&home));
        tamper(home.path(), &format!("pragma journal_mode = delete; {change}"));
        let before = std::fs::read(home.path().join("journal.db")).unwrap();
        assert!(matches!(SqliteJournal::open(folder(&home)), Err(OpenError::Damaged { .. })));
        assert!(std::fs::read(home.path().join("journal.db")).unwrap() == before, "{change}");
    }
}

#[tokio::test]
async fn a_key_that_is_missing_or_another_is_told() {
    let home = journal().await;
    let key = home.path().join("key");
    let kept = std::fs::read(&key).unwrap();
    std::fs::write(&key, "not a key").unwrap();
    assert!(matches!(SqliteJournal::open(folder(&home)), Err(OpenError::BadKey { .. })));
    std::fs::remove_file(&key).unwrap();
    assert!(matches!(SqliteJournal::open(folder(&home)), Err(OpenError::NoKey { .. })));
    assert!(!key.exists(), "a new one would hide that");
    std::fs::write(&key, kept).unwrap();
    SqliteJournal::open(folder(&home)).unwrap();
}

#[cfg(unix)]
#[tokio::test]
async fn the_key_is_the_persons_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = journal().await;
    let mode = std::fs::metadata(home.path().join("key")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

/// Three streams, entangled: mode, n-1, n-1, n-2, n-1, n-2.
async fn journal() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    let journal = SqliteJournal::open(folder(&home)).unwrap();
    let named = |name: &str| Stream::Negotiation(NegotiationId(name.into()));
    let streams = [
        (Stream::Mode, 0),
        (named("n-1"), 0),
        (named("n-1"), 1),
        (named("n-2"), 0),
        (named("n-1"), 2),
        (named("n-2"), 1),
    ];
    for (at, (stream, version)) in (1..).zip(streams) {
        let entry = Entry::Mode { mode: Mode::Off, agent: None, at: Timestamp(at) };
        journal.append(append(stream, version, vec![entry])).await.unwrap();
    }
    drop(journal);
    drop(folder(&home));
    home
}

/// Waits until the journal's thread has let go of it.
fn folder(home: &tempfile::TempDir) -> DataFolder {
    loop {
        match DataFolder::open(home.path()) {
            Err(OpenError::InUse { .. }) => std::thread::yield_now(),
            folder => return folder.unwrap(),
        }
    }
}

fn tamper(home: &Path, change: &str) {
    let db = Connection::open(home.join("journal.db")).unwrap();
    db.execute_batch("drop trigger entries_are_not_changed; drop trigger entries_are_not_removed").unwrap();
    db.execute_batch(change).unwrap();
}

fn append(stream: Stream, expected: u64, entries: Vec<Entry>) -> Append {
    Append { stream, expected, entries, standing: None }
}

#[tokio::test]
async fn tables_and_triggers_that_are_not_ours_are_found() {
    for added in [
        "create trigger mine after insert on entries begin delete from opportunities; end",
        "create table mine (x)",
        "drop trigger entries_are_not_changed",
    ] {
        let home = journal().await;
        let copy = home.path().join("copy.db");
        SqliteJournal::open(folder(&home)).unwrap().backup(copy.clone()).await.unwrap();
        for file in [&copy, &home.path().join("journal.db")] {
            Connection::open(file).unwrap().execute_batch(added).unwrap();
        }
        let restored = countersign_store::restore(&folder(&home), &copy);
        assert!(matches!(restored, Err(VerifyError::Store(_))), "{added}: {restored:?}");
        let opened = SqliteJournal::open(folder(&home)).map(drop);
        assert!(matches!(opened, Err(OpenError::Damaged { .. })), "{added}: {opened:?}");
    }
}

#[tokio::test]
async fn a_negotiation_cannot_be_called_what_something_else_is_called() {
    let home = tempfile::tempdir().unwrap();
    let journal = SqliteJournal::open(folder(&home)).unwrap();
    for name in ["", "mode", "mandate", "policies", "checkpoints"] {
        let stream = Stream::Negotiation(NegotiationId(name.into()));
        let entry = Entry::Mode { mode: Mode::Off, agent: None, at: Timestamp(1) };
        let refused = journal.append(append(stream, 0, vec![entry])).await;
        assert!(matches!(refused, Err(countersign_store::StoreError::Unwritable(_))), "{name}");
    }
}
