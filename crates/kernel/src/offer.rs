//! What a side puts on the table, and what it has against what lies there.

use serde::{Deserialize, Serialize};

use crate::{RiskLevel, TermName, Terms, Text, Timestamp, Value};

/// A set of terms with its case. A match without terms has an offer without terms.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Offer {
    /// What is offered.
    #[serde(skip_serializing_if = "Terms::is_empty")]
    pub terms: Terms,
    /// What is wrong with the other side's offer, field by field.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub objections: Vec<Objection>,
    /// Why this offer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub justification: Option<Text>,
    /// What supports it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Text>,
    /// What is knowingly given up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tradeoffs: Vec<Text>,
    /// What its price is made of.
    #[serde(skip_serializing_if = "Terms::is_empty")]
    pub cost_breakdown: Terms,
    /// Until when it can be accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Timestamp>,
    /// The last one: it can be accepted or rejected, and nothing else.
    #[serde(rename = "final", skip_serializing_if = "is_false")]
    pub is_final: bool,
    /// How risky the side that makes it thinks it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<RiskLevel>,
}

/// What is wrong with one field of an offer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Objection {
    /// Which field.
    pub field: TermName,
    /// Why it will not do.
    pub reason: Text,
    /// What would.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alternative: Option<Value>,
    /// What supports that.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<Text>,
}

/// Asks what a field means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Which field, when it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<TermName>,
    /// The question.
    pub question: Text,
    /// Answers that would make sense.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Text>,
}

/// Says what a field means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Which field, when the question was about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<TermName>,
    /// The answer.
    pub answer: Text,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn is_false(flag: &bool) -> bool {
    !flag
}
