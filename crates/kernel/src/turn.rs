use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{Answer, Offer, Question, RejectCode, Role, Side, Span, Text, Timestamp};

/// What a side does with its turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Move {
    /// Presents its case, with terms where there are some.
    Propose(Arc<Offer>),
    /// Disagrees in part: with terms of its own, or with objections to the other side's.
    Counter(Arc<Offer>),
    /// Recommends what the other side offered to its own person. Binds nobody.
    Accept,
    /// Turns it down.
    Reject(Rejection),
    /// Asks what something means; the offer waits until it is answered.
    Question(Vec<Question>),
    /// Answers what was asked.
    Answer(Vec<Answer>),
    /// Asks what the other side could do at all.
    Inquire,
    /// Says what it could do.
    Describe(Arc<Offer>),
}

/// The kind of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// [`Move::Propose`].
    Propose,
    /// [`Move::Counter`].
    Counter,
    /// [`Move::Accept`].
    Accept,
    /// [`Move::Reject`].
    Reject,
    /// [`Move::Question`].
    Question,
    /// [`Move::Answer`].
    Answer,
    /// [`Move::Inquire`].
    Inquire,
    /// [`Move::Describe`].
    Describe,
}

impl Action {
    /// Every kind there is.
    pub const ALL: [Self; 8] = [
        Self::Propose,
        Self::Counter,
        Self::Accept,
        Self::Reject,
        Self::Question,
        Self::Answer,
        Self::Inquire,
        Self::Describe,
    ];
}

impl Move {
    /// Its kind.
    pub fn action(&self) -> Action {
        match self {
            Self::Propose(_) => Action::Propose,
            Self::Counter(_) => Action::Counter,
            Self::Accept => Action::Accept,
            Self::Reject(_) => Action::Reject,
            Self::Question(_) => Action::Question,
            Self::Answer(_) => Action::Answer,
            Self::Inquire => Action::Inquire,
            Self::Describe(_) => Action::Describe,
        }
    }

    /// The offer it makes, if it makes one that can be accepted.
    pub fn offer(&self) -> Option<&Arc<Offer>> {
        match self {
            Self::Propose(offer) | Self::Counter(offer) => Some(offer),
            Self::Accept
            | Self::Reject(_)
            | Self::Question(_)
            | Self::Answer(_)
            | Self::Inquire
            | Self::Describe(_) => None,
        }
    }

    /// Objects without offering anything instead.
    pub fn is_challenge(&self) -> bool {
        matches!(self, Self::Counter(offer) if offer.terms.is_empty() && !offer.objections.is_empty())
    }
}

/// Why an offer was turned down, and whether to try again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rejection {
    /// In one word.
    pub code: RejectCode,
    /// Whether a changed offer has a chance. The code has the last word: some reasons do not go away.
    #[serde(default)]
    pub retryable: bool,
    /// How long to wait before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retry_after: Option<Span>,
}

impl Rejection {
    /// Whether a changed offer is welcome, as far as both the sender and the code say so.
    pub fn may_retry(&self) -> bool {
        self.retryable && self.code.may_retry()
    }
}

/// The parts a side suggests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuggestedRoles {
    /// For the person it speaks for.
    pub own: Role,
    /// For the other person.
    pub other: Role,
}

/// Why a side did what it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assessment {
    /// In words, for the side's own person.
    pub reasoning: Text,
    /// The parts it sees for both people, where the protocol has parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggested_roles: Option<SuggestedRoles>,
    /// How sure it is, in percent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Percent>,
}

/// From 0 to 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Percent(u8);

impl Percent {
    /// A percentage; what is over 100 counts as 100.
    pub const fn of(value: u8) -> Self {
        Self(if value > 100 { 100 } else { value })
    }
}

impl TryFrom<u8> for Percent {
    type Error = &'static str;

    fn try_from(value: u8) -> Result<Self, Self::Error> {
        if value <= 100 { Ok(Self(value)) } else { Err("a percentage is at most 100") }
    }
}

impl From<Percent> for u8 {
    fn from(percent: Percent) -> Self {
        percent.0
    }
}

/// One move, as an agent hands it in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// What it does.
    pub act: Move,
    /// Why.
    pub assessment: Assessment,
    /// What it says to the other side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<Text>,
}

/// Names an agent: a personal agent, or a delegate.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct AgentId(pub Text);

/// Who really produced a turn.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Speaker {
    /// The party's own agent: in-process, personal, or on the other party's machine.
    Agent,
    /// The in-process negotiator, in place of an agent that did not come.
    Fallback,
    /// Somebody the agent passed the question on to.
    Delegate(AgentId),
    /// The person.
    Person,
}

/// One move that was taken, with its place in the dialogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenTurn {
    /// Whose move.
    pub side: Side,
    /// Who made it.
    pub speaker: Speaker,
    /// The move.
    pub turn: Turn,
    /// When it was taken.
    pub at: Timestamp,
}
