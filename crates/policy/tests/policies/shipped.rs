//! Each policy that the app comes with, where it applies and where it does not.

use std::sync::Arc;

use countersign_kernel::{
    AgentId, Approval, Approver, Command, Decision, Ending, Fact, Frame, Hook, Move, Offer, Opening, RiskLevel, Ruled,
    Span, Speaker, SystemAct, Verdict, Violation,
};
use countersign_policy::Policies;

use crate::kit::{HOOKS, OURS, THEIRS, Table, money, opening, propose, text};

fn risky(level: RiskLevel) -> Opening {
    Opening { frame: Frame { risk: Some(level), ..Frame::default() }, ..opening() }
}

fn risky_offer(level: RiskLevel) -> Move {
    Move::Propose(Arc::new(Offer { risk: Some(level), ..Offer::default() }))
}

#[test]
fn the_shipped_policies_are_all_named_and_explained() {
    let policies = Policies::shipped();
    assert_eq!(policies.text(), Policies::SHIPPED);
    let names: Vec<&str> = policies.names().iter().map(|named| &*named.id).collect();
    assert_eq!(
        names,
        [
            "base",
            "off",
            "capability",
            "not-what-was-approved",
            "no-longer-fresh",
            "guarded",
            "critical-start",
            "critical-offer",
            "unsure",
            "manipulation",
        ]
    );
    assert!(policies.names().iter().all(|named| named.because.is_some()));
}

#[test]
fn an_ordinary_negotiation_is_allowed_at_every_hook() {
    let approved = Table::approved(&[("price", money("100", "EUR"))]);
    for hook in HOOKS {
        let verdict = approved.verdict(&Policies::shipped(), hook);
        assert_eq!((verdict.hook, verdict.ruled), (hook, Ruled::Allow));
        assert_eq!(&*verdict.because, "nothing speaks against it (policy `base`)");
    }
}

#[test]
fn while_negotiation_is_off_our_agent_says_nothing() {
    assert_eq!(Table::new().says(OURS, propose(&[])).off().shipped(Hook::Turn), Ruled::Deny);
    let delegate = Speaker::Delegate(AgentId(text("clerk")));
    let table = Table::new().says(OURS, propose(&[])).by(delegate).off();
    assert_eq!(table.shipped(Hook::Turn), Ruled::Deny);
}

#[test]
fn while_negotiation_is_off_the_person_and_the_other_side_may_speak() {
    let person = Table::new().says(OURS, propose(&[])).by(Speaker::Person).off();
    assert_eq!(person.shipped(Hook::Turn), Ruled::Allow);
    assert_eq!(Table::new().says(THEIRS, propose(&[])).off().shipped(Hook::Turn), Ruled::Allow);
}

#[test]
fn a_capability_finding_is_denied_from_either_side() {
    for side in [OURS, THEIRS] {
        let table = Table::new().says(side, propose(&[])).found(&["capability"]);
        assert_eq!(table.shipped(Hook::Turn), Ruled::Deny);
    }
}

#[test]
fn nothing_is_carried_out_with_an_agent_that_is_suspended() {
    let mut table = Table::approved(&[]);
    table.happens(Fact::Violated(THEIRS, Violation::Capability));
    assert_eq!(table.shipped(Hook::Execution), Ruled::Deny);
    let mut table = Table::approved(&[]);
    table.happens(Fact::Violated(THEIRS, Violation::Schema));
    assert_eq!(table.shipped(Hook::Execution), Ruled::Allow);
}

#[test]
fn what_nobody_approved_is_not_carried_out() {
    let verdict = Table::pending(&[]).verdict(&Policies::shipped(), Hook::Execution);
    assert_eq!(verdict.ruled, Ruled::Deny);
    assert!(verdict.because.contains("`not-what-was-approved`"), "{}", verdict.because);
}

#[test]
fn an_approval_of_something_else_carries_nothing_out() {
    let mut table = Table::pending(&[("price", money("100", "EUR"))]);
    let elsewhere = Table::pending(&[("price", money("90", "EUR"))]).n.digest();
    table.happens(Fact::Decided(Approval {
        approver: Approver::Person,
        decision: Decision::Approved,
        digest: elsewhere,
        remarks: None,
        beforehand: None,
    }));
    table.happens(Fact::Ended(Ending::Accepted));
    let verdict = table.verdict(&Policies::shipped(), Hook::Execution);
    assert_eq!(&*verdict.because, "this is not what you approved (policy `not-what-was-approved`)");
}

#[test]
fn an_approval_that_is_not_the_persons_carries_nothing_out() {
    let mut table = Table::pending(&[]);
    table.happens(Fact::Decided(Approval {
        approver: Approver::Named(text("policy")),
        decision: Decision::Approved,
        digest: table.n.digest(),
        remarks: None,
        beforehand: None,
    }));
    table.happens(Fact::Ended(Ending::Accepted));
    assert_eq!(table.shipped(Hook::Execution), Ruled::Deny);
}

#[test]
fn what_was_approved_two_weeks_ago_is_too_old() {
    let fresh = Table::approved(&[]).after(Span::days(14));
    assert_eq!(fresh.shipped(Hook::Execution), Ruled::Allow);
    let stale = Table::approved(&[]).after(Span::days(14).and(Span::minutes(1)));
    let verdict = stale.verdict(&Policies::shipped(), Hook::Execution);
    assert_eq!(verdict.ruled, Ruled::Deny);
    assert!(verdict.because.contains("`no-longer-fresh`"), "{}", verdict.because);
}

#[test]
fn what_is_void_is_not_carried_out() {
    let mut table = Table::approved(&[]);
    let against = Verdict { hook: Hook::Execution, ruled: Ruled::Deny, because: text("it no longer may be") };
    table.ask(Command::System(SystemAct::Verdict(against, None)));
    assert_eq!(table.n.ending(), Some(Ending::Voided));
    assert_eq!(table.shipped(Hook::Execution), Ruled::Deny);
}

#[test]
fn our_person_is_asked_before_anything_that_the_guard_objects_to_is_said() {
    let table = Table::new().says(OURS, propose(&[])).found(&["anything-at-all"]);
    assert_eq!(table.shipped(Hook::Turn), Ruled::Escalate);
    assert_eq!(Table::new().says(OURS, propose(&[])).shipped(Hook::Turn), Ruled::Allow);
}

#[test]
fn a_critical_risk_is_the_persons_to_take_up() {
    assert_eq!(Table::open(risky(RiskLevel::Critical)).shipped(Hook::Start), Ruled::Escalate);
    assert_eq!(Table::open(risky(RiskLevel::High)).shipped(Hook::Start), Ruled::Allow);
    assert_eq!(Table::new().shipped(Hook::Start), Ruled::Allow);
}

#[test]
fn an_offer_of_ours_that_calls_itself_critical_is_asked_about() {
    let offer = || risky_offer(RiskLevel::Critical);
    assert_eq!(Table::new().says(OURS, offer()).shipped(Hook::Turn), Ruled::Escalate);
    assert_eq!(Table::new().says(THEIRS, offer()).shipped(Hook::Turn), Ruled::Allow);
    assert_eq!(Table::new().says(OURS, risky_offer(RiskLevel::Low)).shipped(Hook::Turn), Ruled::Allow);
}

#[test]
fn a_turn_that_our_agent_is_not_sure_of_is_noted() {
    let table = |percent| Table::new().says(OURS, propose(&[])).sure(percent);
    assert_eq!(table(39).shipped(Hook::Turn), Ruled::Warn);
    assert_eq!(table(40).shipped(Hook::Turn), Ruled::Allow);
    assert_eq!(Table::new().says(THEIRS, propose(&[])).sure(1).shipped(Hook::Turn), Ruled::Allow);
}

#[test]
fn manipulation_by_the_other_side_is_noted() {
    for code in ["instruction", "pressure"] {
        let table = Table::new().says(THEIRS, propose(&[])).found(&[code]);
        assert_eq!(table.shipped(Hook::Turn), Ruled::Warn);
    }
    let other = Table::new().says(THEIRS, propose(&[])).found(&["repetition"]);
    assert_eq!(other.shipped(Hook::Turn), Ruled::Allow);
}
