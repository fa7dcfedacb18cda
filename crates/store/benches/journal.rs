//! What the journal costs, against what the disk and the hash can do at best, in the same run.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a benchmark that cannot go on should stop, and prints")]

use std::path::Path;
use std::time::{Duration, Instant};

use countersign_kernel::{
    Assessment, Event, Fact, Move, NegotiationId, Side, Speaker, TakenTurn, Text, Timestamp, Turn,
};
use countersign_store::{Append, DataFolder, Entry, Journal, SqliteJournal, Stream};
use hmac::{Hmac, KeyInit as _, Mac as _};
use rusqlite::Connection;
use sha2::{Digest as _, Sha256};

const BLOCKS: usize = 20;
const BLOCK: u64 = 50;
const WARM: u64 = 2_000;
const WRITERS: u64 = 64;
const VERIFIED: u64 = 50_000;

#[tokio::main]
async fn main() {
    // Beside the build, on a real disk: a temporary folder may be in memory.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("journal-bench");
    let _ = std::fs::remove_dir_all(&folder);
    let journal = SqliteJournal::open(DataFolder::open(&folder).unwrap()).unwrap();
    let body = serde_json::to_string(&entry("n")).unwrap();
    let bare = bare(&folder.join("bare.db"));

    // Until both have written their logs full once and write over them: from then on it is always the same.
    let warm = Stream::Negotiation(NegotiationId("warm".into()));
    for version in 0..WARM {
        journal.append(append(&warm, version, vec![entry("warm")])).await.unwrap();
        bare.execute("insert into rows (body) values (?1)", [&body]).unwrap();
    }
    // Block by block in turn, so that whatever else the machine does hits both.
    let (mut ours, mut limit) = (Vec::new(), Vec::new());
    let stream = Stream::Negotiation(NegotiationId("one".into()));
    for block in 0..BLOCKS as u64 {
        for place in 0..BLOCK {
            let began = Instant::now();
            journal.append(append(&stream, block * BLOCK + place, vec![entry("one")])).await.unwrap();
            ours.push(began.elapsed());
        }
        for _ in 0..BLOCK {
            let began = Instant::now();
            bare.prepare_cached("insert into rows (body) values (?1)").unwrap().execute([&body]).unwrap();
            limit.push(began.elapsed());
        }
    }
    let (one, sync) = (median(&mut ours), median(&mut limit));
    figure("one durable entry, against a bare commit", "µs", micros(one), micros(sync));

    let began = Instant::now();
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let journal = journal.clone();
            tokio::spawn(async move {
                let id = format!("n-{writer}");
                let stream = Stream::Negotiation(NegotiationId(id.clone()));
                for version in 0..BLOCK {
                    journal.append(append(&stream, version, vec![entry(&id)])).await.unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let together = per_second(WRITERS * BLOCK, began.elapsed());
    let alone = per_second(ours.len() as u64, ours.iter().sum());
    figure("entries a second, 64 at once against one", "/s", together, alone);

    let bulk = Stream::Negotiation(NegotiationId("bulk".into()));
    for page in 0..VERIFIED / 1000 {
        journal.append(append(&bulk, page * 1000, (0..1000).map(|_| entry("bulk")).collect())).await.unwrap();
    }
    let records = journal.verify().await.unwrap().entries;
    let began = Instant::now();
    journal.verify().await.unwrap();
    let verified = per_second(records, began.elapsed());
    let began = Instant::now();
    for _ in 0..records {
        let mut keyed = Hmac::<Sha256>::new(&[7; 64].into());
        keyed.update(body.as_bytes());
        std::hint::black_box((Sha256::digest(body.as_bytes()), keyed.finalize()));
    }
    let hashed = per_second(records, began.elapsed());
    figure("verified entries a second, against hashing", "/s", verified, hashed);
    std::fs::remove_dir_all(&folder).unwrap();
}

fn bare(path: &Path) -> Connection {
    let db = Connection::open(path).unwrap();
    db.pragma_update(None, "journal_mode", "wal").unwrap();
    db.pragma_update(None, "synchronous", "full").unwrap();
    db.execute_batch("create table rows (id integer primary key, body text not null)").unwrap();
    db
}

/// A turn as it is usually said.
fn entry(id: &str) -> Entry {
    let text = |text: &str| Text::new(text).unwrap();
    let assessment = Assessment {
        reasoning: text(
            "Bo offers an hour a month, which is what Ada asked for, and he has led three rounds like the one she is \
             about to raise. What he wants to know about her clinics is answered in her profile, so that nothing \
             speaks against it any more.",
        ),
        suggested_roles: None,
        confidence: None,
    };
    let message = Some(text("Her clinics are in Porto and Lisbon. An hour a month, on Fridays, would be fine."));
    let turn = Turn { act: Move::Counter(std::sync::Arc::default()), assessment, message };
    let taken = TakenTurn { side: Side::Initiator, speaker: Speaker::Agent, turn, at: Timestamp(1_700_000_000_000) };
    let event = Event { at: Timestamp(1_700_000_000_000), fact: Fact::TurnTaken(taken) };
    Entry::Negotiation { id: NegotiationId(id.into()), event, signed: None }
}

fn append(stream: &Stream, expected: u64, entries: Vec<Entry>) -> Append {
    Append { stream: stream.clone(), expected, entries, standing: None }
}

fn figure(name: &str, unit: &str, ours: f64, limit: f64) {
    println!("{name:<44} {ours:>9.0} {unit:<2} {limit:>11.0} {unit:<2} {:>7.2}", ours / limit);
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

#[expect(clippy::cast_precision_loss, reason = "a rate")]
fn per_second(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}
