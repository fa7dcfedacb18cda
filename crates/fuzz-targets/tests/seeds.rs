//! Writes the part of the corpus that is made from real values anew: `cargo test -p countersign-fuzz-targets --test seeds
//! -- --ignored`. What hostile hands wrote stays beside it.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on should stop")]

use std::fs;
use std::path::{Path, PathBuf};

use countersign_fuzz_targets::{SECRET, documents};
use countersign_kernel::{Command, Decision, Event, Load, Mode, Negotiation, Opening, PersonAct, Span, Timestamp};
use countersign_ledger::{Export, Hash, Identity, Mask, SealKey, canonical, chain, commit};
use countersign_store::{Append, DataFolder, Entry, Journal, SqliteJournal, Standing, Stream};
use serde_json::Value;

const CREATED: &str = "2026-01-29T12:30:00Z";

#[test]
#[ignore = "writes into the repository"]
fn the_seeds_are_written() {
    let vectors: Vec<(String, Value)> = fs::read_dir(root().join("spec/vectors")).unwrap().map(vector).collect();
    for (name, vector) in &vectors {
        write("opening", &format!("{name}.json"), &json(&vector["opening"]));
        let events = played(vector);
        if let "asp-clarification" | "hire-logo" | "index-parked-turn" | "lcp-accept" | "summit-gpu" = name.as_str() {
            write("events", &format!("{name}.json"), &json(&events));
        }
        for (place, turn) in turns(vector).enumerate() {
            write("turn", &format!("{name}-{place}.json"), &json(turn));
        }
    }
    let every: Value = serde_json::from_slice(&fs::read(root().join("spec/events.json")).unwrap()).unwrap();
    let lines: Vec<Vec<u8>> = every.as_object().unwrap().values().map(json).collect();
    write("events", "every-kind.jsonl", &lines.join(&b'\n'));

    let (_, logo) = vectors.iter().find(|(name, _)| name == "hire-logo").unwrap();
    exports(&played(logo));
    proofs();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(journals(&played(logo)));
}

/// Everything that happens in an example.
fn played(vector: &Value) -> Vec<Event> {
    let mut now = Timestamp(vector["at"].as_i64().unwrap());
    let opening: Opening = serde_json::from_value(vector["opening"].clone()).unwrap();
    let mut events = Negotiation::open(opening, Load::default(), now).unwrap();
    for step in vector["steps"].as_array().unwrap() {
        let n = Negotiation::replay(&events).unwrap();
        now = now.plus(Span(step["after"].as_u64().unwrap_or_default()));
        let decides = |decision| PersonAct::Decide { decision, digest: n.digest(), remarks: None };
        let command = serde_json::from_value(step["command"].clone()).ok();
        let decision = serde_json::from_value::<Decision>(step["decides"].clone()).ok();
        let command = command.or_else(|| decision.map(|decision| Command::Person(decides(decision))));
        events.extend(command.and_then(|command| n.decide(command, now).ok()).unwrap_or_default());
    }
    events
}

fn turns(vector: &Value) -> impl Iterator<Item = &Value> {
    let steps = vector["steps"].as_array().unwrap().iter();
    steps.filter_map(|step| step.pointer("/command/agent/1/take_turn")).take(3)
}

fn exports(events: &[Event]) {
    let key = SealKey::new(SECRET);
    let mut last = Hash::NONE;
    let entries: Vec<_> = (1..)
        .zip(events)
        .map(|(seq, event)| {
            let body = serde_json::to_value(event).unwrap();
            last = chain(last, commit(&canonical(&body).unwrap(), &key.salt(seq)));
            (body, key.salt(seq), last)
        })
        .collect();
    let mask = Mask { names: vec!["agent_abc123".into()], private: vec!["minimalist".into()] };
    for (name, mask) in [("whole", None), ("redacted", Some(&mask))] {
        let mut export = Export::new("n-1".into(), entries.clone(), mask);
        write("export", &format!("{name}.json"), &json(&export));
        export.proof = Some(Identity::new(SECRET).sign(&export, CREATED).unwrap());
        write("export", &format!("{name}-signed.json"), &json(&export));
    }
    write("export", "no-entries.json", &json(&Export::new("n-1".into(), [], None)));
}

fn proofs() {
    let (known, other) = (Identity::new(SECRET), Identity::new([8; 32]));
    for (place, document) in documents().iter().enumerate() {
        let proof = known.sign(document, CREATED).unwrap();
        write("proof", &format!("known-{place}.json"), &json(&(document, &proof)));
        let mut attached = document.clone();
        if let Value::Object(fields) = &mut attached {
            fields.insert("proof".into(), serde_json::to_value(&proof).unwrap());
            write("proof", &format!("known-attached-{place}.json"), &json(&(attached, &proof)));
        }
        write("proof", &format!("other-{place}.json"), &json(&(document, other.sign(document, CREATED).unwrap())));
    }
    let [first, second, _] = documents();
    write("proof", "swapped.json", &json(&(second, known.sign(&first, CREATED).unwrap())));
}

/// In pages of 512 bytes, so that they stay small.
async fn journals(events: &[Event]) {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("key"), hex::encode(SECRET)).unwrap();
    let journal = SqliteJournal::open(DataFolder::open(home.path()).unwrap()).unwrap();
    let n = Negotiation::replay(events).unwrap();
    let id = n.opening().id.clone();
    let mode = Entry::Mode { mode: Mode::Off, agent: None, at: Timestamp(1) };
    let modes = Append { stream: Stream::Mode, expected: 0, entries: vec![mode], standing: None };
    journal.append(modes).await.unwrap();
    let entry = |event: &Event| Entry::Negotiation { id: id.clone(), event: event.clone(), signed: None };
    let entries: Vec<Entry> = events.iter().map(entry).collect();
    let (stream, standing) = (Stream::Negotiation(id.clone()), Some(Standing::from(&n)));
    journal.append(Append { stream, expected: 0, entries, standing }).await.unwrap();

    let db = rusqlite::Connection::open(home.path().join("journal.db")).unwrap();
    let small = |name: &str, change: &str| {
        let (copy, to) = (home.path().join("copy.db"), home.path().join(name));
        db.execute("vacuum into ?1", [copy.to_str().unwrap()]).unwrap();
        let changed = rusqlite::Connection::open(&copy).unwrap();
        changed.execute_batch(change).unwrap();
        changed.execute_batch("pragma page_size = 512").unwrap();
        changed.execute("vacuum into ?1", [to.to_str().unwrap()]).unwrap();
        drop(changed);
        fs::remove_file(copy).unwrap();
        let bytes = fs::read(to).unwrap();
        write("journal_file", name, &bytes);
        bytes
    };
    let mut sealed = small("sealed.db", "");
    // As its header is while it is in use.
    sealed[18..20].fill(2);
    write("journal_file", "in-wal-mode.db", &sealed);
    small("without-its-lists.db", "delete from views");
    small("hostile-cut-off.db", "drop trigger entries_are_not_removed; delete from entries where seq > 3");
    small("hostile-emptied.db", "drop trigger entries_are_not_removed; delete from entries");
    small("hostile-without-its-end.db", "delete from head; delete from views");
    small("format-2.db", "drop table views; drop table counts; drop table opportunities; pragma user_version = 2");
    small(
        "format-1.db",
        "drop table views; drop table counts; drop table opportunities; drop table head;
         create table events (seq integer primary key, stream text not null, version integer not null,
                              body text not null, unique (stream, version)) strict;
         insert into events select seq, stream, version, body from entries; drop table entries;
         pragma user_version = 1",
    );
}

fn vector(entry: std::io::Result<fs::DirEntry>) -> (String, Value) {
    let path = entry.unwrap().path();
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    (name, serde_json::from_slice(&fs::read(path).unwrap()).unwrap())
}

fn json(value: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(value).unwrap()
}

fn write(target: &str, name: &str, bytes: &[u8]) {
    let folder = root().join("fuzz/corpus").join(target);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join(name), bytes).unwrap();
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
