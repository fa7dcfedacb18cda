use std::path::Path;
use std::sync::Arc;

use countersign_agents::Negotiator;
use countersign_engine::{Clock, Engine, Pace, Parts};
use countersign_kernel::{Negotiation, NegotiationId};
use countersign_store::{DataFolder, SqliteJournal};

pub async fn start(
    home: &Path,
    negotiator: impl Negotiator + 'static,
    clock: impl Clock + 'static,
    pace: Pace,
) -> Engine {
    let journal = SqliteJournal::open(DataFolder::open(home).unwrap()).unwrap();
    let keys = journal.keys().clone();
    let parts =
        Parts { journal: Arc::new(journal), keys, negotiator: Arc::new(negotiator), clock: Arc::new(clock), pace };
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
