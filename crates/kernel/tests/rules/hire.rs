//! HIRE/1.0 between a seeker and a worker.

use countersign_kernel::{
    Action, Answer, Decision, HireState, Move, Question, Refusal, RejectCode, Resolution, Rulebook, Setting, Side,
    Span, Status, Stop, Timer,
};

use crate::kit::{Table, counter_terms, name, propose_terms, reject, text, usdc};
use Side::{Initiator, Responder};

#[test]
fn from_the_first_interest_to_the_contract() {
    let mut table = conversation();
    assert_eq!(table.n.hire_state(), HireState::Idle);
    table.says(Initiator, Move::Inquire).unwrap();
    table.says(Responder, Move::Describe(Default::default())).unwrap();
    assert_eq!(table.n.hire_state(), HireState::Idle, "a proposal begins it");
    table.says(Initiator, proposal("5")).unwrap();
    assert_eq!(table.n.hire_state(), HireState::Negotiating);
    table.says(Responder, counter_terms(&[("price", usdc("6"))])).unwrap();
    table.says(Initiator, Move::Accept).unwrap();
    assert_eq!(table.n.hire_state(), HireState::Negotiating, "two agents do not make a contract");
    table.decides(Decision::Approved).unwrap();
    assert_eq!(table.n.hire_state(), HireState::Contracted);
    assert_eq!(table.n.outcome().unwrap().terms.get(&name("price")), Some(&usdc("6")));
}

#[test]
fn each_message_has_its_direction() {
    let mut table = conversation();
    assert_eq!(allowed(&table), [Action::Propose, Action::Inquire]);
    table.says(Initiator, Move::Inquire).unwrap();
    assert_eq!(allowed(&table), [Action::Reject, Action::Question, Action::Describe], "only a worker describes");
    table.says(Responder, Move::Describe(Default::default())).unwrap();
    assert_eq!(allowed(&table), [Action::Propose, Action::Reject, Action::Question], "only a seeker proposes");
    table.says(Initiator, proposal("5")).unwrap();
    assert_eq!(allowed(&table), [Action::Counter, Action::Accept, Action::Reject, Action::Question]);
    table.says(Responder, counter_terms(&[("price", usdc("6"))])).unwrap();
    assert_eq!(allowed(&table), [Action::Propose, Action::Accept, Action::Reject, Action::Question]);
    let refused = table.says(Initiator, counter_terms(&[("price", usdc("5.5"))])).unwrap_err();
    assert!(matches!(refused, Refusal::NotAllowed { action: Action::Counter, .. }));
}

#[test]
fn either_side_asks_and_the_other_answers() {
    let mut table = conversation();
    table.says(Initiator, Move::Inquire).unwrap();
    table.says(Responder, ask("for when?")).unwrap();
    assert_eq!(allowed(&table), [Action::Reject, Action::Answer]);
    table.says(Initiator, answer("tomorrow")).unwrap();
    table.says(Responder, Move::Describe(Default::default())).unwrap();
    table.says(Initiator, ask("in which format?")).unwrap();
    table.says(Responder, answer("SVG")).unwrap();
    table.says(Initiator, proposal("5")).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    assert_eq!(table.n.status(), Status::Pending);
}

#[test]
fn either_side_declines() {
    for side in Side::BOTH {
        let mut table = conversation();
        table.says(Initiator, proposal("5")).unwrap();
        if side == Initiator {
            table.says(Responder, counter_terms(&[("price", usdc("6"))])).unwrap();
        }
        table.says(side, reject(RejectCode::Unsuitable, true)).unwrap();
        assert_eq!(table.n.hire_state(), HireState::Declined);
        let by_side = matches!(table.n.outcome().unwrap().result, Resolution::Rejected { by, .. } if by == side);
        assert!(by_side);
    }
}

#[test]
fn each_stage_has_its_timeout_and_the_conversation_is_abandoned() {
    let stage = |turns: &[Move]| {
        let mut table = conversation();
        for (turn, side) in turns.iter().zip([Initiator, Responder].into_iter().cycle()) {
            table.says(side, turn.clone()).unwrap();
        }
        table
    };
    for (turns, timer, seconds) in [
        (vec![proposal("5")], Timer::FirstResponse, 60),
        (vec![proposal("5"), ask("which colours?")], Timer::Clarification, 30),
        (vec![proposal("5"), counter_terms(&[("price", usdc("6"))])], Timer::Turn, 120),
    ] {
        let mut table = stage(&turns);
        assert_eq!(table.next(), Some((timer, Span::seconds(seconds))));
        table.wait();
        assert_eq!(table.n.outcome().unwrap().result, Resolution::Stalled(Stop::Timeout(timer)));
        assert_eq!(table.n.hire_state(), HireState::Declined, "abandoned");
    }
}

#[test]
fn acceptance_waits_120_seconds_for_the_person_who_may_take_longer() {
    let mut table = conversation();
    table.says(Initiator, proposal("5")).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    assert_eq!(table.next(), Some((Timer::Approval, Span::seconds(120))));
    let longer = Rulebook::hire().with(Setting::Approval, Span::hours(24).0).unwrap();
    assert_eq!(longer.timers.approval, Span::hours(24));
    table.wait();
    assert_eq!(table.n.hire_state(), HireState::Declined);
}

#[test]
fn ten_turns_unless_set_otherwise() {
    let mut table = conversation();
    for round in 0..5 {
        table.says(Initiator, proposal(&format!("{round}"))).unwrap();
        table.says(Responder, counter_terms(&[("price", usdc("9"))])).unwrap();
    }
    assert_eq!(table.n.outcome().unwrap().result, Resolution::Stalled(Stop::TurnCap));
    assert_eq!(Rulebook::hire().with(Setting::Turns, 4).unwrap().limits.turns, Some(4));
}

fn conversation() -> Table {
    Table::under(Rulebook::hire())
}

fn allowed(table: &Table) -> Vec<Action> {
    table.n.allowed().iter().collect()
}

fn proposal(budget: &str) -> Move {
    propose_terms(&[("price", usdc(budget))])
}

fn ask(question: &str) -> Move {
    Move::Question(vec![Question { field: None, question: text(question), options: vec![] }])
}

fn answer(answer: &str) -> Move {
    Move::Answer(vec![Answer { field: None, answer: text(answer) }])
}
