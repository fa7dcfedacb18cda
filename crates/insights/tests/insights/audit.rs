//! The audit trail.

use Side::{Initiator, Responder};
use countersign_insights::{AuditEvent, AuditKind, AuditOutcome, AuditRole, SoFar, audit};
use countersign_kernel::{
    Action, AgentAct, AgentKind, Authority, Decision, Delegation, Hook, Move, PersonAct, RejectCode, Ruled, Ruling,
    Side, Span, SystemAct, Timestamp, Violation,
};

use crate::kit::{NOON, Table, agent_id, counter, id, propose, reject, text, turn};

#[test]
fn an_agreement_is_initiated_talked_over_resolved_and_approved() {
    let trail = trail(&Table::summit().agreed().then(Decision::Approved));
    let kinds = [AuditKind::Initiated, AuditKind::Turn, AuditKind::Turn, AuditKind::Resolved, AuditKind::Approved];
    assert_eq!(kinds_of(&trail), kinds);
    let turns: Vec<_> = trail.iter().map(|one| (one.turn, one.role.unwrap())).collect();
    let proposer = AuditRole::Proposer;
    let expected =
        [(0, proposer), (1, proposer), (2, AuditRole::Challenger), (2, AuditRole::System), (2, AuditRole::Human)];
    assert_eq!(turns, expected);
    assert_eq!((trail[3].outcome, trail[4].outcome), (Some(AuditOutcome::Agreement), Some(AuditOutcome::Approved)));
    assert_eq!(trail[2].action, Some(Action::Accept));
}

#[test]
fn it_is_written_as_the_protocol_names_it() {
    let mut table = Table::summit();
    table.later(Span(61));
    table.now = Timestamp(NOON.0 + 61);
    table.says(Initiator, propose());
    let json = serde_json::to_value(trail(&table)).unwrap();
    let expected = serde_json::json!([
        {"eventType": "negotiation_initiated", "negotiationId": "n-0", "turn": 0, "agentId": "system",
         "role": "proposer", "timestamp": "2023-11-15T12:00:00.000Z"},
        {"eventType": "negotiation_turn", "negotiationId": "n-0", "turn": 1, "agentId": "system",
         "role": "proposer", "action": "propose", "timestamp": "2023-11-15T12:00:00.061Z"},
    ]);
    assert_eq!(json, expected);
}

#[test]
fn moments_are_written_in_utc_leap_years_and_all() {
    let moments = [
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
    ];
    for (at, written) in moments {
        let mut event = Table::summit().events.remove(0);
        event.at = Timestamp(at);
        let entry = audit(&id(0), &event, &mut SoFar::default()).unwrap();
        assert_eq!(serde_json::to_value(entry).unwrap()["timestamp"], written);
    }
}

#[test]
fn each_end_has_its_kind_and_outcome() {
    let mut rejected = Table::systems();
    rejected.says(Initiator, propose());
    rejected.says(Responder, reject(RejectCode::Unsuitable));
    let mut withdrawn = Table::systems();
    withdrawn.person(PersonAct::Withdraw(text("no")));
    let mut capability = Table::asp();
    capability.system(SystemAct::Violation(Responder, Violation::Capability));
    let ends = [
        (rejected, AuditKind::Resolved, AuditOutcome::Disagreement, AuditRole::Challenger),
        (withdrawn, AuditKind::Aborted, AuditOutcome::Aborted, AuditRole::Human),
        (capability, AuditKind::Aborted, AuditOutcome::Aborted, AuditRole::Challenger),
        (Table::systems().wait_out(), AuditKind::Resolved, AuditOutcome::Timeout, AuditRole::System),
        (Table::summit().wait_out(), AuditKind::Aborted, AuditOutcome::Timeout, AuditRole::System),
        (Table::systems().agreed().wait_out(), AuditKind::Resolved, AuditOutcome::Expired, AuditRole::System),
    ];
    for (table, kind, outcome, role) in ends {
        let last = trail(&table).pop().unwrap();
        assert_eq!((last.event_type, last.outcome, last.role), (kind, Some(outcome), Some(role)), "{last:?}");
    }
}

#[test]
fn each_decision_is_told_with_who_made_it() {
    let mut table = Table::summit();
    table.says(Initiator, propose());
    table.says(Responder, Move::Accept);
    for decision in [Decision::Rejected, Decision::Conditional(vec![text("if")])] {
        let mut decided = Table { n: table.n.clone(), events: table.events.clone(), now: table.now };
        decided.decides(decision.clone());
        let last = trail(&decided).pop().unwrap();
        let outcome = if decision == Decision::Rejected { AuditOutcome::Rejected } else { AuditOutcome::Conditional };
        assert_eq!((last.event_type, last.outcome), (AuditKind::Approved, Some(outcome)));
    }
    let mut named = crate::kit::opening(
        countersign_kernel::Rulebook::asp(Span::minutes(30)),
        crate::kit::parties(AgentKind::System, AgentKind::System),
    );
    named.frame.approvers = vec![text("legal")];
    let mut named = Table::open(named).agreed();
    let digest = named.n.digest();
    named.system(SystemAct::Decide { approver: text("legal"), decision: Decision::Approved, digest });
    let last = trail(&named).pop().unwrap();
    assert_eq!((last.role, last.agent_id.as_deref()), (Some(AuditRole::PolicyEngine), Some("legal")));
}

#[test]
fn a_verdict_is_told_with_what_followed_it() {
    let mut table = Table::summit();
    table.rules(Hook::Turn, Ruled::Warn);
    table.says(Initiator, propose());
    table.says(Responder, counter());
    table.rules(Hook::Turn, Ruled::Deny);
    table.rules(Hook::Resolution, Ruled::Deny);
    let trail = trail(&table);
    let verdicts: Vec<_> = trail.iter().map(|one| (one.event_type, one.policy_verdict)).collect();
    let expected = [
        (AuditKind::Initiated, None),
        (AuditKind::Turn, Some(Ruled::Warn)),
        (AuditKind::Turn, None),
        (AuditKind::Violation, Some(Ruled::Deny)),
        (AuditKind::Aborted, Some(Ruled::Deny)),
    ];
    assert_eq!(verdicts, expected);
    assert_eq!((trail[3].violation_type, trail[3].role), (Some(Violation::Policy), Some(AuditRole::Proposer)));
    assert_eq!(trail[4].role, Some(AuditRole::PolicyEngine));
}

#[test]
fn what_a_policy_left_to_the_person_they_stopped() {
    let mut table = Table::summit();
    table.rules(Hook::Start, Ruled::Escalate);
    table.person(PersonAct::Rule(Ruling { approved: false, remarks: text("no") }));
    let last = trail(&table).pop().unwrap();
    assert_eq!((last.event_type, last.role), (AuditKind::Aborted, Some(AuditRole::Human)));
    assert_eq!(last.policy_verdict, Some(Ruled::Escalate));
}

#[test]
fn who_really_spoke_is_named() {
    let mut table = Table::index(AgentKind::Remote, AgentKind::Personal);
    table.says(Initiator, propose());
    table.agent(Responder, AgentAct::Claim(agent_id("claude")));
    table.agent(Responder, AgentAct::Respond(agent_id("claude"), turn(counter(), "one")));
    table.says(Initiator, counter());
    table.agent(Responder, AgentAct::Claim(agent_id("claude")));
    table.agent(Responder, AgentAct::Release(agent_id("claude")));
    table.wait();
    table.agent(Responder, AgentAct::TakeTurn(turn(counter(), "two")));
    let scope = text("weekends");
    table.agent(Initiator, AgentAct::Delegate(Delegation { to: agent_id("ada-2"), scope, authority: Authority::Full }));
    table.agent(Initiator, AgentAct::TakeTurnFor(agent_id("ada-2"), turn(counter(), "three")));
    table.person(PersonAct::TakeOver);
    table.person(PersonAct::TakeTurn(turn(Move::Accept, "mine")));
    let spoke: Vec<_> = trail(&table)
        .into_iter()
        .filter(|one| one.event_type == AuditKind::Turn)
        .map(|one| (one.agent_id.unwrap_or_default(), one.role.unwrap()))
        .collect();
    let expected = [
        ("remote", AuditRole::Proposer),
        ("claude", AuditRole::Challenger),
        ("remote", AuditRole::Proposer),
        ("fallback", AuditRole::Challenger),
        ("ada-2", AuditRole::Proposer),
        ("", AuditRole::Human),
    ];
    assert_eq!(spoke, expected.map(|(agent, role)| (agent.to_owned(), role)));
}

#[test]
fn what_is_void_after_it_was_accepted_is_in_the_trail_with_its_turn() {
    let mut table = Table::summit().agreed().then(Decision::Approved);
    table.rules(Hook::Execution, Ruled::Deny);
    let last = trail(&table).pop().unwrap();
    assert_eq!((last.event_type, last.outcome, last.turn), (AuditKind::Aborted, Some(AuditOutcome::Voided), 2));
}

#[test]
fn nobodys_name_and_nothing_that_was_said_is_in_the_trail() {
    let mut table = Table::systems();
    table.tells(Initiator, propose(), "call me at home");
    table.person(PersonAct::Withdraw(text("a private matter")));
    let json = serde_json::to_string(&trail(&table)).unwrap();
    assert!(!["Ada", "Bo", "home", "private", "mentor"].iter().any(|word| json.contains(word)), "{json}");
}

fn trail(table: &Table) -> Vec<AuditEvent> {
    let mut so_far = SoFar::default();
    table.events.iter().filter_map(|event| audit(&id(0), event, &mut so_far)).collect()
}

fn kinds_of(trail: &[AuditEvent]) -> Vec<AuditKind> {
    trail.iter().map(|one| one.event_type).collect()
}
