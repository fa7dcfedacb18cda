//! Whether a number that must stay private can be read from a text.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rust_decimal::Decimal;

use crate::cues::limits;
use crate::leaving::Said;
use crate::read::digits::{Run, runs};
use crate::read::number::{Stated, stated};
use crate::read::token::{Kind, Token, tokens};
use crate::secret::{Reading, Secret};

/// Words that make a number a difference from another, after it and before it.
const APART: [&str; 18] = [
    "below",
    "under",
    "less",
    "lower",
    "cheaper",
    "off",
    "short",
    "beneath",
    "minus",
    "above",
    "over",
    "more",
    "higher",
    "extra",
    "plus",
    "additional",
    "top",
    "discount",
];
const ADDED: [&str; 7] = ["minus", "plus", "less", "another", "extra", "additional", "reduced"];

/// What else is counted: a number of these is not the private one, unless that counts them too.
const COUNTED: [&str; 46] = [
    "users",
    "people",
    "customers",
    "units",
    "days",
    "day",
    "hours",
    "hour",
    "weeks",
    "week",
    "months",
    "month",
    "years",
    "year",
    "minutes",
    "seconds",
    "km",
    "miles",
    "kg",
    "pages",
    "words",
    "employees",
    "seats",
    "requests",
    "items",
    "followers",
    "members",
    "lines",
    "times",
    "pieces",
    "copies",
    "orders",
    "students",
    "visitors",
    "downloads",
    "meters",
    "metres",
    "sqm",
    "litres",
    "gb",
    "mb",
    "ms",
    "rounds",
    "revisions",
    "points",
    "steps",
];

/// A text with its numbers, and what is said of them.
pub(crate) struct Numbers {
    tokens: Vec<Token>,
    stated: Vec<Stated>,
    /// Those that are said to be a limit.
    limits: BTreeSet<usize>,
    /// Where each value is said first and last.
    places: BTreeMap<Decimal, (usize, usize)>,
    /// Numbers with next to nothing between them.
    runs: Vec<Run>,
}

impl Numbers {
    pub(crate) fn new(text: &str) -> Self {
        let tokens = tokens(text);
        let stated = stated(&tokens);
        let mut places: BTreeMap<Decimal, (usize, usize)> = BTreeMap::new();
        for (place, number) in stated.iter().enumerate() {
            for value in &number.values {
                places.entry(*value).or_insert((place, place)).1 = place;
            }
        }
        let (limits, runs) = (limits(&tokens, &stated), runs(&tokens));
        Self { tokens, stated, limits, places, runs }
    }

    /// Where a private number can be read that ends after this place.
    pub(crate) fn find(&self, secret: &Secret, said: &Said, after: usize) -> Option<Range<usize>> {
        let known = said.offered.contains(&secret.raw);
        secret.readings.iter().find_map(|reading| {
            let known = known || said.theirs.contains(&reading.value);
            let whole = self.whole(secret, reading, known, said, after);
            whole.or_else(|| self.in_pieces(reading, after).filter(|_| !known))
        })
    }

    /// Where it is said as one number, or by what it differs from another.
    fn whole(
        &self,
        secret: &Secret,
        reading: &Reading,
        known: bool,
        said: &Said,
        after: usize,
    ) -> Option<Range<usize>> {
        self.stated.iter().enumerate().find_map(|(at, number)| {
            let limit = self.limits.contains(&at);
            let told = reading.is_stated(number)
                && if limit {
                    reading.is_about(number) && !(reading.is_small() && is_of_others(reading, number))
                } else {
                    !known && reading.is_exactly(number) && self.is_telling(secret, reading, number)
                };
            let place = if told {
                Some(number.start..number.end)
            } else if limit || !known {
                self.apart(reading, at, said)
            } else {
                None
            };
            place.filter(|place| place.end > after)
        })
    }

    /// Where it is said as digits that stand apart, or as two numbers to add.
    fn in_pieces(&self, reading: &Reading, after: usize) -> Option<Range<usize>> {
        if reading.needs_unit || reading.is_small() {
            return None;
        }
        let digits = reading.value.normalize().to_string();
        let apart = self.runs.iter().filter_map(|run| run.find(&digits));
        // A small part of it could be anything: `one` is a number.
        let least = reading.value.checked_div(Decimal::ONE_HUNDRED)?;
        let adds = |a: Decimal, b: Decimal| a.min(b) >= least && a.checked_add(b) == Some(reading.value);
        let plain = |number: &Stated| !number.percent && !is_of_others(reading, number);
        let added = self.stated.iter().zip(self.stated.iter().skip(1)).filter(|(one, other)| {
            let sum = one.values.iter().any(|a| other.values.iter().any(|b| adds(*a, *b)));
            sum && one.sentence == other.sentence && plain(one) && plain(other)
        });
        let added = added.map(|(one, other)| one.start..other.end);
        apart.chain(added).find(|place| place.end > after)
    }

    /// Whether the number is this one, and not one of something else that happens to be as many.
    fn is_telling(&self, secret: &Secret, reading: &Reading, number: &Stated) -> bool {
        if is_of_others(reading, number) {
            return false;
        }
        if !reading.is_small() && !reading.needs_unit {
            return true;
        }
        // There are too many small numbers for one to tell anything by itself.
        let own_unit = reading.counts(number) && !reading.needs_unit;
        (number.money && reading.money) || own_unit || secret.is_near(&self.tokens, number)
    }

    /// Where a number is told as a difference from, or a part of, another one that is said or known.
    fn apart(&self, reading: &Reading, at: usize, said: &Said) -> Option<Range<usize>> {
        if reading.needs_unit || (reading.is_small() && !reading.money) {
            return None;
        }
        let number = self.stated.get(at)?;
        let (apart, part) = self.relation(number);
        if !apart && !part {
            return None;
        }
        let bases = number.values.iter().flat_map(|value| bases(reading.value, *value, number.percent, apart, part));
        bases.into_iter().find_map(|(low, high)| {
            if said.offered.range(low..=high).next().is_some() || said.theirs.range(low..=high).next().is_some() {
                return Some(number.start..number.end);
            }
            let said = self.places.range(low..=high).flat_map(|(_, (first, last))| [*first, *last]);
            let other = said.filter(|other| *other != at).max().and_then(|other| self.stated.get(other))?;
            Some(number.start.min(other.start)..number.end.max(other.end))
        })
    }

    /// Whether a number is said to be a difference, and whether it is said to be a part.
    fn relation(&self, number: &Stated) -> (bool, bool) {
        let (from, to) = number.tokens;
        let word = |at: usize| self.tokens.get(at).filter(|token| token.sentence == number.sentence);
        let is = |at: usize, words: &[&str]| word(at).is_some_and(|token| words.contains(&token.text.as_str()));
        let after = (to..to + 4).find(|at| is(*at, &APART)).is_some_and(|at| !is(at + 1, &COUNTED));
        let before = (from.saturating_sub(2)..from).any(|at| is(at, &ADDED));
        let part = number.percent && (to..to + 3).any(|at| is(at, &["of"]));
        (after || before, part)
    }
}

/// Whether a number in a text counts something else.
fn is_of_others(reading: &Reading, number: &Stated) -> bool {
    !reading.counts(number) && number.after.as_deref().is_some_and(|after| COUNTED.contains(&after))
}

/// The last number of one text and the first of the next, as if they were one.
pub(crate) fn joined(before: &str, now: &str) -> Option<Decimal> {
    let figures = |token: &Token| -> Option<String> {
        let digits = token.text.chars().filter(char::is_ascii_digit).collect();
        (token.kind == Kind::Number).then_some(digits)
    };
    let (before, now) = (tokens(before), tokens(now));
    let last = before.iter().rfind(|token| token.kind != Kind::Mark).and_then(figures)?;
    let first = now.iter().find(|token| token.kind != Kind::Mark).and_then(figures)?;
    Decimal::from_str_exact(&format!("{last}{first}")).ok()
}

/// What the other number would have to be, as ranges: rounding is not a disguise.
fn bases(secret: Decimal, stated: Decimal, percent: bool, apart: bool, part: bool) -> Vec<(Decimal, Decimal)> {
    if !percent {
        let both = [secret.checked_add(stated), secret.checked_sub(stated)];
        return both.into_iter().flatten().filter(|base| *base > Decimal::ZERO).map(|base| (base, base)).collect();
    }
    let fraction = stated.checked_div(Decimal::ONE_HUNDRED).unwrap_or_default();
    let rest = [Decimal::ONE.checked_sub(fraction), Decimal::ONE.checked_add(fraction)];
    let factors = rest.into_iter().filter(|_| apart).chain([Some(fraction).filter(|_| part)]).flatten();
    let around = factors.filter(|factor| *factor > Decimal::ZERO).filter_map(|factor| {
        let base = secret.checked_div(factor)?;
        let slack = base.checked_mul(Decimal::new(5, 4))?;
        Some((base.checked_sub(slack)?, base.checked_add(slack)?))
    });
    around.collect()
}
