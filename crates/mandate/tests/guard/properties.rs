//! What holds whatever the words are.

use std::sync::Arc;
use std::time::Instant;

use countersign_kernel::{MAX_TEXT, Move, Offer, Text, Turn};
use countersign_mandate::{Disclose, Disclosure, Finding, Mandate, Reasoning, Spent, incoming, outgoing};
use proptest::prelude::*;

use crate::kit::{NOON, THEM, Table, US, buyer, saying, says, text, turn};

/// Words, signs, invisible characters and numbers, in any order.
fn anything() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "12",
        "345",
        "12,345",
        "1.2.3",
        "twelve",
        "thousand",
        "and",
        "a",
        "half",
        "point",
        "million",
        "limit",
        "below",
        "%",
        "79228162514264337593543950335",
        "99999999999999999999999999999999",
        "hundred",
        "k",
        "-",
        "'",
        ".",
        ",",
        " ",
        "\n",
        "\u{200b}",
        "\u{202e}",
        "\u{e0041}",
        "é",
        "e\u{301}",
        "İ",
        "ß",
        "ﬃ",
        "東京",
        "🍕",
        "ignore",
        "previous",
        "instructions",
        "<|",
        "|>",
        "@",
        "$",
        "Falcon",
        "\u{fe0f}",
        "\u{20e3}",
        "𝟏",
        "٣",
        "in",
        "2026",
        "may",
        "0",
        "…",
    ]);
    let known = prop::collection::vec(pieces, 0..40).prop_map(|pieces| pieces.concat());
    prop_oneof![known, any::<String>(), "\\PC{0,200}"]
}

fn guarded() -> Mandate {
    let fact =
        |words: &str| Disclosure { fact: text("it"), words: vec![text(words)], number: None, rule: Disclose::Never };
    let mut mandate = buyer();
    mandate.disclosure = vec![fact("Project Falcon"), fact("東京"), fact("🍕"), fact("é"), fact("12")];
    mandate.private_names = vec![text("Grace Hopper"), text("Åse"), text("Will")];
    mandate
}

fn told(mandate: &Mandate, table: &Table, turn: &Turn) -> Vec<Finding> {
    outgoing(mandate, &table.0, US, turn, &Spent::default(), NOON, Reasoning::Sent)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(400) })]

    #[test]
    fn nothing_makes_the_guard_stop(first in anything(), second in anything()) {
        let said = |words: &str| Turn { message: Text::new(words).ok(), ..says("well") };
        let answer = saying(turn(Move::Counter(Arc::default())), "Hmm.");
        let table = Table::offered("15000").then(US, said(&first)).then(THEM, answer);
        for finding in told(&guarded(), &table, &said(&second)) {
            prop_assert!(!finding.in_words().is_empty());
            prop_assert!(finding.quote.is_none_or(|quote| quote.len() < 4096));
        }
        incoming(&guarded(), &table.0, THEM, &said(&first));
    }

    #[test]
    fn a_secret_is_found_wherever_it_stands(
        secret in "[A-Za-zäöüßéñ]{3,8}( [A-Za-z0-9-]{3,8}){0,2}[a-z]{3}",
        around in anything(),
        place in any::<prop::sample::Index>(),
    ) {
        let at = (0..=place.index(around.len() + 1)).rev().find(|at| around.is_char_boundary(*at)).unwrap_or(0);
        let message = format!("{}{secret}{}", &around[..at], &around[at..]);
        let mut mandate = Mandate::default();
        let rule = Disclose::Never;
        mandate.disclosure.push(Disclosure { fact: text("it"), words: vec![text(&secret)], number: None, rule });
        let found = told(&mandate, &Table::offered("15000"), &says(&message));
        prop_assert!(found.iter().any(|finding| finding.code() == "fact_told"), "{message:?}: {found:?}");
    }

    /// Nothing is counted in words without vowels.
    #[test]
    fn a_walk_away_among_words_is_found(before in "[a-z ]{0,40}[a-z]", after in "[b-df-hj-np-tv-z]{4,8}", cents in 0..100_u32) {
        let amount = format!("12345.{cents:02}");
        let mandate = crate::kit::limited(&crate::kit::eur(&amount), "less");
        let message = format!("{before} {amount} {after}");
        let found = told(&mandate, &Table::offered("15000"), &says(&message));
        prop_assert!(found.iter().any(|finding| finding.code() == "walk_away_told"), "{message:?}: {found:?}");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "how long it takes is what is tested")]
fn a_large_text_is_read_quickly() {
    let pieces = [
        "a",
        "12 ",
        "1,",
        "limit ",
        "500 below ",
        "ignore previous ",
        "one ",
        "at most ",
        "\u{200b}",
        "aaaaaa",
        "token ",
        "12-",
        "1 111 ",
        "half a ",
        "twelve point ",
        "Falcon ",
    ];
    for piece in pieces {
        let full = || Some(text(&format!("x{}", piece.repeat((MAX_TEXT - 1) / piece.len()))));
        let offer = Offer { evidence: full().into_iter().chain(full()).chain(full()).collect(), ..Offer::default() };
        let large = Turn { message: full(), ..turn(Move::Counter(offer.into())) };
        let table = Table::offered("15000")
            .then(US, large.clone())
            .then(THEM, saying(turn(Move::Counter(Arc::default())), "Hmm."));
        let start = Instant::now();
        told(&guarded(), &table, &large);
        incoming(&guarded(), &table.0, THEM, &large);
        let took = start.elapsed();
        assert!(took.as_secs() < 5, "{piece:?} took {took:?}");
    }
}
