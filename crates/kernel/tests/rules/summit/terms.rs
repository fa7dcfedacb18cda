//! What each type may talk about.

use std::sync::Arc;

use countersign_kernel::Side::{Initiator, Responder};
use countersign_kernel::SummitKind::{
    CollaborativePlanning, PolicyConflict, ResourceAllocation, RiskMitigation, TaskPrioritization,
};
use countersign_kernel::{Load, Move, Objection, Offer, Refusal, RiskLevel, SummitKind, TermProblem, Value};

use super::{cpu, framed, governed};
use crate::kit::{Table, flag, name, propose_terms, terms, text, usdc, whole};

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
fn a_plan_can_be_carried_out() {
    let parallel = ("parallel.index", flag(true));
    let undone = tries(CollaborativePlanning, std::slice::from_ref(&parallel));
    assert_eq!(undone, Err(Refusal::Terms(TermProblem::Infeasible("index".into()))));
    assert!(tries(CollaborativePlanning, &[parallel, ("role.index", Value::Text(text("Bo's agent")))]).is_ok());
}

#[test]
fn refused_terms_can_be_put_right() {
    let mut table = governed(ResourceAllocation);
    assert!(table.says(Initiator, propose_terms(&[("cross_tenant", flag(true))])).is_err());
    table.says(Initiator, cpu(1)).unwrap();
}

fn tries(kind: SummitKind, offered: &[(&str, Value)]) -> Result<(), Refusal> {
    governed(kind).says(Initiator, propose_terms(offered))
}

fn pooled(kind: SummitKind, pool: &[(&str, Value)], offered: &[(&str, Value)]) -> Result<(), Refusal> {
    let mut opening = framed(kind);
    opening.frame.pool = terms(pool);
    Table::open(opening).says(Initiator, propose_terms(offered))
}
