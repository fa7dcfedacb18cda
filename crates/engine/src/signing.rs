//! Whose word it was: what the person's agent says and what the person decides is signed when it is written down.

use countersign_kernel::{Approval, Approver, Event, Fact, NegotiationId, Opening, Side, Speaker, Timestamp, Turn};
use countersign_ledger::{Identity, Keys};
use countersign_mandate::Mandate;
use countersign_store::Signed;
use serde::Serialize;

/// What an author signs: the words, and that they were said here, now and once.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Message<'a> {
    /// In which negotiation.
    pub negotiation_id: &'a NegotiationId,
    /// What the author never uses again.
    pub nonce: &'a str,
    /// When it was sent.
    pub sent: Timestamp,
    /// For which side.
    pub side: Side,
    /// What.
    #[serde(flatten)]
    pub said: Said<'a>,
}

/// What can be signed.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Said<'a> {
    /// A move.
    Turn(&'a Turn),
    /// A decision of the person.
    Approval(&'a Approval),
}

/// What the person signs when they give their agent a mandate.
#[derive(Serialize)]
struct Given<'a> {
    nonce: &'a str,
    sent: Timestamp,
    mandate: &'a Mandate,
}

/// The person's signature under a mandate, of that version.
pub(crate) fn sign_mandate(keys: &Keys, version: u64, mandate: &Mandate, sent: Timestamp) -> Option<Box<Signed>> {
    let nonce = version.to_string();
    let proof = keys.person.sign(&Given { nonce: &nonce, sent, mandate }, &sent.rfc3339()).ok()?;
    Some(Box::new(Signed { nonce, sent, proof }))
}

/// The signature under an event that is a word of ours; none under any other.
pub(crate) fn sign(keys: &Keys, opening: &Opening, version: u64, event: &Event) -> Option<Box<Signed>> {
    let by_us = |said, identity: &Identity| {
        let (nonce, sent, side) = (version.to_string(), event.at, opening.ours);
        let message = Message { negotiation_id: &opening.id, nonce: &nonce, sent, side, said };
        // INVARIANT: what the kernel took has a canonical form, or it could not be written down either.
        let proof = identity.sign(&message, &sent.rfc3339()).ok()?;
        Some(Box::new(Signed { nonce, sent, proof }))
    };
    if let Fact::TurnTaken(taken) = &event.fact
        && taken.side == opening.ours
    {
        let author = if taken.speaker == Speaker::Person { &keys.person } else { &keys.agent };
        by_us(Said::Turn(&taken.turn), author)
    } else if let Fact::Decided(approval) = &event.fact
        && approval.approver == Approver::Person
        // They signed their mandate, and did not see this one.
        && approval.beforehand.is_none()
    {
        by_us(Said::Approval(approval), &keys.person)
    } else {
        None
    }
}
