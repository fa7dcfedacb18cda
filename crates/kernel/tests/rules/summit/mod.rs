//! Summit's governed negotiation.

mod approval;
mod arbiter;
mod talk;
mod terms;

use std::sync::Arc;

use countersign_kernel::Side::{Initiator, Responder};
use countersign_kernel::SummitKind::{
    CollaborativePlanning, PolicyConflict, ResourceAllocation, RiskMitigation, TaskPrioritization,
};
use countersign_kernel::{
    AgentKind, Candidate, Decision, Frame, Hook, Move, Objection, Offer, Opening, Percent, Refusal, RiskLevel,
    Rulebook, Ruled, Scores, SummitKind, SystemAct, Terms, Verdict, Weights,
};

use crate::kit::{NOON, Table, counter_terms, flag, name, opening, parties, propose_terms, text, whole};

fn framed(kind: SummitKind) -> Opening {
    let parties = parties(AgentKind::System, AgentKind::System);
    let frame = Frame { goal: Some(text("share the GPU")), arbiter: true, ..Frame::default() };
    Opening { frame, ..opening(Rulebook::summit(kind), parties) }
}

fn governed(kind: SummitKind) -> Table {
    Table::open(framed(kind))
}

/// So many turns of offers that differ.
fn iterate(table: &mut Table, turns: i64) {
    for (turn, side) in (0..turns).zip([Initiator, Responder].into_iter().cycle()) {
        let offered = [("cpu", whole(turn))];
        let act = if turn == 0 { propose_terms(&offered) } else { counter_terms(&offered) };
        table.says(side, act).unwrap();
    }
}

fn agreed(kind: SummitKind) -> Table {
    let mut table = governed(kind);
    let offered = match kind {
        ResourceAllocation => ("cpu", whole(1)),
        TaskPrioritization => ("rank.a", whole(1)),
        PolicyConflict => ("scope", flag(true)),
        CollaborativePlanning => ("parallel", flag(true)),
        RiskMitigation => ("threshold", whole(1)),
    };
    table.says(Initiator, propose_terms(&[offered])).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    table
}

/// Ten turns and no agreement.
fn capped() -> Table {
    let mut table = governed(ResourceAllocation);
    iterate(&mut table, 7);
    table.says(Responder, challenge("cpu")).unwrap();
    table.says(Initiator, Move::Answer(vec![])).unwrap();
    table.says(Responder, challenge("cpu")).unwrap();
    table
}

fn approve_by_policy(table: &mut Table) {
    let digest = table.n.digest();
    let approver = text("policy:resource_allocation");
    table.system(SystemAct::Decide { approver, decision: Decision::Approved, digest }).unwrap();
}

fn recommend(table: &mut Table, turns: &[u32]) -> Result<(), Refusal> {
    let at = |turn: u32| table.n.turns().get((turn as usize).wrapping_sub(1)).map_or(NOON, |taken| taken.at);
    let candidates = turns
        .iter()
        .map(|turn| Candidate { turn: *turn, scores: only(0), changes: 1, risk: RiskLevel::Low, at: at(*turn) })
        .collect();
    table.system(SystemAct::Recommend { candidates, weights: Weights::default() })
}

fn verdict(hook: Hook, ruled: Ruled) -> SystemAct {
    SystemAct::Verdict(Verdict { hook, ruled, because: text("policy 7") }, None)
}

fn cpu(count: i64) -> Move {
    propose_terms(&[("cpu", whole(count))])
}

fn challenge(field: &str) -> Move {
    let objection = Objection { field: name(field), reason: text("too much"), alternative: None, evidence: vec![] };
    let offer = Offer { terms: Terms::NONE, objections: vec![objection], ..Offer::default() };
    Move::Counter(Arc::new(offer))
}

/// Full marks in one criterion, none in the others.
fn only(criterion: usize) -> Scores {
    let mark = |place| Percent::of(if place == criterion { 100 } else { 0 });
    Scores {
        feasibility: mark(0),
        compliance: mark(1),
        cost_benefit: mark(2),
        risk_mitigation: mark(3),
        stakeholder_alignment: mark(4),
    }
}
