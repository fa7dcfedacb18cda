//! Looking for words in whatever spelling: without case, accents, punctuation, spaces and what cannot be seen.

use std::ops::Range;

use super::glyph::{Glyph, glyphs, is_unspaced, leet};

/// From this many letters on, words are found inside of longer ones too. Shorter ones are in too many others.
const FOUND_INSIDE: usize = 6;

/// A text without all that does not matter for finding something in it.
#[derive(Clone, Debug)]
pub(crate) struct Folded {
    text: String,
    /// For each byte of it, where it came from.
    from: Vec<(usize, usize)>,
    /// For each byte of it, whether a new word begins there.
    gap: Vec<bool>,
}

/// What is looked for.
#[derive(Clone, Debug)]
pub(crate) struct Needle {
    written: String,
    plain: Folded,
    leet: Folded,
}

/// A text to look in: as it is written, and with digits and signs read as letters.
#[derive(Clone, Debug)]
pub(crate) struct Haystack<'a> {
    text: &'a str,
    plain: Folded,
    leet: Folded,
}

impl Needle {
    pub(crate) fn new(words: &str) -> Self {
        let plain = Folded::new(words, false);
        Self { written: words.trim().to_owned(), plain, leet: Folded::new(words, true) }
    }

    /// The words it is made of.
    pub(crate) fn words(&self) -> Vec<&str> {
        self.plain.words()
    }

    /// All of its letters.
    pub(crate) fn letters(&self) -> &str {
        &self.plain.text
    }
}

impl<'a> Haystack<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, plain: Folded::new(text, false), leet: Folded::new(text, true) }
    }

    /// The first place where something stands that is accepted.
    pub(crate) fn find(&self, needle: &Needle, accept: impl Fn(&Range<usize>) -> bool) -> Option<Range<usize>> {
        if needle.plain.text.is_empty() {
            // Nothing but signs: as they are.
            return self.text.match_indices(&*needle.written).map(|(at, part)| at..at + part.len()).find(accept);
        }
        let plain = self.plain.find(&needle.plain, &accept);
        plain.or_else(|| self.leet.find(&needle.leet, &accept))
    }

    /// The words of the text, in order.
    pub(crate) fn words(&self) -> Vec<&str> {
        self.plain.words()
    }
}

impl Folded {
    fn new(text: &str, as_leet: bool) -> Self {
        let glyphs = glyphs(text);
        let mut folded = Self { text: String::with_capacity(text.len()), from: Vec::new(), gap: Vec::new() };
        let mut gap = true;
        for (place, glyph) in glyphs.iter().enumerate() {
            let c = if as_leet && is_leet(&glyphs, place) { leet(glyph.c) } else { glyph.c };
            if c.is_alphanumeric() {
                folded.text.push(c);
                folded.from.resize(folded.text.len(), (glyph.start, glyph.end));
                folded.gap.push(gap);
                folded.gap.resize(folded.text.len(), false);
                gap = false;
            } else if c != '\'' {
                gap = true;
            }
        }
        folded
    }

    fn find(&self, needle: &Self, accept: &impl Fn(&Range<usize>) -> bool) -> Option<Range<usize>> {
        let mut from = 0;
        while let Some(found) = self.text.get(from..).and_then(|rest| rest.find(&needle.text)) {
            let start = from + found;
            let end = start + needle.text.len();
            let place = self.from.get(start).zip(self.from.get(end - 1)).map(|(first, last)| first.0..last.1);
            if let Some(place) = place.filter(|place| self.is_meant(needle, start, end) && accept(place)) {
                return Some(place);
            }
            from = start + self.text.get(start..)?.chars().next().map_or(1, char::len_utf8);
        }
        None
    }

    /// Whether what was found is words of their own, or long enough to be no accident.
    fn is_meant(&self, needle: &Self, start: usize, end: usize) -> bool {
        let begins = self.begins(start);
        let plural = self.text.get(end..).is_some_and(|rest| rest.starts_with('s')) && self.begins(end + 1);
        if begins && (self.begins(end) || plural) {
            return true;
        }
        let long = needle.text.chars().count() >= FOUND_INSIDE;
        let unspaced = needle.text.chars().any(is_unspaced);
        let gaps = self.gap.get(start..end).unwrap_or_default().iter().zip(&needle.gap).skip(1);
        (long || unspaced) && gaps.into_iter().all(|(here, wanted)| !here || *wanted)
    }

    /// Whether a word begins here, or the text ends.
    fn begins(&self, at: usize) -> bool {
        self.gap.get(at).copied().unwrap_or(true)
    }

    fn words(&self) -> Vec<&str> {
        let starts: Vec<usize> = self.gap.iter().enumerate().filter(|(_, gap)| **gap).map(|(at, _)| at).collect();
        let ends = starts.iter().skip(1).copied().chain([self.text.len()]);
        starts.iter().zip(ends).filter_map(|(start, end)| self.text.get(*start..end)).collect()
    }
}

/// Marks stand for letters only inside of words; at their end they are just marks.
fn is_leet(glyphs: &[Glyph], place: usize) -> bool {
    let Some(glyph) = glyphs.get(place) else { return false };
    if !matches!(glyph.c, '!' | '|') {
        return true;
    }
    let letter = |at: Option<usize>| at.and_then(|at| glyphs.get(at)).is_some_and(|near| near.c.is_alphanumeric());
    letter(place.checked_sub(1)) && letter(Some(place + 1))
}
