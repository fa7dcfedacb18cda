use countersign_engine::Engine;
use countersign_kernel::{Negotiation, NegotiationId};

/// Waits until a negotiation is as it should be, and looks again whenever the journal has grown.
pub async fn until(engine: &Engine, id: &NegotiationId, condition: impl Fn(&Negotiation) -> bool) -> Negotiation {
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
