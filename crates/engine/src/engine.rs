use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use countersign_agents::Negotiator;
use countersign_kernel::{
    AgentAct, Command, Event, Load, Mode, Negotiation, NegotiationId, Opening, PersonAct, Side, Timestamp,
};
use countersign_ledger::Keys;
use countersign_store::{Append, Entry, Journal, Standing, Stream};
use tokio::sync::{RwLock, Semaphore, watch};
use uuid::Uuid;

use crate::places::{Held, Place, Places};
use crate::{Clock, EngineError, Trouble, signing};

/// Drives any number of negotiations at once. Clones share it.
#[derive(Clone)]
pub struct Engine(pub(crate) Arc<Inner>);

/// What an engine is made of.
pub struct Parts {
    /// Where everything is written down.
    pub journal: Arc<dyn Journal>,
    /// Who signs.
    pub keys: Keys,
    /// What speaks for the parties.
    pub negotiator: Arc<dyn Negotiator>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// How long agents get.
    pub pace: Pace,
}

pub(crate) struct Inner {
    pub(crate) journal: Arc<dyn Journal>,
    pub(crate) keys: Keys,
    pub(crate) negotiator: Arc<dyn Negotiator>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) pace: Pace,
    pub(crate) mode: watch::Sender<Mode>,
    /// Shared by every turn while it is taken, alone for who switches the mode: off means that no turn follows.
    pub(crate) turns: RwLock<()>,
    trouble: watch::Sender<Option<Trouble>>,
    /// What trouble stopped; each goes on when the person says so.
    pub(crate) stopped: Mutex<BTreeSet<NegotiationId>>,
    places: Places,
    /// Who is driven, and whether something happened to it that the driver may have missed.
    pub(crate) driven: Mutex<HashMap<NegotiationId, bool>>,
    /// How many are driven at once when there are very many.
    pub(crate) drivers: Arc<Semaphore>,
    /// The next moment at which something happens by itself, as far as whoever keeps time knows.
    pub(crate) sooner: watch::Sender<Timestamp>,
}

/// How many negotiations that wait for an agent in this process are driven at once.
const AT_ONCE: usize = 256;

/// How long agents in this process get.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How long a turn stays on the screen before the next one is taken.
    pub between: Duration,
    /// How long an agent may think.
    pub patience: Duration,
    /// How long it gets to recover when it failed; then it is asked once more.
    pub recovery: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self { between: Duration::ZERO, patience: Duration::from_secs(45), recovery: Duration::from_secs(2) }
    }
}

impl Engine {
    /// Goes on with every negotiation that was under way. What was due meanwhile happens now, once.
    pub async fn start(parts: Parts) -> Result<Self, EngineError> {
        let Parts { journal, keys, negotiator, clock, pace } = parts;
        let mode = read_mode(&*journal).await?.1;
        let engine = Self(Arc::new(Inner {
            journal,
            keys,
            negotiator,
            clock,
            pace,
            mode: watch::Sender::new(mode),
            turns: RwLock::new(()),
            trouble: watch::Sender::new(None),
            stopped: Mutex::default(),
            places: Places::default(),
            driven: Mutex::default(),
            drivers: Arc::new(Semaphore::new(AT_ONCE)),
            sooner: watch::Sender::new(Timestamp(i64::MAX)),
        }));
        tokio::spawn(engine.clone().keep_time());
        tokio::spawn(engine.clone().drive_all());
        Ok(engine)
    }

    /// Opens a negotiation and begins to drive it.
    pub async fn open(&self, opening: impl FnOnce(NegotiationId) -> Opening) -> Result<NegotiationId, EngineError> {
        let id = NegotiationId(Uuid::now_v7().to_string());
        let events = Negotiation::open(opening(id.clone()), Load::default(), self.0.clock.now())?;
        if let Some(negotiation) = Negotiation::replay(&events) {
            self.append(&negotiation, 0, events).await?;
            self.drive(id.clone(), None);
        }
        Ok(id)
    }

    /// Carries out the person's decision.
    pub async fn decide(&self, id: &NegotiationId, act: PersonAct) -> Result<(), EngineError> {
        self.carry_out(id, Command::Person(act)).await
    }

    /// Carries out what an agent outside of this process asks for.
    pub async fn agent(&self, id: &NegotiationId, side: Side, act: AgentAct) -> Result<(), EngineError> {
        self.carry_out(id, Command::Agent(side, act)).await
    }

    /// One negotiation as it is now.
    pub async fn negotiation(&self, id: &NegotiationId) -> Result<Arc<Negotiation>, EngineError> {
        let place = self.place(id);
        let held = self.hold(&place).await?;
        Ok(held.share())
    }

    /// Whether agents take their turns, and word of it when that changes.
    pub fn mode(&self) -> watch::Receiver<Mode> {
        self.0.mode.subscribe()
    }

    /// Switches negotiation on or off, for good: a restart finds it as it was left.
    pub async fn set_mode(&self, mode: Mode) -> Result<(), EngineError> {
        let _alone = self.0.turns.write().await;
        let (expected, now) = read_mode(&*self.0.journal).await?;
        if now == mode {
            return Ok(());
        }
        let entries = vec![Entry::Mode { mode, at: self.0.clock.now() }];
        self.0.journal.append(Append { stream: Stream::Mode, expected, entries, standing: None }).await?;
        self.0.mode.send_replace(mode);
        tokio::spawn(self.clone().drive_all());
        Ok(())
    }

    /// Goes on after trouble, with every negotiation that it stopped.
    pub fn resume(&self) {
        lock(&self.0.stopped).clear();
        self.0.trouble.send_replace(None);
        tokio::spawn(self.clone().drive_all());
    }

    /// What keeps negotiations from going on, and word of it when that changes.
    pub fn trouble(&self) -> watch::Receiver<Option<Trouble>> {
        self.0.trouble.subscribe()
    }

    /// The journal everything is in.
    pub fn journal(&self) -> &Arc<dyn Journal> {
        &self.0.journal
    }

    pub(crate) fn place(&self, id: &NegotiationId) -> Arc<Place> {
        self.0.places.get(id)
    }

    pub(crate) async fn hold<'a>(&self, place: &'a Place) -> Result<Held<'a>, EngineError> {
        place.hold(&*self.0.journal).await
    }

    /// Whatever is due comes first: what is too late is too late, also when nobody was awake to say so.
    async fn carry_out(&self, id: &NegotiationId, command: Command) -> Result<(), EngineError> {
        let place = self.place(id);
        let mut held = self.hold(&place).await?;
        self.ring(&mut held).await?;
        self.commit(&mut held, [command]).await?;
        if held.is_ready() {
            self.drive(id.clone(), None);
        }
        Ok(())
    }

    /// Lets every deadline pass that has; says whether there was one.
    pub(crate) async fn ring(&self, held: &mut Held<'_>) -> Result<bool, EngineError> {
        let mut rang = false;
        while let Some(deadline) = held.next_deadline()
            && deadline.at <= self.0.clock.now()
        {
            self.commit(held, [Command::DeadlinePassed(deadline.timer)]).await?;
            rang = true;
        }
        Ok(rang)
    }

    /// Decides, writes down, and only then lets it be so: all of it or nothing.
    pub(crate) async fn commit(
        &self,
        held: &mut Held<'_>,
        commands: impl IntoIterator<Item = Command>,
    ) -> Result<(), EngineError> {
        let (before, now) = (held.version(), self.0.clock.now());
        let mut events = Vec::new();
        for command in commands {
            for event in held.decide(command, now)? {
                held.apply(&event);
                events.push(event);
            }
        }
        self.append(held, before, events).await?;
        held.is_written();
        Ok(())
    }

    /// Signs what is ours to sign, and writes it down together with how things stand afterwards.
    async fn append(&self, after: &Negotiation, expected: u64, events: Vec<Event>) -> Result<(), EngineError> {
        let id = &after.opening().id;
        let signed = |(version, event): (u64, Event)| {
            let signed = signing::sign(&self.0.keys, after.opening(), version, &event);
            Entry::Negotiation { id: id.clone(), event, signed }
        };
        let entries = (expected + 1..).zip(events).map(signed).collect();
        let standing = Standing::from(after);
        let due = standing.opportunity.due;
        let append = Append { stream: Stream::Negotiation(id.clone()), expected, entries, standing: Some(standing) };
        self.0.journal.append(append).await?;
        if let Some(due) = due {
            self.0.sooner.send_if_modified(|known| {
                let is_sooner = due.at < *known;
                *known = due.at.min(*known);
                is_sooner
            });
        }
        Ok(())
    }

    /// Keeps a negotiation still that cannot go on, and says why.
    pub(crate) fn stand_still(&self, id: NegotiationId, trouble: Trouble) {
        log::error!("negotiation {id} stands still: {trouble:?}");
        lock(&self.0.stopped).insert(id);
        self.report(trouble);
    }

    pub(crate) fn report(&self, trouble: Trouble) {
        self.0.trouble.send_replace(Some(trouble));
    }
}

/// The mode, and how often it was switched.
async fn read_mode(journal: &dyn Journal) -> Result<(u64, Mode), EngineError> {
    let (mut version, mut mode) = (0, Mode::default());
    loop {
        let page = journal.read(Stream::Mode, version, 1000).await?;
        if page.is_empty() {
            return Ok((version, mode));
        }
        for record in page {
            version = record.version;
            if let Entry::Mode { mode: switched, .. } = record.entry {
                mode = switched;
            }
        }
    }
}

/// What is behind a lock that no code panics under.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
