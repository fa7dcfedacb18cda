//! What the person lets their agent do, and the guard that holds every turn to it.
//!
//! A [`Mandate`] is the person's word, checked once. [`outgoing`] says what keeps a turn from being sent, whoever wrote
//! it; [`incoming`] says what is wrong with, or odd about, what the other side sent. Both return [`Finding`]s and do
//! nothing else: they do not change a turn, do not ask anybody and do not act on what they read. Time and what was
//! spent come in as arguments, so the same turn gives the same findings on any machine.

mod amounts;
mod check;
mod covers;
mod cues;
mod deal;
mod disclosure;
mod escalate;
mod finding;
mod incoming;
mod judge;
mod leaving;
mod mandate;
mod names;
mod outgoing;
mod phrases;
mod read;
mod repeat;
mod secret;
mod signs;
mod spent;
mod term;
mod words;

pub use check::{MandateError, Problem};
pub use covers::PreAuthorisation;
pub use escalate::escalation;
pub use finding::{Concern, Finding, Part, Sign, Weight, Whose};
pub use incoming::{MAX_ITEMS, incoming};
pub use leaving::{MAX_TURN, Reasoning};
pub use mandate::{AskWhen, AuthorityLimit, Autonomy, Disclose, Disclosure, Mandate, Pace, Period, Requirement};
pub use outgoing::outgoing;
pub use spent::Spent;
pub use term::{Better, TermMandate};
