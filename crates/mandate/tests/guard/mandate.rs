//! Reading a mandate.

use countersign_kernel::{Action, Percent, Span};
use countersign_mandate::{Autonomy, Better, Disclose, Mandate, MandateError};

use crate::kit::{eur, mandate, name};

#[test]
fn an_empty_mandate_is_the_cautious_one() {
    let read = mandate("{}");
    assert_eq!(read, Mandate::default());
    assert!(!read.accept_unsigned && read.pre_authorised.is_empty() && read.authority.is_empty());
    assert!(Action::ALL.into_iter().all(|action| read.autonomy(action) == Autonomy::Auto));
    assert!(read.sensitive.values().all(|rule| *rule != Disclose::Freely));
}

#[test]
fn a_whole_mandate_survives_json() {
    let written = r#"{
        "goals": ["a new website"],
        "must_haves": [{"topic": "hosting", "text": "hosting for a year"}],
        "deal_breakers": [{"topic": "exclusive", "text": "no exclusivity"}],
        "terms": {"price": {"target": {"money": {"amount": "9000", "currency": "EUR"}},
                            "walk_away": {"money": {"amount": "12000", "currency": "EUR"}}, "weight": 80},
                  "revisions": {"walk_away": {"integer": {"amount": 2}}, "better": "more"}},
        "authority": [{"currency": "EUR", "per": "deal", "most": "12000"}, {"currency": "EUR", "per": "month", "most": "20000"}],
        "disclosure": [{"fact": "where we move", "words": ["Lisbon"], "rule": "ask"},
                       {"fact": "what we pay now", "number": "8400", "rule": "never"}],
        "private_names": ["Grace Hopper"],
        "sensitive": {"email": "freely", "credential": "never"},
        "ask": {"confidence_below": 60, "value_over": [{"amount": "10000", "currency": "EUR"}], "before": ["accept"],
                "on_unknown_term": true},
        "autonomy": {"propose": "auto", "counter": {"hold": 60000}, "reject": "ask"},
        "pre_authorised": [{"name": "small things", "most": {"amount": "50", "currency": "EUR"}, "expires": 1800000000000}],
        "prohibited_terms": ["exclusivity"],
        "pace": {"turns_per_hour": 30},
        "approval_window": 3600000
    }"#;
    let read = mandate(written);
    assert_eq!(read.terms[&name("price")].better(), Some(Better::Less));
    assert_eq!(read.terms[&name("price")].weight, Percent::of(80));
    assert_eq!(read.autonomy(Action::Counter), Autonomy::Hold(Span::minutes(1)));
    assert_eq!(read.pace.openings_per_hour, Mandate::default().pace.openings_per_hour);
    assert_eq!(mandate(&serde_json::to_string(&read).unwrap()), read);
}

#[test]
fn what_makes_no_sense_is_named_with_its_field() {
    let check = |json: &str, expected: &str| assert_eq!(Mandate::from_json(json).unwrap_err().to_string(), expected);
    let price = |of: &str| format!(r#"{{"terms":{{"price":{{{of}}}}}}}"#);
    let eur = |amount: &str| format!(r#"{{"money":{{"amount":"{amount}","currency":"EUR"}}}}"#);
    let usd = r#"{"money":{"amount":"1","currency":"USD"}}"#;
    let (target, walk_away) = (format!(r#""target":{}"#, eur("9")), format!(r#""walk_away":{}"#, eur("12")));
    check(&price(&walk_away), "`terms.price.better`: say whether more or less is better");
    check(
        &price(&format!(r#"{walk_away},"target":{usd}"#)),
        "`terms.price.target`: USD cannot be compared with EUR without a rate",
    );
    check(
        &price(&format!(r#"{target},{walk_away},"better":"more""#)),
        "`terms.price.target`: the target is worse than the walk-away",
    );
    check(
        &price(r#""walk_away":{"flag":true}"#),
        "`terms.price.walk_away`: a limit must be an amount, a number or a duration",
    );
    check(
        &format!(r#"{{"terms":{{"price":{{{target}}}}},"prohibited_terms":["price"]}}"#),
        "`terms.price`: this term is prohibited, and has a mandate",
    );
    check(
        r#"{"authority":[{"currency":"EUR","per":"day","most":"-1"}]}"#,
        "`authority[0].most`: `-1` is less than nothing",
    );
    check(
        r#"{"authority":[{"currency":"EUR","per":"day","most":"1"},{"currency":"EUR","per":"day","most":"2"}]}"#,
        "`authority[1]`: this is said twice",
    );
    check(
        r#"{"disclosure":[{"fact":"age","rule":"never"}]}"#,
        "`disclosure[0].words`: there is nothing to recognise it by",
    );
    check(r#"{"private_names":["?!"]}"#, "`private_names[0]`: there is nothing to recognise it by");
    check(r#"{"sensitive":{"name":"never"}}"#, "`sensitive`: names and private facts have fields of their own");
    check(r#"{"autonomy":{"accept":{"hold":0}}}"#, "`autonomy.accept.hold`: this must be more than nothing");
    check(r#"{"approval_window":604800001}"#, "`approval_window`: this is longer than 7 days");
    check(r#"{"pace":{"open_at_once":0}}"#, "`pace.open_at_once`: this must be more than nothing");
    check(
        r#"{"pre_authorised":[{"name":"a","most":{"amount":"0","currency":"EUR"},"expires":1}]}"#,
        "`pre_authorised[0].most.amount`: this must be more than nothing",
    );
}

#[test]
fn what_cannot_be_read_is_named_with_its_place() {
    let error = Mandate::from_json("{\n  \"gaols\": []\n}").unwrap_err();
    assert!(matches!(&error, MandateError::Json { line: 2, column: 9, .. }), "{error:?}");
    assert!(error.to_string().starts_with("line 2, column 9: unknown field `gaols`"), "{error}");
    let error = Mandate::from_json(r#"{"terms": {"price": 5}}"#).unwrap_err().to_string();
    assert_eq!(error, "line 1, column 21: invalid type: integer `5`, expected what a term may come to");
}

#[test]
fn the_direction_follows_from_the_target_or_is_said() {
    let term = |json: &str| mandate(&format!(r#"{{"terms":{{"price":{json}}}}}"#)).terms[&name("price")].clone();
    let (low, high) = (serde_json::to_string(&eur("9")).unwrap(), serde_json::to_string(&eur("12")).unwrap());
    let buys = term(&format!(r#"{{"target":{low},"walk_away":{high}}}"#));
    let sells = term(&format!(r#"{{"target":{high},"walk_away":{low}}}"#));
    let says = term(&format!(r#"{{"walk_away":{low},"better":"more"}}"#));
    assert_eq!(
        [buys.better(), sells.better(), says.better()],
        [Some(Better::Less), Some(Better::More), Some(Better::More)]
    );
    assert_eq!(buys.is_crossed_by(&eur("12.01")), Ok(true));
    assert_eq!(buys.is_crossed_by(&eur("12.00")), Ok(false));
    assert_eq!(sells.is_crossed_by(&eur("8.99")), Ok(true));
}
