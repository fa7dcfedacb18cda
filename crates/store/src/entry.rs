use std::fmt;

use countersign_kernel::{AgentId, Event, Mode, NegotiationId, Timestamp};
use countersign_ledger::{Hash, Proof};
use countersign_mandate::Mandate;
use serde::{Deserialize, Serialize};

/// What an event happened to. Versions count within one stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stream {
    /// One negotiation.
    Negotiation(NegotiationId),
    /// The negotiation mode, of all and of each agent.
    Mode,
    /// What the person lets their agent do.
    Mandate,
    /// The policies that are asked.
    Policies,
    /// How each negotiation stood when it ended.
    Checkpoints,
}

impl Stream {
    /// Whether it is a negotiation by a name that means something else here, or by none.
    pub(crate) fn is_taken(&self) -> bool {
        let own = [Self::Mode, Self::Mandate, Self::Policies, Self::Checkpoints];
        let name = self.to_string();
        !own.contains(self) && (name.is_empty() || own.iter().any(|own| own.to_string() == name))
    }
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Negotiation(id) => id.fmt(f),
            Self::Mode => f.write_str("mode"),
            Self::Mandate => f.write_str("mandate"),
            Self::Policies => f.write_str("policies"),
            Self::Checkpoints => f.write_str("checkpoints"),
        }
    }
}

/// What the journal holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// Something happened in a negotiation.
    Negotiation {
        /// Which one.
        id: NegotiationId,
        /// What.
        event: Event,
        /// The author's signature, when it is a message or a decision.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signed: Option<Box<Signed>>,
    },
    /// The person switched negotiation on or off, or an agent was suspended.
    Mode {
        /// What it is now.
        mode: Mode,
        /// For this agent; for all when none is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        agent: Option<AgentId>,
        /// When.
        at: Timestamp,
    },
    /// The person gave their agent a mandate. Its version is its place in its stream.
    Mandate {
        /// Which.
        mandate: Box<Mandate>,
        /// When.
        at: Timestamp,
        /// The person's signature.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signed: Option<Box<Signed>>,
    },
    /// Other policies are in force.
    Policies {
        /// Their text.
        text: String,
        /// When.
        at: Timestamp,
    },
    /// A negotiation ended, and this is where it stood.
    Checkpoint(Checkpoint),
}

impl Entry {
    /// Whether it can follow the end of a negotiation.
    pub(crate) fn follows_an_end(&self) -> bool {
        match self {
            Self::Negotiation { event, .. } => event.fact.follows_an_end(),
            Self::Mode { .. } | Self::Mandate { .. } | Self::Policies { .. } | Self::Checkpoint(_) => false,
        }
    }
}

/// Where a negotiation stood when it ended, signed by the person's agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Checkpoint {
    /// Which negotiation.
    pub negotiation_id: NegotiationId,
    /// How many entries it had.
    pub entries: u64,
    /// The hash of the last one, which follows from all of them.
    pub hash: Hash,
    /// The signature under the above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
}

/// A signature of the person's agent, of the person, or of the other side's agent, over a message or a decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signed {
    /// What its author never uses again.
    pub nonce: String,
    /// When its author sent it.
    pub sent: Timestamp,
    /// The signature.
    pub proof: Proof,
}

/// An entry with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Place in the whole journal, from 1, without gaps.
    pub seq: u64,
    /// Place in its stream, from 1, without gaps.
    pub version: u64,
    /// What happened.
    pub entry: Entry,
}
