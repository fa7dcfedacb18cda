use std::path::Path;
use std::sync::Arc;

use countersign_agents::{Brief, BuiltIn, Negotiator, sample};
use countersign_engine::{Clock, Engine, Pace, Parts};
use countersign_kernel::{AgentKind, Negotiation, NegotiationId, Opening, Rulebook, Side, Turn};
use countersign_store::{DataFolder, SqliteJournal};
use tempfile::TempDir;

pub async fn start(
    home: &Path,
    negotiator: impl Negotiator + 'static,
    clock: impl Clock + 'static,
    pace: Pace,
) -> Engine {
    let journal = SqliteJournal::open(DataFolder::open(home).unwrap()).unwrap();
    let keys = journal.keys().clone();
    let parts = Parts {
        journal: Arc::new(journal),
        keys,
        negotiator: Arc::new(negotiator),
        clock: Arc::new(clock),
        pace,
        drives: true,
    };
    Engine::start(parts).await.unwrap()
}

/// Waits until a negotiation is as it should be, and looks again whenever the journal has grown.
pub async fn until(engine: &Engine, id: &NegotiationId, condition: impl Fn(&Negotiation) -> bool) -> Arc<Negotiation> {
    let mut head = engine.journal().head();
    loop {
        head.borrow_and_update();
        let negotiation = engine.negotiation(id).await.unwrap();
        if condition(&negotiation) {
            return negotiation;
        }
        head.changed().await.unwrap();
    }
}

/// The folder as it would be found after the process was killed: the engine on the original goes on.
pub fn copy(home: &Path) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    for file in ["key", "journal.db", "journal.db-wal"] {
        std::fs::copy(home.join(file), copy.path().join(file)).unwrap();
    }
    copy
}

/// Lets every task run that can.
pub async fn settle() {
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
}

/// Our side, the responder's, has a personal agent.
pub fn personal(id: NegotiationId) -> Opening {
    let mut opening = sample(id);
    opening.parties.responder.agent = AgentKind::Personal;
    opening.rulebook = Rulebook::index(&opening.parties);
    opening.ours = Side::Responder;
    opening
}

/// What the built-in negotiator would say for whoever is next.
pub fn ordinary(n: &Negotiation) -> Turn {
    let brief = Brief { opening: n.opening(), side: Side::Responder, turns: n.turns(), allowed: n.allowed() };
    BuiltIn.turn(&brief)
}
