use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Text;

/// One of the two people in a negotiation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Who presents the match.
    Initiator,
    /// Who is asked to consider it.
    Responder,
}

impl Side {
    /// Both.
    pub const BOTH: [Self; 2] = [Self::Initiator, Self::Responder];

    /// The one across the table.
    pub fn other(self) -> Self {
        match self {
            Self::Initiator => Self::Responder,
            Self::Responder => Self::Initiator,
        }
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Initiator => "initiator",
            Self::Responder => "responder",
        })
    }
}

/// What speaks for a party.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentKind {
    /// An in-process negotiator.
    System,
    /// An external agent that picks its turns up.
    Personal,
    /// The other party's own, on their machine.
    Remote,
}

/// A person in the negotiation and the kind of agent that speaks for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Party {
    /// The person's name, as shown.
    pub name: String,
    /// Who speaks for them.
    pub agent: AgentKind,
    /// What their agent argues from.
    pub profile: Profile,
    /// The key that their agent signs with, as a `did:key`, when it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<Text>,
}

/// What is known of a person, as far as the match goes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Profile {
    /// What they look for, in their words.
    pub intent: String,
    /// What their agent may say about them.
    pub facts: Vec<Detail>,
    /// What they must know before they could agree.
    pub needs: Vec<Need>,
}

/// Something true of a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// What it is about; a need is met by a fact on the same topic.
    pub topic: String,
    /// The fact, as a sentence.
    pub text: String,
}

/// Something a person must know of the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Need {
    /// What it is about.
    pub topic: String,
    /// How to ask for it, as a sentence.
    pub ask: String,
}

/// Both parties, by side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parties {
    /// Who presents the match.
    pub initiator: Party,
    /// Who considers it.
    pub responder: Party,
}

impl Parties {
    /// The party on one side.
    pub fn get(&self, side: Side) -> &Party {
        match side {
            Side::Initiator => &self.initiator,
            Side::Responder => &self.responder,
        }
    }
}

/// The part a person plays in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Helps.
    Agent,
    /// Seeks help.
    Patient,
    /// Neither: both give and take.
    Peer,
}

impl Role {
    /// The part that goes with this one.
    pub fn across(self) -> Self {
        match self {
            Self::Agent => Self::Patient,
            Self::Patient => Self::Agent,
            Self::Peer => Self::Peer,
        }
    }
}

/// What the evaluator thought before anyone spoke. Context for both agents, never re-scored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeedAssessment {
    /// From 0 to 100.
    pub score: u8,
    /// Why it looks like a match.
    pub reasoning: Text,
    /// The part it suggests for the initiator.
    pub valency_role: Role,
    /// The part it suggests for each, when it names them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub actors: Vec<Actor>,
}

/// A person and the part the evaluator sees for them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    /// Who.
    pub user_id: Text,
    /// Which part.
    pub role: Role,
}
