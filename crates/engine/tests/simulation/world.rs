//! One world: everything that happens in it follows from its seed.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use countersign_engine::{Clock as _, Engine, EngineError, HandClock, Pace, Parts, built_in};
use countersign_kernel::{AgentId, Awaiting, Mode, Negotiation, NegotiationId, Span, Status, Timestamp};
use countersign_mandate::Mandate;
use countersign_store::{Entry, Record};
use countersign_testkit::{Chance, Death, FaultyJournal};

use crate::acts::{Act, Cast, What};
use crate::book::{Asked, Book};
use crate::check;
use crate::disk::{Disk, Kind};
use crate::openings::{self, Marks, text};
use crate::scripted::Scripted;
use crate::tally::Tally;

const NOON: Timestamp = Timestamp(1_700_000_000_000);

/// How many negotiations are opened in a world at most, and how many steps a life has.
const NEGOTIATIONS: usize = 10;
const STEPS: u64 = 40;

/// More than any agent of this process takes to fail twice.
const REST: Duration = Duration::from_secs(600);

/// Whoever asks more often than this goes round in circles.
const MOST_ASKED: u64 = 200_000;

pub(crate) struct World {
    chance: Chance,
    disk: Disk,
    clock: HandClock,
    marks: Marks,
    cast: Cast,
    book: Arc<Book>,
    tally: Arc<Mutex<Tally>>,
    /// The negotiation that something just happened to. What happens to it at the same moment is worth a look.
    focus: Option<NegotiationId>,
    /// Whether what happens is told.
    tells: bool,
}

/// One run of the process.
struct Life {
    engine: Engine,
    journal: FaultyJournal,
    scripted: Arc<Scripted>,
}

/// Plays a world from its seed to the end and checks it.
pub(crate) fn play(seed: u64, kind: Kind, tells: bool) -> Tally {
    let mut world = World::new(seed, kind, tells);
    world.run();
    let tally = world.tally.lock().unwrap();
    tally.clone()
}

/// What is in the journal of a world in the end, without what differs from run to run.
pub(crate) fn history(seed: u64) -> Vec<String> {
    let mut world = World::new(seed, Kind::Memory, false);
    let records = world.run();
    let mut ids = BTreeMap::new();
    let mut tell = |record: &Record| {
        let Record { seq, version, entry } = record;
        let Entry::Negotiation { id, event, .. } = entry else {
            // Checkpoints are signatures over the ids.
            return format!("{seq} {version}");
        };
        let next = ids.len();
        let place = *ids.entry(id.clone()).or_insert(next);
        let mut event = serde_json::to_value(event).unwrap();
        if let Some(digest) = event.pointer_mut("/of/digest") {
            *digest = serde_json::Value::Null;
        }
        format!("{seq} {place} {version} {}", event.to_string().replace(&id.0, "this"))
    };
    records.iter().map(&mut tell).collect()
}

impl World {
    fn new(seed: u64, kind: Kind, tells: bool) -> Self {
        // Seeds that follow each other have nothing else in common.
        let mut chance = Chance::new(seed).split();
        let (clock, marks) = (HandClock::new(NOON), Marks::default());
        let cast = Cast::new(chance.split(), marks.clone(), clock.clone());
        let (book, tally) = (Arc::default(), Arc::new(Mutex::new(Tally { worlds: 1, ..Tally::default() })));
        Self { chance, disk: Disk::new(kind), clock, marks, cast, book, tally, focus: None, tells }
    }

    fn run(&mut self) -> Vec<Record> {
        let deaths = self.chance.below(4);
        for life in 0..=deaths {
            self.in_a_process(async |world: &mut Self| world.live(life < deaths).await);
        }
        let records = self.in_a_process(async |world: &mut Self| world.last().await);
        self.disk.verify();
        let (_, keys) = self.disk.open();
        check::records(&records, &keys, &self.book.pages(), &mut self.tally.lock().unwrap());
        records
    }

    /// When it returns, nothing of the process is left but what is on the disk.
    fn in_a_process<T>(&mut self, life: impl AsyncFnOnce(&mut Self) -> T) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(life(self))
    }

    /// A process starts, things happen, and it dies when its time has come or at its end.
    async fn live(&mut self, dies: bool) {
        let life = self.start(false).await;
        let mut dead = life.journal.dead();
        let death = if dies { self.light(&life) } else { "died" };
        let steps = async {
            if self.chance.percent(30) {
                self.give_mandate(&life);
                self.pause().await;
            }
            for _ in 0..STEPS {
                self.step(&life).await;
                if self.pause().await {
                    check::nobody_waits(&life.engine, self.clock.now()).await;
                }
            }
        };
        tokio::select! {
            biased;
            _ = dead.wait_for(|dead| *dead) => {}
            () = steps => {}
        }
        assert!(life.journal.asked() <= MOST_ASKED, "it never comes to rest");
        self.count(if *life.journal.dead().borrow() { death } else { "died" });
        life.journal.die();
        if life.journal.refused() > 0 {
            self.count("disk full");
        }
    }

    /// The last process. In this one nobody dies.
    async fn last(&mut self) -> Vec<Record> {
        let life = self.start(true).await;
        let mut dead = life.journal.dead();
        tokio::select! {
            biased;
            _ = dead.wait_for(|dead| *dead) => panic!("it never comes to rest"),
            records = self.end(&life) => records,
        }
    }

    /// Nothing goes wrong any more: everything that stood still goes on, and with time everything ends.
    async fn end(&mut self, life: &Life) -> Vec<Record> {
        if self.chance.percent(70) {
            life.engine.set_mode(Mode::On, None).await.unwrap();
            life.engine.set_mode(Mode::On, Some(built_in())).await.unwrap();
        }
        self.rest(life).await;
        check::at_rest(&life.engine, self.clock.now()).await;
        for _ in 0..10 {
            self.clock.set(self.clock.now().plus(Span::days(8)));
            self.rest(life).await;
        }
        check::at_the_end(&life.engine, self.clock.now()).await;
        life.engine.journal().after(0, u32::MAX).await.unwrap()
    }

    async fn start(&mut self, is_calm: bool) -> Life {
        let (disk, keys) = self.disk.open();
        let journal = FaultyJournal::new(disk, self.chance.split());
        journal.wear_out(MOST_ASKED);
        let scripted = Arc::new(Scripted {
            chance: Mutex::new(self.chance.split()),
            clock: self.clock.clone(),
            marks: self.marks.clone(),
            is_calm: AtomicBool::new(is_calm),
            tally: Arc::clone(&self.tally),
            book: Arc::clone(&self.book),
        });
        let pace = Pace { between: Duration::from_millis(5), ..Pace::default() };
        let parts = Parts {
            journal: Arc::new(journal.clone()),
            keys,
            negotiator: scripted.clone(),
            clock: Arc::new(self.clock.clone()),
            pace,
            drives: true,
        };
        let engine = Engine::start(parts).await.unwrap();
        let found = engine.journal().after(0, u32::MAX).await.unwrap();
        let opened = found.iter().filter_map(|record| match &record.entry {
            Entry::Negotiation { id, .. } if record.version == 1 => Some(id.clone()),
            _ => None,
        });
        self.book.pages().opened = opened.collect();
        self.tell(|| format!("a process starts on {} records", found.len()));
        Life { engine, journal, scripted }
    }

    async fn rest(&self, life: &Life) {
        assert!(life.scripted.is_calm.load(Ordering::Relaxed));
        life.engine.resume();
        tokio::time::sleep(REST).await;
        assert_eq!(*life.engine.trouble().borrow(), None, "with nothing wrong there is no trouble");
    }

    async fn step(&mut self, life: &Life) {
        match self.chance.below(100) {
            0..=11 => self.open(life),
            12..=71 => self.act(life).await,
            72..=80 => self.move_clock(life).await,
            81..=85 => self.switch(life),
            86..=87 => self.give_mandate(life),
            88 if self.chance.percent(30) => self.set_policies(life),
            89..=90 => {
                self.tell(|| "the disk is full".into());
                life.journal.fill(true);
                self.book.pages().was_full = true;
            }
            91..=99 => {
                self.tell(|| "there is room on the disk, and the person lets it go on".into());
                life.journal.fill(false);
                life.engine.resume();
            }
            _ => {}
        }
    }

    /// Everything runs on for a while, or not at all. Says whether it was long enough for all that can happen.
    async fn pause(&mut self) -> bool {
        match self.chance.below(8) {
            0..=2 => {}
            3..=4 => {
                for _ in 0..self.chance.below(12) {
                    tokio::task::yield_now().await;
                }
            }
            5..=6 => tokio::time::sleep(Duration::from_millis(self.chance.below(60_000))).await,
            _ => {
                tokio::time::sleep(REST).await;
                return true;
            }
        }
        false
    }

    /// Lets the process die at one of the next writes; sometimes at none, and it ends in the middle of something else.
    fn light(&mut self, life: &Life) -> &'static str {
        let appends = self.chance.below(20);
        let (death, name) = match self.chance.below(5) {
            0..=1 => (Death::Before, "died before a write"),
            2..=3 => (Death::After, "died after a write"),
            _ => return "died",
        };
        life.journal.light(appends, death);
        name
    }

    fn open(&mut self, life: &Life) {
        if self.book.pages().opened.len() >= NEGOTIATIONS {
            return;
        }
        let (title, mut chance, keys) = (self.marks.next("match"), self.chance.split(), self.cast.keys());
        self.tell(|| format!("{} is opened", &*title));
        let asked = self.book.ask(Asked::Mark(format!("opened {}", &*title)));
        let (engine, book) = (life.engine.clone(), Arc::clone(&self.book));
        tokio::spawn(async move {
            let opened = engine.open(|id| openings::opening(&mut chance, id, &title, &keys)).await;
            book.answer(asked, opened.clone().map(drop));
            if let Ok(id) = opened {
                book.pages().opened.push(id);
            }
        });
    }

    async fn act(&mut self, life: &Life) {
        let Some(n) = self.someone(life).await else { return };
        let id = n.opening().id.clone();
        let act = self.cast.act(&n);
        self.tell(|| format!("{} at {:?}: {:?}", n.opening().title, n.awaiting(), act.what));
        if let Some(mischief) = act.mischief {
            self.count(mischief);
        }
        let Act { what, asked, .. } = act;
        let (engine, about) = (life.engine.clone(), id.clone());
        let place = self.ask(asked, async move {
            match what {
                What::Person(act) => engine.decide(&id, act).await,
                What::Agent(side, act, signed) => engine.agent(&id, side, act, signed.map(|signed| *signed)).await,
            }
        });
        self.book.about(place, about);
    }

    fn ask(&self, asked: Asked, answer: impl Future<Output = Result<(), EngineError>> + Send + 'static) -> usize {
        let (place, book, clock) = (self.book.ask(asked), Arc::clone(&self.book), self.clock.clone());
        tokio::spawn(async move {
            let before = clock.now();
            let answer = answer.await;
            if let Err(EngineError::TooOften { until }) = &answer
                && *until > before.max(clock.now()).plus(Span::hours(1))
            {
                book.pages().wrong.push(format!("at {before:?}, there is no room before {until:?}"));
            }
            book.answer(place, answer);
        });
        place
    }

    async fn move_clock(&mut self, life: &Life) {
        let now = self.clock.now();
        let to = match self.chance.below(40) {
            0..=15 => now.plus(Span(self.chance.below(5_000))),
            16..=19 => now.plus(Span::minutes(self.chance.below(30))),
            // Just before something is due, just then, or just after.
            20..=31 => match self.someone(life).await.and_then(|n| n.next_deadline()) {
                Some(due) => Timestamp(due.at.0 + i64::try_from(self.chance.below(3)).unwrap() - 1),
                None => now.plus(Span::seconds(1)),
            },
            32..=33 => now.plus(Span::hours(self.chance.below(48))),
            34 => now.plus(Span::days(self.chance.below(9))),
            35..=38 => Timestamp(now.0 - i64::try_from(self.chance.below(600_000)).unwrap()),
            _ => Timestamp(now.0 - i64::try_from(self.chance.below(3 * 86_400_000)).unwrap()),
        };
        if to < now {
            self.count("clock back");
        }
        self.tell(|| format!("the clock goes from {} to {}", now.0 - NOON.0, to.0 - NOON.0));
        self.clock.set(to);
    }

    fn switch(&mut self, life: &Life) {
        let mode = *self.chance.one_of(&[Mode::On, Mode::On, Mode::Off, Mode::Stopped]).unwrap();
        let agent = match self.chance.below(8) {
            0 => Some(built_in()),
            1 => Some(AgentId(text("one"))),
            2 => self.cast.keys().first().cloned().map(AgentId),
            _ => None,
        };
        self.tell(|| format!("switched {mode:?} for {agent:?}"));
        let engine = life.engine.clone();
        self.ask(Asked::Nothing, async move { engine.set_mode(mode, agent).await });
    }

    fn give_mandate(&mut self, life: &Life) {
        const PACE: &str = r#""pace":{"turns_per_hour":1000,"openings_per_hour":1000,"open_at_once":50}"#;
        let expires = self.clock.now().plus(Span::days(1)).0;
        let json = match self.chance.below(8) {
            0 => r#"{"accept_unsigned":true}"#.into(),
            1..=2 => format!(r#"{{{PACE},"autonomy":{{"propose":{{"hold":10000}},"counter":{{"hold":60000}}}}}}"#),
            3 => r#"{"terms":{"price":{"target":{"money":{"amount":"40","currency":"EUR"}},
                "walk_away":{"money":{"amount":"100","currency":"EUR"}},"weight":100}}}"#
                .into(),
            4 => format!(
                r#"{{{PACE},"pre_authorised":[{{"name":"small","most":{{"amount":"90","currency":"EUR"}},"expires":{expires}}}]}}"#
            ),
            5 => r#"{"pace":{"turns_per_hour":3,"openings_per_hour":3,"open_at_once":5}}"#.into(),
            6 => r#"{"ask":{"confidence_below":50},"autonomy":{"accept":"ask"}}"#.into(),
            _ => format!(r#"{{{PACE},"accept_unsigned":true,"approval_window":172800000}}"#),
        };
        let mut mandate = Mandate::from_json(&json).unwrap();
        let goal = self.marks.next("goal");
        mandate.goals = vec![goal.clone()];
        self.tell(|| format!("a mandate: {json}"));
        let engine = life.engine.clone();
        let asked = Asked::Mark(format!("mandate {}", &*goal));
        self.ask(asked, async move { engine.set_mandate(mandate).await.map(drop) });
    }

    fn set_policies(&mut self, life: &Life) {
        let verdict = *self.chance.one_of(&["deny", "escalate", "warn"]).unwrap();
        let action = *self.chance.one_of(&["start", "turn", "resolution", "execution"]).unwrap();
        let policies = format!(
            "permit (principal, action, resource);\n@verdict(\"{verdict}\") @because(\"a rule\")\n\
             forbid (principal, action == Action::\"{action}\", resource);"
        );
        self.tell(|| format!("policies say {verdict} at {action}"));
        let engine = life.engine.clone();
        self.ask(Asked::Nothing, async move { engine.set_policies(&policies).await });
    }

    /// The negotiation of just before, or another one that is not over, if one is found soon.
    async fn someone(&mut self, life: &Life) -> Option<Arc<Negotiation>> {
        let mut found = None;
        for _ in 0..3 {
            let focus = self.focus.take().filter(|_| self.chance.percent(60));
            let id = focus.or_else(|| {
                let pages = self.book.pages();
                self.chance.one_of(&pages.opened).cloned()
            })?;
            let n = life.engine.negotiation(&id).await.ok()?;
            let is_over = n.awaiting() == Awaiting::Nobody && n.status() != Status::Accepted;
            found = Some(n);
            if !is_over {
                self.focus = Some(id);
                break;
            }
        }
        found
    }

    fn count(&self, what: &'static str) {
        self.tally.lock().unwrap().count(what);
    }

    fn tell(&self, what: impl FnOnce() -> String) {
        if self.tells {
            println!("{}", what());
        }
    }
}
