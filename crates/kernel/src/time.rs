use std::fmt;

use serde::{Deserialize, Serialize};

/// A moment, in milliseconds since the Unix epoch. The kernel is told the time; it never asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// The moment this much later.
    pub fn plus(self, span: Span) -> Self {
        Self(self.0.saturating_add_unsigned(span.0))
    }

    /// How long ago `earlier` was; nothing when a clock went backwards.
    pub fn since(self, earlier: Self) -> Span {
        Span(u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0))
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}

/// A length of time, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Span(pub u64);

impl Span {
    /// So many seconds.
    pub const fn seconds(count: u64) -> Self {
        Self(count * 1000)
    }

    /// So many minutes.
    pub const fn minutes(count: u64) -> Self {
        Self::seconds(count * 60)
    }

    /// So many hours.
    pub const fn hours(count: u64) -> Self {
        Self::minutes(count * 60)
    }

    /// So many days.
    pub const fn days(count: u64) -> Self {
        Self::hours(count * 24)
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}
