//! Finding turns of phrase, given as data.

use std::collections::BTreeMap;
use std::ops::Range;

use super::token::{Kind, Token};

/// How many words may stand in place of `..`.
const APART: usize = 3;

/// Turns of phrase with what each stands for.
///
/// A phrase is words with spaces between them: `a|b` is either, `..` is a few words or none, `a*` is whatever begins
/// so. It begins with a whole word.
#[derive(Debug)]
pub(crate) struct Phrases<T> {
    phrases: Vec<(T, Vec<Step>)>,
    by_first: BTreeMap<&'static str, Vec<usize>>,
}

#[derive(Debug)]
struct Step {
    words: Vec<&'static str>,
    apart: usize,
}

#[derive(Debug)]
struct Word<'a> {
    token: usize,
    text: &'a str,
    /// A comma or the like stands before it.
    parted: bool,
}

impl<T: Copy> Phrases<T> {
    pub(crate) fn new(table: &[(T, &[&'static str])]) -> Self {
        let mut all = Self { phrases: Vec::new(), by_first: BTreeMap::new() };
        for (meaning, phrase) in table.iter().flat_map(|(meaning, phrases)| phrases.iter().map(|one| (*meaning, *one)))
        {
            let mut steps: Vec<Step> = Vec::new();
            let mut apart = 0;
            for step in phrase.split(' ') {
                if step == ".." {
                    apart = APART;
                } else {
                    steps.push(Step { words: step.split('|').collect(), apart });
                    apart = 0;
                }
            }
            for first in steps.first().into_iter().flat_map(|step| &step.words) {
                all.by_first.entry(first).or_default().push(all.phrases.len());
            }
            all.phrases.push((meaning, steps));
        }
        all
    }

    /// Each place where one is said: what it means, and from which token to before which.
    pub(crate) fn find(&self, tokens: &[Token]) -> Vec<(T, Range<usize>)> {
        let mut words: Vec<Word<'_>> = Vec::new();
        let mut parted = false;
        for (token, spoken) in tokens.iter().enumerate() {
            if spoken.kind == Kind::Mark {
                parted = parted || matches!(spoken.text.as_str(), "," | ";" | ":" | "." | "!" | "?");
            } else {
                words.push(Word { token, text: &spoken.text, parted });
                parted = false;
            }
        }
        let mut found = Vec::new();
        for (place, word) in words.iter().enumerate() {
            for (meaning, steps) in self.beginning_with(word.text) {
                if let Some(last) = ends(&words, place, steps) {
                    found.push((*meaning, word.token..last + 1));
                }
            }
        }
        found
    }

    fn beginning_with(&self, word: &str) -> impl Iterator<Item = &(T, Vec<Step>)> {
        let places = self.by_first.get(word).map(Vec::as_slice).unwrap_or_default();
        places.iter().filter_map(|at| self.phrases.get(*at))
    }
}

/// The last token of a phrase whose first word is here.
fn ends(words: &[Word<'_>], place: usize, steps: &[Step]) -> Option<usize> {
    let mut at = place;
    for step in steps.iter().skip(1) {
        let mut near = words.get(at + 1..)?.iter().take(step.apart + 1);
        let fits = |word: &Word<'_>| step.words.iter().any(|wanted| fits(wanted, word.text));
        // Words that belong together have no comma between them.
        at += 1 + near.position(|word| fits(word) && (step.apart > 0 || !word.parted))?;
    }
    words.get(at).map(|word| word.token)
}

fn fits(wanted: &str, word: &str) -> bool {
    wanted.strip_suffix('*').map_or(wanted == word, |beginning| word.starts_with(beginning))
}
