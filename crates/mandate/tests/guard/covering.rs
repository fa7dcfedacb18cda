//! What the person agreed to beforehand.

use countersign_kernel::{Span, Terms, Timestamp, Value};
use countersign_mandate::Spent;

use crate::kit::{NOON, eur, mandate, money, terms};

const NOTHING: &str = "";

/// Whether an agreement with Bo at noon is covered by `small things`, given what else the mandate says.
fn check(more: &str, terms: &Terms, expected: bool) {
    let until = NOON.plus(Span::days(1)).0;
    let most = r#"{"amount":"100","currency":"EUR"}"#;
    let given = format!(r#"{{"name":"small things","most":{most},"counterpart":"Bo","expires":{until}}}"#);
    let mandate = mandate(&format!(r#"{{"pre_authorised":[{given}]{more}}}"#));
    let covers = |who: &str, now: Timestamp| mandate.covers(terms, who, &Spent::default(), now).is_some();
    assert_eq!(covers("Bo", NOON), expected, "{more} {terms:?}");
    assert!(!covers("bo", NOON) && !covers("Во", NOON), "the name is to the letter");
    assert!(!covers("Bo", Timestamp(until)), "it expires");
}

#[test]
fn all_amounts_together_stay_within_what_was_given() {
    check(NOTHING, &terms(&[("price", eur("100"))]), true);
    check(NOTHING, &terms(&[("price", eur("60")), ("setup", eur("40"))]), true);
    check(NOTHING, &terms(&[("price", eur("60")), ("setup", eur("40.01"))]), false);
    check(NOTHING, &terms(&[("price", eur("101")), ("refund", eur("-50"))]), false);
}

#[test]
fn another_currency_is_not_covered() {
    check(NOTHING, &terms(&[("price", money("1", "USD"))]), false);
    check(NOTHING, &terms(&[("price", eur("1")), ("fee", money("1", "USD"))]), false);
}

#[test]
fn an_agreement_without_an_amount_needs_to_be_named() {
    check(NOTHING, &Terms::NONE, false);
    check(NOTHING, &terms(&[("exclusive", Value::Flag(true))]), false);
    let mandate = mandate(
        r#"{"pre_authorised":[{"name":"a","most":{"amount":"0","currency":"EUR"},"without_value":true,"expires":1800000000000}]}"#,
    );
    assert!(mandate.covers(&Terms::NONE, "anybody", &Spent::default(), NOON).is_some());
    assert!(mandate.covers(&terms(&[("price", eur("1"))]), "anybody", &Spent::default(), NOON).is_none());
}

#[test]
fn the_rest_of_the_mandate_still_holds() {
    let price = terms(&[("price", eur("80"))]);
    check(
        r#","terms":{"price":{"walk_away":{"money":{"amount":"70","currency":"EUR"}},"better":"less"}}"#,
        &price,
        false,
    );
    check(r#","prohibited_terms":["price"]"#, &price, false);
    check(r#","authority":[{"currency":"EUR","per":"deal","most":"50"}]"#, &price, false);
    check(r#","ask":{"value_over":[{"amount":"50","currency":"EUR"}]}"#, &price, false);
    check(r#","ask":{"on_unknown_term":true}"#, &price, false);
    check(r#","deal_breakers":[{"topic":"Price","text":"nothing paid beforehand"}]"#, &price, false);
    check(r#","deal_breakers":[{"topic":"exclusive","text":"no exclusivity"}]"#, &price, true);
}

#[test]
fn a_must_have_is_met_by_a_term_of_its_name_alone() {
    let must = r#","must_haves":[{"topic":"hosting","text":"hosting for a year"}]"#;
    let with = |hosting: Value| terms(&[("price", eur("80")), ("hosting", hosting)]);
    check(must, &terms(&[("price", eur("80"))]), false);
    check(must, &with(Value::Flag(false)), false);
    check(must, &with(Value::Flag(true)), true);
}
