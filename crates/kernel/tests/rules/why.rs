//! The why record, for every way to end.

use std::sync::Arc;

use countersign_kernel::{
    AgentAct, AgentKind, Answer, Blocking, Cause, Change, Decision, Escalation, EscalationReason, Hook, Move, Next,
    Objection, Offer, PersonAct, Question, RejectCode, Remedy, Retry, Rulebook, Ruled, Side, Span, SystemAct, Urgency,
    Value, Verdict, Violation, Why, WhyCode,
};

use crate::kit::{
    Table, agent_id, counter, counter_terms, flag, name, opening, parties, propose, propose_terms, reject, terms, text,
    turn, usdc, value, whole,
};
use Side::{Initiator, Responder};

#[test]
fn none_before_the_end() {
    let mut table = session();
    assert_eq!(table.n.why(), None);
    table.says(Initiator, price("10")).unwrap();
    assert_eq!(table.n.why(), None);
    table.says(Responder, Move::Accept).unwrap();
    assert_eq!(table.n.why(), None, "the person has not decided");
}

#[test]
fn accepted() {
    let mut table = agreed();
    table.decides(Decision::Approved).unwrap();
    let why = table.n.why().unwrap();
    assert_eq!((why.code, why.caused_by, why.retryable), (WhyCode::Accepted, Cause::Person, Retry::No));
    assert_eq!((why.blocking, why.would_have_closed, why.next), (vec![], None, vec![]));
}

#[test]
fn declined_and_expired() {
    let mut declined = agreed();
    declined.decides(Decision::Rejected).unwrap();
    assert_why(&declined, WhyCode::Declined, Cause::Person, Retry::Yes);
    let mut expired = agreed();
    expired.wait();
    assert_why(&expired, WhyCode::Expired, Cause::Clock, Retry::After(Remedy::Approval));
}

#[test]
fn rejected_with_each_code_by_us_and_by_them() {
    for (code, retryable) in [
        (RejectCode::Unsuitable, Retry::Yes),
        (RejectCode::UtilityGap, Retry::Yes),
        (RejectCode::InsufficientTrustScore, Retry::After(Remedy::MoreTrust)),
        (RejectCode::Unauthorized, Retry::No),
        (RejectCode::SchemaUnsupported, Retry::After(Remedy::OtherSchema)),
        (RejectCode::BudgetExceeded, Retry::After(Remedy::LowerAmount)),
        (RejectCode::CapacityUnavailable, Retry::After(Remedy::TimeOrLess)),
        (RejectCode::PolicyViolation, Retry::No),
        (RejectCode::Timeout, Retry::After(Remedy::Time)),
        (RejectCode::Duplicate, Retry::No),
        (RejectCode::EscalationRequired, Retry::After(Remedy::Approval)),
    ] {
        let mut ours = session();
        ours.says(Initiator, price("10")).unwrap();
        ours.says(Responder, reject(code, false)).unwrap();
        assert_why(&ours, WhyCode::Rejected(code), Cause::Us, retryable);
        let mut theirs = session();
        theirs.says(Initiator, price("10")).unwrap();
        theirs.says(Responder, counter_terms(&[("price", usdc("8"))])).unwrap();
        theirs.says(Initiator, reject(code, false)).unwrap();
        assert_why(&theirs, WhyCode::Rejected(code), Cause::Them, retryable);
    }
}

#[test]
fn out_of_turns() {
    let mut table = Table::index(AgentKind::System, AgentKind::System);
    table.says(Initiator, propose()).unwrap();
    for side in [Responder, Initiator, Responder, Initiator, Responder] {
        table.says(side, counter()).unwrap();
    }
    let why = assert_why(&table, WhyCode::TurnCap, Cause::Both, Retry::Yes);
    assert_eq!(why.next, [Next::Reopen, Next::ChangeMandate, Next::LetGo]);
}

#[test]
fn out_of_time() {
    let mut table = session();
    table.says(Initiator, price("10")).unwrap();
    table.wait();
    let why = assert_why(&table, WhyCode::Timeout, Cause::Clock, Retry::After(Remedy::Time));
    assert_eq!(why.next, [Next::Wait, Next::LetGo]);
}

#[test]
fn an_agent_that_broke_is_told_from_one_that_was_slow() {
    let mut table = session();
    table.says(Initiator, price("10")).unwrap();
    table.agent(Responder, AgentAct::Fail(text("no route"))).unwrap();
    table.wait();
    let why = assert_why(&table, WhyCode::AgentError, Cause::Fault, Retry::After(Remedy::Time));
    assert!(why.next.contains(&Next::LookIntoFault));
    let mut recovered = session();
    recovered.says(Initiator, price("10")).unwrap();
    recovered.agent(Responder, AgentAct::Fail(text("no route"))).unwrap();
    recovered.says(Responder, counter_terms(&[("price", usdc("8"))])).unwrap();
    recovered.wait();
    assert_why(&recovered, WhyCode::Timeout, Cause::Clock, Retry::After(Remedy::Time));
}

#[test]
fn a_claim_that_lapsed() {
    let mut table = Table::index(AgentKind::Personal, AgentKind::Personal);
    table.agent(Initiator, AgentAct::Claim(agent_id("a"))).unwrap();
    while table.n.outcome().is_none() {
        table.wait();
    }
    assert_why(&table, WhyCode::ClaimLapsed, Cause::Clock, Retry::After(Remedy::Time));
}

#[test]
fn the_same_again() {
    for (side, cause) in [(Initiator, Cause::Them), (Responder, Cause::Us)] {
        let mut table = Table::index(AgentKind::System, AgentKind::System);
        let mut say = |who, act, why: &str| table.agent(who, AgentAct::TakeTurn(turn(act, why))).unwrap();
        say(Initiator, propose(), "we fit");
        say(Responder, counter(), "do we?");
        if side == Initiator {
            say(Initiator, counter(), "we fit");
        } else {
            say(Initiator, counter(), "we do");
            say(Responder, counter(), "do we?");
        }
        assert_why(&table, WhyCode::Stalemate, cause, Retry::Yes);
    }
}

#[test]
fn stopped_by_a_rule() {
    let verdict = |hook| SystemAct::Verdict(Verdict { hook, ruled: Ruled::Deny, because: text("policy 7") }, None);
    let mut denied = session();
    denied.system(verdict(Hook::Start)).unwrap();
    assert_why(&denied, WhyCode::PolicyDenied, Cause::Rule, Retry::No);
    let mut void = agreed();
    void.decides(Decision::Approved).unwrap();
    void.system(verdict(Hook::Execution)).unwrap();
    assert_why(&void, WhyCode::PolicyDenied, Cause::Rule, Retry::No);
}

#[test]
fn stopped_by_a_violation() {
    let mut grabbed = session();
    grabbed.system(SystemAct::Violation(Initiator, Violation::Capability)).unwrap();
    assert_why(&grabbed, WhyCode::CapabilityViolation, Cause::Them, Retry::No);
    let summit = Rulebook::summit(countersign_kernel::SummitKind::RiskMitigation);
    let mut opening = opening(summit, parties(AgentKind::System, AgentKind::System));
    opening.frame.goal = Some(text("less risk"));
    let mut garbled = Table::open(opening);
    garbled.system(SystemAct::Violation(Responder, Violation::Schema)).unwrap();
    assert_why(&garbled, WhyCode::SchemaViolation, Cause::Us, Retry::After(Remedy::OtherSchema));
    let mut forbidden = session();
    forbidden.system(SystemAct::Violation(Initiator, Violation::Policy)).unwrap();
    assert_eq!(forbidden.n.why(), None, "counted, not ended");
}

#[test]
fn bad_faith() {
    let suspicious = || {
        let mut table = session();
        table.says(Initiator, price("10")).unwrap();
        table.agent(Responder, AgentAct::Escalate(suspicion())).unwrap();
        table
    };
    let mut taken_back = suspicious();
    taken_back.person(PersonAct::Withdraw(text("I do not trust them"))).unwrap();
    assert_why(&taken_back, WhyCode::Adversarial, Cause::Person, Retry::No);
    let mut lapsed = suspicious();
    lapsed.wait();
    lapsed.wait();
    assert_why(&lapsed, WhyCode::Adversarial, Cause::Clock, Retry::No);
}

#[test]
fn taken_back_and_left_waiting() {
    let mut taken_back = session();
    taken_back.person(PersonAct::Withdraw(text("changed my mind"))).unwrap();
    assert_why(&taken_back, WhyCode::Withdrawn, Cause::Person, Retry::Yes);
    let mut held = session();
    held.person(PersonAct::Hold).unwrap();
    held.wait();
    assert_why(&held, WhyCode::Expired, Cause::Clock, Retry::After(Remedy::Approval));
}

#[test]
fn what_would_have_closed_it_is_the_smallest_change() {
    // Theirs is one term away from ours; ours is two away from theirs, because they never spoke of colour.
    let mut table = session();
    table.says(Initiator, propose_terms(&[("price", usdc("10"))])).unwrap();
    table.says(Responder, counter_terms(&[("price", usdc("8")), ("colour", choice("blue"))])).unwrap();
    table.says(Initiator, counter_terms(&[("price", usdc("9"))])).unwrap();
    table.says(Responder, reject(RejectCode::BudgetExceeded, false)).unwrap();
    let why = table.n.why().unwrap();
    // A rejected offer is off the table: what is left is ours.
    let closest = why.closest.unwrap();
    assert_eq!((closest.by, closest.turn), (Responder, 2));
    assert_eq!(why.last_movement, Some(3));

    let mut capped = limited(4);
    capped.says(Initiator, propose_terms(&[("price", usdc("10"))])).unwrap();
    capped.says(Responder, counter_terms(&[("price", usdc("8")), ("colour", choice("blue"))])).unwrap();
    capped.says(Initiator, counter_terms(&[("price", usdc("9"))])).unwrap();
    capped.says(Responder, counter_terms(&[("price", usdc("8.5")), ("colour", choice("blue"))])).unwrap();
    let why = capped.n.why().unwrap();
    let change = Change { by: Responder, to: terms(&[("price", usdc("9"))]) };
    assert_eq!(why.would_have_closed, Some(change), "one term for us, two for them");
    assert_eq!(why.blocking, [Blocking::Term(name("colour")), Blocking::Term(name("price"))]);
    assert_eq!(why.last_movement, Some(4));
}

#[test]
fn no_amount_is_too_far_from_another() {
    let most = "79228162514264337593543950335";
    let mut capped = limited(2);
    capped.says(Initiator, price("5")).unwrap();
    capped.says(Responder, counter_terms(&[("price", usdc(&format!("-{most}")))])).unwrap();
    let why = capped.n.why().unwrap();
    assert!(why.would_have_closed.is_some());
}

#[test]
fn of_two_changes_of_one_term_it_is_the_shorter_one() {
    // Both would have to change the same one term; the way is the same, so the first side to have spoken is named.
    let mut even = limited(2);
    even.says(Initiator, price("10")).unwrap();
    even.says(Responder, counter_terms(&[("price", usdc("8"))])).unwrap();
    let why = even.n.why().unwrap();
    assert_eq!(why.would_have_closed, Some(Change { by: Initiator, to: terms(&[("price", usdc("8"))]) }));
    // They would take six where we said five: from ours that is the shorter way.
    let mut near = limited(3);
    near.says(Initiator, propose_terms(&[("days", whole(10))])).unwrap();
    near.says(Responder, counter_terms(&[("days", whole(5))])).unwrap();
    let objection =
        Objection { field: name("days"), reason: text("too soon"), alternative: Some(whole(6)), evidence: vec![] };
    near.says(Initiator, Move::Counter(Arc::new(Offer { objections: vec![objection], ..Offer::default() }))).unwrap();
    let why = near.n.why().unwrap();
    assert_eq!(why.would_have_closed, Some(Change { by: Responder, to: terms(&[("days", whole(6))]) }));
    // An alternative that was asked for is a position too.
    let mut asked = limited(2);
    asked.says(Initiator, propose_terms(&[("days", whole(10)), ("price", usdc("1"))])).unwrap();
    let objection =
        Objection { field: name("days"), reason: text("too slow"), alternative: Some(whole(9)), evidence: vec![] };
    let offer = Offer { objections: vec![objection], ..Offer::default() };
    asked.says(Responder, Move::Counter(Arc::new(offer))).unwrap();
    let why = asked.n.why().unwrap();
    assert_eq!(why.would_have_closed, Some(Change { by: Initiator, to: terms(&[("days", whole(9))]) }));
    assert!(matches!(&why.blocking[..], [Blocking::Term(_), Blocking::Objection(raised)] if raised.turn == 2));
}

#[test]
fn without_terms_nothing_is_computed() {
    let mut table = Table::index(AgentKind::System, AgentKind::System);
    table.says(Initiator, propose()).unwrap();
    table.says(Responder, reject(RejectCode::Unsuitable, false)).unwrap();
    let why = table.n.why().unwrap();
    assert_eq!((why.would_have_closed, why.last_movement, why.blocking), (None, None, vec![]));
}

#[test]
fn an_objection_is_raised_answered_or_open() {
    let object = |field: &str, alternative: Option<Value>| {
        let objection = Objection { field: name(field), reason: text("no"), alternative, evidence: vec![] };
        Move::Counter(Arc::new(Offer { objections: vec![objection], ..Offer::default() }))
    };
    let mut table = session();
    table.says(Initiator, propose_terms(&[("days", whole(10)), ("safe", flag(false)), ("price", usdc("1"))])).unwrap();
    table.says(Responder, object("days", Some(whole(7)))).unwrap();
    assert_eq!(answered(&table), [None]);
    table.says(Initiator, counter_terms(&[("days", whole(8)), ("safe", flag(false))])).unwrap();
    assert_eq!(answered(&table), [None], "another value than the one asked for");
    table.says(Responder, object("safe", None)).unwrap();
    table.says(Initiator, counter_terms(&[("days", whole(7)), ("safe", flag(true))])).unwrap();
    assert_eq!(answered(&table), [Some(5), Some(5)]);
    let (by, turn) = (table.n.objections()[0].by, table.n.objections()[0].turn);
    assert_eq!((by, turn), (Responder, 2));
    table.says(Responder, object("price", None)).unwrap();
    table.says(Initiator, counter_terms(&[("days", whole(6))])).unwrap();
    assert_eq!(answered(&table)[2], None, "not spoken of");
    let asks = Question { field: Some(name("price")), question: text("in which currency?"), options: vec![] };
    table.says(Responder, Move::Question(vec![asks])).unwrap();
    let answer = Answer { field: Some(name("price")), answer: text("USDC") };
    table.says(Initiator, Move::Answer(vec![answer])).unwrap();
    assert_eq!(answered(&table)[2], Some(9), "in words");
    table.says(Responder, counter_terms(&[("price", usdc("9"))])).unwrap();
    table.says(Initiator, counter_terms(&[("days", whole(7)), ("price", usdc("8"))])).unwrap();
    assert_eq!(answered(&table), [Some(5), Some(5), Some(9)], "the first answer is the answer");
}

#[test]
fn nobody_answers_their_own_objection() {
    let objection = Objection { field: name("days"), reason: text("no"), alternative: None, evidence: vec![] };
    let offer = Offer { objections: vec![objection], ..Offer::default() };
    let mut table = session();
    table.says(Initiator, propose_terms(&[("days", whole(10))])).unwrap();
    table.says(Responder, Move::Counter(Arc::new(offer))).unwrap();
    table.says(Initiator, counter_terms(&[("price", usdc("1"))])).unwrap();
    table.says(Responder, counter_terms(&[("days", whole(5))])).unwrap();
    assert_eq!(answered(&table), [None]);
}

#[test]
fn accepting_settles_every_objection() {
    let mut table = session();
    table.says(Initiator, price("10")).unwrap();
    let objection = Objection { field: name("price"), reason: text("no"), alternative: None, evidence: vec![] };
    let offer = Offer { objections: vec![objection], ..Offer::default() };
    table.says(Responder, Move::Counter(Arc::new(offer))).unwrap();
    table.says(Initiator, counter_terms(&[("days", whole(1))])).unwrap();
    assert_eq!(answered(&table), [None]);
    table.says(Responder, Move::Accept).unwrap();
    assert_eq!(answered(&table), [Some(4)]);
}

#[test]
fn an_open_question_blocks_and_can_be_answered() {
    let mut table = session();
    table.says(Initiator, price("10")).unwrap();
    let asks = Question { field: None, question: text("for whom?"), options: vec![] };
    table.says(Responder, Move::Question(vec![asks])).unwrap();
    table.wait();
    let why = table.n.why().unwrap();
    assert_eq!(why.blocking, [Blocking::Question(Responder, text("for whom?"))]);
    assert_eq!(why.next, [Next::Answer, Next::Wait, Next::LetGo]);
}

fn assert_why(table: &Table, code: WhyCode, caused_by: Cause, retryable: Retry) -> Why {
    let why = table.n.why().unwrap();
    assert_eq!((why.code, why.caused_by, why.retryable), (code, caused_by, retryable));
    assert_eq!(why.next.last(), Some(&Next::LetGo), "there is always something to do");
    let json = serde_json::to_string(&why).unwrap();
    assert_eq!(serde_json::from_str::<Why>(&json).unwrap(), why);
    why
}

fn answered(table: &Table) -> Vec<Option<usize>> {
    table.n.objections().into_iter().map(|raised| raised.answered).collect()
}

fn session() -> Table {
    Table::under(Rulebook::asp(Span::minutes(30)))
}

fn limited(turns: u64) -> Table {
    Table::under(Rulebook::asp(Span::minutes(30)).with(countersign_kernel::Setting::Turns, turns).unwrap())
}

fn agreed() -> Table {
    let mut table = session();
    table.says(Initiator, price("10")).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    table
}

fn price(amount: &str) -> Move {
    propose_terms(&[("price", usdc(amount))])
}

fn choice(chosen: &str) -> Value {
    value(&format!(r#"{{"choice":"{chosen}"}}"#))
}

fn suspicion() -> Escalation {
    Escalation {
        reason: EscalationReason::AdversarialDetected,
        urgency: Urgency::Critical,
        context: text("it asks for the walk-away price"),
        suggested_action: None,
        hook: None,
        draft: None,
    }
}
