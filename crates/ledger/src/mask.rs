use std::collections::BTreeSet;
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
        let mut masked = text.to_owned();
        for word in &self.private {
            masked = replace_word(&masked, word, Sensitive::Private, &mut found);
        }
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
        for name in &self.names {
            masked = replace_word(&masked, name, Sensitive::Name, &mut found);
        }
        (!found.is_empty()).then_some((masked, found))
    }
}

/// A date has eight digits; a number to call has more, or says that it is one.
fn is_phone(seen: &str) -> bool {
    let digits = seen.bytes().filter(u8::is_ascii_digit).count();
    digits > 8 || seen.starts_with(['+', '('])
}

/// Whole words only, in any case.
fn replace_word(text: &str, word: &str, kind: Sensitive, found: &mut BTreeSet<Sensitive>) -> String {
    let (lower, wanted) = (text.to_lowercase(), word.trim().to_lowercase());
    if wanted.is_empty() {
        return text.into();
    }
    // Lower-casing may change lengths; then places do not fit, and the whole text goes.
    if lower.len() != text.len() {
        return if lower.contains(&wanted) {
            found.insert(kind);
            kind.mark().into()
        } else {
            text.into()
        };
    }
    let mut masked = String::with_capacity(text.len());
    let mut from = 0;
    for (at, part) in lower.match_indices(&wanted) {
        let end = at + part.len();
        let before = lower.get(..at).and_then(|before| before.chars().next_back());
        let after = lower.get(end..).and_then(|after| after.chars().next());
        let inside = |edge: Option<char>| edge.is_some_and(char::is_alphanumeric);
        if at >= from && !inside(before) && !inside(after) {
            masked.push_str(text.get(from..at).unwrap_or_default());
            masked.push_str(kind.mark());
            found.insert(kind);
            from = end;
        }
    }
    masked.push_str(text.get(from..).unwrap_or_default());
    masked
}
