//! What only the person can do, and what nobody can do for them.

use countersign_kernel::{
    AgentAct, AgentKind, Ask, Awaiting, Command, Decision, Digest, Ending, Escalation, EscalationReason, Fact, Hook,
    Move, PersonAct, Refusal, Role, Rulebook, Ruled, Ruling, Setting, Side, Span, Speaker, Status, SuggestedRoles,
    SystemAct, TaskState, TextError, Timer, Urgency, Verdict,
};

use crate::kit::{
    Table, agent_id, counter, counter_terms, opening, parties, propose, propose_terms, text, turn, whole,
};
use Side::{Initiator, Responder};

#[test]
fn a_decision_is_bound_to_exactly_what_was_shown() {
    let mut table = agreed();
    let shown = table.n.digest();
    // The person looks away; what they saw is changed by their own agent's next round.
    table.person(PersonAct::Guide(text("ask for weekends too"))).unwrap();
    table.says(Responder, counter()).unwrap();
    table.says(Initiator, Move::Accept).unwrap();
    for decision in [Decision::Approved, Decision::Rejected, Decision::Conditional(vec![text("if")])] {
        let stale = PersonAct::Decide { decision, digest: shown.clone(), remarks: None };
        let current = table.n.digest();
        assert_eq!(table.person(stale), Err(Refusal::Changed { current }));
    }
    table.decides(Decision::Approved).unwrap();
    assert_eq!(table.n.status(), Status::Accepted);
}

#[test]
fn nobody_else_decides_for_the_person() {
    let mut table = agreed();
    let digest = table.n.digest();
    for name in ["person", "human", "Bo"] {
        let posing = SystemAct::Decide { approver: text(name), decision: Decision::Approved, digest: digest.clone() };
        assert_eq!(table.system(posing), Err(Refusal::NotAsked));
    }
    for side in Side::BOTH {
        assert!(table.says(side, Move::Accept).is_err());
    }
    assert_eq!(table.n.status(), Status::Pending);
}

#[test]
fn remarks_are_kept_with_the_decision() {
    let mut table = agreed();
    let (digest, remarks) = (table.n.digest(), Some(text("gladly")));
    table.person(PersonAct::Decide { decision: Decision::Approved, digest, remarks: remarks.clone() }).unwrap();
    assert_eq!(table.n.approvals()[0].remarks, remarks);
}

#[test]
fn conditions_go_to_the_other_side_as_the_persons_own_turn() {
    let mut table = Table::under(Rulebook::asp(Span::minutes(30)));
    table.says(Initiator, propose_terms(&[("price", whole(10))])).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    let conditions = vec![text("delivered by Friday"), text("in blue")];
    table.decides(Decision::Conditional(conditions)).unwrap();
    let last = table.n.turns().last().unwrap();
    assert_eq!((last.side, &last.speaker), (Responder, &Speaker::Person));
    assert_eq!(last.turn.message, Some(text("delivered by Friday\nin blue")));
    assert_eq!(table.n.status(), Status::Negotiating, "not accepted until they agree and the person sees that");
    assert_eq!(table.n.awaiting(), Awaiting::Agent(Initiator));
    table.says(Initiator, Move::Accept).unwrap();
    assert_eq!(table.n.outcome().unwrap().terms, crate::kit::terms(&[("price", whole(10))]), "the terms stand");
    table.decides(Decision::Approved).unwrap();
    assert_eq!(table.n.status(), Status::Accepted);
}

#[test]
fn a_turn_with_conditions_keeps_the_roles_of_the_persons_own_side() {
    let mut table = Table::index(AgentKind::System, AgentKind::System);
    let say = |act, own, other| {
        let mut turn = turn(act, "because");
        turn.assessment.suggested_roles = Some(SuggestedRoles { own, other });
        AgentAct::TakeTurn(turn)
    };
    table.agent(Initiator, say(propose(), Role::Patient, Role::Agent)).unwrap();
    table.agent(Responder, say(Move::Accept, Role::Agent, Role::Peer)).unwrap();
    table.decides(Decision::Conditional(vec![text("on Fridays")])).unwrap();
    let roles = table.n.turns().last().unwrap().turn.assessment.suggested_roles.unwrap();
    assert_eq!((roles.own, roles.other), (Role::Agent, Role::Peer));
}

#[test]
fn everybody_who_was_named_has_to_approve_and_conditions_of_others_do_not_reopen_it() {
    let parties = parties(AgentKind::System, AgentKind::System);
    let mut opening = opening(Rulebook::asp(Span::minutes(30)), parties);
    opening.frame.approvers = vec![text("legal"), text("finance")];
    let mut table = Table::open(opening);
    table.says(Initiator, propose()).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    let digest = table.n.digest();
    let by = |name: &str, decision| SystemAct::Decide { approver: text(name), decision, digest: digest.clone() };
    table.system(by("legal", Decision::Conditional(vec![text("in writing")]))).unwrap();
    assert_eq!((table.n.status(), table.n.awaiting()), (Status::Pending, Awaiting::Person(Ask::Approval)));
    table.decides(Decision::Approved).unwrap();
    assert_eq!((table.n.status(), table.n.awaiting()), (Status::Pending, Awaiting::Others));
    table.system(by("finance", Decision::Approved)).unwrap();
    assert_eq!(table.n.status(), Status::Accepted);
}

#[test]
fn conditions_need_words_and_turns_that_are_left() {
    let mut table = agreed();
    assert_eq!(table.decides(Decision::Conditional(vec![])), Err(Refusal::Text(TextError::Blank)));
    let rulebook = Rulebook::asp(Span::minutes(30)).with(Setting::Turns, 3).unwrap();
    let mut short = Table::under(rulebook);
    short.says(Initiator, propose()).unwrap();
    short.says(Responder, Move::Accept).unwrap();
    let refused = Err(Refusal::Limit { what: "turns", limit: 3 });
    assert_eq!(short.decides(Decision::Conditional(vec![text("if")])), refused);
    assert_eq!(short.person(PersonAct::Guide(text("more"))), refused);
    short.decides(Decision::Approved).unwrap();
}

#[test]
fn guidance_sends_it_back_and_stays_with_the_agent() {
    let mut table = agreed();
    table.later(Span::hours(20));
    table.person(PersonAct::Guide(text("ask for weekends too"))).unwrap();
    assert_eq!(table.n.guidance(), [text("ask for weekends too")]);
    assert_eq!(table.n.awaiting(), Awaiting::Agent(Responder));
    table.says(Responder, counter()).unwrap();
    table.person(PersonAct::Guide(text("and be brief"))).unwrap();
    assert_eq!(table.n.guidance().len(), 2);
    assert_eq!(table.n.awaiting(), Awaiting::Agent(Initiator), "guidance on the way changes nobody's turn");
    table.says(Initiator, Move::Accept).unwrap();
    table.decides(Decision::Approved).unwrap();
    assert!(table.person(PersonAct::Guide(text("too late"))).is_err());
}

#[test]
fn the_time_a_person_takes_is_not_the_agents() {
    let mut table = Table::under(Rulebook::asp(Span::minutes(30)));
    table.later(Span::minutes(10));
    table.says(Initiator, propose_terms(&[("price", whole(1))])).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    table.later(Span::hours(5));
    table.person(PersonAct::Guide(text("lower"))).unwrap();
    assert_eq!(table.next(), Some((Timer::Total, Span::minutes(20))));
    table.later(Span::minutes(5));
    table.person(PersonAct::Hold).unwrap();
    table.later(Span::hours(1));
    table.person(PersonAct::Resume).unwrap();
    assert_eq!(table.next(), Some((Timer::Total, Span::minutes(15))));
}

#[test]
fn waiting_for_a_person_has_an_end_too() {
    let mut table = Table::under(Rulebook::asp(Span::minutes(30)));
    table.person(PersonAct::Hold).unwrap();
    assert_eq!(table.next(), Some((Timer::Pause, Span::days(7))));
    table.later(Span::days(6));
    table.person(PersonAct::Resume).unwrap();
    table.person(PersonAct::Hold).unwrap();
    assert_eq!(table.next(), Some((Timer::Pause, Span::days(1))), "in all of its pauses together");
    table.person(PersonAct::Resume).unwrap();
    table.agent(Responder, AgentAct::Escalate(doubt(Urgency::Low))).unwrap();
    assert_eq!(table.next(), Some((Timer::Reminder, Span::hours(18))));
    table.wait();
    assert_eq!(table.next(), Some((Timer::Escalation, Span::hours(6))));
    table.wait();
    assert_eq!(table.wait(), Timer::Pause);
    assert_eq!(table.n.status(), Status::Stalled);
}

#[test]
fn after_a_week_of_waiting_it_can_only_be_decided() {
    let mut table = agreed();
    for _ in 0..7 {
        table.person(PersonAct::Extend(Span::hours(24))).unwrap();
        table.later(Span::hours(24));
    }
    assert_eq!(table.person(PersonAct::Guide(text("again"))), Err(Refusal::TooLong));
    assert_eq!(table.decides(Decision::Conditional(vec![text("if")])), Err(Refusal::TooLong));
    table.decides(Decision::Rejected).unwrap();
    assert_eq!(table.n.ending(), Some(Ending::Declined));
}

#[test]
fn the_person_takes_over_and_hands_back() {
    let mut table = Table::index(AgentKind::System, AgentKind::Personal);
    table.says(Initiator, propose()).unwrap();
    assert!(table.person(PersonAct::TakeTurn(turn(counter(), "mine"))).is_err(), "take over first");
    assert!(table.person(PersonAct::HandBack).is_err());
    table.agent(Responder, AgentAct::Claim(agent_id("claude"))).unwrap();
    table.person(PersonAct::TakeOver).unwrap();
    assert!(table.person(PersonAct::TakeOver).is_err());
    assert_eq!(table.n.awaiting(), Awaiting::Person(Ask::Turn));
    for act in [
        AgentAct::Respond(agent_id("claude"), turn(Move::Accept, "late")),
        AgentAct::Claim(agent_id("claude")),
        AgentAct::TakeTurn(turn(Move::Accept, "late")),
        AgentAct::Release(agent_id("claude")),
    ] {
        assert_eq!(table.agent(Responder, act), Err(Refusal::TakenOver));
    }
    assert_eq!(table.next(), Some((Timer::FirstResponse, Span::hours(24))), "a claim does not lapse meanwhile");
    table.person(PersonAct::TakeTurn(turn(counter(), "mine"))).unwrap();
    assert_eq!(table.n.turns().last().unwrap().speaker, Speaker::Person);
    table.says(Initiator, counter()).unwrap();
    assert_eq!(table.n.awaiting(), Awaiting::Person(Ask::Turn), "until handed back");
    table.person(PersonAct::HandBack).unwrap();
    assert_eq!(table.n.awaiting(), Awaiting::Pickup(Responder));
}

#[test]
fn the_other_side_is_not_taken_over() {
    let mut table = Table::under(Rulebook::asp(Span::minutes(30)));
    table.person(PersonAct::TakeOver).unwrap();
    let stolen = table.person(PersonAct::TakeTurn(turn(propose(), "theirs")));
    assert_eq!(stolen, Err(Refusal::NotYourTurn { side: Responder }));
    table.says(Initiator, propose()).unwrap();
}

#[test]
fn a_hold_stops_everything_until_it_is_lifted() {
    let mut table = Table::index(AgentKind::System, AgentKind::Personal);
    table.says(Initiator, propose()).unwrap();
    table.agent(Responder, AgentAct::Claim(agent_id("claude"))).unwrap();
    table.later(Span::hours(1));
    table.person(PersonAct::Hold).unwrap();
    assert_eq!((table.n.awaiting(), table.n.task_state()), (Awaiting::Person(Ask::Hold), TaskState::InputRequired));
    assert!(table.person(PersonAct::Hold).is_err());
    let answer = AgentAct::Respond(agent_id("claude"), turn(Move::Accept, "yes"));
    assert_eq!(table.agent(Responder, answer.clone()), Err(Refusal::NotTalking { status: Status::Negotiating }));
    let ruling = Ruling { approved: true, remarks: text("yes") };
    assert!(table.person(PersonAct::Rule(ruling)).is_err(), "nothing was asked");
    table.later(Span::days(2));
    table.person(PersonAct::Resume).unwrap();
    assert!(table.person(PersonAct::Resume).is_err());
    assert_eq!(table.next(), Some((Timer::Claim, Span::hours(5))), "as it was");
    table.agent(Responder, answer).unwrap();
}

#[test]
fn an_unclaimed_turn_waits_as_long_after_a_hold() {
    let mut table = Table::index(AgentKind::System, AgentKind::Personal);
    table.says(Initiator, propose()).unwrap();
    table.later(Span::hours(4));
    table.person(PersonAct::Hold).unwrap();
    table.later(Span::hours(30));
    table.person(PersonAct::Resume).unwrap();
    assert_eq!(table.next(), Some((Timer::Park, Span::hours(20))));
}

#[test]
fn it_can_be_taken_back_until_something_is_agreed() {
    let mut table = Table::index(AgentKind::System, AgentKind::System);
    table.person(PersonAct::Withdraw(text("changed my mind"))).unwrap();
    assert_eq!((table.n.status(), table.n.task_state()), (Status::Aborted, TaskState::Canceled));
    assert_eq!(table.n.outcome().unwrap().reasoning, text("changed my mind"));
    let mut late = agreed();
    assert!(late.person(PersonAct::Withdraw(text("no"))).is_err(), "then it is declined");
}

#[test]
fn an_answer_stands_in_the_transcript_as_the_persons() {
    let mut table = Table::under(Rulebook::asp(Span::minutes(30)));
    table.says(Initiator, propose()).unwrap();
    table.agent(Responder, AgentAct::Escalate(doubt(Urgency::High))).unwrap();
    let ruling = Ruling { approved: false, remarks: text("not above 5,000") };
    table.person(PersonAct::Rule(ruling.clone())).unwrap();
    assert_eq!(table.events.last().unwrap().fact, Fact::Ruled(ruling));
    assert_eq!(table.n.status(), Status::Negotiating, "a no lets the agent go on without it");
    table.says(Responder, counter_terms(&[("price", whole(5000))])).unwrap();
}

#[test]
fn a_digest_is_not_made_up() {
    let mut table = agreed();
    let forged: Digest = serde_json::from_str(&format!("\"{}\"", "0".repeat(64))).unwrap();
    let act = PersonAct::Decide { decision: Decision::Approved, digest: forged, remarks: None };
    assert!(matches!(table.ask(Command::Person(act)), Err(Refusal::Changed { .. })));
}

fn agreed() -> Table {
    let mut table = Table::index(AgentKind::System, AgentKind::System);
    table.says(Initiator, propose()).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    table
}

fn doubt(urgency: Urgency) -> Escalation {
    Escalation {
        reason: EscalationReason::ConfidenceLow,
        urgency,
        context: text("not sure"),
        suggested_action: None,
        hook: None,
        draft: None,
    }
}

#[test]
fn a_yes_sends_what_the_agent_was_about_to_say_and_a_no_does_not() {
    for (approved, turns) in [(true, 2), (false, 1)] {
        let mut table = Table::index(AgentKind::System, AgentKind::System);
        table.says(Initiator, propose()).unwrap();
        let draft = turn(Move::Accept, "it is all they asked for");
        let escalation = Escalation { draft: Some(Box::new(draft.clone())), ..doubt(Urgency::High) };
        table.agent(Responder, AgentAct::Escalate(escalation)).unwrap();
        assert_eq!(table.n.turns().len(), 1, "nothing was said");
        table.person(PersonAct::Rule(Ruling { approved, remarks: text("my word") })).unwrap();
        assert_eq!(table.n.turns().len(), turns);
        if approved {
            assert_eq!((&table.n.turns()[1].turn, &table.n.turns()[1].speaker), (&draft, &Speaker::Agent));
            assert_eq!(table.n.status(), Status::Pending, "said, not decided");
        } else {
            assert_eq!(table.n.awaiting(), Awaiting::Agent(Responder), "the agent speaks anew");
        }
    }
}

#[test]
fn a_yes_to_what_can_no_longer_be_said_lets_it_go_on() {
    let mut table = Table::index(AgentKind::System, AgentKind::System);
    let asks = |draft| AgentAct::Escalate(Escalation { draft: Some(Box::new(draft)), ..doubt(Urgency::High) });
    let early = table.agent(Responder, asks(turn(Move::Accept, "too early")));
    assert_eq!(early, Err(Refusal::NotYourTurn { side: Responder }), "nobody asks about the other side's words");
    table.says(Initiator, propose()).unwrap();
    table.agent(Responder, asks(turn(propose(), "a second one"))).unwrap();
    table.person(PersonAct::Rule(Ruling { approved: true, remarks: text("go on") })).unwrap();
    assert_eq!((table.n.turns().len(), table.n.awaiting()), (1, Awaiting::Agent(Responder)));
}

#[test]
fn a_policy_can_hold_the_other_sides_words_until_the_person_has_seen_them() {
    let mut table = Table::index(AgentKind::System, AgentKind::System);
    table.says(Initiator, propose()).unwrap();
    table.says(Responder, counter()).unwrap();
    let theirs = turn(Move::Accept, "gladly");
    let verdict = Verdict { hook: Hook::Turn, ruled: Ruled::Escalate, because: text("they are in a hurry") };
    let asked = Escalation { draft: Some(Box::new(theirs.clone())), ..doubt(Urgency::High) };
    table.system(SystemAct::Verdict(verdict, Some(Box::new(asked)))).unwrap();
    assert_eq!((table.n.turns().len(), table.n.awaiting()), (2, Awaiting::Person(Ask::Escalation)));
    table.person(PersonAct::Rule(Ruling { approved: true, remarks: text("let them") })).unwrap();
    assert_eq!((table.n.turns()[2].side, &table.n.turns()[2].turn), (Initiator, &theirs));
}

#[test]
fn what_is_about_to_be_said_is_said_when_its_time_has_come() {
    let mut table = drafted(Span::seconds(30));
    assert_eq!(table.n.awaiting(), Awaiting::Person(Ask::Draft));
    assert_eq!(table.next(), Some((Timer::Hold, Span::seconds(30))));
    let again = AgentAct::TakeTurn(turn(Move::Accept, "at once"));
    assert!(table.agent(Responder, again).is_err(), "nobody speaks twice");
    assert_eq!(table.wait(), Timer::Hold);
    assert_eq!((table.n.turns().len(), table.n.status()), (2, Status::Pending));
}

#[test]
fn the_person_sends_at_once_what_is_about_to_be_said() {
    let mut table = drafted(Span::hours(2));
    table.person(PersonAct::Send).unwrap();
    assert_eq!(table.n.turns().len(), 2);
    assert!(table.person(PersonAct::Send).is_err());
}

#[test]
fn the_person_stops_what_is_about_to_be_said() {
    for stop in [PersonAct::Guide(text("ask first")), PersonAct::TakeOver] {
        let mut table = drafted(Span::seconds(30));
        table.person(stop.clone()).unwrap();
        table.later(Span::seconds(60));
        assert!(table.passes(Timer::Hold).is_err());
        assert_eq!(table.n.turns().len(), 1, "{stop:?}");
        assert_eq!(table.n.draft(), None);
    }
    let mut table = drafted(Span::seconds(30));
    table.agent(Responder, AgentAct::Retract).unwrap();
    assert_eq!(table.n.awaiting(), Awaiting::Agent(Responder));
}

#[test]
fn while_the_person_holds_it_nothing_is_said() {
    let mut table = drafted(Span::seconds(30));
    table.person(PersonAct::Hold).unwrap();
    table.later(Span::hours(1));
    assert!(table.passes(Timer::Hold).is_err());
    table.person(PersonAct::Resume).unwrap();
    assert_eq!(table.next(), Some((Timer::Hold, Span::seconds(30))));
}

#[test]
fn holding_back_never_outlasts_the_protocols_time() {
    let mut table = Table::under(Rulebook::lcp());
    table.says(Initiator, crate::kit::propose_terms(&[("price", crate::kit::usdc("5"))])).unwrap();
    let due = table.n.next_deadline().unwrap().at;
    let act = AgentAct::Draft(None, turn(Move::Accept, "fine"), Span::hours(1));
    table.agent(Responder, act).unwrap();
    assert_eq!(table.n.draft().unwrap().1, due);
    assert_eq!(table.wait(), Timer::Hold);
    assert_eq!(table.n.turns().len(), 2);
}

#[test]
fn what_was_approved_beforehand_counts_as_the_persons_word_and_says_so() {
    let mut table = agreed();
    let digest = table.n.digest();
    let name = text("small purchases");
    let other =
        SystemAct::PreApprove { name: name.clone(), digest: crate::kit::Table::under(Rulebook::lcp()).n.digest() };
    assert!(matches!(table.system(other), Err(Refusal::Changed { .. })));
    table.system(SystemAct::PreApprove { name: name.clone(), digest }).unwrap();
    assert_eq!(table.n.status(), Status::Accepted);
    assert_eq!(table.n.approvals()[0].beforehand, Some(name));
}

#[test]
fn a_negotiation_keeps_its_mandate_until_the_person_moves_it() {
    let mut table = agreed();
    assert_eq!(table.n.mandate(), 0);
    table.person(PersonAct::Mandate(3)).unwrap();
    assert_eq!(table.n.mandate(), 3);
    table.decides(Decision::Approved).unwrap();
    assert!(table.person(PersonAct::Mandate(4)).is_err());
}

fn drafted(hold: Span) -> Table {
    let mut table = Table::index(AgentKind::System, AgentKind::System);
    table.says(Initiator, propose()).unwrap();
    table.agent(Responder, AgentAct::Draft(None, turn(Move::Accept, "it fits"), hold)).unwrap();
    table
}
