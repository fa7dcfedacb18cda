//! A pause that only a person ends, and passing a question on.

use serde::{Deserialize, Serialize};

use crate::{Action, Actions, AgentId, Hook, Side, Span, Text, Timestamp, Turn};

/// An agent asks its person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Escalation {
    /// Which limit or doubt.
    pub reason: EscalationReason,
    /// How soon it needs an answer.
    pub urgency: Urgency,
    /// What it is about.
    pub context: Text,
    /// What the agent would do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_action: Option<Text>,
    /// The policy hook at which it came up, when it was not the agent's idea.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hook: Option<Hook>,
    /// What the agent was about to say. A yes sends it as it is; nothing else does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draft: Option<Box<Turn>>,
}

/// Why an agent asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EscalationReason {
    /// It is more than the agent may decide.
    AuthorityLimit,
    /// The agent is not sure enough.
    ConfidenceLow,
    /// The rules do not say, or say two things.
    PolicyAmbiguous,
    /// The other side seems to act in bad faith.
    AdversarialDetected,
    /// An agent broke, and broke again.
    AgentError,
}

/// How soon an answer is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Urgency {
    /// Within 24 hours.
    Low,
    /// Within 4 hours.
    Medium,
    /// Within an hour.
    High,
    /// Now.
    Critical,
}

impl Urgency {
    /// How long the person has before it is late.
    pub fn within(self) -> Span {
        match self {
            Self::Low => Span::hours(24),
            Self::Medium => Span::hours(4),
            Self::High => Span::hours(1),
            Self::Critical => Span(0),
        }
    }
}

/// What the person said to an escalation. It stands in the transcript as theirs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruling {
    /// Yes or no to what was asked.
    pub approved: bool,
    /// In their words.
    pub remarks: Text,
}

/// An agent passes part of the conversation on. It stays accountable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delegation {
    /// To whom.
    pub to: AgentId,
    /// What for.
    pub scope: Text,
    /// What the delegate may do.
    pub authority: Authority,
}

/// What a delegate may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Authority {
    /// Anything the agent may.
    Full,
    /// Ask and inform, decide nothing.
    Limited,
    /// Report to the agent, and nothing in the conversation.
    Advisory,
}

impl Authority {
    /// The moves a delegate may make.
    pub fn moves(self) -> Actions {
        match self {
            Self::Full => Actions::of(&Action::ALL),
            Self::Limited => Actions::of(&[Action::Question, Action::Answer, Action::Inquire, Action::Describe]),
            Self::Advisory => Actions::NONE,
        }
    }
}

/// What a delegate found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// Who.
    pub from: AgentId,
    /// In short.
    pub finding: Text,
    /// Under which conditions it holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Text>,
}

/// A delegation that is out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delegated {
    /// Whose agent delegated.
    pub side: Side,
    /// What.
    pub delegation: Delegation,
    /// Since when.
    pub at: Timestamp,
}
