use std::collections::BTreeMap;

use countersign_kernel::{Currency, Money, Span, Timestamp};
use rust_decimal::Decimal;

use crate::Period;

/// What was agreed to already, by currency and by how long ago.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spent(BTreeMap<(Currency, Period), Decimal>);

impl Spent {
    /// Adds up what was agreed to until now. What lies in the future counts as today: a clock went backwards.
    pub fn new(agreed: &[(Timestamp, Money)], now: Timestamp) -> Self {
        let mut spent = BTreeMap::new();
        for (at, money) in agreed {
            let ago = now.since(*at);
            for period in [Period::Day, Period::Week, Period::Month] {
                if period.span().is_some_and(|span| ago < span) {
                    let sum: &mut Decimal = spent.entry((money.currency.clone(), period)).or_default();
                    *sum = sum.saturating_add(money.amount.abs());
                }
            }
        }
        Self(spent)
    }

    /// How much of a currency. Nothing was spent on a deal before it.
    pub fn of(&self, currency: &Currency, period: Period) -> Decimal {
        self.0.get(&(currency.clone(), period)).copied().unwrap_or_default()
    }
}

impl Period {
    fn span(self) -> Option<Span> {
        match self {
            Self::Deal => None,
            Self::Day => Some(Span::days(1)),
            Self::Week => Some(Span::days(7)),
            Self::Month => Some(Span::days(30)),
        }
    }
}
