//! What can be learnt from the journal: an audit trail, metrics, alerts and the person's week.
//!
//! [`Insights`] folds the events of many negotiations, one at a time, in journal order. Of a negotiation that is under
//! way it keeps a record of a few bytes, of one that is over nothing; what happened on a day is in that day's counts.
//! So the memory it takes grows with the days and with what is under way, never with the length of the journal.
//!
//! Everything is counted by rules. There is no model here and no score, no clock and no I/O. What was said stays where
//! it was said: it is only sorted into a closed list of [`Theme`]s.

mod alert;
mod audit;
mod counts;
mod course;
mod end;
mod fold;
mod kinds;
mod metrics;
mod period;
mod rate;
mod tally;
mod theme;
mod week;
mod words;

pub use alert::{ABORTS_OVER, Alert, REJECTIONS_OVER, TURNS_OVER};
pub use audit::{AuditEvent, AuditKind, AuditOutcome, AuditRole, SoFar, audit};
pub use counts::{Answered, Came, Decisions, Raised, Recommended, Undone, Violations};
pub use end::{End, Silent};
pub use fold::Insights;
pub use kinds::{MatchType, Scenario};
pub use metrics::Metrics;
pub use period::{Offset, Period};
pub use rate::{Average, Rate};
pub use tally::MANY_TURNS;
pub use theme::Theme;
pub use week::{MatchCount, ScenarioTurns, TOP_THEMES, ThemeCount, TurnCount, Week};
