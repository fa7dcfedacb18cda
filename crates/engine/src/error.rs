use countersign_kernel::{NegotiationId, Refusal};
use countersign_store::StoreError;

/// Why something asked of the engine was not done.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// There is no such negotiation.
    #[error("there is no negotiation `{0}`")]
    Unknown(NegotiationId),
    /// The kernel refused it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The journal did not take it, so it did not happen.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why negotiations stand still although nobody stopped them. Everything that was shown is in the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// A turn could not be written down.
    Journal(StoreError),
    /// A negotiator handed in a turn that the rulebook refuses.
    Turn(Refusal),
    /// The code that drives a negotiation panicked.
    Panicked(String),
}

impl Trouble {
    pub(crate) fn of(error: EngineError) -> Self {
        match error {
            EngineError::Store(error) => Self::Journal(error),
            EngineError::Refused(refusal) => Self::Turn(refusal),
            EngineError::Unknown(id) => Self::Journal(StoreError::Damaged(format!("`{id}` is listed and not there"))),
        }
    }
}
