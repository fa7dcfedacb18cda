use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

#[cfg(not(debug_assertions))]
use countersign_agents::BuiltIn;
use countersign_agents::{Negotiator, sample};
use countersign_api_types::{Digest, Folder, Mode, NegotiationId, Opportunity, Problem, Snapshot, Thread};
use countersign_engine::{Engine, Pace, Parts, SystemClock};
use countersign_kernel::{Decision, PersonAct};
use countersign_store::{DataFolder, Overview, SqliteJournal};

use crate::live::LiveStream;
use crate::{problem, project};

/// How many opportunities of a folder are shown at first, and how many more at a time.
const PAGE: u32 = 100;

/// How to open the core.
pub struct Options {
    /// The data folder.
    pub home: PathBuf,
    /// How long each turn stays before the next is taken.
    pub pace: Duration,
    /// What speaks for the parties.
    pub negotiator: Arc<dyn Negotiator>,
}

impl Options {
    /// The built-in negotiator, at a pace that can be followed.
    pub fn new(home: PathBuf) -> Self {
        #[cfg(debug_assertions)]
        let negotiator = crate::fault::negotiator();
        #[cfg(not(debug_assertions))]
        let negotiator = Arc::new(BuiltIn);
        Self { home, pace: Duration::from_millis(900), negotiator }
    }
}

/// The core, open on one data folder. Clones share it.
#[derive(Clone)]
pub struct Api {
    engine: Engine,
    home: PathBuf,
}

impl Api {
    /// Opens the data folder and goes on with what was under way. Changes nothing that it cannot read.
    pub async fn open(options: Options) -> Result<Self, Problem> {
        let Options { home, pace, negotiator } = options;
        let folder = DataFolder::open(&home).map_err(problem::opening)?;
        let journal = SqliteJournal::open(folder).map_err(problem::opening)?;
        let parts = Parts {
            keys: journal.keys().clone(),
            journal: Arc::new(journal),
            negotiator,
            clock: Arc::new(SystemClock),
            pace: Pace { between: pace, ..Pace::default() },
            drives: true,
        };
        let engine = Engine::start(parts).await.map_err(problem::doing)?;
        Ok(Self { engine, home })
    }

    /// Everything a view starts from.
    pub async fn snapshot(&self) -> Result<Snapshot, Problem> {
        let Overview { seq, counts, opportunities } =
            self.engine.journal().overview(PAGE).await.map_err(problem::storing)?;
        Ok(Snapshot {
            seq,
            mode: self.engine.settings().borrow().mode,
            counts,
            opportunities,
            home: self.home.display().to_string(),
            trouble: self.engine.trouble().borrow().as_ref().map(problem::trouble),
        })
    }

    /// More of a folder, after the last one of it that is known.
    pub async fn list(&self, folder: Folder, after: Opportunity) -> Result<Vec<Opportunity>, Problem> {
        self.engine.journal().list(folder, Some(after), PAGE).await.map_err(problem::storing)
    }

    /// One opportunity with everything that was said.
    pub async fn thread(&self, id: &NegotiationId) -> Result<Thread, Problem> {
        let negotiation = self.engine.negotiation(id).await.map_err(problem::doing)?;
        Ok(project::thread(&negotiation))
    }

    /// Everything that happens after `seq`, in order, once each.
    pub fn watch(&self, seq: u64) -> LiveStream {
        LiveStream::new(self.engine.journal().clone(), self.engine.trouble(), seq)
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

    /// Switches negotiation on or off.
    pub async fn set_mode(&self, mode: Mode) -> Result<(), Problem> {
        self.engine.set_mode(mode, None).await.map_err(problem::doing)
    }

    /// Goes on with what trouble stopped.
    pub fn resume(&self) {
        self.engine.resume();
    }

    async fn decide(&self, id: &NegotiationId, decision: Decision, digest: Digest) -> Result<(), Problem> {
        let act = PersonAct::Decide { decision, digest, remarks: None };
        self.engine.decide(id, act).await.map_err(problem::doing)
    }
}
