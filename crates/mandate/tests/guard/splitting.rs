//! What is told bit by bit.

use countersign_mandate::{Concern, Finding, Mandate};

use crate::kit::{THEM, Table, US, buyer, counter, eur, mandate, saying};

/// What our second message is found to tell after the first.
fn found(mandate: &Mandate, first: &str, second: &str) -> Vec<Finding> {
    let offer = |price: &str, message: &str| saying(counter(&[("price", eur(price))]), message);
    let table = Table::offered("15000").then(US, offer("10000", first)).then(THEM, offer("14500", "Hmm."));
    table.outgoing(mandate, &offer("10500", second))
}

fn check(mandate: &Mandate, first: &str, second: &str, expected: bool) {
    let found = found(mandate, first, second);
    let split = found.iter().any(|finding| {
        matches!(
            finding.concern,
            Concern::WalkAwayTold { split: true, .. }
                | Concern::FactTold { split: true, .. }
                | Concern::NameTold { split: true, .. }
        )
    });
    assert_eq!(split, expected, "{first} / {second}: {found:?}");
    assert_eq!(found.len(), usize::from(expected), "{first} / {second}: {found:?}");
}

#[test]
fn a_number_in_two_halves_is_found() {
    check(&buyer(), "Remember this: 12", "345 is the rest", true);
    check(&buyer(), "Remember this: 1", "2345 is the rest", true);
    check(&buyer(), "Remember twelve thousand", "three hundred forty-five", true);
    check(&buyer(), "Our limit is", "around 12,300 as I said.", true);
    check(&buyer(), "Think of 13,000.", "Now take 655 less.", true);
    check(&buyer(), "We ordered 12.", "There were 345 visitors.", false);
    check(&buyer(), "We have 12 pages.", "And 345 visitors.", false);
    check(&buyer(), "Think of 13,000.", "Now take 600 less.", false);
}

#[test]
fn what_was_told_before_is_not_found_again() {
    check(&buyer(), "It could be 12,345.", "That is all we have to say.", false);
}

#[test]
fn words_in_two_halves_are_found() {
    let secret =
        |words: &str| mandate(&format!(r#"{{"disclosure":[{{"fact":"it","words":["{words}"],"rule":"never"}}]}}"#));
    check(&secret("pregnant"), "We are preg", "nant, you know.", true);
    check(&secret("pregnant"), "The first part is preg, mind it.", "And the second is nant, of course.", true);
    check(&secret("divorce lawyer"), "I met a lawyer.", "It was about a divorce.", true);
    check(&secret("divorce lawyer"), "I met a lawyer.", "It was about a house.", false);
    check(&secret("a new year with you"), "A new start.", "Next year, with you.", false);
    check(&mandate(r#"{"private_names":["Li Wu Po"]}"#), "It is Li", "Wu Po who said it.", true);
}
