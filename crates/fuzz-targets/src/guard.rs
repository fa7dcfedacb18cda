use std::sync::Arc;

use countersign_kernel::{Assessment, Load, Move, Negotiation, Role, Side, SuggestedRoles, Text, Turn};
use countersign_mandate::{Disclose, Disclosure, Mandate, Reasoning, Spent, Weight, escalation, incoming, outgoing};

use crate::table::{NOON, openings};

/// A private word on the first line, then a message: the guard reads it both ways, and lets no private word out.
pub fn guard(bytes: &[u8]) -> bool {
    let Some((word, message)) = std::str::from_utf8(bytes).ok().and_then(|text| text.split_once('\n')) else {
        return false;
    };
    let (Ok(word), Ok(message)) = (Text::new(word), Text::new(message)) else { return false };
    let Some(opening) = openings().next() else { return false };
    let events = Negotiation::open(opening, Load::default(), NOON).expect("it opens");
    let n = Negotiation::replay(&events).expect("it begins with an opening");
    let suggested_roles = Some(SuggestedRoles { own: Role::Peer, other: Role::Peer });
    let reasoning = Text::new("so").expect("words");
    let assessment = Assessment { reasoning, suggested_roles, confidence: None };
    let turn = Turn { act: Move::Propose(Arc::default()), assessment, message: Some(message.clone()) };

    let fact = Text::new("a fact").expect("words");
    let secret = Disclosure { fact, words: vec![word.clone()], number: None, rule: Disclose::Never };
    let mandate = Mandate { disclosure: vec![secret], ..Mandate::default() };
    // A word of which nothing can be read keeps nothing private: the mandate with it is refused.
    let makes_sense = mandate.check().is_ok();
    let ours = outgoing(&mandate, &n, Side::Initiator, &turn, &Spent::default(), NOON, Reasoning::Private);
    if makes_sense && stands_in(&word, &message) {
        assert!(ours.iter().any(|finding| finding.weight() == Weight::Refuse), "`{word}` would leave in `{message}`");
        assert!(escalation(&ours).is_some());
    }
    let theirs = incoming(&mandate, &n, Side::Initiator, &turn);
    for finding in ours.iter().chain(&theirs) {
        assert!(!finding.in_words().trim().is_empty() && !finding.code().is_empty());
    }
    true
}

/// Whether it is there as it is, with room around it, and made of plain letters: then nobody could overlook it.
fn stands_in(word: &str, message: &str) -> bool {
    let plain = word.len() >= 3 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    plain && message.split(' ').any(|part| part == word)
}
