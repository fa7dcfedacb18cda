use std::fmt;

use countersign_kernel::{Event, Mode, NegotiationId, Timestamp};
use serde::{Deserialize, Serialize};

/// What an event happened to. Versions count within one stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stream {
    /// One negotiation.
    Negotiation(NegotiationId),
    /// The negotiation mode.
    Mode,
}

impl fmt::Display for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Negotiation(id) => id.fmt(f),
            Self::Mode => f.write_str("mode"),
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
    },
    /// The person switched negotiation on or off.
    Mode {
        /// What it is now.
        mode: Mode,
        /// When.
        at: Timestamp,
    },
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
