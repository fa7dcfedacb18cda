//! The program is killed again and again while it is at work; nothing that it acknowledged is lost, nothing comes twice.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use countersign_agents::{BuiltIn, sample};
use countersign_engine::{Engine, Pace, Parts, SystemClock};
use countersign_kernel::{AgentKind, Fact, Negotiation, NegotiationId, Opening, Rulebook, Side, Status};
use countersign_store::{DataFolder, Entry, Journal, Record, SqliteJournal};

use crate::kit::{countersign, ok};

const ROUNDS: u64 = 12;
const AT_ONCE: &str = "40";

#[test]
fn killed_at_any_moment_it_loses_nothing_and_repeats_nothing() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let timed = open_timed(home);
    let mut acknowledged: BTreeMap<u64, String> = BTreeMap::new();
    for round in 0..ROUNDS {
        for line in killed_after(home, Duration::from_millis(40 + 37 * round)) {
            // The last line may be cut off: then it was not acknowledged.
            let Some((seq, line)) = line.strip_prefix("{\"seq\":").and_then(|rest| rest.split_once(',')) else {
                continue;
            };
            if line.ends_with('}') {
                let before = acknowledged.insert(seq.parse().unwrap(), line.to_owned());
                assert!(before.is_none(), "{seq} twice");
            }
        }
        assert!(ok(home, &["verify"]).starts_with("As it was written"), "round {round}");
        let head = records(home).last().map_or(0, |record| record.seq);
        let last = acknowledged.keys().last().copied().unwrap_or(0);
        assert!(head >= last, "round {round}: {last} was acknowledged, and {head} is the last that is there");
    }
    assert!(acknowledged.len() > 100, "it had something to lose: {}", acknowledged.len());
    // Until the deadlines have passed too.
    std::thread::sleep(Duration::from_secs(5));
    ok(home, &["sample"]);
    ok(home, &["doctor"]);

    let mut negotiations: BTreeMap<NegotiationId, Vec<Record>> = BTreeMap::new();
    for record in records(home) {
        if let Entry::Negotiation { id, .. } = &record.entry {
            negotiations.entry(id.clone()).or_default().push(record);
        }
    }
    for (id, records) in &negotiations {
        let events: Vec<_> = records.iter().map(event).collect();
        let n = Negotiation::replay(events.iter().copied()).unwrap();
        let resolved = events.iter().filter(|event| matches!(event.fact, Fact::Resolved(_))).count();
        if timed.contains(id) {
            assert_eq!((n.status(), resolved), (Status::Stalled, 1), "its deadline passed once");
        }
        assert!(resolved <= 1);
        let turns: Vec<_> = n.turns().iter().map(|taken| (&taken.side, &taken.turn)).collect();
        assert!(turns.windows(2).all(|pair| pair[0] != pair[1]), "no turn twice");
    }
}

/// What it printed until it was killed.
fn killed_after(home: &Path, time: Duration) -> Vec<String> {
    let args = ["--json", "sample", "--count", AT_ONCE];
    let mut running = countersign(home, &args).stdout(Stdio::piped()).spawn().unwrap();
    let printed = BufReader::new(running.stdout.take().unwrap());
    let lines = std::thread::spawn(move || printed.lines().map_while(Result::ok).collect());
    std::thread::sleep(time);
    // SIGKILL: no handler runs, nothing is flushed.
    running.kill().unwrap();
    running.wait().unwrap();
    lines.join().unwrap()
}

/// Negotiations whose other side never answers, with seconds to do so.
fn open_timed(home: &Path) -> Vec<NegotiationId> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let ids = runtime.block_on(async {
        let journal = SqliteJournal::open(DataFolder::open(home).unwrap()).unwrap();
        let keys = journal.keys().clone();
        let (negotiator, clock) = (Arc::new(BuiltIn), Arc::new(SystemClock));
        let parts = Parts { journal: Arc::new(journal), keys, negotiator, clock, pace: Pace::default(), drives: false };
        let engine = Engine::start(parts).await.unwrap();
        let mut ids = Vec::new();
        for _ in 0..10 {
            ids.push(engine.open(silent).await.unwrap());
        }
        ids
    });
    drop(runtime);
    while DataFolder::open(home).is_err() {
        std::thread::yield_now();
    }
    ids
}

fn silent(id: NegotiationId) -> Opening {
    let mut opening = sample(id);
    opening.parties.initiator.agent = AgentKind::Remote;
    opening.ours = Side::Responder;
    opening.rulebook = Rulebook::lcp();
    opening
}

fn records(home: &Path) -> Vec<Record> {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let journal = SqliteJournal::look(home).unwrap();
    runtime.block_on(async { journal.after(0, u32::MAX).await.unwrap() })
}

fn event(record: &Record) -> &countersign_kernel::Event {
    match &record.entry {
        Entry::Negotiation { event, .. } => event,
        other => panic!("{other:?}"),
    }
}
