//! Summit's governed negotiation.

use std::sync::Arc;

use countersign_kernel::{
    Action, AgentKind, Approver, Ask, Awaiting, Candidate, Decision, Ending, Frame, Hook, Load, Move, Objection, Offer,
    Opening, Percent, PersonAct, Question, Refusal, Resolution, RiskLevel, Rulebook, Ruled, Ruling, Scores, Setting,
    SettingError, Side, Span, Status, Stop, SummitKind, SummitState, SystemAct, TermProblem, Terms, Timer, Value,
    Verdict, Violation, Weights, WhyCode, rank,
};

use crate::kit::{
    NOON, Table, counter_terms, flag, name, opening, parties, propose_terms, reject, terms, text, usdc, whole,
};
use Side::{Initiator, Responder};
use SummitKind::{CollaborativePlanning, PolicyConflict, ResourceAllocation, RiskMitigation, TaskPrioritization};

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
fn a_critical_risk_needs_an_arbiter() {
    let mut opening = framed(RiskMitigation);
    opening.frame.risk = Some(RiskLevel::Critical);
    opening.frame.arbiter = false;
    assert!(matches!(Table::try_open(opening.clone(), Load::default()).err(), Some(Refusal::CannotOpen(_))));
    opening.frame.arbiter = true;
    assert!(Table::try_open(opening, Load::default()).is_ok());
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
fn nobody_approves_in_a_day_and_it_expires() {
    let mut table = agreed(ResourceAllocation);
    assert_eq!(table.next(), Some((Timer::Approval, Span::hours(24))));
    table.wait();
    assert_eq!(table.n.status(), Status::Expired);
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

#[test]
fn a_capability_is_found_wherever_it_hides() {
    for hidden in ["grant_capability", "role.admin.permission", "capability.shell"] {
        let mut table = governed(CollaborativePlanning);
        table.says(Initiator, propose_terms(&[(hidden, flag(true))])).unwrap();
        assert!(table.n.is_suspended(Initiator), "{hidden}");
    }
    let mut table = governed(ResourceAllocation);
    table.says(Initiator, cpu(1)).unwrap();
    let asked = Objection {
        field: name("permission"),
        reason: text("I need it"),
        alternative: Some(flag(true)),
        evidence: vec![],
    };
    let offer = Offer { objections: vec![asked], ..Offer::default() };
    table.says(Responder, Move::Counter(Arc::new(offer))).unwrap();
    assert!(table.n.is_suspended(Responder));
}

#[test]
fn a_capability_violation_after_the_agreement_voids_it() {
    let mut table = agreed(ResourceAllocation);
    table.system(SystemAct::Violation(Initiator, Violation::Policy)).unwrap();
    assert_eq!(table.n.status(), Status::Pending, "counted, and no more");
    table.system(SystemAct::Violation(Initiator, Violation::Capability)).unwrap();
    assert_eq!(table.n.ending(), Some(Ending::Voided));
    assert_eq!(table.n.why().unwrap().code, WhyCode::CapabilityViolation);
    let late = SystemAct::Violation(Initiator, Violation::Schema);
    assert!(table.system(late).is_err(), "what is over stays as it was");
}

#[test]
fn each_type_knows_its_terms_and_refuses_the_others() {
    let cases: [(SummitKind, &str, &[&str], &[&str]); 5] = [
        (
            ResourceAllocation,
            "weather",
            &["cpu", "memory", "gpu", "tokens", "time", "duration", "slots", "priority"],
            &["policy_override", "cross_tenant"],
        ),
        (TaskPrioritization, "cpu", &["rank.a", "dependency.a.b", "deadline.a"], &["cancel", "remove_dependency"]),
        (
            PolicyConflict,
            "cpu",
            &["precedence", "scope", "exception", "framework.soc2"],
            &["delete", "blanket_override", "retroactive"],
        ),
        (CollaborativePlanning, "cpu", &["role.a", "parallel", "channel"], &["spawn"]),
        (RiskMitigation, "cpu", &["test.a", "threshold", "escalation"], &["accept_risk", "disable"]),
    ];
    for (kind, foreign, allowed, prohibited) in cases {
        for term in allowed {
            assert!(tries(kind, &[(term, flag(true))]).is_ok(), "{kind:?} {term}");
        }
        for term in prohibited {
            let refused = tries(kind, &[(term, flag(true))]);
            assert_eq!(refused, Err(Refusal::Terms(TermProblem::Prohibited(name(term)))), "{kind:?}");
        }
        let refused = tries(kind, &[(foreign, flag(true))]);
        assert_eq!(refused, Err(Refusal::Terms(TermProblem::NotATerm(name(foreign)))), "{kind:?}");
    }
    assert_eq!(SummitKind::ALL.len(), cases.len());
}

#[test]
fn a_tenth_of_every_resource_stays_free() {
    let pool = [("cpu", whole(100)), ("tokens", whole(1000))];
    assert!(pooled(ResourceAllocation, &pool, &[("cpu", whole(90))]).is_ok());
    assert!(matches!(
        pooled(ResourceAllocation, &pool, &[("cpu", whole(91))]),
        Err(Refusal::Terms(TermProblem::Reserve { .. }))
    ));
    let shared = [("cpu.ada", whole(50)), ("cpu.bo", whole(41))];
    assert!(
        matches!(
            pooled(ResourceAllocation, &pool, &shared),
            Err(Refusal::Terms(TermProblem::Reserve { name: over, .. })) if over == name("cpu")
        ),
        "together"
    );
    assert!(pooled(ResourceAllocation, &pool, &[("memory", whole(9999))]).is_ok(), "what is not scarce is not counted");
    let unlike = pooled(ResourceAllocation, &pool, &[("cpu", flag(true))]);
    assert!(matches!(unlike, Err(Refusal::Terms(TermProblem::Unlike { .. }))));
}

#[test]
fn a_critical_task_keeps_its_place() {
    let pool = [("floor.backup", whole(2))];
    assert!(pooled(TaskPrioritization, &pool, &[("rank.backup", whole(2))]).is_ok());
    let refused = pooled(TaskPrioritization, &pool, &[("rank.backup", whole(3))]);
    assert!(matches!(refused, Err(Refusal::Terms(TermProblem::BelowFloor { .. }))));
    assert!(pooled(TaskPrioritization, &pool, &[("rank.other", whole(9))]).is_ok());
}

#[test]
fn dependencies_stay_acyclic() {
    let on = || flag(true);
    let line = [("dependency.a.b", on()), ("dependency.b.c", on())];
    assert!(pooled(TaskPrioritization, &[], &line).is_ok());
    let circle = [("dependency.a.b", on()), ("dependency.b.c", on()), ("dependency.c.a", on())];
    let refused = pooled(TaskPrioritization, &[], &circle);
    assert!(matches!(refused, Err(Refusal::Terms(TermProblem::Cycle(_)))));
    let hidden = pooled(TaskPrioritization, &[("dependency.c.a", on())], &line);
    assert!(matches!(hidden, Err(Refusal::Terms(TermProblem::Cycle(_)))), "also with what was there before");
    let itself = pooled(TaskPrioritization, &[], &[("dependency.a.a", on())]);
    assert_eq!(itself, Err(Refusal::Terms(TermProblem::Cycle("a".into()))));
    let lifted = [("dependency.a.b", on()), ("dependency.b.a", flag(false))];
    assert!(pooled(TaskPrioritization, &[], &lifted).is_ok());
}

#[test]
fn frameworks_budgets_and_tests_are_kept() {
    let framework = |kept| tries(PolicyConflict, &[("framework.soc2", flag(kept))]);
    assert!(framework(true).is_ok());
    assert_eq!(framework(false), Err(Refusal::Terms(TermProblem::Framework("soc2".into()))));

    let pool = [("budget.ada", usdc("10"))];
    assert!(pooled(CollaborativePlanning, &pool, &[("budget.ada", usdc("10"))]).is_ok());
    for (term, amount) in [("budget.ada", usdc("10.01")), ("budget.bo", usdc("1"))] {
        let refused = pooled(CollaborativePlanning, &pool, &[(term, amount)]);
        assert!(matches!(refused, Err(Refusal::Terms(TermProblem::NotAllocated(_)))), "{term}");
    }
    let unlike = pooled(CollaborativePlanning, &pool, &[("budget.ada", whole(1))]);
    assert!(matches!(unlike, Err(Refusal::Terms(TermProblem::Unlike { .. }))));

    let control = ("control.lock", flag(true));
    let untested = tries(RiskMitigation, std::slice::from_ref(&control));
    assert_eq!(untested, Err(Refusal::Terms(TermProblem::Untestable("lock".into()))));
    assert!(tries(RiskMitigation, &[control, ("test.lock", Value::Text(text("try the door")))]).is_ok());
}

#[test]
fn refused_terms_can_be_put_right() {
    let mut table = governed(ResourceAllocation);
    assert!(table.says(Initiator, propose_terms(&[("cross_tenant", flag(true))])).is_err());
    table.says(Initiator, cpu(1)).unwrap();
}

#[test]
fn the_person_and_everybody_named_have_to_approve() {
    for (kind, named) in [(ResourceAllocation, "policy:resource_allocation"), (PolicyConflict, "policy_admin")] {
        let mut table = agreed(kind);
        let digest = table.n.digest();
        let by = |approver: &str| SystemAct::Decide {
            approver: text(approver),
            decision: Decision::Approved,
            digest: digest.clone(),
        };
        assert_eq!(table.system(by("somebody")), Err(Refusal::NotAsked));
        table.system(by(named)).unwrap();
        assert_eq!(table.system(by(named)), Err(Refusal::NotAsked), "once");
        assert_eq!(table.n.awaiting(), Awaiting::Person(Ask::Approval), "never without the person");
        table.decides(Decision::Approved).unwrap();
        assert_eq!(table.n.status(), Status::Accepted);
        let approvers: Vec<_> = table.n.approvals().iter().map(|approval| &approval.approver).collect();
        assert_eq!(approvers, [&Approver::Named(text(named)), &Approver::Person]);
    }
    let mut first = agreed(PolicyConflict);
    first.decides(Decision::Approved).unwrap();
    assert_eq!((first.n.status(), first.n.awaiting()), (Status::Pending, Awaiting::Others));
}

#[test]
fn any_required_approver_may_say_no() {
    let mut table = agreed(PolicyConflict);
    let digest = table.n.digest();
    let no = SystemAct::Decide { approver: text("policy_admin"), decision: Decision::Rejected, digest };
    table.system(no).unwrap();
    assert_eq!(table.n.status(), Status::Declined);
}

#[test]
fn an_approvers_conditions_are_there_before_the_person_decides() {
    let mut opening = framed(TaskPrioritization);
    opening.frame.approvers = vec![text("legal"), text("legal")];
    let mut table = Table::open(opening);
    table.says(Initiator, propose_terms(&[("rank.a", whole(1))])).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    let decision = Decision::Conditional(vec![text("review in a month")]);
    let approve = SystemAct::Decide { approver: text("legal"), decision: decision.clone(), digest: table.n.digest() };
    table.system(approve).unwrap();
    assert_eq!(table.n.approvals()[0].decision, decision);
    table.decides(Decision::Approved).unwrap();
    assert_eq!(table.n.status(), Status::Accepted);
    assert_eq!(table.n.approvals().len(), 2, "the conditions stay on record");
}

#[test]
fn the_policy_hooks_do_what_they_rule() {
    // Before the start: a person is asked, and their no ends it.
    let mut start = governed(ResourceAllocation);
    start.system(verdict(Hook::Start, Ruled::Escalate)).unwrap();
    assert_eq!(start.n.awaiting(), Awaiting::Person(Ask::Escalation));
    start.person(PersonAct::Rule(Ruling { approved: false, remarks: text("no") })).unwrap();
    assert_eq!(start.n.outcome().unwrap().result, Resolution::Aborted(Stop::PolicyDenied));
    // A turn: refused and counted, and the side may try again.
    let mut turn = governed(ResourceAllocation);
    turn.system(verdict(Hook::Turn, Ruled::Deny)).unwrap();
    assert_eq!((turn.n.violations(Initiator), turn.n.status()), (1, Status::Negotiating));
    turn.system(verdict(Hook::Turn, Ruled::Warn)).unwrap();
    turn.system(verdict(Hook::Turn, Ruled::Allow)).unwrap();
    turn.says(Initiator, cpu(1)).unwrap();
    assert_eq!(turn.n.verdicts().len(), 3);
    turn.system(verdict(Hook::Turn, Ruled::Escalate)).unwrap();
    turn.person(PersonAct::Rule(Ruling { approved: false, remarks: text("not this one") })).unwrap();
    assert_eq!(turn.n.status(), Status::Negotiating, "a no to one turn is not the end");
    // Before the resolution.
    let mut resolution = governed(ResourceAllocation);
    resolution.says(Initiator, cpu(1)).unwrap();
    resolution.system(verdict(Hook::Resolution, Ruled::Escalate)).unwrap();
    resolution.person(PersonAct::Rule(Ruling { approved: true, remarks: text("yes") })).unwrap();
    resolution.says(Responder, Move::Accept).unwrap();
    resolution.system(verdict(Hook::Resolution, Ruled::Escalate)).unwrap();
    assert_eq!(resolution.n.status(), Status::Pending, "what is with a person stays with them");
    // Before it is carried out: an approval is void when a policy has changed.
    let mut execution = agreed(TaskPrioritization);
    execution.decides(Decision::Approved).unwrap();
    execution.system(verdict(Hook::Execution, Ruled::Allow)).unwrap();
    execution.system(verdict(Hook::Execution, Ruled::Deny)).unwrap();
    assert_eq!((execution.n.ending(), execution.n.status()), (Some(Ending::Voided), Status::Aborted));
    assert_eq!(execution.n.why().unwrap().code, WhyCode::PolicyDenied);
    assert_eq!(execution.n.approvals().len(), 1, "kept as evidence");
    assert!(execution.system(verdict(Hook::Execution, Ruled::Deny)).is_err(), "once");
}

#[test]
fn five_criteria_are_weighted() {
    let weights = Weights::default();
    let each: Vec<u32> = (0..5).map(|place| only(place).total(&weights)).collect();
    assert_eq!(each, [2500, 3000, 2000, 1500, 1000]);
    let read = |json: &str| serde_json::from_str::<Weights>(json);
    let other =
        r#"{"feasibility":20,"compliance":20,"cost_benefit":20,"risk_mitigation":20,"stakeholder_alignment":20}"#;
    assert_eq!(only(4).total(&read(other).unwrap()), 2000);
    assert!(read(&other.replacen("20", "21", 1)).is_err(), "they add up to 100");
}

#[test]
fn ties_are_broken_in_order_and_what_is_left_is_the_persons() {
    let candidate =
        |turn, at| Candidate { turn, scores: only(0), changes: 2, risk: RiskLevel::Medium, at: NOON.plus(Span(at)) };
    let first = |a: Candidate, b: Candidate| {
        let said = rank(&[a, b], &Weights::default());
        (said.ranking[0].0, said.tied)
    };
    let (a, b) = (candidate(1, 0), candidate(3, 5));
    assert_eq!(first(a, Candidate { scores: only(1), changes: 9, ..b }), (3, false), "the score comes first");
    assert_eq!(first(a, Candidate { changes: 1, risk: RiskLevel::High, ..b }), (3, false), "then fewest changes");
    assert_eq!(first(a, Candidate { risk: RiskLevel::Low, ..b }), (3, false), "then the lowest risk");
    assert_eq!(first(b, a), (1, false), "then the earliest");
    assert_eq!(first(a, candidate(3, 0)), (1, true), "then a person");
    assert!(!rank(&[a], &Weights::default()).tied);
}

#[test]
fn the_arbiter_ranks_what_was_offered_once_it_is_over() {
    let mut open = governed(ResourceAllocation);
    iterate(&mut open, 3);
    assert!(recommend(&mut open, &[1]).is_err(), "not while they talk");
    let mut done = capped();
    assert_eq!(recommend(&mut done, &[99]), Err(Refusal::NotAnOffer { turn: 99 }));
    assert_eq!(recommend(&mut done, &[0]), Err(Refusal::NotAnOffer { turn: 0 }));
    assert_eq!(recommend(&mut done, &[9]), Err(Refusal::NotAnOffer { turn: 9 }), "an answer is not an offer");
    let at = NOON.plus(Span(1));
    let moved = Candidate { turn: 1, scores: only(0), changes: 1, risk: RiskLevel::Low, at };
    let recommend_moved = SystemAct::Recommend { candidates: vec![moved], weights: Weights::default() };
    assert_eq!(done.system(recommend_moved), Err(Refusal::NotAnOffer { turn: 1 }), "nor is one at another time");
    assert!(recommend(&mut done, &[]).is_err());
    recommend(&mut done, &[1, 3]).unwrap();
    assert!(recommend(&mut done, &[1]).is_err(), "once");
    assert_eq!(done.n.status(), Status::Aborted, "advisory: it decides nothing");
    let mut accepted = agreed(TaskPrioritization);
    assert!(recommend(&mut accepted, &[1]).is_err());
    let mut opening = framed(ResourceAllocation);
    opening.frame.arbiter = false;
    let mut without = Table::open(opening);
    without.wait();
    assert!(recommend(&mut without, &[1]).is_err());
}

fn framed(kind: SummitKind) -> Opening {
    let parties = parties(AgentKind::System, AgentKind::System);
    let frame = Frame { goal: Some(text("share the GPU")), arbiter: true, ..Frame::default() };
    Opening { frame, ..opening(Rulebook::summit(kind), parties) }
}

fn governed(kind: SummitKind) -> Table {
    Table::open(framed(kind))
}

fn tries(kind: SummitKind, offered: &[(&str, Value)]) -> Result<(), Refusal> {
    governed(kind).says(Initiator, propose_terms(offered))
}

fn pooled(kind: SummitKind, pool: &[(&str, Value)], offered: &[(&str, Value)]) -> Result<(), Refusal> {
    let mut opening = framed(kind);
    opening.frame.pool = terms(pool);
    Table::open(opening).says(Initiator, propose_terms(offered))
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

fn repeated() -> Table {
    let mut table = governed(ResourceAllocation);
    table.says(Initiator, cpu(1)).unwrap();
    table.says(Responder, challenge("cpu")).unwrap();
    table.says(Initiator, counter_terms(&[("cpu", whole(1))])).unwrap();
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

fn verdict(hook: Hook, ruled: Ruled) -> SystemAct {
    SystemAct::Verdict(Verdict { hook, ruled, because: text("policy 7") })
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
