//! How a negotiation ended, in one word; the same word that its why record has.

use countersign_kernel::{Ending, Stop, Timer, Violation};
use serde::{Deserialize, Serialize};

/// How a negotiation ended. Each has one end: what is undone after it was accepted is counted apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// Everybody who had to approved.
    Accepted,
    /// Somebody who had to approve said no.
    Declined,
    /// It waited for a person, or for somebody else who had to approve, and nobody came.
    Expired,
    /// An agent turned it down.
    Rejected,
    /// All turns were used.
    TurnCap,
    /// The time ran out.
    Timeout,
    /// Whoever picked a turn up never handed it in, until the time ran out.
    ClaimLapsed,
    /// A side said the same again.
    Stalemate,
    /// A policy said no, or the person whom it had asked.
    PolicyDenied,
    /// An agent reached for a capability.
    CapabilityViolation,
    /// A side sent what could not be read.
    SchemaViolation,
    /// It ended under suspicion of bad faith.
    Adversarial,
    /// An agent could not produce a turn, until the time ran out.
    AgentError,
    /// The person took it back.
    Withdrawn,
}

/// Who let a negotiation end without a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Silent {
    /// The person: they did not decide, did not answer, did not take the turn that they had taken over.
    You,
    /// The person's agent.
    YourAgent,
    /// The other side.
    Theirs,
    /// Somebody else who had to approve.
    Approver,
}

/// What went wrong since the last turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Trouble {
    AgentFailed,
    ClaimLapsed,
    Adversarial,
}

impl End {
    /// The end of a dialogue that was stopped.
    pub(crate) fn stopped(stop: Stop, trouble: Option<Trouble>) -> Self {
        match stop {
            Stop::TurnCap => Self::TurnCap,
            Stop::Stalemate(_) => Self::Stalemate,
            Stop::PolicyDenied | Stop::Violation(_, Violation::Policy) => Self::PolicyDenied,
            Stop::Violation(_, Violation::Capability) => Self::CapabilityViolation,
            Stop::Violation(_, Violation::Schema) => Self::SchemaViolation,
            Stop::Withdrawn if trouble == Some(Trouble::Adversarial) => Self::Adversarial,
            Stop::Withdrawn => Self::Withdrawn,
            Stop::Timeout(timer) => match (trouble, timer) {
                (Some(Trouble::Adversarial), _) => Self::Adversarial,
                (Some(Trouble::AgentFailed), _) => Self::AgentError,
                (Some(Trouble::ClaimLapsed), _) => Self::ClaimLapsed,
                (None, Timer::Pause) => Self::Expired,
                (
                    None,
                    Timer::FirstResponse
                    | Timer::Clarification
                    | Timer::Turn
                    | Timer::Park
                    | Timer::Claim
                    | Timer::Total
                    | Timer::Offer
                    | Timer::Hold
                    | Timer::Reminder
                    | Timer::Escalation
                    | Timer::Approval
                    | Timer::Commitment
                    | Timer::Agreement,
                ) => Self::Timeout,
            },
        }
    }

    /// The end of what waited for approval.
    pub(crate) fn after_approval(ending: Ending, suspended: bool) -> Self {
        match ending {
            Ending::Accepted => Self::Accepted,
            Ending::Declined => Self::Declined,
            // INVARIANT: only what was accepted can be left unsigned, and that has ended before.
            Ending::Expired | Ending::Unsigned => Self::Expired,
            Ending::Voided if suspended => Self::CapabilityViolation,
            Ending::Voided => Self::PolicyDenied,
        }
    }

    /// Whether it ended with nobody saying why.
    pub(crate) fn is_silent(self) -> bool {
        match self {
            Self::Expired | Self::Timeout | Self::ClaimLapsed => true,
            Self::Accepted
            | Self::Declined
            | Self::Rejected
            | Self::TurnCap
            | Self::Stalemate
            | Self::PolicyDenied
            | Self::CapabilityViolation
            | Self::SchemaViolation
            | Self::Adversarial
            | Self::AgentError
            | Self::Withdrawn => false,
        }
    }
}
