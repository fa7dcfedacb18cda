//! A number that must stay private, and how it could be said.

use countersign_kernel::{Span, TermName, Value};
use rust_decimal::{Decimal, RoundingStrategy};

use crate::Disclosure;
use crate::read::fold::Needle;
use crate::read::number::Stated;
use crate::read::token::Token;

/// A private number.
#[derive(Clone, Debug)]
pub(crate) struct Secret {
    /// As it stands in terms.
    pub(crate) raw: Decimal,
    /// As it could be said.
    pub(crate) readings: Vec<Reading>,
    /// Words that make even a small number tell something; none when it always does.
    hints: Option<Vec<String>>,
}

/// One way to say it.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub(crate) value: Decimal,
    /// What it counts.
    pub(crate) units: Vec<String>,
    /// It is this number only with its unit: a fortnight is 14 of one thing and 336 of another.
    pub(crate) needs_unit: bool,
    pub(crate) money: bool,
}

const UNITS: [(Span, [&str; 4]); 5] = [
    (Span::days(7), ["weeks", "week", "wochen", "semaines"]),
    (Span::days(1), ["days", "day", "tage", "jours"]),
    (Span::hours(1), ["hours", "hour", "stunden", "heures"]),
    (Span::minutes(1), ["minutes", "minute", "mins", "min"]),
    (Span::seconds(1), ["seconds", "second", "secs", "s"]),
];

impl Secret {
    /// The walk-away of a term; nothing when it has no number to tell.
    pub(crate) fn walk_away(term: &TermName, value: &Value) -> Option<Self> {
        let raw = value.number().filter(|raw| !raw.is_zero())?;
        let of = |units: Vec<String>, money: bool| vec![Reading { value: raw.abs(), units, needs_unit: false, money }];
        let hints: Vec<String> =
            term.as_str().split(['.', '_', '-']).flat_map(words).filter(|word| word.len() > 2).collect();
        let counted =
            |unit: Option<&str>| unit.map(words).unwrap_or_default().into_iter().chain(hints.clone()).collect();
        let readings = match value {
            Value::Money(money) => of(vec![String::from(money.currency.clone()).to_lowercase()], true),
            Value::Integer(quantity) => of(counted(quantity.unit.as_deref()), false),
            Value::Decimal(quantity) => of(counted(quantity.unit.as_deref()), false),
            Value::Duration(span) => durations(*span),
            Value::Choice(_) | Value::Text(_) | Value::Flag(_) => return None,
        };
        Some(Self { raw, readings, hints: Some(hints) })
    }

    /// The number of a fact.
    pub(crate) fn fact(fact: &Disclosure) -> Option<Self> {
        let raw = fact.number?;
        let units = fact.words.iter().chain([&fact.fact]).flat_map(|text| words(text)).collect();
        let reading = Reading { value: raw.abs(), units, needs_unit: false, money: true };
        Some(Self { raw, readings: vec![reading], hints: None })
    }

    /// Whether what it is about is spoken of near a number.
    pub(crate) fn is_near(&self, tokens: &[Token], number: &Stated) -> bool {
        const FAR: usize = 12;
        let Some(hints) = &self.hints else { return true };
        let (from, to) = number.tokens;
        let near = tokens.get(from.saturating_sub(FAR)..tokens.len().min(to + FAR)).unwrap_or_default();
        near.iter().filter(|token| token.sentence == number.sentence).any(|token| {
            // `deliver` and `delivery` are about the same.
            hints.iter().any(|hint| {
                hint.chars().zip(token.text.chars()).take_while(|(a, b)| a == b).count() >= hint.len().min(5)
            })
        })
    }
}

impl Reading {
    /// Whether it is so small that many others are as many.
    pub(crate) fn is_small(&self) -> bool {
        self.value < Decimal::ONE_HUNDRED
    }

    /// Whether a number in a text is of the same kind at all.
    pub(crate) fn is_stated(&self, number: &Stated) -> bool {
        (!number.percent || self.has("percent")) && (!self.needs_unit || self.counts(number))
    }

    /// Whether a number in a text says that it counts the same.
    pub(crate) fn counts(&self, number: &Stated) -> bool {
        number.percent && self.has("percent") || number.after.as_deref().is_some_and(|after| self.has(after))
    }

    fn has(&self, unit: &str) -> bool {
        self.units.iter().any(|own| own == unit)
    }

    pub(crate) fn is_exactly(&self, number: &Stated) -> bool {
        number.values.iter().any(|value| value.abs() == self.value)
    }

    /// Whether it is this number, or this number rounded.
    pub(crate) fn is_about(&self, number: &Stated) -> bool {
        self.is_exactly(number) || number.values.iter().any(|value| self.rounds_to(value.abs()))
    }

    fn rounds_to(&self, rounded: Decimal) -> bool {
        const WAYS: [RoundingStrategy; 3] =
            [RoundingStrategy::MidpointAwayFromZero, RoundingStrategy::ToZero, RoundingStrategy::AwayFromZero];
        let close = self.value.checked_sub(rounded).zip(self.value.checked_div(Decimal::from(20)));
        let close = close.is_some_and(|(apart, twentieth)| apart.abs() <= twentieth);
        let mut digits = 1..=4;
        close
            && digits
                .any(|digits| WAYS.iter().any(|way| self.value.round_sf_with_strategy(digits, *way) == Some(rounded)))
    }
}

fn durations(span: Span) -> Vec<Reading> {
    let fits = UNITS.into_iter().filter(|(unit, _)| span.0.is_multiple_of(unit.0));
    fits.map(|(unit, names)| Reading {
        value: (span.0 / unit.0).into(),
        units: names.map(str::to_owned).to_vec(),
        needs_unit: true,
        money: false,
    })
    .collect()
}

fn words(text: &str) -> Vec<String> {
    let text = text.replace('%', " percent ");
    Needle::new(&text).words().into_iter().map(str::to_owned).collect()
}
