use std::fs;
use std::path::Path;

use countersign_store::{Damage, DataFolder, Journal, SqliteJournal, VerifyError, restore, verify};

use crate::SECRET;

/// A journal from elsewhere: opened or refused, and as it was to the byte when it is refused.
pub fn journal_file(bytes: &[u8]) -> bool {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("journal.db");
    fs::write(&file, bytes).expect("a file");
    write_key(home.path());
    let is_same = |file: &Path| fs::read(file).expect("a file") == bytes;

    let folder = DataFolder::open(home.path()).expect("nobody else has it");
    let verified = verify(&folder);
    assert!(is_same(&file), "verifying changes nothing");

    let other = tempfile::tempdir().expect("a folder");
    write_key(other.path());
    let restored = restore(&DataFolder::open(other.path()).expect("nobody else has it"), &file);
    assert!(is_same(&file), "a copy stays as it is");
    assert_eq!(other.path().join("journal.db").exists(), restored.is_ok(), "what does not verify replaces nothing");
    if let Ok(restored) = &restored {
        let again = verify(&DataFolder::open(other.path()).expect("nobody else has it"));
        assert_eq!(again.ok(), Some(*restored), "what was restored verifies");
    }

    match SqliteJournal::open(folder) {
        Err(_) => assert!(is_same(&file), "what is refused stays as it is"),
        Ok(journal) => {
            let cut_off = matches!(&verified, Err(VerifyError::Damaged { damage: Damage::End, .. }));
            assert!(!cut_off, "appending to what was cut off would hide that");
            let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
            runtime.block_on(async {
                // Each is an answer or an error, and none of them is a panic.
                let _ = journal.after(0, 1000).await;
                let _ = journal.overview(100).await;
                let _ = (journal.due(100).await, journal.ready(None, 100).await);
            });
            drop(journal);
            let folder = held_again(home.path());
            if let Ok(before) = verified {
                assert_eq!(verify(&folder).ok(), Some(before), "opening keeps what verifies");
            }
            return true;
        }
    }
    false
}

/// The folder, as soon as the threads of a journal that was dropped have let go of it.
pub(crate) fn held_again(home: &Path) -> DataFolder {
    loop {
        match DataFolder::open(home) {
            Ok(folder) => return folder,
            Err(_) => std::thread::yield_now(),
        }
    }
}

fn write_key(home: &Path) {
    fs::write(home.join("key"), hex::encode(SECRET)).expect("a file");
}
