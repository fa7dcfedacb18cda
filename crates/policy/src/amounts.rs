//! How much is at stake, in the whole numbers that Cedar knows. It may count too much, and never too little.

use std::collections::{BTreeMap, BTreeSet};

use countersign_kernel::{Terms, Value};
use rust_decimal::prelude::ToPrimitive;
use rust_decimal::{Decimal, RoundingStrategy};

use crate::case::Stake;

const MILLISECONDS_A_MINUTE: i64 = 60_000;

/// Names and numbers of a stake.
#[derive(Debug, Default)]
pub(crate) struct Amounts {
    pub(crate) terms: BTreeSet<String>,
    pub(crate) by_term: BTreeMap<String, i64>,
    pub(crate) by_unit: BTreeMap<String, i64>,
    pub(crate) currencies: BTreeSet<String>,
}

impl Amounts {
    pub(crate) fn of(stake: Stake<'_>) -> Self {
        match stake {
            Stake::Nothing => Self::default(),
            Stake::Terms(terms) => Self::sum(values(terms), &Terms::NONE),
            Stake::Offer(offer) => {
                let alternatives = offer.objections.iter();
                let alternatives = alternatives
                    .filter_map(|objection| Some((objection.field.as_str(), objection.alternative.as_ref()?)));
                Self::sum(values(&offer.terms).chain(alternatives), &offer.cost_breakdown)
            }
        }
    }

    fn sum<'a>(values: impl Iterator<Item = (&'a str, &'a Value)>, breakdown: &Terms) -> Self {
        let mut sum = Self::default();
        // A term and an alternative to it are one thing: the larger of both counts, not both.
        let mut largest: BTreeMap<(&str, Option<String>), Decimal> = BTreeMap::new();
        for (name, value) in values {
            sum.note(name, value);
            if let Some(number) = number(value) {
                let entry = largest.entry((name, unit(value))).or_default();
                *entry = if number.abs() > entry.abs() { number } else { *entry };
            }
        }
        let mut totals = BTreeMap::new();
        for ((name, unit), number) in largest {
            let entry = sum.by_term.entry(name.into()).or_default();
            let whole = whole(number);
            *entry = if whole.unsigned_abs() > entry.unsigned_abs() { whole } else { *entry };
            add(&mut totals, unit, number);
        }
        // A breakdown says again what the price is made of, unless it says more.
        let mut parts = BTreeMap::new();
        for (name, value) in self::values(breakdown) {
            sum.note(name, value);
            if let Some(number) = number(value) {
                add(&mut parts, unit(value), number);
            }
        }
        for (unit, part) in parts {
            let total = totals.entry(unit).or_default();
            *total = part.max(*total);
        }
        sum.by_unit = totals.into_iter().map(|(unit, total)| (unit, whole(total))).collect();
        sum
    }

    fn note(&mut self, name: &str, value: &Value) {
        let above = name.match_indices('.').filter_map(|(dot, _)| name.get(..dot));
        self.terms.extend(above.chain([name]).map(String::from));
        if let Value::Money(money) = value {
            self.currencies.insert(money.currency.to_string());
        }
    }
}

fn values(terms: &Terms) -> impl Iterator<Item = (&str, &Value)> {
    terms.iter().map(|(name, value)| (name.as_str(), value))
}

/// Without its sign: what one side owes must not hide what the other does.
fn add(totals: &mut BTreeMap<String, Decimal>, unit: Option<String>, number: Decimal) {
    if let Some(unit) = unit {
        let total = totals.entry(unit).or_default();
        *total = total.checked_add(number.abs()).unwrap_or(Decimal::MAX);
    }
}

fn number(value: &Value) -> Option<Decimal> {
    match value {
        Value::Duration(_) => Some(value.number()? / Decimal::from(MILLISECONDS_A_MINUTE)),
        Value::Money(_) | Value::Integer(_) | Value::Decimal(_) => value.number(),
        Value::Choice(_) | Value::Text(_) | Value::Flag(_) => None,
    }
}

/// A bare number that is said to count euros is euros, too.
fn unit(value: &Value) -> Option<String> {
    match value {
        Value::Money(money) => Some(money.currency.to_string()),
        Value::Integer(quantity) => quantity.unit.as_deref().map(String::from),
        Value::Decimal(quantity) => quantity.unit.as_deref().map(String::from),
        Value::Duration(_) | Value::Choice(_) | Value::Text(_) | Value::Flag(_) => None,
    }
}

fn whole(number: Decimal) -> i64 {
    let rounded = number.round_dp_with_strategy(0, RoundingStrategy::AwayFromZero);
    rounded.to_i64().unwrap_or(if rounded.is_sign_negative() { i64::MIN } else { i64::MAX })
}
