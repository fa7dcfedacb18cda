use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use countersign_agents::{Brief, Negotiator};
use countersign_kernel::{
    AgentAct, Awaiting, Command, Event, Fact, Load, Mode, Negotiation, NegotiationId, Opening, PersonAct, Status,
    Timestamp,
};
use countersign_store::{Entry, Journal, Record, Stream};
use tokio::sync::{Mutex, RwLock, watch};
use uuid::Uuid;

use crate::{EngineError, Trouble};

/// Drives any number of negotiations at once. Clones share it.
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    journal: Journal,
    negotiator: Arc<dyn Negotiator>,
    /// How long a turn stays on the screen before the next one is taken.
    pace: Duration,
    mode: watch::Sender<Mode>,
    /// Shared by every turn while it is taken, alone for who switches the mode: off means that no turn follows.
    turns: RwLock<()>,
    trouble: watch::Sender<Option<Trouble>>,
    /// What trouble stopped; each goes on when the person says so.
    stopped: Mutex<BTreeSet<NegotiationId>>,
    /// Every negotiation, each behind its own lock: what is decided on one never waits for another.
    open: Mutex<BTreeMap<NegotiationId, Arc<Mutex<Negotiation>>>>,
}

impl Engine {
    /// Folds the journal and goes on with every negotiation that was under way.
    pub async fn start(journal: Journal, negotiator: Arc<dyn Negotiator>, pace: Duration) -> Result<Self, EngineError> {
        let Fold { mode, negotiations, .. } = fold(&journal).await?;
        let under_way: Vec<NegotiationId> = negotiations
            .iter()
            .filter(|(_, negotiation)| negotiation.status() == Status::Negotiating)
            .map(|(id, _)| id.clone())
            .collect();
        let open = negotiations.into_iter().map(|(id, n)| (id, Arc::new(Mutex::new(n)))).collect();
        let engine = Self(Arc::new(Inner {
            journal,
            negotiator,
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
        let events = Negotiation::open(opening(id.clone()), Load::default(), now())?;
        if let Some(negotiation) = Negotiation::replay(&events) {
            self.append(&id, 0, &events).await?;
            self.0.open.lock().await.insert(id.clone(), Arc::new(Mutex::new(negotiation)));
            self.drive(id.clone());
        }
        Ok(id)
    }

    /// Carries out the person's decision.
    pub async fn decide(&self, id: &NegotiationId, act: PersonAct) -> Result<(), EngineError> {
        let negotiation = self.find(id).await?;
        let mut negotiation = negotiation.lock().await;
        self.commit(&mut negotiation, Command::Person(act)).await
    }

    /// One negotiation as it is now.
    pub async fn negotiation(&self, id: &NegotiationId) -> Result<Negotiation, EngineError> {
        let negotiation = self.find(id).await?;
        let negotiation = negotiation.lock().await;
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
        self.0.journal.append(&Stream::Mode, version, vec![Entry::Mode { mode, at: now() }]).await?;
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

    async fn find(&self, id: &NegotiationId) -> Result<Arc<Mutex<Negotiation>>, EngineError> {
        self.0.open.lock().await.get(id).cloned().ok_or_else(|| EngineError::Unknown(id.clone()))
    }

    /// Decides, writes down, and only then lets it be so.
    async fn commit(&self, negotiation: &mut Negotiation, command: Command) -> Result<(), EngineError> {
        let events = negotiation.decide(command, now())?;
        self.append(&negotiation.opening().id, negotiation.version(), &events).await?;
        events.iter().for_each(|event| negotiation.apply(event));
        Ok(())
    }

    async fn append(&self, id: &NegotiationId, version: u64, events: &[Event]) -> Result<(), EngineError> {
        let entries = events.iter().map(|event| Entry::Negotiation { id: id.clone(), event: event.clone() }).collect();
        self.0.journal.append(&Stream::Negotiation(id.clone()), version, entries).await?;
        Ok(())
    }

    /// Takes turns in one negotiation until it is over, and reports it when that cannot go on.
    fn drive(&self, id: NegotiationId) {
        let engine = self.clone();
        tokio::spawn(async move {
            let turns = tokio::spawn({
                let (engine, id) = (engine.clone(), id.clone());
                async move { engine.take_turns(&id).await }
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

    async fn take_turns(&self, id: &NegotiationId) -> Result<(), EngineError> {
        let negotiation = self.find(id).await?;
        let mut mode = self.0.mode.subscribe();
        loop {
            tokio::time::sleep(self.0.pace).await;
            // It only fails when the sender is gone, and the engine holds it.
            let _ = mode.wait_for(|mode| *mode == Mode::On).await;
            let _shared = self.0.turns.read().await;
            if *mode.borrow() == Mode::Off {
                continue;
            }
            let mut negotiation = negotiation.lock().await;
            let (Awaiting::Agent(side) | Awaiting::Fallback(side)) = negotiation.awaiting() else { return Ok(()) };
            let brief = Brief {
                opening: negotiation.opening(),
                side,
                turns: negotiation.turns(),
                allowed: negotiation.allowed(),
            };
            let turn = self.0.negotiator.take_turn(&brief);
            self.commit(&mut negotiation, Command::Agent(side, AgentAct::TakeTurn(turn))).await?;
        }
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

fn now() -> Timestamp {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
