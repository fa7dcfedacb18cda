//! A consumer (the initiator) and a provider (the responder) converge on terms in few rounds, then both sign.

use super::{Commitment, Limits, OnRepeat, OutOfBounds, Position, Protocol, REPLIES, Rulebook, Timers};
use crate::{Action, Actions, Span};

impl Rulebook {
    /// Three rounds in thirty seconds, five to sign, in force for an hour.
    pub fn lcp() -> Self {
        Self {
            protocol: Protocol::Lcp,
            // A round is a word of each side.
            limits: Limits { turns: Some(6), ..Limits::default() },
            timers: Timers {
                first_response: Some(Span::seconds(5)),
                turn: Some(Span::seconds(10)),
                total: Some(Span::seconds(30)),
                approval: Span::seconds(5),
                commitment: Some(Span::seconds(5)),
                agreement: Some(Span::hours(1)),
                ..Timers::default()
            },
            out_of_bounds: OutOfBounds::Stalls,
            on_repeat: OnRepeat::Allowed,
            commitment: Commitment::Signatures,
        }
    }
}

pub(super) fn moves(position: &Position) -> Actions {
    match position.last {
        None => Actions::of(&[Action::Propose, Action::Inquire]),
        Some(Action::Inquire) => Actions::of(&[Action::Describe, Action::Reject]),
        Some(Action::Describe) => Actions::of(&[Action::Propose, Action::Reject]),
        Some(
            Action::Propose | Action::Counter | Action::Accept | Action::Reject | Action::Question | Action::Answer,
        ) => REPLIES,
    }
}
