//! Phases, limits, timers, and every way to end.

use std::sync::Arc;

use countersign_kernel::Side::{Initiator, Responder};
use countersign_kernel::SummitKind::{ResourceAllocation, TaskPrioritization};
use countersign_kernel::{
    Action, AgentKind, Decision, Hook, Load, Move, Objection, Offer, Opening, PersonAct, Question, Refusal, Resolution,
    RiskLevel, Rulebook, Ruled, Setting, SettingError, Span, Status, Stop, SummitState, SystemAct, Timer, Value,
    Violation, WhyCode,
};

use super::{agreed, approve_by_policy, capped, challenge, cpu, framed, governed, iterate, recommend, verdict};
use crate::kit::{Table, counter_terms, name, parties, propose_terms, reject, text, whole};

#[test]
fn a_goal_is_declared_beforehand() {
    let mut opening = framed(ResourceAllocation);
    opening.frame.goal = None;
    let refused = Table::try_open(opening, Load::default()).err();
    assert!(matches!(refused, Some(Refusal::CannotOpen(_))));
    let table = governed(ResourceAllocation);
    assert_eq!(table.n.opening().frame.goal, Some(text("share the GPU")), "and no move can change it");
}

#[test]
fn the_phases_follow_the_table_and_no_other_way() {
    use SummitState::{Aborted, Approval, Challenge, Closed, Init, Iteration, Resolution};
    let accepted = seen(&mut |table| {
        table.says(Initiator, cpu(1)).unwrap();
        table.says(Responder, challenge("cpu")).unwrap();
        table.says(Initiator, counter_terms(&[("cpu", whole(2))])).unwrap();
        table.says(Responder, Move::Accept).unwrap();
        approve_by_policy(table);
        table.decides(Decision::Approved).unwrap();
    });
    assert_eq!(accepted, [Init, Challenge, Iteration, Resolution, Approval, Closed]);
    let at_once = seen(&mut |table| {
        table.says(Initiator, cpu(1)).unwrap();
        table.says(Responder, Move::Accept).unwrap();
        table.decides(Decision::Rejected).unwrap();
    });
    assert_eq!(at_once, [Init, Challenge, Iteration, Resolution, Approval, Closed], "an acceptance is a reply too");
    let turned_down = seen(&mut |table| {
        table.says(Initiator, cpu(1)).unwrap();
        table.says(Responder, reject(countersign_kernel::RejectCode::Unsuitable, false)).unwrap();
    });
    assert_eq!(turned_down, [Init, Challenge, Iteration, Closed], "a disagreement has nothing to approve");
    let held = seen(&mut |table| {
        table.person(PersonAct::Hold).unwrap();
        table.wait();
    });
    assert_eq!(held, [Init, Aborted]);
    let conditional = seen(&mut |table| {
        table.says(Initiator, cpu(1)).unwrap();
        table.says(Responder, Move::Accept).unwrap();
        assert!(table.person(PersonAct::Guide(text("ask for more"))).is_err(), "approval is not left but to close");
        approve_by_policy(table);
        table.decides(Decision::Conditional(vec![text("only at night")])).unwrap();
        assert_eq!(table.n.status(), Status::Accepted);
    });
    assert_eq!(conditional, [Init, Challenge, Iteration, Resolution, Approval, Closed]);
}

#[test]
fn only_the_challenger_challenges_and_so_often_per_proposal() {
    let mut table = governed(ResourceAllocation);
    table.says(Initiator, cpu(1)).unwrap();
    table.says(Responder, challenge("cpu")).unwrap();
    let refused = table.says(Initiator, challenge("cpu")).unwrap_err();
    assert!(matches!(refused, Refusal::NotAllowed { action: Action::Counter, .. }));
    table.says(Initiator, Move::Answer(vec![])).unwrap();
    let ask = || Move::Question(vec![Question { field: None, question: text("until when?"), options: vec![] }]);
    table.says(Responder, ask()).unwrap();
    table.says(Initiator, Move::Answer(vec![])).unwrap();
    assert_eq!(table.says(Responder, challenge("cpu")), Err(Refusal::Limit { what: "challenges", limit: 2 }));
    assert_eq!(table.says(Responder, ask()), Err(Refusal::Limit { what: "challenges", limit: 2 }));
    table.says(Responder, counter_terms(&[("cpu", whole(3))])).unwrap();
    table.says(Initiator, counter_terms(&[("cpu", whole(2))])).unwrap();
    table.says(Responder, challenge("cpu")).unwrap();
}

#[test]
fn an_objection_carries_its_field_reason_alternative_and_evidence() {
    let mut table = governed(ResourceAllocation);
    table.says(Initiator, cpu(1)).unwrap();
    let objection = Objection {
        field: name("priority"),
        reason: text("affects everybody"),
        alternative: Some(Value::Text(text("in sequence"))),
        evidence: vec![text("load-report")],
    };
    let offer = Offer { objections: vec![objection.clone()], risk: Some(RiskLevel::High), ..Offer::default() };
    table.says(Responder, Move::Counter(Arc::new(offer))).unwrap();
    assert_eq!(table.n.objections()[0].objection, objection);
    assert_eq!(table.n.objections()[0].answered, None);
    assert_eq!(table.n.on_the_table(Responder), None, "a challenge offers nothing that could be accepted");
}

#[test]
fn each_side_has_so_many_counter_proposals() {
    let mut table = governed(ResourceAllocation);
    table.says(Initiator, cpu(1)).unwrap();
    for round in 0..3 {
        table.says(Responder, counter_terms(&[("cpu", whole(20 + round))])).unwrap();
        table.says(Initiator, counter_terms(&[("cpu", whole(2 + round))])).unwrap();
    }
    let again = counter_terms(&[("cpu", whole(30))]);
    assert_eq!(table.says(Responder, again), Err(Refusal::Limit { what: "counter-proposals", limit: 3 }));
    table.says(Responder, Move::Accept).unwrap();
}

#[test]
fn every_limit_has_its_default_and_its_maximum() {
    let rulebook = Rulebook::summit(TaskPrioritization);
    let limits = rulebook.limits;
    assert_eq!((limits.turns, limits.counters, limits.challenges), (Some(10), Some(3), Some(2)));
    assert_eq!(limits.concurrent, Some(1));
    let timers = rulebook.timers;
    assert_eq!((timers.turn, timers.total), (Some(Span::seconds(60)), Some(Span::minutes(10))));
    assert_eq!(timers.approval, Span::hours(24));
    for (setting, max) in [
        (Setting::Turns, 20),
        (Setting::Counters, 5),
        (Setting::Challenges, 4),
        (Setting::Concurrent, 3),
        (Setting::Turn, 300_000),
        (Setting::Total, 1_800_000),
        (Setting::Approval, 604_800_000),
    ] {
        assert!(rulebook.clone().with(setting, max).is_ok(), "{setting:?}");
        let over = rulebook.clone().with(setting, max + 1);
        assert!(matches!(over, Err(SettingError::OutOfRange { max: most, .. }) if most == max), "{setting:?}");
        assert!(rulebook.clone().with(setting, 0).is_err(), "{setting:?}");
    }
}

#[test]
fn a_setting_is_what_counts() {
    let set = |setting, value| Rulebook::summit(ResourceAllocation).with(setting, value).unwrap();
    let limits = set(Setting::Turns, 12).limits;
    assert_eq!(limits.turns, Some(12));
    assert_eq!(set(Setting::Counters, 4).limits.counters, Some(4));
    assert_eq!(set(Setting::Challenges, 1).limits.challenges, Some(1));
    assert_eq!(set(Setting::Concurrent, 2).limits.concurrent, Some(2));
    assert_eq!(set(Setting::Turn, 5).timers.turn, Some(Span(5)));
    assert_eq!(set(Setting::Turn, 5).timers.first_response, Some(Span(5)));
    assert_eq!(set(Setting::Total, 7).timers.total, Some(Span(7)));
    assert_eq!(set(Setting::Approval, 9).timers.approval, Span(9));
    let parties = parties(AgentKind::System, AgentKind::System);
    assert_eq!(Rulebook::index(&parties).with(Setting::Turns, 7), Err(SettingError::Fixed(Setting::Turns)));
}

#[test]
fn an_agent_has_one_negotiation_at_a_time() {
    for (load, side) in
        [(Load { initiator: 1, responder: 0 }, Initiator), (Load { initiator: 0, responder: 1 }, Responder)]
    {
        let refused = Table::try_open(framed(ResourceAllocation), load).err();
        assert_eq!(refused, Some(Refusal::TooManyAtOnce { side, limit: 1 }));
    }
}

#[test]
fn each_timer_aborts() {
    for (waits, timer) in [(0, Timer::FirstResponse), (3, Timer::Turn)] {
        let mut table = governed(ResourceAllocation);
        iterate(&mut table, waits);
        assert_eq!(table.next(), Some((timer, Span::seconds(60))));
        table.wait();
        assert_eq!(table.n.outcome().unwrap().result, Resolution::Aborted(Stop::Timeout(timer)));
        assert_eq!(table.n.why().unwrap().code, WhyCode::Timeout);
    }
    let total = Rulebook::summit(ResourceAllocation).with(Setting::Total, 30_000).unwrap();
    let mut table = Table::open(Opening { rulebook: total, ..framed(ResourceAllocation) });
    assert_eq!(table.wait(), Timer::Total);
    assert_eq!(table.n.summit_state(), SummitState::Aborted);
}

#[test]
fn it_ends_in_five_ways() {
    // Agreement.
    assert_eq!(agreed(ResourceAllocation).n.outcome().unwrap().result, Resolution::Agreement);
    // Disagreement: out of turns.
    assert_eq!(capped().n.outcome().unwrap().result, Resolution::Aborted(Stop::TurnCap));
    // Timeout.
    let mut late = governed(ResourceAllocation);
    late.wait();
    assert_eq!(late.n.outcome().unwrap().result, Resolution::Aborted(Stop::Timeout(Timer::FirstResponse)));
    // Abort: by the person, for one.
    let mut taken_back = governed(ResourceAllocation);
    taken_back.person(PersonAct::Withdraw(text("not needed"))).unwrap();
    assert_eq!(taken_back.n.outcome().unwrap().result, Resolution::Aborted(Stop::Withdrawn));
    // Stalemate.
    assert_eq!(repeated().n.outcome().unwrap().result, Resolution::Aborted(Stop::Stalemate(Initiator)));
}

#[test]
fn six_things_abort_it_and_each_does_what_it_should() {
    // A policy says no: aborted, and the verdict is on record.
    let mut denied = governed(ResourceAllocation);
    denied.system(verdict(Hook::Start, Ruled::Deny)).unwrap();
    assert_aborted(&denied, Stop::PolicyDenied, WhyCode::PolicyDenied);
    assert_eq!(denied.n.verdicts().len(), 1);
    // Reaching for a capability: aborted, and the agent is suspended.
    let mut grabbed = governed(ResourceAllocation);
    grabbed.says(Initiator, propose_terms(&[("grantCapability", Value::Text(text("admin_access")))])).unwrap();
    assert_aborted(&grabbed, Stop::Violation(Initiator, Violation::Capability), WhyCode::CapabilityViolation);
    assert!(grabbed.n.is_suspended(Initiator) && !grabbed.n.is_suspended(Responder));
    // Out of turns: aborted, and the arbiter recommends.
    let mut capped = capped();
    assert_aborted(&capped, Stop::TurnCap, WhyCode::TurnCap);
    recommend(&mut capped, &[1, 3]).unwrap();
    assert!(capped.n.recommendation().is_some());
    // Out of time: aborted, marked as such.
    let mut late = governed(ResourceAllocation);
    late.wait();
    assert_aborted(&late, Stop::Timeout(Timer::FirstResponse), WhyCode::Timeout);
    // What cannot be read: aborted, and counted.
    let mut garbled = governed(ResourceAllocation);
    garbled.system(SystemAct::Violation(Responder, Violation::Schema)).unwrap();
    assert_aborted(&garbled, Stop::Violation(Responder, Violation::Schema), WhyCode::SchemaViolation);
    assert_eq!((garbled.n.violations(Responder), garbled.n.violations(Initiator)), (1, 0));
    assert!(!garbled.n.is_suspended(Responder), "a mistake is not an attack");
    // The same again: aborted, marked as such.
    assert_aborted(&repeated(), Stop::Stalemate(Initiator), WhyCode::Stalemate);
}

#[test]
fn an_abort_keeps_what_was_said_and_says_why() {
    let mut table = governed(ResourceAllocation);
    iterate(&mut table, 3);
    let before = table.n.turns().to_vec();
    table.system(verdict(Hook::Resolution, Ruled::Deny)).unwrap();
    assert_eq!(table.n.turns(), before, "the transcript");
    let outcome = table.n.outcome().unwrap();
    assert_eq!(outcome.turn_count, 3, "the state");
    assert_eq!(outcome.reasoning, text("policy 7"), "the reason");
    assert!(table.n.on_the_table(Initiator).is_some(), "what was offered");
    assert_eq!(table.n.why().unwrap().code, WhyCode::PolicyDenied);
}

fn repeated() -> Table {
    let mut table = governed(ResourceAllocation);
    table.says(Initiator, cpu(1)).unwrap();
    table.says(Responder, challenge("cpu")).unwrap();
    table.says(Initiator, counter_terms(&[("cpu", whole(1))])).unwrap();
    table
}

/// Every phase of the table it goes through, event by event.
fn seen(run: &mut dyn FnMut(&mut Table)) -> Vec<SummitState> {
    let mut table = governed(ResourceAllocation);
    run(&mut table);
    let mut states: Vec<SummitState> = (1..=table.events.len())
        .map(|count| countersign_kernel::Negotiation::replay(&table.events[..count]).unwrap().summit_state())
        .collect();
    states.dedup();
    states
}

fn assert_aborted(table: &Table, stop: Stop, code: WhyCode) {
    assert_eq!(table.n.outcome().unwrap().result, Resolution::Aborted(stop));
    assert_eq!(table.n.summit_state(), SummitState::Aborted);
    assert_eq!(table.n.why().unwrap().code, code);
}
