//! The negotiation protocols as one pure state machine.
//!
//! [`Negotiation::decide`] turns a [`Command`] into [`Event`]s or a [`Refusal`] and changes nothing;
//! [`Negotiation::apply`] takes an event in and cannot fail. There is no clock, no I/O, no randomness and no
//! async in this crate: time and identity come in as arguments, so the same events give the same state on any
//! machine.
//!
//! An agent's `accept` is a recommendation. Only [`PersonAct::Decide`], the person's own decision bound to the
//! [`Digest`] of what they saw, makes an opportunity accepted.

// Tests that stand outside of the crate and inside of it name it alike.
#[cfg(test)]
extern crate self as countersign_kernel;

mod actions;
mod approval;
mod arbiter;
mod command;
mod digest;
mod escalation;
mod event;
mod mode;
pub(crate) mod negotiation;
mod offer;
mod opening;
mod opportunity;
mod outcome;
mod party;
mod policy;
mod refusal;
mod reject_code;
mod rulebook;
mod terms;
mod text;
mod time;
mod timer;
mod turn;
mod value;
mod why;
mod words;

pub use actions::Actions;
pub use approval::{Agreement, Approval, Approver, Decision, Promise, PromiseState, Signature};
pub use arbiter::{Candidate, Recommendation, Scores, Weights, rank};
pub use command::{AgentAct, Command, PersonAct, SystemAct};
pub use digest::Digest;
pub use escalation::{Authority, Delegated, Delegation, Escalation, EscalationReason, Report, Ruling, Urgency};
pub use event::{Event, Fact};
pub use mode::Mode;
pub use negotiation::{Ask, Awaiting, HireState, Negotiation, Status, SummitState, TaskState};
pub use offer::{Answer, Objection, Offer, Question};
pub use opening::{Frame, Load, NegotiationId, Opening, RiskLevel};
pub use opportunity::{Conclusion, Folder, Opportunity};
pub use outcome::{AgreedRoles, Ending, Outcome, Resolution, Stop};
pub use party::{Actor, AgentKind, Detail, Need, Parties, Party, Profile, Role, SeedAssessment, Side};
pub use policy::{Hook, Ruled, Verdict, Violation};
pub use refusal::Refusal;
pub use reject_code::{RejectCode, Remedy, Retry};
pub use rulebook::{
    Commitment, Limits, OnRepeat, OutOfBounds, Position, Protocol, Rulebook, Setting, SettingError, SummitKind,
    TermProblem, Timers,
};
pub use terms::{MAX_TERMS, TermName, Terms, TermsError};
pub use text::{MAX_TEXT, Text, TextError};
pub use time::{Span, TimeError, Timestamp};
pub use timer::{Deadline, Timer};
pub use turn::{Action, AgentId, Assessment, Move, Percent, Rejection, Speaker, SuggestedRoles, TakenTurn, Turn};
pub use value::{Currency, Incomparable, Integer, Money, Quantity, Value, ValueError};
pub use why::{Blocking, Cause, Change, Closest, Next, Raised, Recovery, Why, WhyCode};
