//! Views of a negotiation, made from its state and nothing else.

use countersign_api_types::{Opportunity, Thread, Turn, Verdict};
use countersign_kernel::{Awaiting, Negotiation, Side, TakenTurn};

pub(crate) fn thread(negotiation: &Negotiation) -> Thread {
    let turns = (1u32..).zip(negotiation.turns()).map(|(number, taken)| turn(negotiation, number, taken)).collect();
    Thread { opportunity: opportunity(negotiation), turns }
}

pub(crate) fn opportunity(negotiation: &Negotiation) -> Opportunity {
    let opening = negotiation.opening();
    Opportunity {
        id: opening.id.clone(),
        version: negotiation.version(),
        title: opening.title.clone(),
        counterpart: opening.parties.get(opening.ours.other()).name.clone(),
        sample: opening.sample,
        rulebook: opening.rulebook.name.clone(),
        ours: opening.ours,
        status: negotiation.status(),
        awaiting: negotiation.awaiting(),
        score: opening.seed.score,
        seed_reasoning: opening.seed.reasoning.clone(),
        turn_count: turn_count(negotiation),
        turn_cap: opening.rulebook.turn_cap,
        verdict: verdict(negotiation),
        digest: (negotiation.awaiting() == Awaiting::Person).then(|| negotiation.digest()),
        opened_at: negotiation.opened_at(),
        changed_at: negotiation.changed_at(),
    }
}

/// The newest turn.
pub(crate) fn last_turn(negotiation: &Negotiation) -> Option<Turn> {
    negotiation.turns().last().map(|taken| turn(negotiation, turn_count(negotiation), taken))
}

fn turn(negotiation: &Negotiation, number: u32, taken: &TakenTurn) -> Turn {
    let roles = taken.turn.assessment.suggested_roles;
    Turn {
        number,
        side: taken.side,
        speaker: negotiation.opening().parties.get(taken.side).name.clone(),
        action: taken.turn.action,
        reasoning: taken.turn.assessment.reasoning.clone(),
        message: taken.turn.message.clone(),
        own_role: roles.own,
        other_role: roles.other,
        at: taken.at,
    }
}

fn turn_count(negotiation: &Negotiation) -> u32 {
    u32::try_from(negotiation.turns().len()).unwrap_or(u32::MAX)
}

fn verdict(negotiation: &Negotiation) -> Option<Verdict> {
    let outcome = negotiation.outcome()?;
    let ours = negotiation.opening().ours;
    Some(Verdict {
        last_side: negotiation.turns().last().map_or(Side::Initiator, |taken| taken.side),
        reasoning: outcome.reasoning.clone(),
        own_role: outcome.agreed_roles.map(|roles| roles.get(ours)),
        other_role: outcome.agreed_roles.map(|roles| roles.get(ours.other())),
    })
}
