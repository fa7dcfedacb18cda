//! How far the person followed their agent, and who let things lapse.

use std::collections::BTreeMap;

use Side::{Initiator, Responder};
use countersign_insights::{Answered, Rate, Recommended, Silent};
use countersign_kernel::{
    AgentAct, AgentKind, Decision, EscalationReason, Frame, Move, PersonAct, Rulebook, Ruling, Side, Span,
};

use crate::kit::{Table, agent_id, doubt, opening, parties, propose, text, turn, week};

#[test]
fn what_the_agent_recommended_is_told_with_what_the_person_said() {
    let mut guided = Table::systems().agreed();
    guided.person(PersonAct::Guide(text("ask for Fridays")));
    let tables = [
        Table::systems().agreed().then(Decision::Approved),
        Table::systems().agreed().then(Decision::Approved),
        Table::systems().agreed().then(Decision::Rejected),
        Table::systems().agreed().then(Decision::Conditional(vec![text("on Fridays")])),
        guided,
        Table::systems().agreed().wait_out(),
        Table::systems().agreed(),
    ];
    let week = week(&tables);
    assert_eq!(week.recommended, Recommended { accepted: 2, declined: 1, sent_back: 2, lapsed: 1 });
    let line = "Your agent recommended 6 matches; you accepted 2, declined 1, sent 2 back and let 1 lapse.";
    assert_eq!(week.lines()[1], line);
    assert_eq!(week.overrides, Rate { count: 1, of: 3 }, "what is sent back is neither");
}

#[test]
fn a_governed_approval_under_conditions_is_an_approval() {
    let week = week(&[Table::summit().agreed().then(Decision::Conditional(vec![text("if it fits")]))]);
    assert_eq!(week.recommended, Recommended { accepted: 1, ..Recommended::default() });
}

#[test]
fn what_the_person_or_the_evaluator_brought_about_no_agent_recommended() {
    let mut own = Table::systems();
    own.says(Initiator, propose());
    own.person(PersonAct::TakeOver);
    own.person(PersonAct::TakeTurn(turn(Move::Accept, "mine")));
    let parties = parties(AgentKind::System, AgentKind::System);
    let mut direct = opening(Rulebook::index(&parties), parties);
    direct.frame = Frame { direct: true, ..Frame::default() };
    let week = week(&[own.then(Decision::Rejected), Table::open(direct).then(Decision::Rejected)]);
    assert_eq!(week.recommended, Recommended::default());
    assert_eq!(week.overrides, Rate { count: 1, of: 1 }, "only that they took over");
    assert_eq!(week.ended, 2);
}

#[test]
fn an_answer_against_the_suggestion_is_an_override() {
    let ask = |suggested, approved| {
        let mut table = Table::asp();
        table.agent(Responder, doubt(EscalationReason::AuthorityLimit, suggested));
        table.person(PersonAct::Rule(Ruling { approved, remarks: text("because") }));
        table
    };
    let tables = [ask(Some("go to 5,000"), true), ask(Some("go to 5,000"), false), ask(None, false)];
    let week = week(&tables);
    assert_eq!(
        week.answered,
        Answered { as_suggested: 1, otherwise: 1 },
        "without a suggestion there is none to follow"
    );
    assert_eq!(week.overrides, Rate { count: 1, of: 2 });
}

#[test]
fn taking_over_is_an_override_each_time() {
    let mut table = Table::asp();
    for _ in 0..2 {
        table.person(PersonAct::TakeOver);
        table.person(PersonAct::HandBack);
    }
    let week = week(&[table]);
    assert_eq!((week.taken_over, week.overrides), (2, Rate { count: 2, of: 2 }));
    let lines = week.lines();
    assert_eq!(lines[1], "You went against your agent in 2 of 2 cases: you took over twice.");
}

#[test]
fn silence_is_told_by_who_was_silent() {
    let mut theirs = Table::systems();
    theirs.later(Span::hours(1));
    let mut ours = Table::asp();
    ours.says(Initiator, propose());
    let mut own = Table::asp();
    own.says(Initiator, propose());
    own.person(PersonAct::TakeOver);
    let mut asked = Table::asp();
    asked.agent(Responder, doubt(EscalationReason::ConfidenceLow, None));
    let mut they_ask = Table::asp();
    they_ask.agent(Initiator, doubt(EscalationReason::ConfidenceLow, None));
    let mut named = opening(Rulebook::asp(Span::minutes(30)), parties(AgentKind::System, AgentKind::System));
    named.frame.approvers = vec![text("legal")];
    let named = Table::open(named).agreed().then(Decision::Approved);
    let pending = Table::systems().agreed();
    let all = [theirs, ours, own, asked, they_ask, named, pending].map(Table::wait_out);
    let silent = week(&all).silent;
    let expected = [(Silent::You, 3), (Silent::YourAgent, 1), (Silent::Theirs, 2), (Silent::Approver, 1)];
    assert_eq!(silent, BTreeMap::from(expected));
}

#[test]
fn after_it_was_sent_back_our_side_is_silent() {
    let mut table = Table::systems().agreed();
    table.person(PersonAct::Guide(text("more")));
    assert_eq!(week(&[table.wait_out()]).silent, BTreeMap::from([(Silent::YourAgent, 1)]));
}

#[test]
fn a_claim_that_lapses_until_the_time_runs_out_is_silence() {
    let mut table = Table::index(AgentKind::Remote, AgentKind::Personal);
    table.says(Initiator, propose());
    table.later(Span::hours(17));
    table.agent(Responder, AgentAct::Claim(agent_id("claude")));
    while table.n.outcome().is_none() {
        table.wait();
    }
    assert_eq!(week(&[table]).silent, BTreeMap::from([(Silent::YourAgent, 1)]));
}

#[test]
fn a_stated_end_is_no_silence() {
    let mut failed = Table::asp();
    failed.agent(Initiator, AgentAct::Fail(text("no route")));
    let mut withdrawn = Table::systems();
    withdrawn.person(PersonAct::Withdraw(text("no")));
    assert!(week(&[Table::rejected(), withdrawn, failed.wait_out()]).silent.is_empty());
}
