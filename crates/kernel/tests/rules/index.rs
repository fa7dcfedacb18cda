//! Index Network's bilateral negotiation, through the public API.
use crate::kit::{Table, agent_id, counter, opening, parties, propose, reject, text, turn};
use countersign_kernel::{
    Action, Actions, AgentAct, AgentKind, AgreedRoles, Ask, Awaiting, Decision, Ending, Event, Fact, MAX_TEXT, Move,
    Negotiation, PersonAct, Question, Refusal, RejectCode, Resolution, Role, Rulebook, Side, Span, Speaker, Status,
    Stop, SuggestedRoles, TaskState, Text, TextError, Timer,
};

use AgentKind::{Personal, System};
use Side::{Initiator, Responder};

#[test]
fn an_agents_accept_leaves_the_opportunity_pending_for_the_person() {
    let mut table = Table::index(System, System);
    table.says(Initiator, propose()).unwrap();
    table.says(Responder, Move::Accept).unwrap();

    assert_eq!(table.n.status(), Status::Pending);
    assert_eq!(table.n.awaiting(), Awaiting::Person(Ask::Approval));
    let outcome = table.n.outcome().unwrap();
    assert!(outcome.has_opportunity());
    assert_eq!(outcome.turn_count, 2);
}

#[test]
fn only_the_persons_decision_on_exactly_what_was_shown_makes_it_accepted() {
    let mut table = agreed();
    let mut other = Table::index(System, System);
    other.says(Initiator, propose()).unwrap();
    other.says(Responder, counter()).unwrap();
    other.says(Initiator, Move::Accept).unwrap();

    let seen = PersonAct::Decide { decision: Decision::Approved, digest: other.n.digest(), remarks: None };
    assert_eq!(table.person(seen), Err(Refusal::Changed { current: table.n.digest() }));

    table.decides(Decision::Approved).unwrap();
    assert_eq!(table.n.status(), Status::Accepted);
    assert_eq!(table.n.awaiting(), Awaiting::Nobody);
    assert_eq!(table.n.ending(), Some(Ending::Accepted));
}

#[test]
fn a_decision_is_made_once() {
    let mut table = agreed();
    table.decides(Decision::Rejected).unwrap();
    assert_eq!(table.n.status(), Status::Declined);
    assert_eq!(table.decides(Decision::Approved), Err(Refusal::NothingPending { status: Status::Declined }));
}

#[test]
fn nothing_can_be_decided_while_the_agents_talk() {
    let mut table = Table::index(System, System);
    table.says(Initiator, propose()).unwrap();
    assert_eq!(table.decides(Decision::Approved), Err(Refusal::NothingPending { status: Status::Negotiating }));
}

#[test]
fn a_reject_ends_it_without_an_opportunity() {
    let mut table = Table::index(System, System);
    table.says(Initiator, propose()).unwrap();
    table.says(Responder, reject(RejectCode::Unsuitable, false)).unwrap();
    assert_eq!(table.n.status(), Status::Rejected);
    assert!(!table.n.outcome().unwrap().has_opportunity());
}

#[test]
fn two_system_agents_have_six_turns_then_it_stalls() {
    let mut table = countered(System, System, 5);
    assert_eq!(table.n.status(), Status::Negotiating);
    table.says(Responder, counter()).unwrap();
    assert_eq!(table.n.status(), Status::Stalled);
    let outcome = table.n.outcome().unwrap();
    assert_eq!((&outcome.result, outcome.turn_count), (&Resolution::Stalled(Stop::TurnCap), 6));
    assert_eq!(table.says(Initiator, Move::Accept), Err(Refusal::NotTalking { status: Status::Stalled }));
}

#[test]
fn the_last_turn_may_still_accept() {
    let mut table = countered(System, System, 5);
    table.says(Responder, Move::Accept).unwrap();
    assert_eq!(table.n.status(), Status::Pending);
}

#[test]
fn the_cap_depends_on_who_speaks() {
    for (initiator, responder, cap, valve) in [
        (System, System, Some(6), None),
        (System, Personal, Some(8), None),
        (Personal, System, Some(8), None),
        (Personal, Personal, None, Some(Span::hours(24))),
    ] {
        let rulebook = Rulebook::index(&parties(initiator, responder));
        assert_eq!((rulebook.limits.turns, rulebook.timers.total), (cap, valve));
    }
}

#[test]
fn propose_comes_first_and_only_first() {
    let mut table = Table::index(System, System);
    let only = Actions::of(&[Action::Propose]);
    assert_eq!(table.says(Initiator, Move::Accept), Err(Refusal::NotAllowed { action: Action::Accept, allowed: only }));
    table.says(Initiator, propose()).unwrap();
    assert!(matches!(table.says(Responder, propose()), Err(Refusal::NotAllowed { action: Action::Propose, .. })));
}

#[test]
fn only_a_personal_agent_may_ask_and_a_question_is_answered_like_a_counter() {
    let ask = || Move::Question(vec![Question { field: None, question: text("since when?"), options: vec![] }]);
    let mut system = Table::index(System, System);
    system.says(Initiator, propose()).unwrap();
    assert!(matches!(system.says(Responder, ask()), Err(Refusal::NotAllowed { action: Action::Question, .. })));

    let mut personal = Table::index(System, Personal);
    personal.says(Initiator, propose()).unwrap();
    responds(&mut personal, Responder, ask());
    assert_eq!(personal.n.awaiting(), Awaiting::Agent(Initiator));
    personal.says(Initiator, counter()).unwrap();
}

#[test]
fn sides_alternate() {
    let fresh = Table::index(System, System);
    assert_eq!(fresh.n.task_state(), TaskState::Submitted);
    let mut table = Table::index(System, System);
    table.says(Initiator, propose()).unwrap();
    assert_eq!(table.says(Initiator, counter()), Err(Refusal::NotYourTurn { side: Initiator }));
}

#[test]
fn a_turn_suggests_roles() {
    let mut table = Table::index(System, System);
    let mut without = turn(propose(), "because");
    without.assessment.suggested_roles = None;
    assert_eq!(table.agent(Initiator, AgentAct::TakeTurn(without)), Err(Refusal::NoRoles));
}

#[test]
fn a_text_is_neither_blank_nor_endless() {
    assert_eq!(Text::new("  \n"), Err(TextError::Blank));
    assert_eq!(Text::new("x".repeat(MAX_TEXT + 1)), Err(TextError::TooLong { length: MAX_TEXT + 1 }));
    assert_eq!(Text::clipped("x".repeat(MAX_TEXT + 1)).len(), MAX_TEXT);
    assert_eq!(&*Text::clipped(" "), "…");
    assert!(serde_json::from_str::<Text>("\" \"").is_err());
}

#[test]
fn agreed_roles_are_each_sides_own_last_word_on_itself() {
    let mut table = Table::index(System, System);
    let roles = |own, other| Some(SuggestedRoles { own, other });
    let mut says = |side, act, suggested| {
        let mut turn = turn(act, &format!("{side}{:?}", table.events.len()));
        turn.assessment.suggested_roles = suggested;
        table.agent(side, AgentAct::TakeTurn(turn)).unwrap();
    };
    says(Initiator, propose(), roles(Role::Peer, Role::Peer));
    says(Responder, counter(), roles(Role::Agent, Role::Patient));
    says(Initiator, Move::Accept, roles(Role::Patient, Role::Peer));
    let agreed = table.n.outcome().unwrap().agreed_roles;
    assert_eq!(agreed, Some(AgreedRoles { initiator: Role::Patient, responder: Role::Agent }));
}

#[test]
fn a_parked_turn_is_picked_up_by_one_agent_and_handed_in_by_the_same() {
    let mut table = Table::index(System, Personal);
    table.says(Initiator, propose()).unwrap();
    assert_eq!(table.n.task_state(), TaskState::WaitingForAgent);
    assert_eq!(table.says(Responder, Move::Accept), Err(Refusal::NotClaimed));

    let (one, two) = (agent_id("one"), agent_id("two"));
    table.agent(Responder, AgentAct::Claim(one.clone())).unwrap();
    assert_eq!(table.n.task_state(), TaskState::Claimed);
    assert_eq!(table.agent(Responder, AgentAct::Claim(two.clone())), Err(Refusal::ClaimedBy(one.clone())));
    let accept = || turn(Move::Accept, "good");
    assert_eq!(table.agent(Responder, AgentAct::Respond(two, accept())), Err(Refusal::ClaimedBy(one.clone())));
    table.agent(Responder, AgentAct::Respond(one, accept())).unwrap();
    assert_eq!(table.n.task_state(), TaskState::Completed);
}

#[test]
fn a_claim_that_lapses_goes_back_to_waiting_and_may_be_picked_up_again() {
    let mut table = Table::index(System, Personal);
    table.says(Initiator, propose()).unwrap();
    assert_eq!(table.next(), Some((Timer::Park, Span::hours(24))));
    table.agent(Responder, AgentAct::Claim(agent_id("slow"))).unwrap();
    assert_eq!(table.next(), Some((Timer::Claim, Span::hours(6))));
    assert_eq!(table.passes(Timer::Claim), Err(Refusal::NotDue { timer: Timer::Claim }));
    assert_eq!(table.wait(), Timer::Claim);
    assert_eq!(table.n.awaiting(), Awaiting::Pickup(Responder));
    // The 24 hours count from the first parking.
    assert_eq!(table.next(), Some((Timer::Park, Span::hours(18))));
    responds(&mut table, Responder, Move::Accept);
    assert_eq!(table.n.status(), Status::Pending);
}

#[test]
fn a_turn_that_was_put_back_waits_again() {
    let mut table = Table::index(System, Personal);
    table.says(Initiator, propose()).unwrap();
    table.agent(Responder, AgentAct::Claim(agent_id("one"))).unwrap();
    table.agent(Responder, AgentAct::Release(agent_id("one"))).unwrap();
    assert_eq!(table.n.task_state(), TaskState::WaitingForAgent);
}

#[test]
fn after_a_day_without_pickup_the_system_negotiator_takes_the_turn_and_is_shown_as_such() {
    let mut table = Table::index(System, Personal);
    table.says(Initiator, propose()).unwrap();
    assert_eq!(table.wait(), Timer::Park);
    assert_eq!(table.n.awaiting(), Awaiting::Fallback(Responder));
    table.says(Responder, counter()).unwrap();
    assert_eq!(table.n.turns().last().unwrap().speaker, Speaker::Fallback);
}

#[test]
fn between_two_personal_agents_a_day_is_all_there_is() {
    let mut table = Table::index(Personal, Personal);
    responds(&mut table, Initiator, propose());
    for _ in 0..20 {
        responds(&mut table, Responder, counter());
        responds(&mut table, Initiator, counter());
    }
    table.later(Span::hours(24));
    table.passes(Timer::Total).unwrap();
    assert_eq!(table.n.status(), Status::Stalled);
    assert_eq!(table.n.outcome().unwrap().result, Resolution::Stalled(Stop::Timeout(Timer::Total)));
}

#[test]
fn a_failed_agent_call_is_not_a_turn() {
    let mut table = Table::index(System, System);
    table.agent(Initiator, AgentAct::Fail(text("no answer"))).unwrap();
    assert_eq!(table.n.turns(), []);
    assert_eq!(table.n.awaiting(), Awaiting::Agent(Initiator));
}

#[test]
fn saying_the_same_again_is_a_stall() {
    let mut table = Table::index(System, System);
    let same = |act| AgentAct::TakeTurn(turn(act, "as before"));
    table.agent(Initiator, same(propose())).unwrap();
    table.says(Responder, counter()).unwrap();
    table.agent(Initiator, same(counter())).unwrap();
    assert_eq!(table.n.outcome().unwrap().result, Resolution::Stalled(Stop::Stalemate(Initiator)));
}

#[test]
fn where_nobody_negotiates_the_evaluators_word_goes_to_the_person() {
    let parties = parties(System, System);
    let mut opening = opening(Rulebook::index(&parties), parties);
    opening.frame.direct = true;
    let mut table = Table::open(opening);
    assert_eq!(table.n.status(), Status::Pending);
    let outcome = table.n.outcome().unwrap();
    assert_eq!((&outcome.result, outcome.turn_count), (&Resolution::Direct, 0));
    assert_eq!(outcome.agreed_roles, Some(AgreedRoles { initiator: Role::Patient, responder: Role::Agent }));
    table.decides(Decision::Approved).unwrap();
    assert_eq!(table.n.status(), Status::Accepted);
}

#[test]
fn nobody_decides_and_it_expires() {
    let mut table = agreed();
    assert_eq!(table.next(), Some((Timer::Approval, Span::hours(24))));
    assert_eq!(table.wait(), Timer::Approval);
    assert_eq!(table.n.status(), Status::Expired);
    assert_eq!(table.n.next_deadline(), None);
}

#[test]
fn the_person_may_take_more_time_but_not_for_ever() {
    let mut table = agreed();
    table.person(PersonAct::Extend(Span::days(6))).unwrap();
    assert_eq!(table.next(), Some((Timer::Approval, Span::days(6))));
    table.later(Span::days(2));
    assert_eq!(table.person(PersonAct::Extend(Span::days(6))), Err(Refusal::TooLong));
    assert_eq!(table.wait(), Timer::Approval);
}

#[test]
fn the_seed_is_never_scored_anew() {
    let mut table = agreed();
    table.decides(Decision::Approved).unwrap();
    assert_eq!(table.n.opening().seed.score, 80);
    let scored = table.events.iter().filter(|event| !matches!(event.fact, Fact::Opened(_)));
    assert!(scored.map(|event| serde_json::to_string(event).unwrap()).all(|json| !json.contains("score")));
}

#[test]
fn a_history_that_does_not_begin_with_an_opening_is_no_negotiation() {
    assert_eq!(Negotiation::replay(&[]), None);
    let table = agreed();
    let without: Vec<Event> = table.events.into_iter().skip(1).collect();
    assert_eq!(Negotiation::replay(&without), None);
}

#[test]
fn the_digest_covers_every_word_that_was_said() {
    let digest = |message: &str| {
        let mut table = Table::index(System, System);
        table.says(Initiator, propose()).unwrap();
        let mut last = turn(Move::Accept, "good");
        last.message = Some(text(message));
        table.agent(Responder, AgentAct::TakeTurn(last)).unwrap();
        table.n.digest()
    };
    assert_eq!(digest("yes"), digest("yes"));
    assert_ne!(digest("yes"), digest("yes."));
}

/// Proposed, and accepted by the other agent.
fn agreed() -> Table {
    let mut table = Table::index(System, System);
    table.says(Initiator, propose()).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    table
}

/// This many turns, none of which settles anything.
fn countered(initiator: AgentKind, responder: AgentKind, turns: usize) -> Table {
    let mut table = Table::index(initiator, responder);
    table.says(Initiator, propose()).unwrap();
    for place in 1..turns {
        table.says(if place % 2 == 0 { Initiator } else { Responder }, counter()).unwrap();
    }
    table
}

/// A personal agent picks its turn up and hands it in.
fn responds(table: &mut Table, side: Side, act: Move) {
    let agent = agent_id("personal");
    table.agent(side, AgentAct::Claim(agent.clone())).unwrap();
    let turn = turn(act, &format!("reason {}", table.events.len()));
    table.agent(side, AgentAct::Respond(agent, turn)).unwrap();
}
