//! The negotiation protocol as a pure state machine.
//!
//! [`Negotiation::decide`] turns a [`Command`] into [`Event`]s or a [`Refusal`] and changes nothing;
//! [`Negotiation::apply`] takes an event in and cannot fail. There is no clock, no I/O, no randomness and no
//! async in this crate: time and identity come in as arguments, so the same events give the same state on any
//! machine.
//!
//! An agent's `accept` is a recommendation. Only [`Command::Accept`], the person's own decision bound to the
//! [`Digest`] of what they saw, makes an opportunity accepted.

mod digest;
mod mode;
mod negotiation;
mod party;
mod rulebook;
mod time;
mod turn;

pub use digest::Digest;
pub use mode::Mode;
pub use negotiation::{
    AgreedRoles, Awaiting, Command, Decision, EndReason, Event, Negotiation, NegotiationId, Opening, Outcome, Refusal,
    Status,
};
pub use party::{AgentKind, Fact, Need, Parties, Party, Profile, Role, SeedAssessment, Side};
pub use rulebook::Rulebook;
pub use time::Timestamp;
pub use turn::{Action, Assessment, MAX_TEXT, SuggestedRoles, TakenTurn, Turn};
