use super::{Protocol, Rulebook};
use crate::Span;

/// A limit that may be set within its protocol's bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// Turns of both sides together.
    Turns,
    /// Counter-proposals of each side.
    Counters,
    /// Challenges to each proposal.
    Challenges,
    /// Negotiations of each agent at the same time.
    Concurrent,
    /// Milliseconds for a turn.
    Turn,
    /// Milliseconds for the whole dialogue.
    Total,
    /// Milliseconds for the person.
    Approval,
}

/// Why a limit was not set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingError {
    /// Outside its bounds.
    #[error("this limit must be from {min} to {max}, not {value}")]
    OutOfRange {
        /// Which one.
        setting: Setting,
        /// What was asked for.
        value: u64,
        /// The least.
        min: u64,
        /// The most.
        max: u64,
    },
    /// The protocol fixes it.
    #[error("this limit is fixed by the protocol")]
    Fixed(Setting),
}

impl Rulebook {
    /// The same with one limit set, within what the protocol allows.
    pub fn with(mut self, setting: Setting, value: u64) -> Result<Self, SettingError> {
        let (min, max) = self.bounds(setting).ok_or(SettingError::Fixed(setting))?;
        if value < min || value > max {
            return Err(SettingError::OutOfRange { setting, value, min, max });
        }
        let number = u32::try_from(value).ok();
        match setting {
            Setting::Turns => self.limits.turns = number,
            Setting::Counters => self.limits.counters = number,
            Setting::Challenges => self.limits.challenges = number,
            Setting::Concurrent => self.limits.concurrent = number,
            Setting::Turn => {
                self.timers.turn = Some(Span(value));
                self.timers.first_response = Some(Span(value));
            }
            Setting::Total => self.timers.total = Some(Span(value)),
            Setting::Approval => self.timers.approval = Span(value),
        }
        Ok(self)
    }

    /// The least and the most that a limit may be set to.
    fn bounds(&self, setting: Setting) -> Option<(u64, u64)> {
        /// What concerns the person, they may lengthen, whatever the protocol.
        const WEEK: u64 = Span::days(7).0;
        match (self.protocol, setting) {
            (_, Setting::Approval) => Some((1, WEEK)),
            (Protocol::Summit(_), Setting::Turns) => Some((2, 20)),
            (Protocol::Summit(_), Setting::Counters) => Some((1, 5)),
            (Protocol::Summit(_), Setting::Challenges) => Some((1, 4)),
            (Protocol::Summit(_), Setting::Concurrent) => Some((1, 3)),
            (Protocol::Summit(_), Setting::Turn) => Some((1, Span::seconds(300).0)),
            (Protocol::Summit(_), Setting::Total) => Some((1, Span::minutes(30).0)),
            (Protocol::Asp, Setting::Turns) => Some((2, 1000)),
            (Protocol::Asp, Setting::Total) => Some((1, WEEK)),
            (Protocol::Hire, Setting::Turns) => Some((2, 100)),
            (Protocol::Lcp, Setting::Turns) => Some((6, 10)),
            (Protocol::Lcp, Setting::Total) => Some((Span::seconds(30).0, Span::seconds(60).0)),
            _ => None,
        }
    }
}
