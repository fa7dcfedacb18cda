//! ASP's six patterns, each as its own test, and what surrounds them.
use std::sync::Arc;

use crate::kit::{Table, agent_id, counter_terms, name, propose_terms, reject, terms, text, turn, value, whole};
use countersign_kernel::{
    Action, AgentAct, Answer, Ask, Authority, Awaiting, Decision, Delegation, Escalation, EscalationReason, Fact, Move,
    Offer, PersonAct, PromiseState, Question, Refusal, RejectCode, Report, Resolution, Rulebook, Ruling, Setting, Side,
    Span, Speaker, Status, Stop, TaskState, Timer, Urgency,
};

use Side::{Initiator, Responder};

#[test]
fn simple_accept() {
    let mut table = session();
    table.says(Initiator, pipeline()).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    assert_eq!(table.n.turns().len(), 2);
    assert_eq!(table.n.status(), Status::Pending);
    let agreed = &table.n.outcome().unwrap().terms;
    assert_eq!(agreed.get(&name("price_per_month")), Some(&whole(250)));
}

#[test]
fn counter_loop_with_a_final_offer() {
    let mut table = session();
    table.says(Initiator, image(100, 200)).unwrap();
    table.says(Responder, counter_terms(&[("concurrency", whole(100)), ("max_latency_ms", whole(500))])).unwrap();
    let last = Offer { terms: terms(&[("max_latency_ms", whole(400))]), is_final: true, ..Offer::default() };
    table.says(Initiator, Move::Counter(Arc::new(last))).unwrap();
    let allowed: Vec<Action> = table.n.allowed().iter().collect();
    assert_eq!(allowed, [Action::Accept, Action::Reject, Action::Question], "a final offer is not countered");
    table.says(Responder, Move::Accept).unwrap();
    assert_eq!(table.n.outcome().unwrap().terms.get(&name("max_latency_ms")), Some(&whole(400)));
}

#[test]
fn the_round_limit_is_the_persons_and_ends_the_loop() {
    let rulebook = Rulebook::asp(Span::minutes(30)).with(Setting::Turns, 4).unwrap();
    let mut table = Table::under(rulebook);
    table.says(Initiator, image(1, 1)).unwrap();
    for (side, count) in [(Responder, 2), (Initiator, 3), (Responder, 4)] {
        table.says(side, counter_terms(&[("concurrency", whole(count))])).unwrap();
    }
    assert_eq!(table.n.outcome().unwrap().result, Resolution::Stalled(Stop::TurnCap));
}

#[test]
fn the_persons_limits_for_a_session_have_limits_themselves() {
    let asp = || Rulebook::asp(Span::minutes(30));
    assert_eq!(asp().with(Setting::Total, Span::hours(2).0).unwrap().timers.total, Some(Span::hours(2)));
    assert!(asp().with(Setting::Total, Span::days(8).0).is_err());
    assert!(asp().with(Setting::Turns, 1).is_err() && asp().with(Setting::Turns, 1001).is_err());
    assert!(asp().with(Setting::Counters, 3).is_err(), "it has no such limit");
}

#[test]
fn rejection_with_retry() {
    let mut table = session();
    table.says(Initiator, propose_terms(&[("update_frequency_ms", whole(100))])).unwrap();
    table.says(Responder, reject(RejectCode::CapacityUnavailable, true)).unwrap();
    assert_eq!(table.n.status(), Status::Negotiating);
    table.says(Initiator, propose_terms(&[("update_frequency_ms", whole(500))])).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    assert_eq!(table.n.status(), Status::Pending);
}

#[test]
fn what_was_rejected_is_no_longer_on_the_table() {
    let mut table = session();
    table.says(Initiator, pipeline()).unwrap();
    table.says(Responder, reject(RejectCode::BudgetExceeded, true)).unwrap();
    assert_eq!(table.n.on_the_table(Initiator), None);
}

#[test]
fn each_of_the_nine_codes_says_whether_it_may_be_retried() {
    let table = [
        (RejectCode::InsufficientTrustScore, false),
        (RejectCode::Unauthorized, false),
        (RejectCode::SchemaUnsupported, false),
        (RejectCode::BudgetExceeded, true),
        (RejectCode::CapacityUnavailable, true),
        (RejectCode::PolicyViolation, false),
        (RejectCode::Timeout, true),
        (RejectCode::Duplicate, false),
        (RejectCode::EscalationRequired, true),
    ];
    for (code, retryable) in table {
        let mut session = session();
        session.says(Initiator, pipeline()).unwrap();
        // The sender claims that it may be retried; the code has the last word.
        session.says(Responder, reject(code, true)).unwrap();
        let goes_on = session.n.status() == Status::Negotiating;
        assert_eq!(goes_on, retryable, "{code:?}");
    }
}

#[test]
fn a_rejection_that_is_not_to_be_retried_ends_it() {
    let mut table = session();
    table.says(Initiator, pipeline()).unwrap();
    table.says(Responder, reject(RejectCode::BudgetExceeded, false)).unwrap();
    assert_eq!(table.n.status(), Status::Rejected);
}

#[test]
fn clarification_round() {
    let mut table = session();
    table.says(Initiator, propose_terms(&[("consistency_level", value(r#"{"choice":"strong"}"#))])).unwrap();
    let asked = Question {
        field: Some(name("terms.consistency_level")),
        question: text("linearizable or sequential?"),
        options: vec![text("linearizable"), text("sequential"), text("causal")],
    };
    table.says(Responder, Move::Question(vec![asked])).unwrap();
    let allowed: Vec<Action> = table.n.allowed().iter().collect();
    assert_eq!(allowed, [Action::Reject, Action::Answer], "the offer waits until it is answered");
    let answer = Answer { field: Some(name("terms.consistency_level")), answer: text("linearizable") };
    table.says(Initiator, Move::Answer(vec![answer])).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    assert_eq!(table.n.turns().len(), 4);
    assert_eq!(table.n.status(), Status::Pending);
}

#[test]
fn delegation_with_each_authority() {
    for (authority, accepts, asks) in
        [(Authority::Full, true, true), (Authority::Limited, false, true), (Authority::Advisory, false, false)]
    {
        let asked = || Move::Question(vec![Question { field: None, question: text("where?"), options: vec![] }]);
        let tries = |act: Move| {
            let mut table = session();
            table.says(Initiator, pipeline()).unwrap();
            let to = agent_id("compliance");
            let delegation = Delegation { to: to.clone(), scope: text("article 28"), authority };
            table.agent(Responder, AgentAct::Delegate(delegation)).unwrap();
            let spoke = table.agent(Responder, AgentAct::TakeTurnFor(to, turn(act, "checked")));
            (spoke, table)
        };
        let (accepted, table) = tries(Move::Accept);
        assert_eq!(accepted.is_ok(), accepts, "{authority:?}");
        if accepts {
            let last = table.n.turns().last().unwrap();
            assert_eq!((last.side, &last.speaker), (Responder, &Speaker::Delegate(agent_id("compliance"))));
        }
        assert_eq!(tries(asked()).0.is_ok(), asks, "{authority:?}");
    }
}

#[test]
fn a_delegate_speaks_for_the_side_that_sent_it_and_nobody_else_does() {
    let mut table = session();
    let delegation = Delegation { to: agent_id("buyer"), scope: text("all of it"), authority: Authority::Full };
    table.agent(Initiator, AgentAct::Delegate(delegation)).unwrap();
    let speak = |who: &str| AgentAct::TakeTurnFor(agent_id(who), turn(pipeline(), "delegated"));
    assert_eq!(table.agent(Initiator, speak("somebody")), Err(Refusal::NotDelegated));
    table.agent(Initiator, speak("buyer")).unwrap();
    let accept = AgentAct::TakeTurnFor(agent_id("buyer"), turn(Move::Accept, "for the other side"));
    assert_eq!(table.agent(Responder, accept), Err(Refusal::NotDelegated));
}

#[test]
fn a_delegate_reports_and_the_agent_goes_on() {
    let mut table = session();
    table.says(Initiator, pipeline()).unwrap();
    let to = agent_id("compliance");
    let delegation = Delegation { to: to.clone(), scope: text("article 28"), authority: Authority::Advisory };
    table.agent(Responder, AgentAct::Delegate(delegation.clone())).unwrap();
    let out = table.n.delegated().unwrap();
    assert_eq!((out.side, &out.delegation), (Responder, &delegation));
    assert!(matches!(table.agent(Responder, AgentAct::Delegate(delegation)), Err(Refusal::NotNow { .. })));
    let report = |from| Report { from, finding: text("compliant"), conditions: vec![text("in the EU")] };
    assert_eq!(table.agent(Responder, AgentAct::Report(report(agent_id("x")))), Err(Refusal::NotDelegated));
    table.agent(Responder, AgentAct::Report(report(to.clone()))).unwrap();
    assert_eq!(table.n.delegated(), None);
    let late = AgentAct::TakeTurnFor(to, turn(Move::Accept, "too late"));
    assert_eq!(table.agent(Responder, late), Err(Refusal::NotDelegated));
    table.says(Responder, Move::Accept).unwrap();
}

#[test]
fn escalation_pauses_everything_and_resumes_where_it_stopped() {
    let mut table = session();
    table.says(Initiator, pipeline()).unwrap();
    table.later(Span::minutes(5));
    table.agent(Responder, AgentAct::Escalate(over_the_limit(Urgency::High))).unwrap();
    assert_eq!(table.n.awaiting(), Awaiting::Person(Ask::Escalation));
    assert_eq!(table.n.task_state(), TaskState::InputRequired);
    assert_eq!(table.n.status(), Status::Negotiating);
    assert_eq!(table.says(Responder, Move::Accept), Err(Refusal::NotTalking { status: Status::Negotiating }));
    assert!(table.n.escalation().is_some(), "both sides see that a person is looking");
    assert_eq!(table.next(), Some((Timer::Reminder, Span::minutes(45))));

    table.later(Span::minutes(50));
    let ruling = Ruling { approved: true, remarks: text("approved at 15,000") };
    table.person(PersonAct::Rule(ruling.clone())).unwrap();
    assert!(table.events.iter().any(|event| event.fact == Fact::Ruled(ruling.clone())), "it is in the transcript");
    // The half hour stood still.
    assert_eq!(table.next(), Some((Timer::Total, Span::minutes(25))));
    table.says(Responder, Move::Accept).unwrap();
    assert_eq!(table.n.status(), Status::Pending);
}

#[test]
fn each_urgency_has_its_due_time_and_being_late_decides_nothing() {
    for (urgency, within) in [
        (Urgency::Low, Span::hours(24)),
        (Urgency::Medium, Span::hours(4)),
        (Urgency::High, Span::hours(1)),
        (Urgency::Critical, Span(0)),
    ] {
        let mut table = session();
        table.says(Initiator, pipeline()).unwrap();
        table.agent(Responder, AgentAct::Escalate(over_the_limit(urgency))).unwrap();
        let lapse = table.n.lapse().unwrap();
        assert_eq!((lapse.timer, lapse.timer.then()), (Timer::Pause, "it ends and nothing is agreed"));
        if within > Span(0) {
            assert_eq!(table.wait(), Timer::Reminder, "before it is late");
            assert_eq!(table.n.awaiting(), Awaiting::Person(Ask::Escalation));
            assert_eq!(table.next(), Some((Timer::Escalation, Span(within.0 / 4))));
        } else {
            assert_eq!(table.next(), Some((Timer::Escalation, within)));
        }
        assert_eq!(table.wait(), Timer::Escalation);
        assert_eq!(table.n.awaiting(), Awaiting::Person(Ask::Escalation), "late, and still the person's");
        assert_eq!(table.n.next_deadline(), Some(lapse), "as it was said beforehand");
        assert_eq!(table.wait(), Timer::Pause);
        assert_eq!(table.n.status(), Status::Stalled, "a lapse is never an approval");
    }
}

#[test]
fn each_reason_to_escalate_is_told() {
    for reason in [
        EscalationReason::AuthorityLimit,
        EscalationReason::ConfidenceLow,
        EscalationReason::PolicyAmbiguous,
        EscalationReason::AdversarialDetected,
    ] {
        let mut table = session();
        table.says(Initiator, pipeline()).unwrap();
        let escalation = Escalation { reason, ..over_the_limit(Urgency::Low) };
        table.agent(Responder, AgentAct::Escalate(escalation.clone())).unwrap();
        assert_eq!(table.n.escalation(), Some((Responder, &escalation)));
    }
}

#[test]
fn the_other_sides_escalation_is_theirs_to_end() {
    let mut table = session();
    table.says(Initiator, pipeline()).unwrap();
    table.agent(Initiator, AgentAct::Escalate(over_the_limit(Urgency::Low))).unwrap();
    assert_eq!(table.n.awaiting(), Awaiting::Others);
    let ruling = Ruling { approved: true, remarks: text("yes") };
    assert!(table.person(PersonAct::Rule(ruling)).is_err());
    table.agent(Initiator, AgentAct::Resume).unwrap();
    assert_eq!(table.n.awaiting(), Awaiting::Agent(Responder));
}

#[test]
fn no_agent_answers_our_persons_escalation() {
    let mut table = session();
    table.says(Initiator, pipeline()).unwrap();
    table.agent(Responder, AgentAct::Escalate(over_the_limit(Urgency::Low))).unwrap();
    assert!(table.agent(Responder, AgentAct::Resume).is_err());
    assert!(table.agent(Initiator, AgentAct::Resume).is_err());
}

#[test]
fn an_equivalent_proposal_is_a_duplicate() {
    let mut table = session();
    table.says(Initiator, image(100, 200)).unwrap();
    table.says(Responder, counter_terms(&[("concurrency", whole(50))])).unwrap();
    let again = counter_terms(&[("concurrency", whole(100)), ("max_latency_ms", whole(200))]);
    assert_eq!(table.says(Initiator, again), Err(Refusal::Repeated));
}

#[test]
fn a_session_has_a_longest_duration() {
    let mut table = session();
    assert_eq!(table.next(), Some((Timer::Total, Span::minutes(30))));
    assert_eq!(table.wait(), Timer::Total);
    assert_eq!(table.n.status(), Status::Stalled);
}

#[test]
fn a_query_is_described_before_it_is_proposed() {
    let mut table = session();
    table.says(Initiator, Move::Inquire).unwrap();
    table.says(Responder, Move::Describe(Arc::default())).unwrap();
    table.says(Initiator, pipeline()).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    assert_eq!(table.n.status(), Status::Pending);
}

#[test]
fn a_promise_can_be_withdrawn_until_it_is_accepted() {
    let mut table = session();
    assert!(table.agent(Initiator, AgentAct::Promise(text("too early"))).is_err());
    table.says(Initiator, pipeline()).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    table.decides(Decision::Approved).unwrap();

    table.agent(Initiator, AgentAct::Promise(text("I deliver on Friday"))).unwrap();
    table.agent(Initiator, AgentAct::WithdrawPromise(0)).unwrap();
    assert_eq!(table.agent(Responder, AgentAct::AcceptPromise(0)), Err(Refusal::Promise));

    table.agent(Initiator, AgentAct::Promise(text("I deliver on Monday"))).unwrap();
    assert_eq!(table.agent(Initiator, AgentAct::AcceptPromise(1)), Err(Refusal::Promise), "one's own is not accepted");
    assert_eq!(table.agent(Responder, AgentAct::WithdrawPromise(1)), Err(Refusal::Promise));
    table.agent(Responder, AgentAct::AcceptPromise(1)).unwrap();
    assert_eq!(table.agent(Initiator, AgentAct::WithdrawPromise(1)), Err(Refusal::Promise), "not after");
    let states: Vec<_> = table.n.agreement().unwrap().promises.iter().map(|promise| promise.state).collect();
    assert_eq!(states, [PromiseState::Withdrawn, PromiseState::Accepted]);
}

#[test]
fn only_this_protocol_promises_and_not_for_ever() {
    let mut hired = Table::under(Rulebook::hire());
    hired.says(Initiator, pipeline()).unwrap();
    hired.says(Responder, Move::Accept).unwrap();
    hired.decides(Decision::Approved).unwrap();
    assert!(hired.agent(Initiator, AgentAct::Promise(text("soon"))).is_err());

    let mut table = session();
    table.says(Initiator, pipeline()).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    table.decides(Decision::Approved).unwrap();
    for _ in 0..64 {
        table.agent(Initiator, AgentAct::Promise(text("soon"))).unwrap();
    }
    let more = table.agent(Initiator, AgentAct::Promise(text("soon")));
    assert_eq!(more, Err(Refusal::Limit { what: "promises", limit: 64 }));
}

fn session() -> Table {
    Table::under(Rulebook::asp(Span::minutes(30)))
}

fn pipeline() -> Move {
    propose_terms(&[
        ("throughput", value(r#"{"integer":{"amount":5000,"unit":"events/s"}}"#)),
        ("retention", value(r#"{"duration":2592000000}"#)),
        ("price_per_month", whole(250)),
    ])
}

fn image(concurrency: i64, latency: i64) -> Move {
    propose_terms(&[("concurrency", whole(concurrency)), ("max_latency_ms", whole(latency))])
}

fn over_the_limit(urgency: Urgency) -> Escalation {
    Escalation {
        reason: EscalationReason::AuthorityLimit,
        urgency,
        context: text("15,000 a month exceeds my limit of 5,000"),
        suggested_action: Some(text("approve, or give a ceiling")),
        hook: None,
        draft: None,
    }
}
