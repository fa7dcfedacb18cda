use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use countersign_agents::Negotiator;
use countersign_kernel::{
    AgentAct, AgentKind, Command, Load, Mode, Negotiation, NegotiationId, Opening, PersonAct, Side, Speaker, SystemAct,
    Timer, Timestamp,
};
use countersign_ledger::{Keys, Nonces};
use countersign_store::{Journal, Signed};
use tokio::sync::{RwLock, Semaphore, watch};
use uuid::Uuid;

use crate::hooks::From;
use crate::places::{Held, Place, Places};
use crate::rates::Rates;
use crate::settings::{Settings, built_in};
use crate::writing::Writing;
use crate::{Clock, EngineError, Trouble, admission};

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
    /// Whether it takes turns and lets deadlines pass by itself, or only does what it is asked for.
    pub drives: bool,
}

pub(crate) struct Inner {
    pub(crate) journal: Arc<dyn Journal>,
    pub(crate) keys: Keys,
    pub(crate) negotiator: Arc<dyn Negotiator>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) pace: Pace,
    pub(crate) settings: watch::Sender<Arc<Settings>>,
    /// Shared by every turn while it is taken, alone for who changes the settings: off means that no turn follows.
    pub(crate) turns: RwLock<()>,
    trouble: watch::Sender<Option<Trouble>>,
    /// What trouble stopped; each goes on when the person says so.
    pub(crate) stopped: Mutex<BTreeSet<NegotiationId>>,
    places: Places,
    /// Who is driven, and whether something happened to it that the driver may have missed.
    pub(crate) driven: Mutex<HashMap<NegotiationId, bool>>,
    /// How many are driven at once when there are very many.
    pub(crate) drivers: Arc<Semaphore>,
    pub(crate) rates: Mutex<Rates>,
    /// Messages from others that came already.
    pub(crate) nonces: Mutex<Nonces>,
    /// The next moment at which something happens by itself, as far as whoever keeps time knows.
    pub(crate) sooner: watch::Sender<Timestamp>,
    pub(crate) drives: bool,
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
        let Parts { journal, keys, negotiator, clock, pace, drives } = parts;
        let settings = Settings::read(&*journal).await?;
        let (rates, nonces) = admission::read_recent(&*journal, clock.now()).await?;
        let engine = Self(Arc::new(Inner {
            journal,
            keys,
            negotiator,
            clock,
            pace,
            settings: watch::Sender::new(Arc::new(settings)),
            turns: RwLock::new(()),
            trouble: watch::Sender::new(None),
            stopped: Mutex::default(),
            places: Places::default(),
            driven: Mutex::default(),
            drivers: Arc::new(Semaphore::new(AT_ONCE)),
            rates: Mutex::new(rates),
            nonces: Mutex::new(nonces),
            sooner: watch::Sender::new(Timestamp(i64::MAX)),
            drives,
        }));
        if drives {
            tokio::spawn(engine.clone().keep_time());
            tokio::spawn(engine.clone().drive_all());
        }
        Ok(engine)
    }

    /// Opens a negotiation under the mandate in force, and begins to drive it.
    pub async fn open(&self, opening: impl FnOnce(NegotiationId) -> Opening) -> Result<NegotiationId, EngineError> {
        let (id, now) = (NegotiationId(Uuid::now_v7().to_string()), self.0.clock.now());
        let settings = self.0.settings.borrow().clone();
        let mut opening = opening(id.clone());
        let mandate = settings.mandate(settings.version());
        if !opening.sample {
            self.check_opening(&settings, &opening, now).await?;
        }
        opening.mandate = settings.version();
        // What concerns the person alone may take longer than the protocol says.
        let approval = &mut opening.rulebook.timers.approval;
        *approval = mandate.approval_window.map_or(*approval, |window| window.max(*approval));
        let mut events = Negotiation::open(opening, Load::default(), now)?;
        if let Some(mut negotiation) = Negotiation::replay(&events) {
            let verdict = self.start_verdict(&negotiation);
            for event in negotiation.decide(Command::System(SystemAct::Verdict(verdict, None)), now)? {
                negotiation.apply(&event);
                events.push(event);
            }
            self.append(&negotiation, 0, events, None).await?;
            self.drive(id.clone(), None);
        }
        Ok(id)
    }

    /// Carries out the person's decision. Whatever is due comes first: what is too late is too late.
    pub async fn decide(&self, id: &NegotiationId, act: PersonAct) -> Result<(), EngineError> {
        if let PersonAct::Mandate(version) = &act
            && *version > self.0.settings.borrow().version()
        {
            return Err(EngineError::NoMandate(*version));
        }
        let shared = self.0.turns.read().await;
        let place = self.place(id);
        let mut held = self.hold(&place).await?;
        self.ring(&mut held).await?;
        let ours = held.opening().ours;
        let was_suspended = held.is_suspended(ours.other());
        let mut writing = Writing::new(&mut held, self.0.clock.now());
        match act {
            PersonAct::TakeTurn(turn) => {
                self.say(&mut writing, ours, From::Person, turn).await?;
            }
            act => writing.ask(Command::Person(act))?,
        }
        self.finish(writing).await?;
        // What they let through may have been more than anybody may ask for.
        let is_suspended = !was_suspended && held.is_suspended(ours.other());
        self.drive_if_ready(&held);
        drop((held, shared));
        if is_suspended {
            self.suspend(&place, ours.other()).await;
        }
        Ok(())
    }

    /// Carries out what an agent outside of this process asks for, with its signature when it is not ours.
    pub async fn agent(
        &self,
        id: &NegotiationId,
        side: Side,
        act: AgentAct,
        signed: Option<Signed>,
    ) -> Result<(), EngineError> {
        let shared = self.0.turns.read().await;
        let settings = self.0.settings.borrow().clone();
        let place = self.place(id);
        let mut held = self.hold(&place).await?;
        self.ring(&mut held).await?;
        let was_suspended = held.is_suspended(side);
        let mut writing = Writing::new(&mut held, self.0.clock.now());
        self.check_agent(&settings, &mut writing, side, &act, signed)?;
        if let Some(signed) = &writing.signed {
            self.check_unheard(id, signed).await?;
        }
        if writing.refused.is_none() {
            match act {
                AgentAct::TakeTurn(turn) => self.say(&mut writing, side, From::Here, turn).await?,
                AgentAct::Respond(agent, turn) => self.say(&mut writing, side, From::Personal(agent), turn).await?,
                AgentAct::TakeTurnFor(agent, turn) => {
                    self.say(&mut writing, side, From::Delegate(agent), turn).await?;
                }
                act => writing.ask(Command::Agent(side, act))?,
            }
        }
        let done = self.finish(writing).await;
        let is_suspended = done.is_ok() && !was_suspended && held.is_suspended(side);
        self.drive_if_ready(&held);
        drop((held, shared));
        if is_suspended {
            self.suspend(&place, side).await;
        }
        done
    }

    /// One negotiation as it is now.
    pub async fn negotiation(&self, id: &NegotiationId) -> Result<Arc<Negotiation>, EngineError> {
        let place = self.place(id);
        let held = self.hold(&place).await?;
        Ok(held.share())
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

    /// Everything that follows, then all of it into the journal.
    pub(crate) async fn finish(&self, mut writing: Writing<'_, '_>) -> Result<(), EngineError> {
        self.settle(&mut writing).await?;
        self.write(writing).await
    }

    pub(crate) fn drive_if_ready(&self, held: &Held<'_>) {
        if held.is_ready() {
            self.drive(held.opening().id.clone(), None);
        }
    }

    /// Lets every deadline pass that has; says whether there was one. Something may be said by that: whoever asks for it
    /// shares the turns.
    pub(crate) async fn ring(&self, held: &mut Held<'_>) -> Result<bool, EngineError> {
        let mut rang = false;
        while let Some(deadline) = held.next_deadline()
            && deadline.at <= self.0.clock.now()
        {
            let (ours, is_off) = (held.opening().ours, self.is_off(held));
            let mut writing = Writing::new(held, self.0.clock.now());
            match deadline.timer {
                // Off means off, also for what was about to be said.
                Timer::Hold if is_off => writing.ask(Command::Agent(ours, AgentAct::Retract))?,
                timer => writing.ask(Command::DeadlinePassed(timer))?,
            }
            self.finish(writing).await?;
            rang = true;
        }
        // Whatever becomes of what was asked for, somebody may have to speak now.
        if rang {
            self.drive_if_ready(held);
        }
        Ok(rang)
    }

    /// Whether whoever is about to say something may not.
    fn is_off(&self, held: &Held<'_>) -> bool {
        let settings = self.0.settings.borrow();
        let is_built_in = match held.drafted_by() {
            Some(Speaker::Agent) => {
                let opening = held.opening();
                opening.parties.get(opening.ours).agent == AgentKind::System
            }
            Some(Speaker::Fallback) => true,
            Some(Speaker::Delegate(_) | Speaker::Person) | None => false,
        };
        settings.mode != Mode::On || is_built_in && settings.lets_speak(&built_in()).is_err()
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

/// What is behind a lock that no code panics under.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
