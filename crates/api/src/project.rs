//! Views of a negotiation, made from its state and nothing else.

use countersign_api_types::{Roles, Thread, Turn};
use countersign_kernel::{Negotiation, TakenTurn};

pub(crate) fn thread(negotiation: &Negotiation) -> Thread {
    let turns = (1u32..).zip(negotiation.turns()).map(|(number, taken)| turn(negotiation, number, taken)).collect();
    Thread { opportunity: negotiation.opportunity(), turns }
}

/// The newest turn.
pub(crate) fn last_turn(negotiation: &Negotiation) -> Option<Turn> {
    negotiation.turns().last().map(|taken| turn(negotiation, turn_count(negotiation), taken))
}

fn turn(negotiation: &Negotiation, number: u32, taken: &TakenTurn) -> Turn {
    Turn {
        number,
        side: taken.side,
        speaker: negotiation.opening().parties.get(taken.side).name.clone(),
        action: taken.turn.act.action(),
        reasoning: taken.turn.assessment.reasoning.to_string(),
        message: taken.turn.message.as_ref().map(ToString::to_string),
        roles: taken.turn.assessment.suggested_roles.map(|roles| Roles { own: roles.own, other: roles.other }),
        at: taken.at,
    }
}

fn turn_count(negotiation: &Negotiation) -> u32 {
    u32::try_from(negotiation.turns().len()).unwrap_or(u32::MAX)
}
