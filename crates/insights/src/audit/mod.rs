//! The audit trail of a governed negotiation, and of any other: six kinds of event, as Summit writes them.

mod entry;

use countersign_kernel::{Action, AgentId, AgentKind, Event, NegotiationId, Ruled, Timestamp, Violation};
use serde::{Deserialize, Serialize, Serializer};

use crate::period::iso;

/// One line of the audit trail: when, who, what, and what came of it. No person's name and nothing that was said is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditEvent {
    /// What kind of event.
    pub event_type: AuditKind,
    /// Of which negotiation.
    pub negotiation_id: NegotiationId,
    /// How many turns had been taken, this one included.
    pub turn: u32,
    /// Which agent, by its own name where it has one, otherwise by its kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_id: Option<String>,
    /// Who acted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<AuditRole>,
    /// What was done with a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
    /// What came of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<AuditOutcome>,
    /// What was violated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub violation_type: Option<Violation>,
    /// What a policy had said since the event before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub policy_verdict: Option<Ruled>,
    /// When.
    #[serde(serialize_with = "written")]
    pub timestamp: Timestamp,
}

/// The kinds of audit event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub enum AuditKind {
    /// It began.
    #[serde(rename = "negotiation_initiated")]
    Initiated,
    /// A turn was taken.
    #[serde(rename = "negotiation_turn")]
    Turn,
    /// The dialogue came to something, or to nothing; or nobody decided on it.
    #[serde(rename = "negotiation_resolved")]
    Resolved,
    /// Somebody who had to approve decided; the outcome says what.
    #[serde(rename = "negotiation_approved")]
    Approved,
    /// It was stopped, or what was agreed is void.
    #[serde(rename = "negotiation_aborted")]
    Aborted,
    /// An agent did what it must not.
    #[serde(rename = "negotiation_violation")]
    Violation,
}

/// Who acted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditRole {
    /// The initiator's agent.
    Proposer,
    /// The responder's agent.
    Challenger,
    /// The rules and the clock.
    System,
    /// The person.
    Human,
    /// A policy, or somebody else whom the protocol names.
    PolicyEngine,
}

/// What came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditOutcome {
    /// There is something to approve.
    Agreement,
    /// There is not: it was turned down, or led nowhere.
    Disagreement,
    /// The time ran out.
    Timeout,
    /// It was stopped.
    Aborted,
    /// Yes.
    Approved,
    /// No.
    Rejected,
    /// Yes, if.
    Conditional,
    /// Nobody decided.
    Expired,
    /// It was not signed.
    Unsigned,
    /// It no longer counts.
    Voided,
}

/// What the trail has to know of one negotiation from its earlier events. It does not grow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SoFar {
    turn: u32,
    initiator: Option<AgentKind>,
    responder: Option<AgentKind>,
    claimed: Option<AgentId>,
    verdict: Option<Ruled>,
}

/// What this event is in the audit trail, if it is anything; the events of one negotiation in their order.
pub fn audit(id: &NegotiationId, event: &Event, so_far: &mut SoFar) -> Option<AuditEvent> {
    let mut entry = so_far.entry(&event.fact)?;
    entry.negotiation_id.clone_from(id);
    entry.turn = so_far.turn;
    entry.policy_verdict = so_far.verdict.take();
    entry.timestamp = event.at;
    Some(entry)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands out references")]
fn written<S: Serializer>(at: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&iso(*at))
}
