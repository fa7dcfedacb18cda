//! Views of a negotiation, made from its state and nothing else.

use countersign_api_types::{Question, Roles, Thread, Turn};
use countersign_kernel::{Negotiation, Side, Speaker, TakenTurn, Terms, Timestamp};

pub(crate) fn thread(negotiation: &Negotiation) -> Thread {
    let opening = negotiation.opening();
    let turns = (1u32..).zip(negotiation.turns()).map(|(number, taken)| turn(negotiation, number, taken)).collect();
    let next = |side, said, at| unsaid(negotiation, side, said, at);
    Thread {
        opportunity: negotiation.opportunity(),
        turns,
        names: Side::BOTH.map(|side| opening.parties.get(side).name.clone()).into(),
        why: negotiation.why().map(|why| why.lines(opening.ours)).unwrap_or_default(),
        question: negotiation.escalation().filter(|(side, _)| *side == opening.ours).map(|(side, asked)| Question {
            reason: asked.reason,
            urgency: asked.urgency,
            context: asked.context.clone(),
            suggestion: asked.suggested_action.clone(),
            draft: asked.draft.as_ref().map(|draft| next(side, draft, negotiation.changed_at())),
        }),
        draft: negotiation.draft().map(|(draft, at)| (next(opening.ours, draft, at), at)),
        otherwise: negotiation.lapse().map(|due| (due.timer.then().into(), due.at)),
    }
}

/// The newest turn.
pub(crate) fn last_turn(negotiation: &Negotiation) -> Option<Turn> {
    negotiation.turns().last().map(|taken| turn(negotiation, turn_count(negotiation), taken))
}

/// What may be said next.
fn unsaid(negotiation: &Negotiation, side: Side, said: &countersign_kernel::Turn, at: Timestamp) -> Turn {
    let taken = TakenTurn { side, speaker: Speaker::Agent, turn: said.clone(), at };
    turn(negotiation, turn_count(negotiation).saturating_add(1), &taken)
}

fn turn(negotiation: &Negotiation, number: u32, taken: &TakenTurn) -> Turn {
    Turn {
        number,
        side: taken.side,
        speaker: negotiation.opening().parties.get(taken.side).name.clone(),
        action: taken.turn.act.action(),
        reasoning: taken.turn.assessment.reasoning.to_string(),
        message: taken.turn.message.as_ref().map(ToString::to_string),
        terms: taken.turn.act.offer().map(|offer| shown(&offer.terms)).unwrap_or_default(),
        roles: taken.turn.assessment.suggested_roles.map(|roles| Roles { own: roles.own, other: roles.other }),
        at: taken.at,
    }
}

fn shown(terms: &Terms) -> Vec<(String, String)> {
    terms.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect()
}

fn turn_count(negotiation: &Negotiation) -> u32 {
    u32::try_from(negotiation.turns().len()).unwrap_or(u32::MAX)
}
