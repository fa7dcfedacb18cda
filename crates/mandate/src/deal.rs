//! Terms held against the mandate: what they cross, and what they are worth.

use std::collections::BTreeMap;

use countersign_kernel::{Currency, Money, TermName, Terms, Value};
use rust_decimal::Decimal;

use crate::{Concern, Mandate, Period, Spent, Whose};

/// What one term crosses.
pub(crate) fn crossed(mandate: &Mandate, name: &TermName, value: &Value) -> Option<Concern> {
    let term = mandate.terms.get(name)?;
    let walk_away = term.walk_away.clone()?;
    match term.is_crossed_by(value) {
        Ok(false) => None,
        Ok(true) => Some(Concern::WorseThanWalkAway { term: name.clone(), value: value.clone(), walk_away }),
        Err(_) => Some(Concern::Incomparable { term: name.clone(), value: value.clone(), walk_away }),
    }
}

/// Terms that are never agreed to.
pub(crate) fn prohibited(mandate: &Mandate, terms: &Terms, whose: Whose) -> Vec<Concern> {
    let names = terms.iter().map(|(name, _)| name).filter(|name| mandate.prohibits(name));
    names.map(|name| Concern::Prohibited { term: name.clone(), whose }).collect()
}

/// Terms that the mandate says nothing about, where the person wants to be asked about those.
pub(crate) fn unknown(mandate: &Mandate, terms: &Terms) -> Vec<Concern> {
    if !mandate.ask.on_unknown_term {
        return Vec::new();
    }
    let names = terms.iter().map(|(name, _)| name).filter(|name| !mandate.terms.contains_key(name));
    names.map(|name| Concern::UnknownTerm { term: name.clone() }).collect()
}

/// What is more than the agent may agree to, alone or with what was agreed to before.
pub(crate) fn over_authority(mandate: &Mandate, terms: &Terms, spent: &Spent) -> Vec<Concern> {
    let mut concerns = Vec::new();
    if mandate.authority.is_empty() {
        return concerns;
    }
    for (currency, deal) in worth(terms) {
        let mut known = false;
        for limit in mandate.authority.iter().filter(|limit| limit.currency == currency) {
            known = true;
            let before = match limit.per {
                Period::Deal => Decimal::ZERO,
                Period::Day | Period::Week | Period::Month => spent.of(&currency, limit.per),
            };
            if before.saturating_add(deal) > limit.most {
                let deal = Money { amount: deal, currency: currency.clone() };
                concerns.push(Concern::OverAuthority { deal, per: limit.per, spent: before, most: limit.most });
            }
        }
        if !known {
            concerns.push(Concern::NoAuthority { deal: Money { amount: deal, currency } });
        }
    }
    concerns
}

/// What is worth more than the person wants to hear of first.
pub(crate) fn over_value(mandate: &Mandate, terms: &Terms) -> Vec<Concern> {
    let worth = worth(terms);
    let over = mandate.ask.value_over.iter().filter_map(|over| {
        let amount = *worth.get(&over.currency)?;
        let deal = Money { amount, currency: over.currency.clone() };
        (amount > over.amount).then_some(Concern::ValueOver { deal, over: over.amount })
    });
    over.collect()
}

/// What terms are worth together. Signs do not count, or a discount that nobody will pay could hide a price.
pub(crate) fn worth(terms: &Terms) -> BTreeMap<Currency, Decimal> {
    let mut worth = BTreeMap::new();
    for (_, value) in terms.iter() {
        if let Value::Money(money) = value {
            let sum: &mut Decimal = worth.entry(money.currency.clone()).or_default();
            *sum = sum.saturating_add(money.amount.abs());
        }
    }
    worth
}
