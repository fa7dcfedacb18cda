//! The person's word on what the agents recommend, and what binds afterwards.

use serde::{Deserialize, Serialize};

use crate::{Digest, Side, Text, Timestamp};

/// Who has to approve.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Approver {
    /// The person this journal belongs to. Always among them.
    Person,
    /// Somebody the protocol names: a policy, an administrator.
    Named(Text),
}

/// A decision, bound to exactly what was shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Approval {
    /// Whose.
    pub approver: Approver,
    /// Which.
    pub decision: Decision,
    /// Of what.
    pub digest: Digest,
    /// In their words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remarks: Option<Text>,
    /// What the person called it in their mandate, when they approved it beforehand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub beforehand: Option<Text>,
}

/// What was decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Yes.
    Approved,
    /// No.
    Rejected,
    /// Yes, if: the conditions go to the other side, and what comes back is decided on anew.
    Conditional(Vec<Text>),
}

/// A promise after an agreement: withdrawable until the other side accepts it, not after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Promise {
    /// Whose.
    pub side: Side,
    /// What.
    pub text: Text,
    /// Where it stands.
    pub state: PromiseState,
}

/// Where a promise stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromiseState {
    /// Made.
    Offered,
    /// Taken back.
    Withdrawn,
    /// Accepted by the other side: it stands.
    Accepted,
}

/// What came of an approval.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Agreement {
    /// Who decided what on the way, with their conditions.
    pub approvals: Vec<Approval>,
    /// Promises, in the order in which they were made.
    pub promises: Vec<Promise>,
    /// Who signed, in order.
    pub signatures: Vec<Signature>,
    /// From when to when it binds both.
    pub binding: Option<(Timestamp, Timestamp)>,
    /// It was void before it was carried out, or has run out.
    pub is_over: bool,
}

/// A party's signature under an agreement, over its digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// Whose.
    pub side: Side,
    /// By which key.
    pub signer: Text,
    /// The signature, as its scheme writes it.
    pub signature: Text,
}
