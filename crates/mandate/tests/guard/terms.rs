//! Terms held against the mandate.

use countersign_kernel::{Money, Move, Objection, Offer, Span, Timestamp, Value};
use countersign_mandate::{Concern, Finding, Mandate, Period, Reasoning, Spent, outgoing};

use crate::kit::{NOON, THEM, Table, US, buyer, counter, eur, mandate, money, name, propose, text, turn, value};

fn check(mandate: &Mandate, table: &Table, turn: &countersign_kernel::Turn, expected: &[&str]) {
    let found: Vec<String> = table.outgoing(mandate, turn).iter().map(Finding::in_words).collect();
    assert_eq!(found, expected);
}

#[test]
fn an_offer_within_the_limits_goes_out() {
    check(&buyer(), &Table::offered("15000"), &counter(&[("price", eur("11000"))]), &[]);
}

#[test]
fn an_offer_worse_than_the_walk_away_does_not() {
    let over = ["The price 12,345.01 EUR is over your limit of 12,345 EUR."];
    check(&buyer(), &Table::offered("15000"), &counter(&[("price", eur("12345.01"))]), &over);
}

#[test]
fn for_who_sells_less_is_worse() {
    let seller = crate::kit::limited(&eur("9000"), "more");
    let under = ["The price 8,000 EUR is under your limit of 9,000 EUR."];
    check(&seller, &Table::offered("7000"), &counter(&[("price", eur("8000"))]), &under);
}

#[test]
fn accepting_is_held_against_what_is_on_the_table() {
    let over = ["The price 15,000 EUR is over your limit of 12,345 EUR."];
    check(&buyer(), &Table::offered("15000"), &turn(Move::Accept), &over);
    check(&buyer(), &Table::offered("12345"), &turn(Move::Accept), &[]);
}

#[test]
fn another_currency_or_kind_cannot_be_compared() {
    let table = Table::offered("15000");
    check(
        &buyer(),
        &table,
        &counter(&[("price", money("9000", "USD"))]),
        &["The price 9,000 USD cannot be compared with your limit of 12,345 EUR."],
    );
    check(
        &buyer(),
        &table,
        &counter(&[("price", Value::Flag(true))]),
        &["The price yes cannot be compared with your limit of 12,345 EUR."],
    );
}

#[test]
fn durations_are_told_as_people_say_them() {
    let json = r#"{"terms":{"delivery":{"walk_away":{"duration":1209600000},"better":"less"}}}"#;
    let late = value(r#"{"duration":1296000000}"#);
    let words = ["The delivery 15 days is over your limit of 14 days."];
    check(&mandate(json), &Table::offered("1"), &counter(&[("delivery", late)]), &words);
}

#[test]
fn an_alternative_in_an_objection_is_as_good_as_an_offer() {
    let objection =
        Objection { field: name("price"), reason: text("too much"), alternative: Some(eur("13000")), evidence: vec![] };
    let offer = Offer { objections: vec![objection], ..Offer::default() };
    let over = ["The price 13,000 EUR is over your limit of 12,345 EUR."];
    check(&buyer(), &Table::offered("15000"), &turn(Move::Counter(offer.into())), &over);
}

#[test]
fn a_prohibited_term_stands_for_what_is_below_it() {
    let mandate = mandate(r#"{"prohibited_terms":["data"]}"#);
    let table =
        Table::new().then(THEM, propose(&[("data.export", Value::Flag(true)), ("database", Value::Flag(true))]));
    let words = ["Your agent would agree on data.export, which you never agree to."];
    check(&mandate, &table, &turn(Move::Accept), &words);
}

#[test]
fn authority_counts_all_amounts_of_a_deal_together() {
    let mandate = mandate(r#"{"authority":[{"currency":"EUR","per":"deal","most":"1000"}]}"#);
    let table = Table::offered("1");
    check(&mandate, &table, &counter(&[("price", eur("600")), ("setup", eur("400"))]), &[]);
    let over = ["1,001 EUR is more than the 1,000 EUR that your agent may agree to."];
    check(&mandate, &table, &counter(&[("price", eur("600")), ("setup", eur("401"))]), &over);
    check(&mandate, &table, &counter(&[("discount", eur("-401")), ("price", eur("600"))]), &over);
}

#[test]
fn a_currency_without_a_limit_is_nobodys_to_spend() {
    let mandate = mandate(r#"{"authority":[{"currency":"EUR","per":"deal","most":"1000"}]}"#);
    let words = ["1 USD: you have not said how much USD your agent may agree to."];
    check(&mandate, &Table::offered("1"), &counter(&[("price", money("1", "USD"))]), &words);
}

#[test]
fn what_was_agreed_in_the_period_counts() {
    let mandate = mandate(r#"{"authority":[{"currency":"EUR","per":"week","most":"1000"}]}"#);
    let Value::Money(sum) = eur("700") else { unreachable!() };
    let agreed = |ago: Span| Spent::new(&[(Timestamp(NOON.0 - i64::try_from(ago.0).unwrap()), sum.clone())], NOON);
    let offer = counter(&[("price", eur("400"))]);
    let found = |spent: &Spent| outgoing(&mandate, &Table::offered("1").0, US, &offer, spent, NOON, Reasoning::Private);
    assert_eq!(found(&agreed(Span::days(7))), []);
    let words =
        "400 EUR would be more than the 1,000 EUR that your agent may agree to in a week: 700 EUR is agreed already.";
    assert_eq!(found(&agreed(Span::days(6)))[0].in_words(), words);
}

#[test]
fn spent_adds_up_by_currency_and_period() {
    let sum = |amount: &str, currency: &str| Money {
        amount: amount.parse().unwrap(),
        currency: currency.to_owned().try_into().unwrap(),
    };
    let ago = |days: i64| Timestamp(NOON.0 - days * 86_400_000);
    let spent = Spent::new(
        &[
            (ago(0), sum("1", "EUR")),
            (ago(3), sum("10", "EUR")),
            (ago(20), sum("100", "EUR")),
            (ago(0), sum("5", "USD")),
        ],
        NOON,
    );
    let of = |currency: &str, period| spent.of(&currency.to_owned().try_into().unwrap(), period).to_string();
    let eur = [Period::Deal, Period::Day, Period::Week, Period::Month].map(|period| of("EUR", period));
    assert_eq!(eur, ["0", "1", "11", "111"]);
    assert_eq!([of("USD", Period::Month), of("CHF", Period::Month)], ["5", "0"]);
}

#[test]
fn amounts_too_large_to_add_are_over_every_limit() {
    let mandate = mandate(r#"{"authority":[{"currency":"EUR","per":"deal","most":"1000"}]}"#);
    let most = "79228162514264337593543950335";
    let found = Table::offered("1").outgoing(&mandate, &counter(&[("a", eur(most)), ("b", eur(most))]));
    assert!(matches!(&found[..], [Finding { concern: Concern::OverAuthority { .. }, .. }]), "{found:?}");
}
