use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Parties, Rulebook, SeedAssessment, Side, Terms, Text};

/// Names one negotiation, everywhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NegotiationId(pub String);

impl fmt::Display for NegotiationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Everything that is fixed when a negotiation opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// Which negotiation.
    pub id: NegotiationId,
    /// The match in one line, as shown.
    pub title: String,
    /// The protocol it runs under.
    pub rulebook: Rulebook,
    /// Who is at the table.
    pub parties: Parties,
    /// The side of the person this journal belongs to.
    pub ours: Side,
    /// What the evaluator thought.
    pub seed: SeedAssessment,
    /// Made for trying the app out, with a counterpart that does not exist.
    pub sample: bool,
    /// Which version of the person's mandate it begins under; 0 before there was one.
    #[serde(default, skip_serializing_if = "is_none")]
    pub mandate: u64,
    /// What else the protocol wants to know beforehand.
    #[serde(default)]
    pub frame: Frame,
}

/// What some protocols want to know before anyone speaks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Frame {
    /// The evaluator's word is enough: nobody negotiates, the person decides.
    pub direct: bool,
    /// What is negotiated, once and for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<Text>,
    /// What there is, what is critical, what was allocated.
    #[serde(skip_serializing_if = "Terms::is_empty")]
    pub pool: Terms,
    /// How bad it could get.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<RiskLevel>,
    /// Somebody ranks the proposals when the sides do not agree.
    pub arbiter: bool,
    /// Who has to approve besides the person.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub approvers: Vec<Text>,
}

/// How risky something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RiskLevel {
    /// Hardly.
    Low,
    /// Somewhat.
    Medium,
    /// Quite.
    High,
    /// As much as can be.
    Critical,
}

/// How many other negotiations the two agents have under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// The initiator's.
    pub initiator: u32,
    /// The responder's.
    pub responder: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_none(mandate: &u64) -> bool {
    *mandate == 0
}
