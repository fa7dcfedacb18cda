//! LCP between a consumer and a provider.

use std::sync::Arc;

use countersign_kernel::{
    Action, Awaiting, Cause, Decision, Ending, Move, Offer, PersonAct, Recovery, Refusal, RejectCode, Rejection,
    Resolution, Rulebook, Setting, SettingError, Side, Signature, Span, Status, Stop, SystemAct, Terms, Timer, WhyCode,
};

use crate::kit::{Table, counter_terms, name, propose_terms, reject, terms, text, usdc, value, whole};
use Side::{Initiator, Responder};

#[test]
fn rounds_over_many_dimensions_converge() {
    let mut table = market();
    table.says(Initiator, Move::Propose(asked("0.0015", 150))).unwrap();
    table.says(Responder, Move::Counter(asked("0.0018", 130))).unwrap();
    table.says(Initiator, Move::Counter(asked("0.00165", 130))).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    let agreed = &table.n.outcome().unwrap().terms;
    assert_eq!(agreed.get(&name("price")), Some(&usdc("0.00165")), "exactly as it was written");
    assert_eq!(agreed.get(&name("latency")), Some(&value(r#"{"duration":130}"#)));
}

#[test]
fn five_ways_to_converge() {
    // Agreement.
    assert_eq!(agreed().n.outcome().unwrap().result, Resolution::Agreement);
    // Out of rounds.
    let mut rounds = market();
    rounds.says(Initiator, price("1")).unwrap();
    for (turn, side) in (2..=6).zip([Responder, Initiator].into_iter().cycle()) {
        rounds.says(side, counter_terms(&[("price", whole(turn))])).unwrap();
    }
    assert_eq!(rounds.n.outcome().unwrap().result, Resolution::Stalled(Stop::TurnCap));
    // Out of time.
    let mut late = market();
    late.says(Initiator, price("1")).unwrap();
    late.wait();
    assert_eq!(late.n.outcome().unwrap().result, Resolution::Stalled(Stop::Timeout(Timer::FirstResponse)));
    // What they need does not overlap; somebody says no.
    for code in [RejectCode::UtilityGap, RejectCode::Unsuitable] {
        let mut table = market();
        table.says(Initiator, price("1")).unwrap();
        table.says(Responder, reject(code, true)).unwrap();
        assert_eq!(table.n.status(), Status::Rejected);
        assert_eq!(table.n.why().unwrap().code, WhyCode::Rejected(code));
    }
}

#[test]
fn three_to_five_rounds_in_thirty_to_sixty_seconds() {
    let rulebook = Rulebook::lcp();
    assert_eq!(rulebook.limits.turns, Some(6));
    assert_eq!(rulebook.clone().with(Setting::Turns, 10).unwrap().limits.turns, Some(10));
    for (setting, value) in
        [(Setting::Turns, 5), (Setting::Turns, 11), (Setting::Total, 29_999), (Setting::Total, 60_001)]
    {
        assert!(matches!(rulebook.clone().with(setting, value), Err(SettingError::OutOfRange { .. })));
    }
    assert_eq!(rulebook.with(Setting::Total, 60_000).unwrap().timers.total, Some(Span::seconds(60)));
}

#[test]
fn the_timeout_set() {
    let mut table = market();
    table.says(Initiator, price("1")).unwrap();
    assert_eq!(table.next(), Some((Timer::FirstResponse, Span::seconds(5))));
    table.says(Responder, counter_terms(&[("price", usdc("2"))])).unwrap();
    assert_eq!(table.next(), Some((Timer::Turn, Span::seconds(10))));
    table.later(Span::seconds(9));
    table.says(Initiator, counter_terms(&[("price", usdc("1.5"))])).unwrap();
    table.later(Span::seconds(9));
    table.says(Responder, counter_terms(&[("price", usdc("1.9"))])).unwrap();
    table.later(Span::seconds(9));
    assert_eq!(table.next(), Some((Timer::Turn, Span::seconds(1))));
    table.says(Initiator, counter_terms(&[("price", usdc("1.6"))])).unwrap();
    assert_eq!(table.next(), Some((Timer::Total, Span::seconds(3))), "the whole of it has thirty");
    table.wait();
    assert_eq!(table.n.outcome().unwrap().result, Resolution::Stalled(Stop::Timeout(Timer::Total)));
}

#[test]
fn an_offer_holds_to_its_last_millisecond_and_no_longer() {
    let until = |table: &Table| table.now.plus(Span::seconds(4));
    let offered = || {
        let mut table = market();
        table.says(Initiator, price("1")).unwrap();
        let offer = Offer {
            terms: terms(&[("price", usdc("2"))]),
            justification: Some(text("the requested price is below cost")),
            cost_breakdown: terms(&[("data", usdc("1.2")), ("infrastructure", usdc("0.5")), ("margin", usdc("0.3"))]),
            valid_until: Some(until(&table)),
            ..Offer::default()
        };
        table.says(Responder, Move::Counter(Arc::new(offer))).unwrap();
        table
    };
    let mut in_time = offered();
    in_time.later(Span::seconds(4));
    in_time.says(Initiator, Move::Accept).unwrap();
    assert_eq!(in_time.n.status(), Status::Pending);

    let mut late = offered();
    let until = until(&late);
    assert_eq!(late.next(), Some((Timer::Offer, Span(4001))));
    late.later(Span(4001));
    assert_eq!(late.says(Initiator, Move::Accept), Err(Refusal::OfferExpired { until }));
    late.wait();
    assert_eq!(late.n.outcome().unwrap().result, Resolution::Stalled(Stop::Timeout(Timer::Offer)));
}

#[test]
fn the_person_cannot_approve_what_is_no_longer_offered() {
    // The person is the responder's: their agent accepts an offer that stands for four seconds.
    let mut table = Table::under(Rulebook::lcp().with(Setting::Approval, Span::hours(1).0).unwrap());
    let until = table.now.plus(Span::seconds(4));
    let offer = Offer { terms: terms(&[("price", usdc("1"))]), valid_until: Some(until), ..Offer::default() };
    table.says(Initiator, Move::Propose(Arc::new(offer))).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    assert_eq!(table.next(), Some((Timer::Approval, Span::seconds(4))));
    let longer = table.person(PersonAct::Extend(Span::seconds(5)));
    assert_eq!(longer, Err(Refusal::OfferExpired { until }));
    table.person(PersonAct::Extend(Span::seconds(4))).unwrap();
    table.wait();
    assert_eq!(table.n.status(), Status::Expired);
}

#[test]
fn a_rejection_says_when_to_try_again() {
    let mut table = market();
    table.says(Initiator, price("1")).unwrap();
    let retry_after = Some(Span::hours(1));
    let rejection = Rejection { code: RejectCode::CapacityUnavailable, retryable: true, retry_after };
    table.says(Responder, Move::Reject(rejection)).unwrap();
    let why = table.n.why().unwrap();
    assert_eq!(why.retry_after, retry_after);
    assert_eq!(why.recovery(1, 5), Some(Recovery::Retry { after: Span::hours(1) }));
}

#[test]
fn after_a_failure_retry_then_somebody_else_then_the_person() {
    let why = |code| {
        let mut table = market();
        table.says(Initiator, price("1")).unwrap();
        table.says(Responder, reject(code, true)).unwrap();
        table.n.why().unwrap()
    };
    let gap = why(RejectCode::UtilityGap);
    assert_eq!(gap.recovery(1, 1), Some(Recovery::Retry { after: Span(0) }));
    assert_eq!(gap.recovery(0, 1), Some(Recovery::NextCounterpart));
    assert_eq!(gap.recovery(0, 0), Some(Recovery::AskPerson));
    assert_eq!(why(RejectCode::PolicyViolation).recovery(1, 1), Some(Recovery::NextCounterpart), "it would not help");

    let mut silent = market();
    silent.says(Initiator, price("1")).unwrap();
    silent.wait();
    assert_eq!(silent.n.why().unwrap().caused_by, Cause::Clock);
    assert_eq!(silent.n.why().unwrap().recovery(1, 1), Some(Recovery::NextCounterpart), "who is silent is passed over");

    let mut declined = agreed();
    declined.decides(Decision::Rejected).unwrap();
    assert_eq!(declined.n.why().unwrap().recovery(1, 1), None, "the person's word is the last");
}

#[test]
fn both_sign_in_order_and_are_bound_for_an_hour() {
    let mut table = agreed();
    assert!(table.system(sign(Responder)).is_err(), "not before the person has approved");
    table.decides(Decision::Approved).unwrap();
    assert_eq!(table.next(), Some((Timer::Commitment, Span::seconds(5))));
    assert_eq!(table.n.awaiting(), Awaiting::Signature(Responder));
    assert_eq!(table.system(sign(Initiator)), Err(Refusal::SignatureOrder(Responder)));
    table.system(sign(Responder)).unwrap();
    assert_eq!(table.n.awaiting(), Awaiting::Signature(Initiator));
    assert_eq!(table.system(sign(Responder)), Err(Refusal::SignatureOrder(Initiator)));
    assert_eq!(table.n.agreement().unwrap().binding, None, "one signature binds nobody");
    table.later(Span::seconds(2));
    table.system(sign(Initiator)).unwrap();
    let agreement = table.n.agreement().unwrap();
    assert_eq!(agreement.binding, Some((table.now, table.now.plus(Span::hours(1)))));
    assert_eq!(table.n.awaiting(), Awaiting::Nobody);
    assert!(table.system(sign(Initiator)).is_err());
    assert_eq!(table.next(), Some((Timer::Agreement, Span::hours(1))));
    table.wait();
    assert!(table.n.agreement().unwrap().is_over, "no longer in force");
    assert_eq!(table.n.status(), Status::Accepted);
    assert_eq!(table.next(), None);
}

#[test]
fn an_agreement_that_is_not_signed_in_time_is_none() {
    for signed in [0, 1] {
        let mut table = agreed();
        table.decides(Decision::Approved).unwrap();
        if signed == 1 {
            table.system(sign(Responder)).unwrap();
        }
        assert_eq!(table.wait(), Timer::Commitment);
        assert_eq!((table.n.ending(), table.n.status()), (Some(Ending::Unsigned), Status::Expired));
        assert_eq!(table.n.why().unwrap().code, WhyCode::Unsigned);
        assert!(table.system(sign(Responder)).is_err());
    }
}

#[test]
fn only_this_protocol_signs() {
    let mut table = Table::under(Rulebook::hire());
    table.says(Initiator, price("1")).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    table.decides(Decision::Approved).unwrap();
    assert!(table.system(sign(Responder)).is_err());
}

#[test]
fn a_provider_is_asked_what_it_could_do() {
    let mut table = market();
    table.says(Initiator, Move::Inquire).unwrap();
    assert_eq!(table.n.allowed().iter().collect::<Vec<_>>(), [Action::Reject, Action::Describe]);
    table.says(Responder, Move::Describe(Arc::default())).unwrap();
    assert_eq!(table.n.allowed().iter().collect::<Vec<_>>(), [Action::Propose, Action::Reject]);
    table.says(Initiator, price("1")).unwrap();
    assert_eq!(table.n.allowed().iter().collect::<Vec<_>>(), [Action::Counter, Action::Accept, Action::Reject]);
}

fn market() -> Table {
    Table::under(Rulebook::lcp())
}

fn agreed() -> Table {
    let mut table = market();
    table.says(Initiator, price("1")).unwrap();
    table.says(Responder, Move::Accept).unwrap();
    table
}

fn price(amount: &str) -> Move {
    propose_terms(&[("price", usdc(amount))])
}

fn asked(price: &str, latency: u64) -> Arc<Offer> {
    let terms: Terms = terms(&[("price", usdc(price)), ("latency", value(&format!(r#"{{"duration":{latency}}}"#)))]);
    Arc::new(Offer { terms, ..Offer::default() })
}

fn sign(side: Side) -> SystemAct {
    let signer = text(&format!("did:example:{side}"));
    SystemAct::Sign(Signature { side, signer, signature: text("0x1234") })
}
