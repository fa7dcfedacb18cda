//! A seeker (the initiator) and a worker (the responder) on the way to a contract.

use super::{Commitment, Limits, OnRepeat, OutOfBounds, Position, Protocol, Rulebook, Timers};
use crate::{Action, Actions, Side, Span};

impl Rulebook {
    /// Stage by stage: 60 seconds to the first response, 30 for a clarification, 120 for an acceptance.
    pub fn hire() -> Self {
        Self {
            protocol: Protocol::Hire,
            limits: Limits { turns: Some(10), ..Limits::default() },
            timers: Timers {
                first_response: Some(Span::seconds(60)),
                clarification: Some(Span::seconds(30)),
                turn: Some(Span::seconds(120)),
                approval: Span::seconds(120),
                ..Timers::default()
            },
            out_of_bounds: OutOfBounds::Stalls,
            on_repeat: OnRepeat::Allowed,
            commitment: Commitment::Contract,
        }
    }
}

/// Only a seeker inquires and proposes, only a worker describes and counters; either may ask, accept and reject.
pub(super) fn moves(position: &Position) -> Actions {
    let offer = match position.side {
        Side::Initiator => Action::Propose,
        // Before there is a proposal, there is nothing to counter.
        Side::Responder if position.can_accept => Action::Counter,
        Side::Responder => Action::Describe,
    };
    match position.last {
        None => Actions::of(&[Action::Inquire, Action::Propose]),
        Some(Action::Question) => Actions::of(&[Action::Answer, Action::Reject]),
        Some(_) => Actions::of(&[Action::Accept, Action::Reject, Action::Question]).with(offer),
    }
}
