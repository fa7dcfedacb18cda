//! When the person is asked, and how.

use std::sync::Arc;

use countersign_kernel::{
    Action, EscalationReason, MAX_TEXT, Move, Objection, Offer, Percent, RejectCode, Rejection, Span, Turn, Urgency,
};
use countersign_mandate::{Finding, MAX_TURN, Mandate, Reasoning, Spent, Weight, escalation, outgoing};

use crate::kit::{NOON, THEM, Table, US, buyer, counter, eur, mandate, name, saying, says, text, turn};

fn check(json: &str, turn: &Turn, expected: &[&str]) {
    assert_eq!(Table::offered("15000").codes(&mandate(json), turn), expected, "{json}");
}

#[test]
fn the_default_mandate_asks_nothing() {
    check("{}", &says("We would pay 11,000 EUR if hosting is included."), &[]);
    check("{}", &turn(Move::Accept), &[]);
}

#[test]
fn a_move_that_the_person_wants_to_see_waits() {
    check(r#"{"ask":{"before":["counter"]}}"#, &says("Well then."), &["ask_before"]);
    check(r#"{"autonomy":{"counter":"ask"}}"#, &says("Well then."), &["ask_before"]);
    check(r#"{"autonomy":{"counter":{"hold":1000}}}"#, &says("Well then."), &[]);
    check(r#"{"ask":{"before":["accept"]}}"#, &says("Well then."), &[]);
}

#[test]
fn an_agent_that_is_not_sure_or_does_not_say_asks() {
    let sure = |confidence: Option<u8>| {
        let mut turn = counter(&[("price", eur("1"))]);
        turn.assessment.confidence = confidence.map(Percent::of);
        turn
    };
    let json = r#"{"ask":{"confidence_below":60}}"#;
    check(json, &sure(Some(60)), &[]);
    check(json, &sure(Some(59)), &["low_confidence"]);
    check(json, &sure(None), &["low_confidence"]);
    check("{}", &sure(None), &[]);
}

#[test]
fn a_large_value_or_an_unknown_term_is_asked_about() {
    let json = r#"{"ask":{"value_over":[{"amount":"10000","currency":"EUR"}]}}"#;
    check(json, &counter(&[("price", eur("10000"))]), &[]);
    check(json, &counter(&[("price", eur("10000.5"))]), &["value_over"]);
    check(json, &turn(Move::Accept), &["value_over"]);
    check(r#"{"ask":{"on_unknown_term":true}}"#, &turn(Move::Accept), &["unknown_term"]);
}

#[test]
fn a_move_that_is_not_open_is_found() {
    check("{}", &turn(Move::Inquire), &["not_allowed"]);
}

#[test]
fn nobody_is_parroted() {
    let first = Turn { act: Move::Propose(Arc::default()), ..says("This is a fair price for a website, I think.") };
    let table = Table::new().then(THEM, first).then(US, says("We see it otherwise, and offer less."));
    let table = table.then(THEM, saying(counter(&[("price", eur("14000"))]), "Fine."));
    let found = |message: &str| table.codes(&Mandate::default(), &saying(counter(&[("price", eur("1"))]), message));
    assert_eq!(found("this is a FAIR price for a website -- i think"), ["repeated"]);
    assert_eq!(found("We see it otherwise and offer less!"), ["repeated"]);
    assert_eq!(found("Fine."), [""; 0], "a short word may come twice");
    assert_eq!(found("This is a fair price for a website, I agree."), [""; 0]);
}

#[test]
fn a_turn_is_not_larger_than_a_turn_may_be() {
    let objections = (0..5).map(|_| Objection {
        field: name("price"),
        reason: text(&"so much ".repeat(MAX_TEXT / 8)),
        alternative: None,
        evidence: vec![],
    });
    let offer = Offer { objections: objections.collect(), ..Offer::default() };
    let large = turn(Move::Counter(offer.into()));
    let found = Table::offered("15000").outgoing(&buyer(), &large);
    assert_eq!(found[0].code(), "too_large");
    assert!(found[0].in_words().ends_with(&format!("a turn may have {MAX_TURN}.")), "{}", found[0].in_words());
}

#[test]
fn more_turns_in_an_hour_than_the_person_allows_wait() {
    let table = Table::offered("15000").then(US, says("One.")).then(THEM, says("Two, then."));
    let mandate = mandate(r#"{"pace":{"turns_per_hour":1}}"#);
    let turn = saying(counter(&[("price", eur("10"))]), "Three.");
    let found = |now| outgoing(&mandate, &table.0, US, &turn, &Spent::default(), now, Reasoning::Private);
    assert_eq!(found(NOON.plus(Span::minutes(30)))[0].code(), "too_often");
    assert_eq!(found(NOON.plus(Span::hours(2))), []);
}

#[test]
fn the_reasons_are_looked_at_only_when_they_are_sent() {
    let mut turn = says("We would pay 11,000 EUR.");
    turn.assessment.reasoning = text("12,345 EUR is the most we can pay");
    let table = Table::offered("15000");
    let found = |reasoning| outgoing(&buyer(), &table.0, US, &turn, &Spent::default(), NOON, reasoning);
    assert_eq!(found(Reasoning::Private), []);
    assert_eq!(found(Reasoning::Sent)[0].code(), "walk_away_told");
}

#[test]
fn a_rejection_goes_out_whatever_was_offered() {
    let rejection = Rejection { code: RejectCode::Unsuitable, retryable: false, retry_after: None };
    let turn = saying(turn(Move::Reject(rejection)), "That is not for us.");
    assert_eq!(Table::offered("99999").codes(&buyer(), &turn), [""; 0]);
}

#[test]
fn findings_become_one_question_with_the_most_urgent_first() {
    let mandate = mandate(
        r#"{"ask":{"before":["counter"]},"terms":{"price":{"walk_away":{"money":{"amount":"10000","currency":"EUR"}},"better":"less"}}}"#,
    );
    let found = Table::offered("15000").outgoing(&mandate, &counter(&[("price", eur("12500"))]));
    let asked = escalation(&found).unwrap();
    assert_eq!((asked.reason, asked.urgency), (EscalationReason::AuthorityLimit, Urgency::Medium));
    let words =
        "The price 12,500 EUR is over your limit of 10,000 EUR. You want to be asked before your agent counters.";
    assert_eq!(&*asked.context, words);
    assert_eq!(asked.suggested_action.as_deref(), Some("Let your agent stay within your limit, or change the limit."));
    assert_eq!(asked.hook, None);
    assert_eq!(escalation(&[]), None);
}

#[test]
fn every_action_has_words() {
    for action in Action::ALL {
        let finding = Finding { concern: countersign_mandate::Concern::AskBefore { action }, quote: None };
        assert!(finding.in_words().starts_with("You want to be asked before your agent "));
        assert_eq!(finding.weight(), Weight::Ask);
    }
}
