//! Views of a negotiation, made from its state and nothing else.

use countersign_api_types::{Awaiting, Opportunity, Roles, Thread, Turn, Verdict};
use countersign_kernel::{Awaiting as Next, Negotiation, Protocol, Side, TakenTurn};

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
        rulebook: protocol(opening.rulebook.protocol).into(),
        ours: opening.ours,
        status: negotiation.status(),
        awaiting: awaiting(negotiation),
        score: opening.seed.score,
        seed_reasoning: opening.seed.reasoning.to_string(),
        turn_count: turn_count(negotiation),
        turn_cap: opening.rulebook.limits.turns,
        verdict: verdict(negotiation),
        digest: (awaiting(negotiation) == Awaiting::Person).then(|| negotiation.digest()),
        opened_at: negotiation.opened_at(),
        changed_at: negotiation.changed_at(),
    }
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

fn awaiting(negotiation: &Negotiation) -> Awaiting {
    match negotiation.awaiting() {
        Next::Agent(side) | Next::Pickup(side) | Next::Claimed(side, _) | Next::Fallback(side) => Awaiting::Agent(side),
        Next::Person(_) => Awaiting::Person,
        Next::Others | Next::Signature(_) | Next::Nobody => Awaiting::Nobody,
    }
}

fn protocol(protocol: Protocol) -> &'static str {
    match protocol {
        Protocol::Index => "index",
        Protocol::Asp => "asp",
        Protocol::Summit(_) => "summit",
        Protocol::Hire => "hire",
        Protocol::Lcp => "lcp",
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
        reasoning: outcome.reasoning.to_string(),
        own_role: outcome.agreed_roles.map(|roles| roles.get(ours)),
        other_role: outcome.agreed_roles.map(|roles| roles.get(ours.other())),
    })
}
