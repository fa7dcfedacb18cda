//! Two agents debate whether a match serves both people.

use super::{Commitment, Limits, OnRepeat, OutOfBounds, Position, Protocol, REPLIES, Rulebook, Timers};
use crate::{Action, Actions, AgentKind, Parties, Span};

impl Rulebook {
    /// 6 turns between two system agents, 8 when one is personal, none when both are: then 24 hours are the valve.
    pub fn index(parties: &Parties) -> Self {
        let personal = |agent| agent != AgentKind::System;
        let (turns, total) = match (personal(parties.initiator.agent), personal(parties.responder.agent)) {
            (false, false) => (Some(6), None),
            (false, true) | (true, false) => (Some(8), None),
            (true, true) => (None, Some(Span::hours(24))),
        };
        Self {
            protocol: Protocol::Index,
            limits: Limits { turns, ..Limits::default() },
            timers: Timers {
                // No turn waits for ever, whoever owes it.
                first_response: Some(Span::hours(24)),
                turn: Some(Span::hours(24)),
                park: Some(Span::hours(24)),
                claim: Some(Span::hours(6)),
                total,
                approval: Span::hours(24),
                ..Timers::default()
            },
            out_of_bounds: OutOfBounds::Stalls,
            on_repeat: OnRepeat::Ends,
            commitment: Commitment::None,
        }
    }
}

pub(super) fn moves(position: &Position) -> Actions {
    match (position.last, position.agent) {
        (None, _) => Actions::of(&[Action::Propose]),
        (Some(_), AgentKind::System) => REPLIES,
        (Some(_), AgentKind::Personal | AgentKind::Remote) => REPLIES.with(Action::Question),
    }
}
