use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

#[cfg(not(debug_assertions))]
use countersign_agents::BuiltIn;
use countersign_agents::{Negotiator, sample};
use countersign_api_types::{Digest, Mode, NegotiationId, Problem, Snapshot, Text};
use countersign_engine::{Engine, Pace, Parts, SystemClock};
use countersign_kernel::{AgentId, Decision, PersonAct, Ruling};
use countersign_mandate::Mandate;
use countersign_store::{DataFolder, SqliteJournal, Verified};

use crate::live::LiveStream;
use crate::{Reader, problem};

/// How to open the core.
pub struct Options {
    /// The data folder.
    pub home: PathBuf,
    /// How long each turn stays before the next is taken.
    pub pace: Duration,
    /// What speaks for the parties.
    pub negotiator: Arc<dyn Negotiator>,
    /// Whether the system's keychain keeps the secret of a folder that is begun.
    pub keychain: bool,
    /// Whether agents take their turns and deadlines pass by themselves.
    pub drives: bool,
}

impl Options {
    /// The built-in negotiator, at a pace that can be followed, and the keychain unless the environment says otherwise.
    pub fn new(home: PathBuf) -> Self {
        #[cfg(debug_assertions)]
        let negotiator = crate::fault::negotiator();
        #[cfg(not(debug_assertions))]
        let negotiator = Arc::new(BuiltIn);
        let keychain = std::env::var_os("COUNTERSIGN_KEYCHAIN").is_none_or(|value| value != "off");
        Self { home, pace: Duration::from_millis(900), negotiator, keychain, drives: true }
    }
}

/// The core, open on one data folder. Clones share it. Whatever a [`Reader`] can show, it can too.
#[derive(Clone)]
pub struct Api {
    engine: Engine,
    reader: Reader,
}

impl Api {
    /// Opens the data folder and goes on with what was under way. Changes nothing that it cannot read.
    pub async fn open(options: Options) -> Result<Self, Problem> {
        let Options { home, pace, negotiator, keychain, drives } = options;
        let folder = DataFolder::open(&home).map_err(problem::opening)?;
        let folder = if keychain { folder.with_keychain() } else { folder };
        let journal = SqliteJournal::open(folder).map_err(problem::opening)?;
        let parts = Parts {
            keys: journal.keys().clone(),
            journal: Arc::new(journal.clone()),
            negotiator,
            clock: Arc::new(SystemClock),
            pace: Pace { between: pace, ..Pace::default() },
            drives,
        };
        let engine = Engine::start(parts).await.map_err(problem::doing)?;
        Ok(Self { engine, reader: Reader::new(journal, home) })
    }

    /// Everything a view starts from.
    pub async fn snapshot(&self) -> Result<Snapshot, Problem> {
        let trouble = self.engine.trouble().borrow().as_ref().map(problem::trouble);
        Ok(Snapshot { trouble, ..self.reader.snapshot().await? })
    }

    /// Everything that happens after `seq`, in order, once each, and what keeps it from happening.
    pub fn watch(&self, seq: u64) -> LiveStream {
        self.reader.watch_with(seq, self.engine.trouble())
    }

    /// Opens an opportunity with a sample counterpart.
    pub async fn open_sample(&self) -> Result<NegotiationId, Problem> {
        self.engine.open(sample).await.map_err(problem::doing)
    }

    /// The person accepts what they were shown, and nothing else.
    pub async fn accept(&self, id: &NegotiationId, digest: Digest) -> Result<(), Problem> {
        self.decide(id, Decision::Approved, digest).await
    }

    /// The person declines what they were shown.
    pub async fn decline(&self, id: &NegotiationId, digest: Digest) -> Result<(), Problem> {
        self.decide(id, Decision::Rejected, digest).await
    }

    /// The person answers what their agent asks. A yes sends what it was about to say.
    pub async fn answer(&self, id: &NegotiationId, approved: bool, remarks: &str) -> Result<(), Problem> {
        let remarks = if remarks.trim().is_empty() { if approved { "Yes." } else { "No." } } else { remarks };
        let remarks = Text::new(remarks).map_err(|error| problem::refused(&error.to_string()))?;
        self.act(id, PersonAct::Rule(Ruling { approved, remarks })).await
    }

    /// Whatever else the person may do to one negotiation.
    pub async fn act(&self, id: &NegotiationId, act: PersonAct) -> Result<(), Problem> {
        self.engine.decide(id, act).await.map_err(problem::doing)
    }

    /// Switches negotiation on or off, or stops everything; for all agents or for one.
    pub async fn set_mode(&self, mode: Mode, agent: Option<AgentId>) -> Result<(), Problem> {
        self.engine.set_mode(mode, agent).await.map_err(problem::doing)
    }

    /// Gives the person's agent another mandate, and says which version it is.
    pub async fn set_mandate(&self, mandate: Mandate) -> Result<u64, Problem> {
        self.engine.set_mandate(mandate).await.map_err(problem::doing)
    }

    /// Puts other policies in force, if they can be read.
    pub async fn set_policies(&self, text: &str) -> Result<(), Problem> {
        self.engine.set_policies(text).await.map_err(problem::doing)
    }

    /// Makes lists and due times anew from the entries.
    pub async fn rebuild(&self) -> Result<u64, Problem> {
        self.engine.journal().rebuild().await.map_err(problem::storing)
    }

    /// Goes on with what trouble stopped.
    pub fn resume(&self) {
        self.engine.resume();
    }

    async fn decide(&self, id: &NegotiationId, decision: Decision, digest: Digest) -> Result<(), Problem> {
        self.act(id, PersonAct::Decide { decision, digest, remarks: None }).await
    }
}

impl Deref for Api {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        &self.reader
    }
}

/// Puts a copy in the place of a data folder's journal, if it verifies. What was there is kept beside it.
pub fn restore(home: &Path, from: &Path) -> Result<Verified, Problem> {
    let folder = DataFolder::open(home).map_err(problem::opening)?;
    countersign_store::restore(&folder, from).map_err(problem::verifying)
}
