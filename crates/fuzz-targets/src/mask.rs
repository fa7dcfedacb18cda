use countersign_ledger::{Mask, Sensitive};

/// What is left out of a copy leaves these in its place.
const MARKS: [&str; 6] = ["credential", "email", "id", "private", "name", "phone"];

/// Two private words and two names, a line each, then a text: none of these words is left in it.
pub fn mask(bytes: &[u8]) -> bool {
    let Ok(input) = std::str::from_utf8(bytes) else { return false };
    let mut lines = input.splitn(5, '\n');
    let mut words = || lines.by_ref().take(2).map(str::to_owned).collect::<Vec<_>>();
    let mask = Mask { private: words(), names: words() };
    let text = lines.next().unwrap_or_default();

    let Some((masked, kinds)) = mask.apply(text) else {
        for word in mask.private.iter().chain(&mask.names) {
            assert!(!has_word(text, word), "`{word}` is in the text");
        }
        return true;
    };
    assert!(!kinds.is_empty());
    let words = || mask.private.iter().chain(&mask.names);
    // What a mark is made of stands in every mark.
    if words().any(|word| word.contains(['[', ']']) || MARKS.iter().any(|mark| has_word(word, mark))) {
        return true;
    }
    for word in words() {
        assert!(!has_word(&masked, word), "`{word}` is still in `{masked}`");
    }
    // It may look like more once a mark stands in it: `secret` before a number is part of a word, before a mark it is one.
    if let Some((_, again)) = mask.apply(&masked) {
        assert!(!again.contains(&Sensitive::Private) && !again.contains(&Sensitive::Name), "{again:?} in `{masked}`");
    }
    true
}

/// Whether a word stands in a text, whole and in any case.
fn has_word(text: &str, word: &str) -> bool {
    let (text, word) = (plain(text), plain(word.trim()));
    if word.is_empty() {
        return false;
    }
    let ends = |inside: Option<char>, outside: Option<char>| {
        !(inside.is_some_and(char::is_alphanumeric) && outside.is_some_and(char::is_alphanumeric))
    };
    (0..text.len()).filter(|at| text.is_char_boundary(*at) && text[*at..].starts_with(&word)).any(|at| {
        ends(word.chars().next(), text[..at].chars().next_back())
            && ends(word.chars().next_back(), text[at + word.len()..].chars().next())
    })
}

fn plain(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).map(|letter| if letter == 'ς' { 'σ' } else { letter }).collect()
}
