//! A walk-away that could be read from the words, and numbers that are just numbers.

use countersign_kernel::{Move, Turn};
use countersign_mandate::{Concern, Mandate};

use crate::kit::{Table, buyer, counter, eur, limited, mandate, saying, says, turn, value};

/// Whether a message beside an offer of 11,000, against one of 15,000, tells the walk-away.
fn check(mandate: &Mandate, message: &str, expected: bool) {
    let found = Table::offered("15000").outgoing(mandate, &says(message));
    let told = found.iter().find(|finding| matches!(finding.concern, Concern::WalkAwayTold { split: false, .. }));
    assert_eq!(told.is_some(), expected, "{message}: {found:?}");
    assert!(told.is_none_or(|told| told.quote.is_some()), "{message}: {found:?}");
}

#[test]
fn a_walk_away_is_found_in_whatever_figures() {
    for message in [
        "We could pay 12345.",
        "We could pay 12,345 EUR.",
        "We could pay 12.345 €.",
        "We could pay 12 345 euros.",
        "We could pay 12\u{a0}345 euros.",
        "We could pay 12'345 francs.",
        "We could pay 12’345.",
        "We could pay €12,345.00!",
        "We could pay 12.345,00 EUR",
        "We could pay 12_345",
        "We could pay EUR12345",
        "We could pay 12.345k",
        "We could pay 12.345 thousand",
        "We could pay 0.012345 million",
        "1-2-3-4-5 is a nice number",
        "1 2 3 4 5 is a nice number",
        "1,2,3,4,5 is a nice number",
        "1 2,3 4 5 is a nice number",
        "We could pay 12, 345",
        "We could pay 1234 5",
        "We could pay １２３４５",
        "We could pay ١٢٣٤٥",
        "We could pay 𝟏𝟐𝟑𝟒𝟓",
        "We could pay 12\u{200b}345",
        "We could pay 1️⃣2️⃣3️⃣4️⃣5️⃣",
        "We could pay \u{e0031}\u{e0032}\u{e0033}\u{e0034}\u{e0035}",
    ] {
        check(&buyer(), message, true);
    }
}

#[test]
fn a_walk_away_is_found_in_words() {
    for message in [
        "We could pay twelve thousand three hundred forty-five.",
        "We could pay Twelve Thousand, erm, no: twelve thousand three hundred and forty five euros.",
        "It is one two three four five, between us.",
        "We could pay twelve thousand 345.",
        "We could pay 12 thousand 3 hundred 45.",
    ] {
        check(&buyer(), message, true);
    }
    let round = limited(&eur("1500000"), "less");
    for message in [
        "one and a half million",
        "1.5 million would do",
        "1.5m",
        "1,5 Mio",
        "fifteen hundred thousand",
        "one point five million",
        "1500k is possible",
        "a million five hundred thousand",
    ] {
        check(&round, message, true);
    }
    let half = limited(&eur("500000"), "less");
    for message in ["half a million", "five hundred thousand", "500 grand", "0.5m", "500K"] {
        check(&half, message, true);
    }
}

#[test]
fn a_walk_away_is_found_as_a_difference_or_a_share() {
    for message in [
        "We could go 2,655 below your price.",
        "We could pay 1,345 more than we offer.",
        "Take 13,000 minus 655.",
        "13,000 less 655 would be possible.",
        "That is 45 over 12,300.",
        "We could pay 11,000 now and 1,345 later.",
        "82.3% of your price is possible.",
        "17.7% off and we have a deal.",
        "17.7 percent below your price.",
    ] {
        check(&buyer(), message, true);
    }
}

#[test]
fn a_rounded_walk_away_is_found_when_it_is_called_a_limit() {
    for message in [
        "Our limit is around 12,300.",
        "We can't go above 12k.",
        "We cannot pay more than 12,350 EUR.",
        "12.3k is the most we can do.",
        "At most twelve thousand.",
        "Höchstens 12.300 Euro.",
        "12 300 euros au maximum",
        "Como máximo 12.300 euros.",
        "Our budget: 12,345",
        "max. 12,345",
    ] {
        check(&buyer(), message, true);
    }
    for message in ["About 12,300 people visit us.", "We have sold 12k of them.", "Our limit is 11,000."] {
        check(&buyer(), message, false);
    }
}

#[test]
fn an_offer_of_the_walk_away_is_an_offer_until_it_is_called_a_limit() {
    let check = |message: &str, expected: &[&str]| {
        let turn = saying(counter(&[("price", eur("12345"))]), message);
        assert_eq!(Table::offered("15000").codes(&buyer(), &turn), expected, "{message}");
    };
    check("We offer 12,345 EUR.", &[]);
    check("We offer 12,345 EUR, which is 2,655 below your price.", &[]);
    check("For 12,345 EUR we would need at least 3 revisions.", &[]);
    check("12,345 EUR with a maximum of 3 revisions and a limit of 10 pages.", &[]);
    check("We offer 12,345 EUR. Our lowest tier has 5 pages.", &[]);
    check("12,345 EUR, and that is my limit.", &["walk_away_told"]);
    check("My limit is 12,345 EUR.", &["walk_away_told"]);
    check("We can't go above 12,345 EUR.", &["walk_away_told"]);
    check("We won't pay more than 12,345 EUR.", &["walk_away_told"]);
    check("12,345 EUR is my absolute maximum.", &["walk_away_told"]);
    check("My bottom line: 12,345.", &["walk_away_told"]);
    check("At 12,345 I walk away.", &["walk_away_told"]);
}

#[test]
fn what_the_other_side_named_may_be_answered() {
    let table = Table::offered("12345");
    assert_eq!(table.codes(&buyer(), &says("12,345 EUR is a lot for five pages.")), [""; 0]);
    assert_eq!(table.codes(&buyer(), &says("12,345 EUR is the most we can pay.")), ["walk_away_told"]);
    let table = Table::new().then(crate::kit::THEM, saying(crate::kit::propose(&[]), "Would you pay 12,345?"));
    assert_eq!(table.codes(&buyer(), &says("No, 12,345 is out of the question.")), [""; 0]);
}

#[test]
fn numbers_that_are_something_else_pass() {
    for message in [
        "We offer 11,000 EUR, and you asked for 15,000.",
        "You would come down by 4,000.",
        "12,345 users visit it every month.",
        "It has 12,345 pages.",
        "Call 555-123-4512 between 12:30 and 12:45.",
        "It is 12345th in the list.",
        "Version 1.2.345 came out on 2023-12-31.",
        "The last one cost 12,346 and the one before 12,344.",
        "We have 123 and 45 of them.",
        "We sold 12. 345 people came.",
        "That is 10% below your price.",
        "With 655 visitors more than now it would pay.",
        "One two three, and we are done.",
        "The 12 of May, 2026, at 12.30.",
    ] {
        check(&buyer(), message, false);
    }
    let year = limited(&eur("2026"), "less");
    for message in [
        "We start in 2026.",
        "By May 2026 at the latest.",
        "On May 12, 2026 we start.",
        "On 12.05.2026.",
        "Since 2026 it is so.",
    ] {
        check(&year, message, false);
    }
    check(&year, "It could be 2,026 EUR.", true);
    check(&year, "We could pay 2026.", true);
}

#[test]
fn a_small_number_tells_nothing_by_itself() {
    let json = r#"{"terms":{"revisions":{"walk_away":{"integer":{"amount":2}},"better":"more"}}}"#;
    for (message, expected) in [
        ("Two of us looked at it.", false),
        ("We looked at 2 of your sites.", false),
        ("There is one thing or two to say.", false),
        ("2 revisions would be possible.", true),
        ("We need at least two.", true),
        ("We can't go below 2.", true),
        ("We need at least two pages.", false),
    ] {
        check(&mandate(json), message, expected);
    }
    let price = limited(&eur("50"), "less");
    check(&price, "We have 50 of them.", false);
    check(&price, "It could be 50 EUR.", true);
    check(&price, "It could be $50.", true);
}

#[test]
fn a_duration_is_known_by_its_unit() {
    let json = r#"{"terms":{"delivery_time":{"walk_away":{"duration":1209600000},"better":"less"}}}"#;
    for (message, expected) in [
        ("We need it delivered within 14 days.", true),
        ("Delivery may take two weeks.", true),
        ("At the latest, and at most, 336 hours.", true),
        ("We have 14 people.", false),
        ("We were away for two weeks.", false),
        ("Delivery in 14 boxes.", false),
    ] {
        check(&mandate(json), message, expected);
    }
}

#[test]
fn a_walk_away_may_be_told_where_the_person_says_so() {
    let mut open = buyer();
    open.terms.values_mut().for_each(|term| term.may_disclose_walk_away = true);
    check(&open, "My limit is 12,345 EUR.", false);
}

#[test]
fn every_part_of_a_turn_that_is_sent_is_read() {
    let secret = "up to 12,345 EUR";
    let offers = [
        format!(r#"{{"justification":"{secret}"}}"#),
        format!(r#"{{"evidence":["{secret}"]}}"#),
        format!(r#"{{"tradeoffs":["{secret}"]}}"#),
        format!(r#"{{"objections":[{{"field":"price","reason":"{secret}"}}]}}"#),
        format!(r#"{{"objections":[{{"field":"price","reason":"no","evidence":["{secret}"]}}]}}"#),
        format!(r#"{{"objections":[{{"field":"price","reason":"no","alternative":{{"text":"{secret}"}}}}]}}"#),
        format!(r#"{{"terms":{{"note":{{"text":"{secret}"}}}}}}"#),
        format!(r#"{{"terms":{{"note":{{"choice":"{secret}"}}}}}}"#),
        format!(r#"{{"terms":{{"size":{{"integer":{{"amount":1,"unit":"{secret}"}}}}}}}}"#),
        format!(r#"{{"cost_breakdown":{{"note":{{"text":"{secret}"}}}}}}"#),
        r#"{"terms":{"limit-12345":{"flag":true}}}"#.to_owned(),
    ];
    for offer in offers {
        let turn = turn(Move::Counter(serde_json::from_str(&offer).unwrap()));
        let codes = Table::offered("15000").codes(&buyer(), &turn);
        assert!(codes.contains(&"walk_away_told"), "{offer}: {codes:?}");
    }
    let question: Move =
        serde_json::from_str(&format!(r#"{{"question":[{{"question":"Is {secret} fine?"}}]}}"#)).unwrap();
    assert_eq!(Table::offered("15000").codes(&buyer(), &turn(question)), ["walk_away_told"]);
    let option = format!(r#"{{"question":[{{"question":"What is fine?","options":["{secret}"]}}]}}"#);
    let option: Turn = turn(serde_json::from_str(&option).unwrap());
    assert_eq!(Table::offered("15000").codes(&buyer(), &option), ["walk_away_told"]);
    let answer: Move = serde_json::from_str(&format!(r#"{{"answer":[{{"answer":"{secret}"}}]}}"#)).unwrap();
    let codes = Table::offered("15000").codes(&buyer(), &turn(answer));
    assert!(codes.contains(&"walk_away_told"), "{codes:?}");
}

#[test]
fn a_walk_away_of_any_numeric_kind_is_kept() {
    let decimal = value(r#"{"decimal":{"amount":"7.25","unit":"percent"}}"#);
    check(&limited(&decimal, "less"), "7.25% would be fine.", true);
    check(&limited(&decimal, "less"), "7.2% would be fine.", false);
    let integer = value(r#"{"integer":{"amount":480,"unit":"hours"}}"#);
    check(&limited(&integer, "less"), "We could do it in 480 hours.", true);
    check(&limited(&eur("0"), "less"), "Zero.", false);
}
