use serde::{Deserialize, Serialize};

use crate::Timestamp;

/// Every timer there is. None is stored: each follows from the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Timer {
    /// What an agent is about to say is said.
    Hold,
    /// The first reply is late.
    FirstResponse,
    /// An answer to a question is late.
    Clarification,
    /// Any other turn is late.
    Turn,
    /// Nobody picked the turn up: the in-process negotiator takes it.
    Park,
    /// Whoever picked the turn up did not hand it in: it is free again.
    Claim,
    /// The whole dialogue takes too long.
    Total,
    /// The offer on the table can no longer be accepted.
    Offer,
    /// An escalation will be late soon.
    Reminder,
    /// An escalation is late. It stays open a while longer.
    Escalation,
    /// What waits for the person has waited long enough.
    Pause,
    /// Nobody decided.
    Approval,
    /// Not everybody signed.
    Commitment,
    /// The agreement is no longer in force.
    Agreement,
}

/// When a timer is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Deadline {
    /// When.
    pub at: Timestamp,
    /// Which.
    pub timer: Timer,
}
