use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex_lite::{Captures, Regex};
use serde::{Deserialize, Serialize};

/// What a copy for others leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sensitive {
    /// A password, a key, a token.
    Credential,
    /// An address to write to.
    Email,
    /// A number of a document, an account or a card.
    GovernmentId,
    /// Something the person marked as private.
    Private,
    /// Who somebody is.
    Name,
    /// A number to call.
    Phone,
}

impl Sensitive {
    fn mark(self) -> &'static str {
        match self {
            Self::Credential => "[credential]",
            Self::Email => "[email]",
            Self::GovernmentId => "[id]",
            Self::Private => "[private]",
            Self::Name => "[name]",
            Self::Phone => "[phone]",
        }
    }
}

/// What is looked for, in order: what was replaced is not looked at again.
static PATTERNS: LazyLock<Vec<(Sensitive, Regex)>> = LazyLock::new(|| {
    let patterns = [
        (Sensitive::Credential, r"(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|$)"),
        (Sensitive::Credential, r"(?i)\b(password|passwd|secret|api[_ -]?key|token|bearer)\b\s*(is|[:=])?\s*\S+"),
        (Sensitive::Credential, r"\b(sk|pk|ghp|gho|xox[abp]|glpat|AKIA)[-_A-Za-z0-9]{12,}"),
        (Sensitive::Credential, r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*"),
        (Sensitive::Email, r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+"),
        (Sensitive::GovernmentId, r"\b\d{3}-\d{2}-\d{4}\b"),
        (Sensitive::GovernmentId, r"\b[A-Z]{2}\d{2}( ?[A-Z0-9]{4}){3,7}( ?[A-Z0-9]{1,3})?\b"),
        (Sensitive::GovernmentId, r"\b(\d{4}[ -]){3}\d{4}\b|\b\d{15,16}\b"),
        (
            Sensitive::GovernmentId,
            r"(?i)\b(passport|ssn|tax id|id card)\b[ :#]*(is|no\.?|number)?[ :#]*[A-Z0-9-]*\d[A-Z0-9-]{4,}",
        ),
        (
            Sensitive::Phone,
            r"(\+\d{1,3}[ .-]?)?(\(\d{2,4}\)[ .-]?\d{2,4}([ .-]\d{2,4}){1,4}|\d{2,4}([ .-]\d{2,4}){2,4})\b|\+\d{8,15}\b",
        ),
    ];
    // INVARIANT: each of these compiles; a test uses each.
    patterns.into_iter().filter_map(|(kind, pattern)| Some((kind, Regex::new(pattern).ok()?))).collect()
});

/// What to leave out of a copy, besides what looks sensitive by itself.
#[derive(Clone, Debug, Default)]
pub struct Mask {
    /// Names of people.
    pub names: Vec<String>,
    /// Words that the person marked as private.
    pub private: Vec<String>,
}

impl Mask {
    /// The text with what is sensitive replaced, and what that was; nothing when there is nothing.
    pub fn apply(&self, text: &str) -> Option<(String, BTreeSet<Sensitive>)> {
        let mut found = BTreeSet::new();
        let mut masked = replace_words(text, &self.private, Sensitive::Private, &mut found);
        for (kind, pattern) in PATTERNS.iter() {
            let replaced = pattern.replace_all(&masked, |seen: &Captures<'_>| {
                let seen = &seen[0];
                if *kind == Sensitive::Phone && !is_phone(seen) {
                    return seen.to_owned();
                }
                found.insert(*kind);
                kind.mark().to_owned()
            });
            masked = replaced.into_owned();
        }
        // A mark in the place of what stood beside a word can have made it a whole one.
        masked = replace_words(&masked, &self.private, Sensitive::Private, &mut found);
        masked = replace_words(&masked, &self.names, Sensitive::Name, &mut found);
        (!found.is_empty()).then_some((masked, found))
    }
}

/// A date has eight digits; a number to call has more, or says that it is one.
fn is_phone(seen: &str) -> bool {
    let digits = seen.bytes().filter(u8::is_ascii_digit).count();
    digits > 8 || seen.starts_with(['+', '('])
}

/// Whole words only, in any case. Where words overlap, all of them go.
fn replace_words(text: &str, words: &[String], kind: Sensitive, found: &mut BTreeSet<Sensitive>) -> String {
    let (folded, origins) = fold(text);
    let mut places: Vec<Range<usize>> = Vec::new();
    for word in words {
        places.extend(find_word(&folded, &fold(word.trim()).0));
    }
    places.sort_by_key(|place| (place.start, place.end));
    let mut masked = String::with_capacity(text.len());
    // Until where the text is done.
    let mut done = 0;
    for place in places {
        let origin = |at: usize| origins.get(at).cloned().unwrap_or(text.len()..text.len());
        let (start, end) = (origin(place.start).start, origin(place.end - 1).end);
        if start >= done {
            masked.push_str(text.get(done..start).unwrap_or_default());
            masked.push_str(kind.mark());
            found.insert(kind);
        }
        done = done.max(end);
    }
    masked.push_str(text.get(done..).unwrap_or_default());
    masked
}

/// Every place where a word stands whole: no letter or digit goes on where it begins or ends with one.
fn find_word<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    let mut from = 0;
    let places = std::iter::from_fn(move || {
        let at = from + text.get(from..).filter(|_| !word.is_empty())?.find(word)?;
        // The next may overlap this one.
        from = at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
        Some(at..at + word.len())
    });
    let goes_on = |inside: Option<char>, outside: Option<char>| {
        inside.is_some_and(char::is_alphanumeric) && outside.is_some_and(char::is_alphanumeric)
    };
    places.filter(move |place| {
        let before = text.get(..place.start).and_then(|before| before.chars().next_back());
        let after = text.get(place.end..).and_then(|after| after.chars().next());
        !goes_on(word.chars().next(), before) && !goes_on(word.chars().next_back(), after)
    })
}

/// The text in lower case, and for each byte of it the letter that it comes from: lower case can be longer or shorter.
fn fold(text: &str) -> (String, Vec<Range<usize>>) {
    let (mut folded, mut origins) = (String::with_capacity(text.len()), Vec::with_capacity(text.len()));
    for (at, letter) in text.char_indices() {
        for lower in letter.to_lowercase() {
            // A sigma at the end of a word is still a sigma.
            let lower = if lower == 'ς' { 'σ' } else { lower };
            folded.push(lower);
            origins.extend(std::iter::repeat_n(at..at + letter.len_utf8(), lower.len_utf8()));
        }
    }
    (folded, origins)
}
