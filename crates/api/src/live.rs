use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use countersign_api_types::{Change, Live, NegotiationId, Update};
use countersign_engine::{EngineError, Trouble};
use countersign_kernel::{Awaiting, Event, Fact, Negotiation};
use countersign_store::{Entry, Journal, Record, StoreError, Stream};
use tokio::sync::watch;

use crate::{problem, project};

/// How many records are read at a time.
const PAGE: u32 = 256;

/// How many negotiations are kept in memory; more are read again when something happens to them.
const MOST_HELD: usize = 256;

/// Everything that happens after a place in the journal. It reads the journal itself and is only woken by new records,
/// so it can neither miss one nor give one twice, however slow its reader is.
pub struct LiveStream {
    journal: Arc<dyn Journal>,
    head: watch::Receiver<u64>,
    trouble: watch::Receiver<Option<Trouble>>,
    last: u64,
    read: VecDeque<Record>,
    /// Negotiations under way, as they were at `last`.
    states: BTreeMap<NegotiationId, Negotiation>,
    broken: bool,
}

impl LiveStream {
    pub(crate) fn new(journal: Arc<dyn Journal>, trouble: watch::Receiver<Option<Trouble>>, after: u64) -> Self {
        let head = journal.head();
        Self { journal, head, trouble, last: after, read: VecDeque::new(), states: BTreeMap::new(), broken: false }
    }

    /// Waits for the next thing that happens. After a problem with the journal it ends: nothing is skipped, so whoever
    /// wants to go on asks again from the last number.
    pub async fn next(&mut self) -> Option<Live> {
        if self.broken {
            return None;
        }
        let live = self.wait().await?;
        Some(live.unwrap_or_else(|error| {
            self.broken = true;
            Live::Trouble(Some(problem::doing(EngineError::Store(error))))
        }))
    }

    async fn wait(&mut self) -> Option<Result<Live, StoreError>> {
        loop {
            if let Some(record) = self.read.pop_front() {
                return Some(self.update(record).await.map(Live::Update));
            }
            match self.journal.after(self.last, PAGE).await {
                Ok(page) if page.is_empty() => {}
                Ok(page) => {
                    self.read = page.into();
                    continue;
                }
                Err(error) => return Some(Err(error)),
            }
            let last = self.last;
            tokio::select! {
                grown = self.head.wait_for(|head| *head > last) => { grown.ok()?; }
                changed = self.trouble.changed() => {
                    changed.ok()?;
                    let trouble = self.trouble.borrow_and_update().as_ref().map(problem::trouble);
                    return Some(Ok(Live::Trouble(trouble)));
                }
            }
        }
    }

    async fn update(&mut self, record: Record) -> Result<Update, StoreError> {
        self.last = record.seq;
        let change = match record.entry {
            Entry::Negotiation { id, event, .. } => self.fold(id, record.version, event).await?,
            Entry::Mode { mode, agent: None, .. } => Change::Mode(mode),
            Entry::Mode { agent: Some(_), .. } | Entry::Mandate { .. } | Entry::Policies { .. } => Change::Settings,
            Entry::Checkpoint(checkpoint) => Change::Sealed(checkpoint.negotiation_id),
        };
        Ok(Update { seq: record.seq, change })
    }

    /// The negotiation as it was right after this event.
    async fn fold(&mut self, id: NegotiationId, version: u64, event: Event) -> Result<Change, StoreError> {
        let before = match self.states.remove(&id) {
            Some(state) => Some(state),
            None => self.read_until(&id, version.saturating_sub(1)).await?,
        };
        let moved_from = before.as_ref().map(|before| before.folder());
        let state = match before {
            Some(mut state) => {
                state.apply(&event);
                state
            }
            None => Negotiation::replay([&event]).ok_or_else(|| self.never_opened())?,
        };
        let opportunity = Box::new(state.opportunity());
        let taken = matches!(event.fact, Fact::TurnTaken(_));
        let turn = if taken { project::last_turn(&state) } else { None };
        if state.awaiting() != Awaiting::Nobody {
            if self.states.len() >= MOST_HELD {
                self.states.clear();
            }
            self.states.insert(id, state);
        }
        Ok(Change::Opportunity { opportunity, moved_from, turn })
    }

    /// As it was at one version; none before it was opened.
    async fn read_until(&self, id: &NegotiationId, version: u64) -> Result<Option<Negotiation>, StoreError> {
        let mut state: Option<Negotiation> = None;
        loop {
            let read = state.as_ref().map_or(0, Negotiation::version);
            let missing = u32::try_from(version.saturating_sub(read)).unwrap_or(PAGE).min(PAGE);
            if missing == 0 {
                return Ok(state);
            }
            for record in self.journal.read(Stream::Negotiation(id.clone()), read, missing).await? {
                let Entry::Negotiation { event, .. } = record.entry else { return Err(self.never_opened()) };
                match &mut state {
                    Some(state) => state.apply(&event),
                    None => state = Negotiation::replay([&event]),
                }
            }
            if state.as_ref().map_or(0, Negotiation::version) == read {
                return Err(self.never_opened());
            }
        }
    }

    fn never_opened(&self) -> StoreError {
        StoreError::Unreadable { seq: self.last, reason: "its negotiation was never opened".into() }
    }
}
