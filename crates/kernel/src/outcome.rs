use serde::{Deserialize, Serialize};

use crate::{Rejection, Role, Side, Terms, Text, Timer, Violation};

/// How the dialogue ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// What it came to.
    pub result: Resolution,
    /// Each side's own last suggestion for itself, when there is an opportunity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreed_roles: Option<AgreedRoles>,
    /// What was agreed, when there are terms.
    #[serde(default, skip_serializing_if = "Terms::is_empty")]
    pub terms: Terms,
    /// Why it concluded this way.
    pub reasoning: Text,
    /// How many turns it took.
    pub turn_count: u32,
}

impl Outcome {
    /// Whether there is something for the person to decide on.
    pub fn has_opportunity(&self) -> bool {
        match self.result {
            Resolution::Agreement | Resolution::Direct => true,
            Resolution::Rejected { .. } | Resolution::Stalled(_) | Resolution::Aborted(_) => false,
        }
    }
}

/// What the dialogue came to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resolution {
    /// Both agents recommend it.
    Agreement,
    /// Nobody negotiated: the evaluator's word stands.
    Direct,
    /// An agent turned it down.
    Rejected {
        /// Whose.
        by: Side,
        /// Why.
        rejection: Rejection,
    },
    /// It ran out of turns, of time, or of anything new to say.
    Stalled(Stop),
    /// It was stopped.
    Aborted(Stop),
}

/// What stopped a dialogue that no agent ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// All turns were used.
    TurnCap,
    /// A deadline passed.
    Timeout(Timer),
    /// A side said the same again.
    Stalemate(Side),
    /// A policy said no.
    PolicyDenied,
    /// An agent did what it must not; it is suspended when that was a capability.
    Violation(Side, Violation),
    /// Our person took it back.
    Withdrawn,
}

/// The part each person would play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreedRoles {
    /// The initiator's.
    pub initiator: Role,
    /// The responder's.
    pub responder: Role,
}

impl AgreedRoles {
    /// The role on one side.
    pub fn get(&self, side: Side) -> Role {
        match side {
            Side::Initiator => self.initiator,
            Side::Responder => self.responder,
        }
    }
}

/// How it ended after the dialogue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Everybody who had to approved.
    Accepted,
    /// Our person, or somebody else who had to approve, said no.
    Declined,
    /// Nobody decided in time.
    Expired,
    /// It was approved, and not signed in time.
    Unsigned,
    /// A policy would no longer allow what was approved.
    Voided,
}
