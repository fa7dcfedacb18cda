//! What a durable turn costs, what coming back costs, and what a great many negotiations cost, in one run.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a benchmark that cannot go on should stop, and prints"
)]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command as Process, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use countersign_agents::{BuiltIn, sample};
use countersign_engine::{Engine, Message, Pace, Parts, Said, SystemClock, read_negotiation};
use countersign_kernel::{
    AgentAct, Assessment, Command, Decision, Event, Fact, Folder, Load, Move, Negotiation, NegotiationId, Offer,
    Opening, PersonAct, Rulebook, Side, Span, Status, TermName, Terms, Text, Timestamp, Turn,
};
use countersign_ledger::Keys;
use countersign_store::{Append, DataFolder, Entry, Journal, Signed, SqliteJournal, Standing, Stream};
use rusqlite::Connection;

const BLOCKS: usize = 20;
const BLOCK: usize = 50;
const NEGOTIATIONS: usize = 100_000;
const LONG: usize = 10_000;

#[tokio::main]
async fn main() {
    let args: Vec<String> = std::env::args().collect();
    // Parts of it run in processes of their own, which let go of their folders when they end.
    match args.get(1).map(String::as_str) {
        Some("--resume") => return resume(Path::new(&args[2])).await,
        Some("--scale") => return scale(Path::new(&args[2])).await,
        Some(_) | None => {}
    }
    // Beside the build, on a real disk: a temporary folder may be in memory.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("engine-bench");
    let _ = std::fs::remove_dir_all(&folder);
    let home = folder.join("home");
    let journal = SqliteJournal::open(DataFolder::open(&home).unwrap()).unwrap();
    turns(&journal, &folder).await;
    approvals(&journal).await;
    driven(&journal).await;
    drop(journal);
    let many = folder.join("many");
    assert!(Process::new(std::env::current_exe().unwrap()).arg("--scale").arg(&many).status().unwrap().success());
    back(&many);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// One turn: decided, signed, hashed, sealed, listed, on the disk; against a bare commit of as many bytes.
async fn turns(journal: &SqliteJournal, folder: &Path) {
    let bare = Connection::open(folder.join("bare.db")).unwrap();
    bare.pragma_update(None, "journal_mode", "wal").unwrap();
    bare.pragma_update(None, "synchronous", "full").unwrap();
    bare.execute_batch("create table rows (id integer primary key, body blob not null)").unwrap();
    bare.execute_batch(include_str!("../../../migrations/0002_ledger.sql")).unwrap();
    bare.execute_batch(include_str!("../../../migrations/0003_opportunities.sql")).unwrap();
    let mut table = Table::open(journal, "one").await;
    let (entry, card) = table.sizes();
    let insert = "insert into rows (body) values (zeroblob(?1))";
    let one_row = || bare.prepare_cached(insert).unwrap().execute([entry + card]).unwrap();
    let version = std::cell::Cell::new(0_i64);
    let same_rows = || same_rows(&bare, &version, entry, card);
    // Until both have written their logs full once and write over them: from then on it is always the same.
    for _ in 0..1_500 {
        table.turn().await;
        one_row();
        same_rows();
    }
    let (mut ours, mut row, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for block in 0..BLOCKS {
        // A negotiation of an ordinary length.
        let mut table = Table::open(journal, &format!("block-{block}")).await;
        for _ in 0..BLOCK {
            let began = Instant::now();
            table.turn().await;
            ours.push(began.elapsed());
        }
        for _ in 0..BLOCK {
            let began = Instant::now();
            one_row();
            row.push(began.elapsed());
            let began = Instant::now();
            same_rows();
            rows.push(began.elapsed());
        }
    }
    let one = micros(median(&mut ours));
    figure("one durable turn, against a commit of its rows", "µs", one, micros(median(&mut rows)));
    figure("the same, against a commit of one row", "µs", one, micros(median(&mut row)));
    let alone = per_second(ours.len(), ours.iter().sum());
    println!("{:<44} {alone:>9.0} /s", "durable turns a second, one at a time");

    let began = Instant::now();
    let writers: Vec<_> = (0..64)
        .map(|writer| {
            let journal = journal.clone();
            tokio::spawn(async move {
                let mut table = Table::open(&journal, &format!("at-once-{writer}")).await;
                for _ in 0..BLOCK {
                    table.turn().await;
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    figure("turns a second, 64 at once against one", "/s", per_second(64 * BLOCK, began.elapsed()), alone);
}

/// What a turn writes, and nothing else: no thought, no hash, no seal, no signature, no other thread.
fn same_rows(db: &Connection, version: &std::cell::Cell<i64>, entry: usize, card: usize) {
    version.set(version.get() + 1);
    let next = version.get();
    db.execute_batch("begin immediate").unwrap();
    db.prepare_cached("insert into entries values (?1, 'one', ?1, ?2, zeroblob(32), zeroblob(32))")
        .unwrap()
        .execute((next, "x".repeat(entry)))
        .unwrap();
    let put = "insert into opportunities values ('one', 'live', 1, 1, 0, 0, ?1) on conflict do update set card = ?1";
    db.prepare_cached(put).unwrap().execute([&format!("{next}{}", "x".repeat(card))]).unwrap();
    db.prepare_cached("insert or replace into head values (1, ?1, zeroblob(32))").unwrap().execute([next]).unwrap();
    db.execute_batch("commit").unwrap();
}

/// A turn that ends in an agreement, and the person's approval: two syncs.
async fn approvals(journal: &SqliteJournal) {
    let mut tables = Vec::new();
    for place in 0..200 {
        let mut table = Table::open(journal, &format!("approved-{place}")).await;
        table.turn().await;
        tables.push(table);
    }
    let began = Instant::now();
    for table in &mut tables {
        table.approve().await;
    }
    let each = per_second(200, began.elapsed());
    println!("{:<44} {each:>9.0} /s", "turns with a person's approval a second");
}

/// Turns of a whole negotiation, through the guard and the policies.
async fn driven(journal: &SqliteJournal) {
    let engine = start(journal.clone(), true).await;
    let began = Instant::now();
    let mut turns = 0;
    for _ in 0..50 {
        let id = engine.open(sample).await.unwrap();
        let mut head = engine.journal().head();
        loop {
            head.borrow_and_update();
            let n = engine.negotiation(&id).await.unwrap();
            if n.status() != Status::Negotiating {
                turns += n.turns().len();
                break;
            }
            head.changed().await.unwrap();
        }
    }
    let each = per_second(turns, began.elapsed());
    println!("{:<44} {each:>9.0} /s", "turns through guard and policies, one by one");
}

/// A hundred thousand negotiations, a million entries, and one of ten thousand turns.
async fn scale(home: &Path) {
    let journal = SqliteJournal::open(DataFolder::open(home).unwrap()).unwrap();
    let began = Instant::now();
    let template = Template::new(journal.keys());
    let mut writing = tokio::task::JoinSet::new();
    for place in 0..NEGOTIATIONS {
        let append = template.append(&format!("{place:06}"));
        let journal = journal.clone();
        writing.spawn(async move { journal.append(append).await.unwrap() });
        if writing.len() >= 512 {
            writing.join_next().await.unwrap().unwrap();
        }
    }
    while let Some(written) = writing.join_next().await {
        written.unwrap();
    }
    let mut long = Table::open(&journal, "long").await;
    long.turns(LONG).await;
    let entries = *journal.head().borrow();
    println!("{entries} entries in {NEGOTIATIONS} negotiations, written in {:.0} s", began.elapsed().as_secs_f64());

    let before = resident();
    let engine = start(journal.clone(), true).await;
    let page =
        timed(async || assert!(!engine.journal().list(Folder::Stalled, None, 100).await.unwrap().is_empty())).await;
    figure("a page of 100 from a long list", "ms", page, 50.0);
    let first = timed(async || drop(engine.journal().overview(100).await.unwrap())).await;
    figure("everything a window starts from", "ms", first, 50.0);
    let id = NegotiationId("long".into());
    let read = timed(async || {
        let n = read_negotiation(&journal, &id).await.unwrap().unwrap();
        assert_eq!(n.turns().len(), LONG);
    })
    .await;
    figure("a negotiation of 10,000 turns", "ms", read, 100.0);
    println!("{:<44} {:>9.0} MB (before: {before:.0} MB)", "memory with all of them there", resident());
}

/// A fresh process comes back and takes the next turn.
fn back(home: &Path) {
    let mut times: Vec<Duration> = (0..5)
        .map(|_| {
            let began = Instant::now();
            let program = std::env::current_exe().unwrap();
            let mut child = Process::new(program).arg("--resume").arg(home).stdout(Stdio::piped()).spawn().unwrap();
            let mut line = String::new();
            BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
            let took = began.elapsed();
            child.wait().unwrap();
            assert!(line.starts_with("turn"), "{line}");
            took
        })
        .collect();
    figure("a fresh process takes the next turn", "ms", median(&mut times).as_secs_f64() * 1e3, 100.0);
}

async fn resume(home: &Path) {
    let journal = SqliteJournal::open(DataFolder::open(home).unwrap()).unwrap();
    let engine = start(journal, true).await;
    let mut head = engine.journal().head();
    head.borrow_and_update();
    engine.open(sample).await.unwrap();
    let before = *head.borrow_and_update();
    head.wait_for(|head| *head > before).await.unwrap();
    println!("turn");
    std::process::exit(0);
}

async fn start(journal: SqliteJournal, drives: bool) -> Engine {
    let keys = journal.keys().clone();
    let (negotiator, clock) = (Arc::new(BuiltIn), Arc::new(SystemClock));
    Engine::start(Parts { journal: Arc::new(journal), keys, negotiator, clock, pace: Pace::default(), drives })
        .await
        .unwrap()
}

/// A negotiation over a price that never ends by itself.
struct Table<'a> {
    journal: &'a SqliteJournal,
    n: Negotiation,
    at: i64,
}

impl<'a> Table<'a> {
    async fn open(journal: &'a SqliteJournal, name: &str) -> Self {
        let events = Negotiation::open(opening(name), Load::default(), Timestamp(1_700_000_000_000)).unwrap();
        let n = Negotiation::replay(&events).unwrap();
        let mut table = Self { journal, n, at: 1_700_000_000_000 };
        table.append(0, events).await;
        table
    }

    fn side(&self) -> Side {
        if self.n.turns().len().is_multiple_of(2) { Side::Initiator } else { Side::Responder }
    }

    fn decide(&mut self, command: Command) -> Vec<Event> {
        self.at += 1;
        let events = self.n.decide(command, Timestamp(self.at)).unwrap();
        events.iter().for_each(|event| self.n.apply(event));
        events
    }

    async fn turn(&mut self) {
        let before = self.n.version();
        let command = Command::Agent(self.side(), AgentAct::TakeTurn(offer(self.n.turns().len())));
        let events = self.decide(command);
        self.append(before, events).await;
    }

    async fn turns(&mut self, count: usize) {
        for _ in 0..count / 1000 {
            let before = self.n.version();
            let mut events = Vec::new();
            for _ in 0..1000 {
                let command = Command::Agent(self.side(), AgentAct::TakeTurn(offer(self.n.turns().len())));
                events.extend(self.decide(command));
            }
            self.append(before, events).await;
        }
    }

    async fn approve(&mut self) {
        let before = self.n.version();
        let events = self.decide(Command::Agent(self.side(), AgentAct::TakeTurn(turn(Move::Accept))));
        self.append(before, events).await;
        let (before, digest) = (self.n.version(), self.n.digest());
        let act = PersonAct::Decide { decision: Decision::Approved, digest, remarks: None };
        let events = self.decide(Command::Person(act));
        self.append(before, events).await;
    }

    async fn append(&mut self, expected: u64, events: Vec<Event>) {
        let append = appended(self.journal.keys(), &self.n, expected, events);
        self.journal.append(append).await.unwrap();
    }

    /// How many bytes an entry and a row of the list have.
    fn sizes(&self) -> (usize, usize) {
        let mut n = self.n.clone();
        let command = Command::Agent(self.side(), AgentAct::TakeTurn(offer(0)));
        let events = n.decide(command, Timestamp(self.at)).unwrap();
        events.iter().for_each(|event| n.apply(event));
        let append = appended(self.journal.keys(), &n, 1, events);
        let entries: usize = append.entries.iter().map(|entry| serde_json::to_vec(entry).unwrap().len() + 64).sum();
        (entries, serde_json::to_vec(&append.standing.unwrap().opportunity).unwrap().len())
    }
}

/// The same short negotiation under any name.
struct Template(Vec<Event>, Keys);

impl Template {
    fn new(keys: &Keys) -> Self {
        let mut opening = opening("template");
        opening.rulebook.limits.turns = Some(8);
        let mut events = Negotiation::open(opening, Load::default(), Timestamp(1_700_000_000_000)).unwrap();
        let mut n = Negotiation::replay(&events).unwrap();
        for place in 0..8_i64 {
            let side = if place % 2 == 0 { Side::Initiator } else { Side::Responder };
            let act = AgentAct::TakeTurn(offer(usize::try_from(place).unwrap()));
            let said = n.decide(Command::Agent(side, act), Timestamp(1_700_000_000_001 + place)).unwrap();
            said.iter().for_each(|event| n.apply(event));
            events.extend(said);
        }
        assert_eq!(n.status(), Status::Stalled);
        Self(events, keys.clone())
    }

    fn append(&self, name: &str) -> Append {
        let mut events = self.0.clone();
        if let Fact::Opened(opening) = &mut events[0].fact {
            Arc::make_mut(opening).id = NegotiationId(name.into());
        }
        let n = Negotiation::replay(&events).unwrap();
        appended(&self.1, &n, 0, events)
    }
}

fn appended(keys: &Keys, after: &Negotiation, expected: u64, events: Vec<Event>) -> Append {
    let id = &after.opening().id;
    let entry = |(version, event): (u64, Event)| {
        let signed = match &event.fact {
            Fact::TurnTaken(taken) => {
                let (nonce, sent) = (version.to_string(), event.at);
                let message = Message {
                    negotiation_id: id,
                    nonce: &nonce,
                    sent,
                    side: taken.side,
                    said: Said::Turn(&taken.turn),
                };
                let proof = keys.agent.sign(&message, &sent.rfc3339()).unwrap();
                Some(Box::new(Signed { nonce, sent, proof }))
            }
            _ => None,
        };
        Entry::Negotiation { id: id.clone(), event, signed }
    };
    let entries = (expected + 1..).zip(events).map(entry).collect();
    let stream = Stream::Negotiation(id.clone());
    Append { stream, expected, entries, standing: Some(Standing::from(after)) }
}

fn opening(name: &str) -> Opening {
    let mut opening = sample(NegotiationId(name.into()));
    opening.rulebook = Rulebook::asp(Span::hours(24));
    opening.rulebook.limits.turns = None;
    // Nobody in this process is to speak in them.
    opening.parties.initiator.agent = countersign_kernel::AgentKind::Remote;
    opening.parties.responder.agent = countersign_kernel::AgentKind::Remote;
    opening
}

fn offer(place: usize) -> Turn {
    let value = serde_json::json!({"money": {"amount": (place + 1).to_string(), "currency": "EUR"}});
    let terms = Terms::new([(TermName::new("price").unwrap(), serde_json::from_value(value).unwrap())]).unwrap();
    let offer = Arc::new(Offer { terms, ..Offer::default() });
    turn(if place == 0 { Move::Propose(offer) } else { Move::Counter(offer) })
}

/// As it is usually said.
fn turn(act: Move) -> Turn {
    let text = |text: &str| Text::new(text).unwrap();
    let reasoning = text(
        "They came down by a third of the way to what we asked for, and what they say about delivery can be checked. \
         What is left between us is less than what another week of talking would cost either side.",
    );
    let assessment = Assessment { reasoning, suggested_roles: None, confidence: None };
    let message = Some(text("That is closer. With delivery on Fridays we could come down a little further too."));
    Turn { act, assessment, message }
}

fn figure(name: &str, unit: &str, ours: f64, limit: f64) {
    println!("{name:<44} {ours:>9.0} {unit:<2} {limit:>11.0} {unit:<2} {:>7.2}", ours / limit);
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

async fn timed(action: impl AsyncFn()) -> f64 {
    let mut times = Vec::new();
    for _ in 0..5 {
        let began = Instant::now();
        action().await;
        times.push(began.elapsed());
    }
    median(&mut times).as_secs_f64() * 1e3
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

#[expect(clippy::cast_precision_loss, reason = "a rate")]
fn per_second(count: usize, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64()
}

/// What the process has in memory, in MB.
fn resident() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kb: f64 = line.and_then(|line| line.split_whitespace().next()).and_then(|kb| kb.parse().ok()).unwrap_or(0.0);
    kb / 1e3
}
