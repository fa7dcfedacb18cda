use countersign_kernel::{AgentId, Mode, NegotiationId, Refusal, Text, Timestamp};
use countersign_ledger::{ProofError, Replay};
use countersign_mandate::MandateError;
use countersign_policy::PolicyError;
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
    /// The person has switched negotiation off, or stopped everything.
    #[error("{}", match .0 { Mode::Stopped => "everything is stopped", Mode::On | Mode::Off => "negotiation is off" })]
    Off(Mode),
    /// This agent is off.
    #[error("the agent `{}` is off", .0.0)]
    AgentOff(AgentId),
    /// The guard or a policy did not let it through.
    #[error("{0}")]
    Guarded(Text),
    /// There were too many in the last hour.
    #[error("too many in one hour; there is room again at {}", .until.rfc3339())]
    TooOften {
        /// When there is room again.
        until: Timestamp,
    },
    /// Too many negotiations are open.
    #[error("{limit} negotiations are open, which is the limit")]
    TooManyOpen {
        /// How many may be.
        limit: u32,
    },
    /// Somebody else's message has to be signed.
    #[error("the message is not signed")]
    Unsigned,
    /// The signature does not hold.
    #[error("the signature does not hold: {0}")]
    Forged(#[from] ProofError),
    /// It came before, or its time is off.
    #[error(transparent)]
    Replayed(#[from] Replay),
    /// There is no such mandate.
    #[error("there is no mandate {0}")]
    NoMandate(u64),
    /// It is not a mandate.
    #[error(transparent)]
    BadMandate(#[from] MandateError),
    /// It is not a set of policies. Those before it stay in force.
    #[error(transparent)]
    BadPolicies(#[from] PolicyError),
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
            error @ (EngineError::Off(_)
            | EngineError::AgentOff(_)
            | EngineError::Guarded(_)
            | EngineError::TooOften { .. }
            | EngineError::TooManyOpen { .. }
            | EngineError::Unsigned
            | EngineError::Forged(_)
            | EngineError::Replayed(_)
            | EngineError::NoMandate(_)
            | EngineError::BadMandate(_)
            | EngineError::BadPolicies(_)) => Self::Panicked(error.to_string()),
        }
    }
}
