use std::fs;

use countersign_store::{DataFolder, SqliteJournal, verify};

use crate::SECRET;
use crate::journal_file::held_again;

/// A journal with a few entries that is sealed with the known key.
const SEALED: &[u8] = include_bytes!("../../../fuzz/corpus/journal_file/sealed.db");

/// A key from elsewhere: what is no key, or another one, opens nothing and stays as it is, and so does the journal.
pub fn key_file(bytes: &[u8]) -> bool {
    let text = std::str::from_utf8(bytes).map(str::trim).unwrap_or_default();
    let is_key = text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_ours = text.eq_ignore_ascii_case(&hex::encode(SECRET));

    for journal in [None, Some(SEALED)] {
        let home = tempfile::tempdir().expect("a folder");
        let (key, file) = (home.path().join("key"), home.path().join("journal.db"));
        fs::write(&key, bytes).expect("a file");
        if let Some(journal) = journal {
            fs::write(&file, journal).expect("a file");
        }
        let folder = DataFolder::open(home.path()).expect("nobody else has it");
        let fits = if journal.is_some() { is_ours } else { is_key };
        if journal.is_some() {
            assert_eq!(verify(&folder).is_ok(), fits);
        }
        let opened = SqliteJournal::open(folder);
        assert_eq!(opened.is_ok(), fits, "{:?}", opened.err());
        if opened.is_err() {
            assert_eq!(fs::read(&file).ok().as_deref(), journal, "what is refused stays as it is");
        }
        drop(opened);
        drop(held_again(home.path()));
        assert_eq!(fs::read(&key).expect("a file"), bytes, "a key is never written over");
    }
    is_key
}
