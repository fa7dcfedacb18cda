use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use countersign_agents::{AgentError, Brief, Negotiator};
use countersign_kernel::{
    AgentAct, AgentKind, Awaiting, Command, Escalation, EscalationReason, Event, Fact, Load, Mode, Negotiation,
    NegotiationId, Opening, PersonAct, Side, Text, Timestamp, Turn, Urgency,
};
use countersign_store::{Entry, Journal, Record, Stream};
use tokio::sync::{Mutex, Notify, RwLock, watch};
use uuid::Uuid;

use crate::{Clock, EngineError, Trouble};

/// Drives any number of negotiations at once. Clones share it.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    journal: Journal,
    negotiator: Arc<dyn Negotiator>,
    clock: Arc<dyn Clock>,
    pace: Pace,
    mode: watch::Sender<Mode>,
    /// Shared by every turn while it is taken, alone for who switches the mode: off means that no turn follows.
    turns: RwLock<()>,
    trouble: watch::Sender<Option<Trouble>>,
    /// What trouble stopped; each goes on when the person says so.
    stopped: Mutex<BTreeSet<NegotiationId>>,
    /// Every negotiation, each behind its own lock: what is decided on one never waits for another.
    open: Mutex<BTreeMap<NegotiationId, Arc<Place>>>,
}

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

/// One negotiation, and word for who drives it that something happened to it.
struct Place {
    negotiation: Mutex<Negotiation>,
    changed: Notify,
}

impl Place {
    fn new(negotiation: Negotiation) -> Arc<Self> {
        Arc::new(Self { negotiation: Mutex::new(negotiation), changed: Notify::new() })
    }
}

/// What there is to do in a negotiation.
enum Next {
    /// An agent in this process has to speak.
    Turn,
    /// Somebody else has to act, or the clock.
    Wait(Option<Timestamp>),
    /// Nothing, ever.
    Over,
}

impl Engine {
    /// Folds the journal and goes on with every negotiation that was under way.
    pub async fn start(
        journal: Journal,
        negotiator: Arc<dyn Negotiator>,
        clock: Arc<dyn Clock>,
        pace: Pace,
    ) -> Result<Self, EngineError> {
        let Fold { mode, negotiations, .. } = fold(&journal).await?;
        let under_way: Vec<NegotiationId> = negotiations
            .iter()
            .filter(|(_, negotiation)| !matches!(next(negotiation), Next::Over))
            .map(|(id, _)| id.clone())
            .collect();
        let open = negotiations.into_iter().map(|(id, n)| (id, Place::new(n))).collect();
        let engine = Self(Arc::new(Inner {
            journal,
            negotiator,
            clock,
            pace,
            mode: watch::Sender::new(mode),
            turns: RwLock::new(()),
            trouble: watch::Sender::new(None),
            stopped: Mutex::default(),
            open: Mutex::new(open),
        }));
        under_way.into_iter().for_each(|id| engine.drive(id));
        Ok(engine)
    }

    /// Opens a negotiation and begins to drive it.
    pub async fn open(&self, opening: impl FnOnce(NegotiationId) -> Opening) -> Result<NegotiationId, EngineError> {
        let id = NegotiationId(Uuid::now_v7().to_string());
        let events = Negotiation::open(opening(id.clone()), Load::default(), self.0.clock.now())?;
        if let Some(negotiation) = Negotiation::replay(&events) {
            self.append(&id, 0, &events).await?;
            self.0.open.lock().await.insert(id.clone(), Place::new(negotiation));
            self.drive(id.clone());
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
    pub async fn negotiation(&self, id: &NegotiationId) -> Result<Negotiation, EngineError> {
        let place = self.find(id).await?;
        let negotiation = place.negotiation.lock().await;
        Ok(negotiation.clone())
    }

    /// Everything as it was at one place in the journal: that place, the mode, every negotiation.
    pub async fn look(&self) -> Result<(u64, Mode, Vec<Negotiation>), EngineError> {
        let Fold { seq, mode, negotiations } = fold(&self.0.journal).await?;
        Ok((seq, mode, negotiations.into_values().collect()))
    }

    /// Switches negotiation on or off, for good: a restart finds it as it was left.
    pub async fn set_mode(&self, mode: Mode) -> Result<(), EngineError> {
        let _alone = self.0.turns.write().await;
        if *self.0.mode.borrow() == mode {
            return Ok(());
        }
        let version = self.0.journal.read(&Stream::Mode).await?.last().map_or(0, |record| record.version);
        self.0.journal.append(&Stream::Mode, version, vec![Entry::Mode { mode, at: self.0.clock.now() }]).await?;
        self.0.mode.send_replace(mode);
        Ok(())
    }

    /// Goes on after trouble, with every negotiation that it stopped.
    pub async fn resume(&self) {
        self.0.trouble.send_replace(None);
        let stopped = std::mem::take(&mut *self.0.stopped.lock().await);
        stopped.into_iter().for_each(|id| self.drive(id));
    }

    /// What keeps negotiations from going on, and word of it when that changes.
    pub fn trouble(&self) -> watch::Receiver<Option<Trouble>> {
        self.0.trouble.subscribe()
    }

    /// The journal everything is in.
    pub fn journal(&self) -> &Journal {
        &self.0.journal
    }

    async fn find(&self, id: &NegotiationId) -> Result<Arc<Place>, EngineError> {
        self.0.open.lock().await.get(id).cloned().ok_or_else(|| EngineError::Unknown(id.clone()))
    }

    /// Whatever is due comes first: what is too late is too late, also when nobody was awake to say so.
    async fn carry_out(&self, id: &NegotiationId, command: Command) -> Result<(), EngineError> {
        let place = self.find(id).await?;
        let mut negotiation = place.negotiation.lock().await;
        self.ring(&mut negotiation).await?;
        self.commit(&mut negotiation, command).await?;
        place.changed.notify_one();
        Ok(())
    }

    /// Lets every deadline pass that has.
    async fn ring(&self, negotiation: &mut Negotiation) -> Result<(), EngineError> {
        while let Some(deadline) = negotiation.next_deadline()
            && deadline.at <= self.0.clock.now()
        {
            self.commit(negotiation, Command::DeadlinePassed(deadline.timer)).await?;
        }
        Ok(())
    }

    /// Decides, writes down, and only then lets it be so.
    async fn commit(&self, negotiation: &mut Negotiation, command: Command) -> Result<(), EngineError> {
        let events = negotiation.decide(command, self.0.clock.now())?;
        self.append(&negotiation.opening().id, negotiation.version(), &events).await?;
        events.iter().for_each(|event| negotiation.apply(event));
        Ok(())
    }

    async fn append(&self, id: &NegotiationId, version: u64, events: &[Event]) -> Result<(), EngineError> {
        let entries = events.iter().map(|event| Entry::Negotiation { id: id.clone(), event: event.clone() }).collect();
        self.0.journal.append(&Stream::Negotiation(id.clone()), version, entries).await?;
        Ok(())
    }

    /// Sees one negotiation to its end, and reports it when that cannot go on.
    fn drive(&self, id: NegotiationId) {
        let engine = self.clone();
        tokio::spawn(async move {
            let turns = tokio::spawn({
                let (engine, id) = (engine.clone(), id.clone());
                async move { engine.see_to(&id).await }
            });
            let trouble = match turns.await {
                Ok(Ok(()) | Err(EngineError::Unknown(_))) => return,
                Ok(Err(EngineError::Store(error))) => Trouble::Journal(error),
                Ok(Err(EngineError::Refused(refusal))) => Trouble::Turn(refusal),
                Err(failed) => match failed.try_into_panic() {
                    Ok(panic) => Trouble::Panicked(panic_message(&*panic)),
                    Err(_cancelled) => return,
                },
            };
            log::error!("negotiation {id} stands still: {trouble:?}");
            engine.0.stopped.lock().await.insert(id);
            engine.0.trouble.send_replace(Some(trouble));
        });
    }

    /// Takes turns as they come up and lets deadlines pass, until nothing can happen any more.
    async fn see_to(&self, id: &NegotiationId) -> Result<(), EngineError> {
        let place = self.find(id).await?;
        let mut mode = self.0.mode.subscribe();
        loop {
            let mut negotiation = place.negotiation.lock().await;
            self.ring(&mut negotiation).await?;
            let until = match next(&negotiation) {
                Next::Over => return Ok(()),
                Next::Wait(until) => until,
                Next::Turn if *mode.borrow_and_update() == Mode::On => {
                    drop(negotiation);
                    tokio::time::sleep(self.0.pace.between).await;
                    self.take_turn(&place).await?;
                    continue;
                }
                Next::Turn => negotiation.next_deadline().map(|deadline| deadline.at),
            };
            drop(negotiation);
            let due = async {
                match until {
                    Some(at) => self.0.clock.sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = due => {}
                () = place.changed.notified() => {}
                // It only fails when the sender is gone, and the engine holds it.
                _ = mode.changed() => {}
            }
        }
    }

    /// An agent in this process speaks. It thinks on a copy: nobody waits for it, and what happened meanwhile counts.
    async fn take_turn(&self, place: &Place) -> Result<(), EngineError> {
        let seen = place.negotiation.lock().await.clone();
        let (Awaiting::Agent(side) | Awaiting::Fallback(side)) = seen.awaiting() else { return Ok(()) };
        let thought = self.think(seen.clone(), side).await;
        let command = match thought {
            Ok(turn) => Command::Agent(side, AgentAct::TakeTurn(turn)),
            Err(AgentError(reason)) if seen.has_failed(side) => Self::give_up(seen.opening().ours, reason),
            Err(AgentError(reason)) => {
                log::warn!("an agent of negotiation {} failed: {}", seen.opening().id, &*reason);
                Command::Agent(side, AgentAct::Fail(reason))
            }
        };
        let failed = matches!(command, Command::Agent(_, AgentAct::Fail(_)));
        {
            let _shared = self.0.turns.read().await;
            let mut negotiation = place.negotiation.lock().await;
            self.ring(&mut negotiation).await?;
            if *self.0.mode.borrow() == Mode::Off || negotiation.version() != seen.version() {
                return Ok(());
            }
            self.commit(&mut negotiation, command).await?;
        }
        if failed {
            tokio::time::sleep(self.0.pace.recovery).await;
        }
        Ok(())
    }

    /// The agent's move, if it comes to one in time. A panic goes on to whoever drives the negotiation.
    async fn think(&self, seen: Negotiation, side: Side) -> Result<Turn, AgentError> {
        let negotiator = Arc::clone(&self.0.negotiator);
        let mut thinking = tokio::spawn(async move {
            let (opening, turns, allowed) = (seen.opening(), seen.turns(), seen.allowed());
            negotiator.take_turn(Brief { opening, side, turns, allowed }).await
        });
        match tokio::time::timeout(self.0.pace.patience, &mut thinking).await {
            Ok(Ok(thought)) => thought,
            Ok(Err(failed)) => match failed.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_cancelled) => Err(AgentError(Text::clipped("it was stopped"))),
            },
            Err(_elapsed) => {
                thinking.abort();
                let seconds = self.0.pace.patience.as_secs();
                Err(AgentError(Text::clipped(format!("it said nothing for {seconds} seconds"))))
            }
        }
    }

    /// The second failure in a row is for the person to see.
    fn give_up(ours: Side, reason: Text) -> Command {
        let escalation = Escalation {
            reason: EscalationReason::AgentError,
            urgency: Urgency::Medium,
            context: reason,
            suggested_action: None,
            hook: None,
        };
        Command::Agent(ours, AgentAct::Escalate(escalation))
    }
}

fn next(negotiation: &Negotiation) -> Next {
    let until = negotiation.next_deadline().map(|deadline| deadline.at);
    match negotiation.awaiting() {
        Awaiting::Agent(side) if negotiation.opening().parties.get(side).agent == AgentKind::System => Next::Turn,
        Awaiting::Fallback(_) => Next::Turn,
        Awaiting::Nobody if until.is_none() => Next::Over,
        Awaiting::Agent(_)
        | Awaiting::Pickup(_)
        | Awaiting::Claimed(..)
        | Awaiting::Person(_)
        | Awaiting::Others
        | Awaiting::Signature(_)
        | Awaiting::Nobody => Next::Wait(until),
    }
}

/// What the journal tells, up to one place in it.
#[derive(Default)]
struct Fold {
    seq: u64,
    mode: Mode,
    negotiations: BTreeMap<NegotiationId, Negotiation>,
}

impl Fold {
    fn apply(&mut self, record: Record) {
        self.seq = record.seq;
        match record.entry {
            Entry::Negotiation { id, event } if matches!(event.fact, Fact::Opened(_)) => {
                self.negotiations.extend(Negotiation::replay([&event]).map(|negotiation| (id, negotiation)));
            }
            Entry::Negotiation { id, event } => {
                if let Some(negotiation) = self.negotiations.get_mut(&id) {
                    negotiation.apply(&event);
                }
            }
            Entry::Mode { mode, .. } => self.mode = mode,
        }
    }
}

async fn fold(journal: &Journal) -> Result<Fold, EngineError> {
    const PAGE: u32 = 1000;
    let mut fold = Fold::default();
    loop {
        let page = journal.after(fold.seq, PAGE).await?;
        if page.is_empty() {
            return Ok(fold);
        }
        page.into_iter().for_each(|record| fold.apply(record));
    }
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
