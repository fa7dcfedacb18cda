//! The limits and allowed moves of each protocol, as data. One file per protocol.

mod asp;
mod hire;
mod index;
mod lcp;
mod setting;
mod summit;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use setting::{Setting, SettingError};
pub use summit::{SummitKind, TermProblem};

use crate::{Action, Actions, AgentKind, Offer, Side, Span, Terms};

/// Which protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Protocol {
    /// Index Network's bilateral negotiation over a match.
    Index,
    /// ASP's negotiation patterns.
    Asp,
    /// Summit's governed negotiation, of one of its types.
    Summit(SummitKind),
    /// HIRE/1.0, between a seeker and a worker.
    Hire,
    /// LCP, between a consumer and a provider.
    Lcp,
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Index => "index",
            Self::Asp => "asp",
            Self::Summit(_) => "summit",
            Self::Hire => "hire",
            Self::Lcp => "lcp",
        })
    }
}

/// Everything that a protocol fixes before anyone speaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rulebook {
    /// Which protocol.
    pub protocol: Protocol,
    /// How much may be said.
    pub limits: Limits,
    /// How long it may take.
    pub timers: Timers,
    /// What it is when the turns or the time run out.
    pub out_of_bounds: OutOfBounds,
    /// What it is when a side says the same again.
    pub on_repeat: OnRepeat,
    /// What follows the person's approval.
    pub commitment: Commitment,
}

/// Numbers; none means that the protocol sets none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Turns of both sides together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns: Option<u32>,
    /// Counter-proposals of each side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counters: Option<u32>,
    /// Challenges to each proposal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub challenges: Option<u32>,
    /// Negotiations of each agent at the same time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub concurrent: Option<u32>,
}

/// Lengths of time; none means that the protocol sets none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Timers {
    /// Until the first reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_response: Option<Span>,
    /// Until a question is answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clarification: Option<Span>,
    /// Until any other turn is taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turn: Option<Span>,
    /// Until a turn that nobody picked up goes to the in-process negotiator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub park: Option<Span>,
    /// Until a turn that was picked up is free again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<Span>,
    /// From the opening to the end of the dialogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total: Option<Span>,
    /// For the person, and whoever else has to approve.
    pub approval: Span,
    /// For both signatures.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commitment: Option<Span>,
    /// For an agreement to be in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Span>,
}

/// What running out of turns or time makes of a negotiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OutOfBounds {
    /// It stalls.
    Stalls,
    /// It is aborted; an arbiter may recommend.
    Aborts,
}

/// What saying the same again makes of a negotiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnRepeat {
    /// It ends, as if out of bounds.
    Ends,
    /// The turn is refused.
    Refused,
    /// Nothing.
    Allowed,
}

/// What follows the person's approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Commitment {
    /// Nothing: the parties take it from there.
    None,
    /// Promises, each withdrawable until the other side accepts it.
    Promises,
    /// A contract, from the system.
    Contract,
    /// An agreement signed by the responder, then by the initiator.
    Signatures,
}

/// Where the dialogue stands, as far as the next move depends on it.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// Who is next.
    pub side: Side,
    /// What speaks for them.
    pub agent: AgentKind,
    /// What was done last; nothing before the first turn.
    pub last: Option<Action>,
    /// The other side's offer is its last one.
    pub is_final: bool,
    /// There is something of the other side's that could be accepted.
    pub can_accept: bool,
}

impl Rulebook {
    /// The moves that are open in this position.
    pub fn allowed(&self, position: &Position) -> Actions {
        let moves = match self.protocol {
            Protocol::Index => index::moves(position),
            Protocol::Asp => asp::moves(position),
            Protocol::Summit(_) => summit::moves(position),
            Protocol::Hire => hire::moves(position),
            Protocol::Lcp => lcp::moves(position),
        };
        let moves = if position.is_final { moves.without(Action::Counter).without(Action::Propose) } else { moves };
        if position.can_accept { moves } else { moves.without(Action::Accept) }
    }

    /// Whether a rejection may be followed by a changed proposal in the same negotiation.
    pub fn retries(&self) -> bool {
        match self.protocol {
            Protocol::Asp => true,
            Protocol::Index | Protocol::Summit(_) | Protocol::Hire | Protocol::Lcp => false,
        }
    }

    /// Whether what waits for approval may be talked about again. A governed negotiation only closes from there.
    pub fn reopens(&self) -> bool {
        !matches!(self.protocol, Protocol::Summit(_))
    }

    /// Whether every turn has to suggest who plays which part.
    pub fn has_roles(&self) -> bool {
        matches!(self.protocol, Protocol::Index)
    }

    /// Whether this may be offered, given what was fixed at the opening.
    pub fn check_offer(&self, offer: &Offer, pool: &Terms) -> Result<(), TermProblem> {
        match self.protocol {
            Protocol::Summit(kind) => kind.check(offer, pool),
            Protocol::Index | Protocol::Asp | Protocol::Hire | Protocol::Lcp => Ok(()),
        }
    }
}

/// The answers to an offer that every protocol knows.
const REPLIES: Actions = Actions::of(&[Action::Counter, Action::Accept, Action::Reject]);
