//! The built-in negotiator against itself, under the kernel's rules.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use countersign_agents::{Brief, BuiltIn, sample};
use countersign_kernel::{
    Action, AgentAct, Awaiting, Command, Load, Negotiation, NegotiationId, Opening, Role, Status, Timestamp,
};

const NOW: Timestamp = Timestamp(0);

#[test]
fn the_sample_is_argued_to_a_recommendation_in_five_turns() {
    let n = play(sample(NegotiationId("s".into())));

    assert_eq!(actions(&n), [Action::Propose, Action::Counter, Action::Counter, Action::Counter, Action::Accept]);
    assert_eq!(n.status(), Status::Pending);
    let roles = n.outcome().unwrap().agreed_roles.unwrap();
    assert_eq!((roles.initiator, roles.responder), (Role::Patient, Role::Agent));
}

#[test]
fn a_need_that_nobody_can_answer_ends_in_a_reject_that_names_it() {
    let mut opening = sample(NegotiationId("s".into()));
    opening.parties.initiator.profile.facts.clear();
    let n = play(opening);

    assert_eq!(n.status(), Status::Rejected);
    assert!(n.outcome().unwrap().reasoning.contains("time"));
}

#[test]
fn nobody_says_the_same_thing_twice() {
    let n = play(sample(NegotiationId("s".into())));
    let mut messages: Vec<_> = n.turns().iter().map(|taken| taken.turn.message.clone()).collect();
    messages.sort();
    messages.dedup();
    assert_eq!(messages.len(), n.turns().len());
}

#[test]
fn the_same_brief_gives_the_same_turn() {
    assert_eq!(play(sample(NegotiationId("s".into()))), play(sample(NegotiationId("s".into()))));
}

fn play(opening: Opening) -> Negotiation {
    let mut n = Negotiation::replay(&Negotiation::open(opening, Load::default(), NOW).unwrap()).unwrap();
    while let Awaiting::Agent(side) = n.awaiting() {
        let brief = Brief { opening: n.opening(), side, turns: n.turns(), allowed: n.allowed() };
        let turn = BuiltIn.turn(&brief);
        let events = n.decide(Command::Agent(side, AgentAct::TakeTurn(turn)), NOW).unwrap();
        events.iter().for_each(|event| n.apply(event));
    }
    n
}

fn actions(n: &Negotiation) -> Vec<Action> {
    n.turns().iter().map(|taken| taken.turn.act.action()).collect()
}
