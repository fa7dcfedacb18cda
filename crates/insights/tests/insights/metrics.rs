//! The five metrics, and how a negotiation is counted.

use std::collections::BTreeMap;

use Side::{Initiator, Responder};
use countersign_insights::{Average, Decisions, End, Metrics, Rate, Undone, Violations};
use countersign_kernel::{
    AgentAct, AgentKind, Decision, EscalationReason, Frame, Hook, PersonAct, RejectCode, Rulebook, Ruled, Ruling, Side,
    Signature, Span, SystemAct, Violation,
};

use crate::kit::{Table, agent_id, counter, doubt, fold, metrics, opening, parties, propose, reject, text, turn};

#[test]
fn nothing_comes_to_nothing_and_no_percent() {
    assert_eq!(metrics(&[]), Metrics::default());
    assert_eq!((Rate::default().percent(), Average::default().tenths()), (None, None));
}

#[test]
fn a_rate_is_exact_and_rounds_only_to_be_read() {
    let rate = Rate { count: 1, of: 3 };
    assert_eq!((rate.percent(), rate.to_string().as_str()), (Some(33), "1 of 3"));
    assert_eq!(Rate { count: 1, of: 8 }.percent(), Some(13), "a half goes up");
    assert_eq!(Rate { count: 12, of: 12 }.percent(), Some(100));
    assert_eq!(Average { sum: 10, of: 3 }.to_string(), "3.3");
}

#[test]
fn success_is_the_agents_agreement_whatever_the_person_says() {
    let tables = [
        Table::systems().agreed().then(Decision::Approved),
        Table::systems().agreed().then(Decision::Rejected),
        Table::systems().agreed().wait_out(),
        Table::rejected(),
    ];
    let metrics = metrics(&tables);
    assert_eq!(metrics.success, Rate { count: 3, of: 4 });
    let once = [End::Accepted, End::Declined, End::Expired, End::Rejected].map(|end| (end, 1));
    assert_eq!(metrics.endings, BTreeMap::from(once));
}

#[test]
fn what_waits_for_the_person_has_not_ended() {
    let metrics = metrics(&[Table::systems().agreed(), Table::systems()]);
    assert_eq!((metrics.opened, metrics.ended, metrics.success), (2, 0, Rate::default()));
}

#[test]
fn what_is_sent_back_is_counted_once_when_it_ends() {
    for send_back in [
        |table: &mut Table| table.decides(Decision::Conditional(vec![text("on Fridays")])),
        |table: &mut Table| {
            table.person(PersonAct::Guide(text("ask for Fridays")));
            table.says(Responder, counter());
        },
    ] {
        let mut table = Table::systems().agreed();
        send_back(&mut table);
        assert_eq!(fold(std::slice::from_ref(&table)).under_way(), 1);
        table.says(Initiator, countersign_kernel::Move::Accept);
        let metrics = metrics(&[table.then(Decision::Approved)]);
        assert_eq!((metrics.ended, metrics.success), (1, Rate { count: 1, of: 1 }));
        assert_eq!(metrics.turns, Average { sum: 4, of: 1 });
    }
}

#[test]
fn the_average_is_over_all_that_ended() {
    let metrics = metrics(&[Table::systems().agreed().then(Decision::Approved), capped(), Table::systems()]);
    assert_eq!(metrics.turns, Average { sum: 8, of: 2 });
    assert_eq!(metrics.turns.to_string(), "4.0");
}

#[test]
fn a_deadline_that_passes_is_a_timeout_and_under_summit_aborted_too() {
    let metrics = metrics(&[Table::systems().wait_out(), Table::summit().wait_out(), Table::rejected(), capped()]);
    assert_eq!(metrics.timeouts, Rate { count: 2, of: 4 });
    assert_eq!(metrics.aborts, Rate { count: 1, of: 4 });
    assert_eq!(metrics.endings[&End::Timeout], 2);
}

#[test]
fn an_approval_that_expires_is_no_timeout_of_the_dialogue() {
    let metrics = metrics(&[Table::systems().agreed().wait_out()]);
    assert_eq!((metrics.timeouts.count, metrics.endings[&End::Expired]), (0, 1));
    assert_eq!(metrics.decisions, Decisions::default(), "nobody decided");
}

#[test]
fn what_is_stopped_is_aborted() {
    let mut withdrawn = Table::systems();
    withdrawn.person(PersonAct::Withdraw(text("changed my mind")));
    let mut denied = Table::systems();
    denied.rules(Hook::Start, Ruled::Deny);
    let mut voided = Table::systems().agreed();
    voided.rules(Hook::Execution, Ruled::Deny);
    let metrics = metrics(&[withdrawn, denied, voided, Table::rejected()]);
    assert_eq!(metrics.aborts, Rate { count: 3, of: 4 });
    assert_eq!((metrics.endings[&End::Withdrawn], metrics.endings[&End::PolicyDenied]), (1, 2));
    assert_eq!(metrics.success, Rate { count: 1, of: 4 }, "they had agreed on what is void");
}

#[test]
fn approvals_and_rejections_are_of_all_decisions() {
    let mut named = opening(Rulebook::asp(Span::minutes(30)), parties(AgentKind::System, AgentKind::System));
    named.frame.approvers = vec![text("legal")];
    let mut named = Table::open(named).agreed();
    let (digest, approver) = (named.n.digest(), text("legal"));
    named.system(SystemAct::Decide { approver, decision: Decision::Conditional(vec![text("in writing")]), digest });
    let tables = [
        named.then(Decision::Approved),
        Table::systems().agreed().then(Decision::Approved),
        Table::systems().agreed().then(Decision::Rejected),
    ];
    let metrics = metrics(&tables);
    assert_eq!(metrics.decisions, Decisions { approved: 2, rejected: 1, conditional: 1 });
    assert_eq!((metrics.approvals.percent(), metrics.rejections.percent()), (Some(50), Some(25)));
}

#[test]
fn where_nobody_negotiates_no_agent_succeeds() {
    let mut direct = opening(Rulebook::index(&parties(AgentKind::System, AgentKind::System)), systems());
    direct.frame = Frame { direct: true, ..Frame::default() };
    let metrics = metrics(&[Table::open(direct).then(Decision::Approved)]);
    assert_eq!((metrics.ended, metrics.success, metrics.turns), (1, Rate::default(), Average::default()));
    assert_eq!(metrics.approvals, Rate { count: 1, of: 1 });
}

#[test]
fn what_is_void_after_it_was_accepted_stays_accepted_and_is_undone() {
    let mut voided = Table::systems().agreed().then(Decision::Approved);
    voided.rules(Hook::Execution, Ruled::Deny);
    let unsigned = Table::open(opening(Rulebook::lcp(), systems())).agreed().then(Decision::Approved).wait_out();
    let metrics = metrics(&[voided, unsigned]);
    assert_eq!(metrics.endings, BTreeMap::from([(End::Accepted, 2)]));
    assert_eq!(metrics.undone, Undone { unsigned: 1, voided: 1 });
    assert_eq!(metrics.violations.denied, 1);
}

#[test]
fn signatures_and_promises_after_the_end_change_no_figure() {
    let mut signed = Table::open(opening(Rulebook::lcp(), systems())).agreed().then(Decision::Approved);
    for side in [Responder, Initiator] {
        signed.system(SystemAct::Sign(Signature { side, signer: text("key"), signature: text("signed") }));
    }
    let mut promised = Table::asp().agreed().then(Decision::Approved);
    promised.agent(Initiator, AgentAct::Promise(text("on Friday")));
    promised.agent(Responder, AgentAct::AcceptPromise(0));
    let metrics = metrics(&[signed.wait_out(), promised]);
    assert_eq!((metrics.ended, metrics.endings[&End::Accepted], metrics.undone), (2, 2, Undone::default()));
}

#[test]
fn each_violation_is_counted_once_and_a_denied_turn_as_denied() {
    let mut table = Table::asp();
    table.rules(Hook::Turn, Ruled::Deny);
    table.rules(Hook::Turn, Ruled::Warn);
    table.system(SystemAct::Violation(Initiator, Violation::Policy));
    table.system(SystemAct::Violation(Responder, Violation::Schema));
    table.system(SystemAct::Violation(Initiator, Violation::Capability));
    let metrics = metrics(&[table]);
    assert_eq!(metrics.violations, Violations { capability: 1, schema: 1, policy: 1, denied: 1 });
    assert_eq!(metrics.endings, BTreeMap::from([(End::CapabilityViolation, 1)]));
}

#[test]
fn a_timeout_after_trouble_is_told_by_the_trouble() {
    let mut failed = Table::asp();
    failed.agent(Initiator, AgentAct::Fail(text("no route")));
    let mut lapsed = Table::index(AgentKind::Personal, AgentKind::Personal);
    lapsed.agent(Initiator, AgentAct::Claim(agent_id("claude")));
    lapsed.later(Span::hours(20));
    while lapsed.n.outcome().is_none() {
        lapsed.wait();
    }
    let mut suspected = Table::asp();
    suspected.agent(Responder, doubt(EscalationReason::AdversarialDetected, None));
    let mut cleared = Table::asp();
    cleared.agent(Initiator, AgentAct::Fail(text("no route")));
    cleared.says(Initiator, propose());
    let metrics = metrics(&[failed.wait_out(), lapsed, suspected.wait_out(), cleared.wait_out()]);
    let once = [End::AgentError, End::ClaimLapsed, End::Adversarial, End::Timeout].map(|end| (end, 1));
    assert_eq!(metrics.endings, BTreeMap::from(once));
}

#[test]
fn a_no_to_what_a_policy_asked_is_a_denial_by_the_person_and_no_violation() {
    let mut table = Table::systems();
    table.rules(Hook::Start, Ruled::Escalate);
    table.person(PersonAct::Rule(Ruling { approved: false, remarks: text("no") }));
    let metrics = metrics(&[table]);
    assert_eq!((metrics.endings[&End::PolicyDenied], metrics.violations), (1, Violations::default()));
}

#[test]
fn samples_are_counted_and_named() {
    let parties = systems();
    let mut sample = opening(Rulebook::index(&parties), parties);
    sample.sample = true;
    let metrics = metrics(&[Table::open(sample).agreed().then(Decision::Approved), Table::rejected()]);
    assert_eq!((metrics.ended, metrics.samples), (2, 1));
}

#[test]
fn the_person_who_speaks_for_themselves_takes_turns_like_anybody() {
    let mut table = Table::systems();
    table.says(Initiator, propose());
    table.person(PersonAct::TakeOver);
    table.person(PersonAct::TakeTurn(turn(reject(RejectCode::Unsuitable), "not for me")));
    let metrics = metrics(&[table]);
    assert_eq!((metrics.turns.sum, metrics.endings[&End::Rejected]), (2, 1));
}

fn capped() -> Table {
    let mut table = Table::systems();
    table.says(Initiator, propose());
    for side in [Responder, Initiator, Responder, Initiator, Responder] {
        table.says(side, counter());
    }
    table
}

fn systems() -> countersign_kernel::Parties {
    parties(AgentKind::System, AgentKind::System)
}
