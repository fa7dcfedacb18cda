//! What a term can be worth: typed, with units, compared only with its like.

use std::cmp::Ordering;
use std::fmt;

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{Span, Text};

/// The largest whole number that survives canonical JSON: beyond it, two amounts could share one signature.
const MAX_INTEGER: i64 = (1 << 53) - 1;

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    /// An amount in a currency.
    Money(Money),
    /// A whole number of something.
    Integer(Quantity<Integer>),
    /// A number of something.
    Decimal(Quantity<Decimal>),
    /// A length of time.
    Duration(Span),
    /// One of a known set.
    Choice(Text),
    /// Words.
    Text(Text),
    /// Yes or no.
    Flag(bool),
}

/// An amount in a currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Money {
    /// How much, exactly as it was written.
    pub amount: Decimal,
    /// Of what.
    pub currency: Currency,
}

/// A currency or token by its code: upper-case letters and digits.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Currency(String);

/// A number with what it counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quantity<T> {
    /// How many.
    pub amount: T,
    /// Of what, when that needs saying.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<Text>,
}

/// A whole number that every JSON reader reads alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Integer(i64);

/// Why something is not a value.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// Not a currency code.
    #[error("`{0}` is not a currency code")]
    Currency(String),
    /// Too large to be exact everywhere.
    #[error("`{0}` is too large to be exact: write it as a decimal")]
    TooLarge(i64),
}

/// Why two values cannot be compared.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Incomparable {
    /// They are of different types.
    #[error("a {left} cannot be compared with a {right}")]
    Types {
        /// One type.
        left: &'static str,
        /// The other.
        right: &'static str,
    },
    /// They are in different currencies.
    #[error("{left} cannot be compared with {right} without a rate")]
    Currencies {
        /// One currency.
        left: Currency,
        /// The other.
        right: Currency,
    },
    /// They count different things.
    #[error("`{left}` cannot be compared with `{right}`")]
    Units {
        /// What one counts.
        left: String,
        /// What the other counts.
        right: String,
    },
    /// There is no more and no less to them.
    #[error("one {0} is neither more nor less than another")]
    Unordered(&'static str),
}

impl Value {
    /// Which is more. Never a guess: anything but like with like is refused.
    pub fn compare(&self, other: &Self) -> Result<Ordering, Incomparable> {
        match (self, other) {
            (Self::Money(a), Self::Money(b)) if a.currency != b.currency => {
                Err(Incomparable::Currencies { left: a.currency.clone(), right: b.currency.clone() })
            }
            (Self::Money(a), Self::Money(b)) => Ok(a.amount.cmp(&b.amount)),
            (Self::Integer(a), Self::Integer(b)) => a.compare(b),
            (Self::Decimal(a), Self::Decimal(b)) => a.compare(b),
            (Self::Duration(a), Self::Duration(b)) => Ok(a.cmp(b)),
            (Self::Choice(a), Self::Choice(b)) | (Self::Text(a), Self::Text(b)) if a == b => Ok(Ordering::Equal),
            (Self::Flag(a), Self::Flag(b)) if a == b => Ok(Ordering::Equal),
            (a, b) if a.kind() == b.kind() => Err(Incomparable::Unordered(a.kind())),
            (a, b) => Err(Incomparable::Types { left: a.kind(), right: b.kind() }),
        }
    }

    /// The number in it, when it holds one.
    pub fn number(&self) -> Option<Decimal> {
        match self {
            Self::Money(money) => Some(money.amount),
            Self::Integer(quantity) => Some(quantity.amount.0.into()),
            Self::Decimal(quantity) => Some(quantity.amount),
            Self::Duration(span) => Some(span.0.into()),
            Self::Choice(_) | Self::Text(_) | Self::Flag(_) => None,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Money(_) => "money",
            Self::Integer(_) => "whole number",
            Self::Decimal(_) => "number",
            Self::Duration(_) => "duration",
            Self::Choice(_) => "choice",
            Self::Text(_) => "text",
            Self::Flag(_) => "flag",
        }
    }
}

impl<T: Ord> Quantity<T> {
    fn compare(&self, other: &Self) -> Result<Ordering, Incomparable> {
        if self.unit != other.unit {
            let shown = |unit: &Option<Text>| unit.as_ref().map_or_else(|| "a bare number".into(), ToString::to_string);
            return Err(Incomparable::Units { left: shown(&self.unit), right: shown(&other.unit) });
        }
        Ok(self.amount.cmp(&other.amount))
    }
}

impl TryFrom<String> for Currency {
    type Error = ValueError;

    fn try_from(code: String) -> Result<Self, ValueError> {
        let fits = (2..=12).contains(&code.len());
        let plain = code.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        if fits && plain { Ok(Self(code)) } else { Err(ValueError::Currency(code)) }
    }
}

impl From<Currency> for String {
    fn from(currency: Currency) -> Self {
        currency.0
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl TryFrom<i64> for Integer {
    type Error = ValueError;

    fn try_from(value: i64) -> Result<Self, ValueError> {
        if value.unsigned_abs() <= MAX_INTEGER.unsigned_abs() {
            Ok(Self(value))
        } else {
            Err(ValueError::TooLarge(value))
        }
    }
}

impl From<Integer> for i64 {
    fn from(integer: Integer) -> Self {
        integer.0
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Money(money) => write!(f, "{} {}", money.amount, money.currency),
            Self::Integer(Quantity { amount, unit }) => number(f, &amount.0, unit.as_deref()),
            Self::Decimal(Quantity { amount, unit }) => number(f, amount, unit.as_deref()),
            Self::Duration(span) => span.fmt(f),
            Self::Choice(text) | Self::Text(text) => text.fmt(f),
            Self::Flag(flag) => f.write_str(if *flag { "yes" } else { "no" }),
        }
    }
}

fn number(f: &mut fmt::Formatter<'_>, amount: &dyn fmt::Display, unit: Option<&str>) -> fmt::Result {
    match unit {
        Some(unit) => write!(f, "{amount} {unit}"),
        None => write!(f, "{amount}"),
    }
}
