//! Six patterns between two agents in a session.

use super::{Commitment, Limits, OnRepeat, OutOfBounds, Position, Protocol, REPLIES, Rulebook, Timers};
use crate::{Action, Actions, Span};

/// The protocol sets no number; the person does, and this is where it starts: a proposal and five rounds.
const TURNS: u32 = 11;

impl Rulebook {
    /// A session of at most this long.
    pub fn asp(max_duration: Span) -> Self {
        Self {
            protocol: Protocol::Asp,
            limits: Limits { turns: Some(TURNS), ..Limits::default() },
            timers: Timers { total: Some(max_duration), approval: Span::hours(24), ..Timers::default() },
            out_of_bounds: OutOfBounds::Stalls,
            on_repeat: OnRepeat::Refused,
            commitment: Commitment::Promises,
        }
    }
}

pub(super) fn moves(position: &Position) -> Actions {
    match position.last {
        None => Actions::of(&[Action::Propose, Action::Inquire]),
        Some(Action::Inquire) => Actions::of(&[Action::Describe, Action::Reject]),
        // A rejection that is still in the dialogue is one that may be retried.
        Some(Action::Describe | Action::Reject) => Actions::of(&[Action::Propose, Action::Reject]),
        Some(Action::Question) => Actions::of(&[Action::Answer, Action::Reject]),
        Some(Action::Propose | Action::Counter | Action::Answer | Action::Accept) => REPLIES.with(Action::Question),
    }
}
