//! What a turn tells that is to stay private.

use std::collections::BTreeSet;
use std::ops::Range;

use countersign_kernel::Text;
use countersign_ledger::Mask;

use crate::amounts::{Numbers, joined};
use crate::leaving::Said;
use crate::names::{self, Form};
use crate::read::fold::{Haystack, Needle};
use crate::read::glyph::is_unseen;
use crate::read::number::figures;
use crate::read::quote::quote;
use crate::secret::Secret;
use crate::{Concern, Disclose, Finding, Mandate};

/// Words that are in every other sentence, and so no part of a secret.
const COMMON: [&str; 58] = [
    "the", "and", "for", "not", "you", "our", "can", "are", "was", "has", "had", "but", "all", "any", "new", "out",
    "who", "how", "its", "one", "two", "with", "from", "that", "this", "have", "will", "your", "about", "would",
    "could", "there", "their", "what", "when", "which", "been", "more", "than", "into", "over", "also", "only", "some",
    "very", "just", "like", "need", "want", "next", "year", "month", "week", "days", "time", "work", "good", "make",
];

/// What would be told, by this turn alone or by what it adds to earlier ones.
pub(crate) fn told(mandate: &Mandate, said: &Said) -> Vec<Finding> {
    let (now, earlier) = (Haystack::new(&said.now), Haystack::new(said.earlier()));
    let told = Told {
        said,
        now: &now,
        all: Haystack::new(&said.all),
        words_now: now.words().into_iter().collect(),
        words_earlier: earlier.words().into_iter().collect(),
        numbers_now: Numbers::new(&said.now),
        numbers_all: Numbers::new(&said.all),
    };
    let mut findings = Vec::new();
    for (term, limits) in mandate.terms.iter().filter(|(_, limits)| !limits.may_disclose_walk_away) {
        let secret = limits.walk_away.as_ref().and_then(|walk_away| Secret::walk_away(term, walk_away));
        let found = secret.and_then(|secret| told.number(&secret));
        findings.extend(found.map(|found| found.finding(|split| Concern::WalkAwayTold { term: term.clone(), split })));
    }
    for fact in mandate.disclosure.iter().filter(|fact| fact.rule != Disclose::Freely) {
        let words = || fact.words.iter().find_map(|words| told.words(&Form::anywhere(words)));
        let found = words().or_else(|| told.number(&Secret::fact(fact)?));
        findings.extend(
            found.map(|found| {
                found.finding(|split| Concern::FactTold { fact: fact.fact.clone(), rule: fact.rule, split })
            }),
        );
    }
    for name in &mandate.private_names {
        let found = names::forms(name).iter().find_map(|form| told.words(form));
        findings.extend(found.map(|found| found.finding(|split| Concern::NameTold { name: name.clone(), split })));
    }
    findings.extend(sensitive(mandate, &said.now));
    findings
}

struct Told<'a> {
    said: &'a Said,
    now: &'a Haystack<'a>,
    all: Haystack<'a>,
    words_now: BTreeSet<&'a str>,
    words_earlier: BTreeSet<&'a str>,
    numbers_now: Numbers,
    numbers_all: Numbers,
}

struct Found {
    split: bool,
    quote: Option<Text>,
}

impl Found {
    fn finding(self, concern: impl FnOnce(bool) -> Concern) -> Finding {
        Finding { concern: concern(self.split), quote: self.quote }
    }
}

impl Told<'_> {
    fn number(&self, secret: &Secret) -> Option<Found> {
        if let Some(place) = self.numbers_now.find(secret, self.said, 0) {
            return Some(Found { split: false, quote: Some(quote(&self.said.now, &place)) });
        }
        let begins = self.said.begins;
        if begins == 0 {
            return None;
        }
        if let Some(place) = self.numbers_all.find(secret, self.said, begins) {
            return Some(Found { split: true, quote: Some(quote(&self.said.all, &place)) });
        }
        let whole = joined(self.said.earlier(), &self.said.now)?;
        let is_it = secret.readings.iter().any(|reading| reading.value == whole && !reading.needs_unit);
        (is_it && !self.said.offered.contains(&secret.raw)).then_some(Found { split: true, quote: None })
    }

    fn words(&self, form: &Form) -> Option<Found> {
        let here = |place: &Range<usize>| form.is_meant(&self.said.now, place);
        if let Some(place) = self.now.find(&form.needle, here) {
            return Some(Found { split: false, quote: Some(quote(&self.said.now, &place)) });
        }
        if self.said.begins == 0 || !form.may_be_split {
            return None;
        }
        if let Some(place) = self.all.find(&form.needle, |place| place.end > self.said.begins) {
            return Some(Found { split: true, quote: Some(quote(&self.said.all, &place)) });
        }
        self.completes(&form.needle).then_some(Found { split: true, quote: None })
    }

    /// Whether this turn has the rest of what earlier ones began, wherever in them that is.
    fn completes(&self, needle: &Needle) -> bool {
        let (now, earlier) = (&self.words_now, &self.words_earlier);
        let telling: Vec<&str> =
            needle.words().into_iter().filter(|word| word.len() > 3 && !COMMON.contains(word)).collect();
        let all = telling.iter().all(|word| now.contains(word) || earlier.contains(word));
        if telling.len() > 1 && all && telling.iter().any(|word| !now.contains(word)) {
            return telling.iter().any(|word| !earlier.contains(word));
        }
        let letters = needle.letters();
        let half =
            |words: &BTreeSet<&str>, half: &str| half.len() > 2 && !COMMON.contains(&half) && words.contains(half);
        let mut cuts = letters.char_indices().filter_map(|(at, _)| letters.split_at_checked(at));
        cuts.any(|(first, rest)| (half(earlier, first) && half(now, rest)) || (half(now, first) && half(earlier, rest)))
    }
}

/// What looks sensitive by itself.
fn sensitive(mandate: &Mandate, text: &str) -> Vec<Finding> {
    let text = without_prose(text);
    let Some((masked, kinds)) = Mask::default().apply(&text) else { return Vec::new() };
    let same = text.bytes().zip(masked.bytes()).take_while(|(a, b)| a == b).count();
    let start = (0..=same).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    // With several kinds, the first place does not say of which.
    let place = (kinds.len() == 1).then(|| quote(&text, &(start..start)));
    let marked = kinds.into_iter().filter_map(|kind| Some((kind, *mandate.sensitive.get(&kind)?)));
    let kept = marked.filter(|(_, rule)| *rule != Disclose::Freely);
    kept.map(|(kind, rule)| Finding { concern: Concern::SensitiveTold { kind, rule }, quote: place.clone() }).collect()
}

/// The text without what the patterns take for a credential or a phone number and is none: `a token of trust`,
/// `112.500.000`.
fn without_prose(text: &str) -> String {
    let seen: String = text.chars().filter(|c| !is_unseen(*c)).collect();
    let words: Vec<&str> = seen.split_whitespace().collect();
    let mut kept: Vec<&str> = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let next = words.get(at + 1).copied().unwrap_or_default();
        let after = if next.eq_ignore_ascii_case("is") { words.get(at + 2).copied().unwrap_or_default() } else { next };
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let keyword = matches!(bare.as_str(), "token" | "secret" | "bearer" | "password" | "passwd" | "key");
        let given = word.ends_with([':', '=']) || (next != after && matches!(bare.as_str(), "password" | "passwd"));
        let amount =
            word.contains(['.', ',']) && word.len() > 4 && !figures(word.trim_end_matches(['.', ','])).is_empty();
        if amount || (keyword && !given && is_prose(after)) {
            kept.push("-");
        } else {
            kept.push(word);
        }
    }
    kept.join(" ")
}

/// A word of small letters, as in a sentence.
fn is_prose(word: &str) -> bool {
    let bare = word.trim_end_matches(['.', ',', ';', ':', '!', '?', ')', '"']);
    bare.len() < 16 && bare.chars().all(|c| c.is_lowercase() || matches!(c, '-' | '\'' | '’'))
}
