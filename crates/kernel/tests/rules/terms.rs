//! Typed terms: what they hold, what they refuse, what compares with what.

use std::cmp::Ordering;

use countersign_kernel::{
    Action, Actions, Incomparable, MAX_TERMS, MAX_TEXT, NegotiationId, Offer, Percent, Rulebook, TermName, Terms, Text,
    Value,
};

use crate::kit::{Table, flag, name, text, usdc, value, whole};

#[test]
fn money_keeps_every_digit_it_was_written_with() {
    for amount in ["0.00165", "0.10", "123456789012345678.123456789", "-3"] {
        let json = format!(r#"{{"money":{{"amount":"{amount}","currency":"USDC"}}}}"#);
        assert_eq!(serde_json::to_string(&value(&json)).unwrap(), json);
    }
    assert_eq!(usdc("0.10").compare(&usdc("0.1")), Ok(Ordering::Equal));
}

#[test]
fn what_is_not_a_value_is_refused() {
    for json in [
        r#"{"money":{"amount":0.1,"currency":"USDC"}}"#,
        r#"{"money":{"amount":"ten","currency":"USDC"}}"#,
        r#"{"money":{"amount":"1","currency":"usdc"}}"#,
        r#"{"money":{"amount":"1","currency":"U"}}"#,
        r#"{"money":{"amount":"1","currency":"ABCDEFGHIJKLM"}}"#,
        r#"{"money":{"amount":"1"}}"#,
        r#"{"integer":{"amount":9007199254740992}}"#,
        r#"{"integer":{"amount":-9007199254740992}}"#,
        r#"{"integer":{"amount":1.5}}"#,
        r#"{"duration":-1}"#,
        r#"{"text":" "}"#,
        r#"{"colour":"red"}"#,
    ] {
        assert!(serde_json::from_str::<Value>(json).is_err(), "{json}");
    }
    value(r#"{"integer":{"amount":9007199254740991}}"#);
    value(r#"{"integer":{"amount":-9007199254740991}}"#);
}

#[test]
fn like_compares_with_like() {
    let hours = |hours: u64| value(&format!(r#"{{"duration":{}}}"#, hours * 3_600_000));
    let number = |amount: &str| value(&format!(r#"{{"decimal":{{"amount":"{amount}"}}}}"#));
    let choice = |chosen: &str| value(&format!(r#"{{"choice":"{chosen}"}}"#));
    for (less, more) in [
        (usdc("0.0015"), usdc("0.00165")),
        (whole(-1), whole(1)),
        (hours(1), hours(2)),
        (number("0.09"), number("0.1")),
    ] {
        assert_eq!(less.compare(&more), Ok(Ordering::Less));
        assert_eq!(more.compare(&less), Ok(Ordering::Greater));
        assert_eq!(more.compare(&more.clone()), Ok(Ordering::Equal));
    }
    for same in [choice("red"), flag(true), Value::Text(text("as is"))] {
        assert_eq!(same.compare(&same.clone()), Ok(Ordering::Equal));
    }
    for (a, b) in
        [(choice("red"), choice("blue")), (flag(true), flag(false)), (Value::Text(text("a")), Value::Text(text("b")))]
    {
        assert!(matches!(a.compare(&b), Err(Incomparable::Unordered(_))));
    }
}

#[test]
fn unlike_is_never_a_guess() {
    let euro = value(r#"{"money":{"amount":"1","currency":"EUR"}}"#);
    assert!(matches!(usdc("1").compare(&euro), Err(Incomparable::Currencies { .. })));
    let unit = |unit: &str| value(&format!(r#"{{"integer":{{"amount":1,"unit":"{unit}"}}}}"#));
    assert!(matches!(unit("GB").compare(&unit("MB")), Err(Incomparable::Units { .. })));
    assert!(matches!(unit("GB").compare(&whole(1)), Err(Incomparable::Units { .. })));
    let kinds = [
        usdc("1"),
        whole(1),
        value(r#"{"decimal":{"amount":"1"}}"#),
        value(r#"{"duration":1}"#),
        value(r#"{"choice":"1"}"#),
        Value::Text(text("1")),
        flag(true),
    ];
    for (place, a) in kinds.iter().enumerate() {
        for (other, b) in kinds.iter().enumerate().filter(|(other, _)| *other != place) {
            assert!(matches!(a.compare(b), Err(Incomparable::Types { .. })), "{place} {other}");
        }
    }
}

#[test]
fn each_value_reads_well() {
    for (shown, value) in [
        ("0.00165 USDC", usdc("0.00165")),
        ("7", whole(7)),
        ("5000 events/s", value(r#"{"integer":{"amount":5000,"unit":"events/s"}}"#)),
        ("1.5 GB", value(r#"{"decimal":{"amount":"1.5","unit":"GB"}}"#)),
        ("250 ms", value(r#"{"duration":250}"#)),
        ("red", value(r#"{"choice":"red"}"#)),
        ("yes", flag(true)),
        ("no", flag(false)),
    ] {
        assert_eq!(value.to_string(), shown);
    }
}

#[test]
fn a_name_is_a_path_of_plain_parts() {
    for good in ["price", "terms.storage_limit", "rank.task-1", &"a".repeat(64)] {
        assert!(TermName::new(good).is_ok(), "{good}");
    }
    for bad in ["", ".", "a.", ".a", "a..b", "ä", "a b", "a/b", &"a".repeat(65)] {
        assert!(TermName::new(bad).is_err(), "{bad}");
    }
    assert_eq!(name("rank.backup").head(), "rank");
}

#[test]
fn terms_are_few_and_in_order() {
    let many = |count: usize| Terms::new((0..count).map(|place| (name(&format!("t{place}")), whole(1))));
    assert!(many(MAX_TERMS).is_ok());
    let refused = many(MAX_TERMS + 1).unwrap_err();
    assert_eq!(refused.to_string(), "65 terms are more than 64");
    let json = r#"{"b":{"flag":true},"a":{"flag":false}}"#;
    let terms: Terms = serde_json::from_str(json).unwrap();
    assert_eq!(terms.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    let family = crate::kit::terms(&[("a.b", whole(1)), ("ab.c", whole(1)), ("a", whole(1))]);
    assert_eq!(family.under("a").map(|(rest, _)| rest).collect::<Vec<_>>(), ["b"]);
}

#[test]
fn names_and_digests_read_as_they_are() {
    assert_eq!(name("rank.backup").to_string(), "rank.backup");
    assert_eq!(NegotiationId("n-1".into()).to_string(), "n-1");
    let table = Table::under(Rulebook::hire());
    let shown = table.n.digest().to_string();
    assert!(shown.len() == 64 && shown.bytes().all(|byte| byte.is_ascii_hexdigit()));
}

#[test]
fn an_offer_says_only_what_there_is_to_say() {
    assert_eq!(serde_json::to_string(&Offer::default()).unwrap(), "{}");
    let last = Offer { is_final: true, ..Offer::default() };
    assert_eq!(serde_json::to_string(&last).unwrap(), r#"{"final":true}"#);
}

#[test]
fn a_text_that_is_too_long_is_cut_between_two_letters() {
    assert_eq!(MAX_TEXT, 16_384);
    assert_eq!(&*Text::clipped("short"), "short");
    let long = Text::clipped("é".repeat(MAX_TEXT));
    assert_eq!((long.len(), long.ends_with("é…")), (MAX_TEXT - 1, true));
    let odd = Text::clipped(format!("a{}", "é".repeat(MAX_TEXT)));
    assert_eq!(odd.len(), MAX_TEXT);
    assert_eq!(&*Text::clipped("  "), "…");
}

#[test]
fn a_set_of_moves_holds_each_once() {
    let twice = Actions::of(&[Action::Propose, Action::Propose]);
    assert!(twice.contains(Action::Propose) && twice.iter().count() == 1);
}

#[test]
fn a_percentage_ends_at_a_hundred() {
    assert!(Percent::try_from(100).is_ok() && Percent::try_from(101).is_err());
    assert_eq!(u8::from(Percent::of(200)), 100);
}
