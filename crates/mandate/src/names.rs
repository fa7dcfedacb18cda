//! How somebody could be named.

use std::ops::Range;

use countersign_kernel::Text;

use crate::read::fold::Needle;

/// Something to look for.
pub(crate) struct Form {
    pub(crate) needle: Needle,
    /// Whether half of it in another turn gives it away.
    pub(crate) may_be_split: bool,
    care: Care,
}

/// What else has to be so, for what was found to be meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Care {
    /// Nothing.
    None,
    /// It is a word of its own.
    Whole,
    /// Its words are, and are written large: an initial alone is also an article.
    Capitals,
    /// It is an everyday word too, and is written large where that says something.
    Everyday,
}

/// Names that are words, or words that are names.
const EVERYDAY: [&str; 77] = [
    "april", "august", "baker", "banks", "best", "bill", "black", "bond", "brown", "bush", "carter", "case", "cash",
    "chance", "chase", "cook", "dawn", "dean", "drew", "fair", "faith", "field", "fish", "forest", "frank", "free",
    "good", "grace", "grant", "great", "green", "hill", "home", "hope", "hunter", "jack", "joy", "june", "just",
    "king", "little", "long", "love", "major", "march", "mark", "mason", "miles", "north", "page", "park", "penny",
    "price", "read", "real", "rice", "rich", "rose", "sharp", "short", "small", "smart", "star", "stone", "strong",
    "summer", "sweet", "true", "ward", "wells", "west", "white", "will", "wise", "wood", "woods", "young",
];

impl Form {
    /// Words that are looked for wherever they could hide.
    pub(crate) fn anywhere(words: &str) -> Self {
        Self { needle: Needle::new(words), may_be_split: true, care: Care::None }
    }

    fn word(word: &str, care: Care) -> Self {
        let needle = Needle::new(word);
        let care = if EVERYDAY.contains(&needle.letters()) { Care::Everyday } else { care };
        Self { needle, may_be_split: false, care }
    }

    /// Whether what was found at a place is this, and not a longer word or an everyday one.
    pub(crate) fn is_meant(&self, text: &str, place: &Range<usize>) -> bool {
        let before = text.get(..place.start).unwrap_or_default();
        let here = text.get(place.clone()).unwrap_or_default();
        let after = text.get(place.end..).and_then(|after| after.chars().next());
        let letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
        let whole = !letter(before.chars().next_back()) && (after == Some('s') || !letter(after));
        let large = |word: &str| word.chars().next().is_some_and(char::is_uppercase);
        let large = here.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).all(large);
        let last = before.trim_end_matches(' ').chars().next_back();
        let begins = last.is_none_or(|c| matches!(c, '.' | '!' | '?' | ':' | '"' | '\n'));
        match self.care {
            Care::None => true,
            Care::Whole => whole && is_one(here),
            Care::Capitals => whole && large,
            Care::Everyday => whole && large && !begins,
        }
    }
}

/// The ways to write a name: whole, turned around, with an initial, and its longer parts alone.
pub(crate) fn forms(name: &Text) -> Vec<Form> {
    let mut forms = Vec::new();
    let transcribed = transcribed(name);
    for name in std::iter::once(&**name).chain((transcribed != **name).then_some(&*transcribed)) {
        let parts: Vec<&str> = name.split_whitespace().collect();
        let [first, .., last] = parts.as_slice() else {
            let alone = Form::word(name, Care::None);
            forms.push(Form { may_be_split: alone.care == Care::None, ..alone });
            continue;
        };
        forms.push(Form::anywhere(name));
        forms.push(Form::anywhere(&format!("{first} {last}")));
        forms.push(Form::anywhere(&format!("{last} {first}")));
        let initial: String = first.chars().take(1).collect();
        forms.push(Form::word(&format!("{initial} {last}"), Care::Capitals));
        let letters = |part: &str| part.chars().filter(|c| c.is_alphabetic()).count();
        forms.extend(parts.iter().filter(|part| letters(part) >= 4).map(|part| Form::word(part, Care::Whole)));
    }
    forms
}

/// Whether it is one word, or one that is spelled out: `love lace` is neither.
fn is_one(here: &str) -> bool {
    let mut pieces = here.split_whitespace().map(|piece| piece.chars().count());
    pieces.clone().count() == 1 || pieces.all(|length| length <= 2)
}

/// As it is written where there are no such letters.
fn transcribed(name: &str) -> String {
    name.chars().fold(String::new(), |mut written, c| {
        match c {
            'ä' | 'Ä' => written.push_str("ae"),
            'ö' | 'Ö' | 'ø' | 'Ø' => written.push_str("oe"),
            'ü' | 'Ü' => written.push_str("ue"),
            'å' | 'Å' => written.push_str("aa"),
            other => written.push(other),
        }
        written
    })
}
