use std::fmt;

use serde::{Deserialize, Serialize};

/// The most milliseconds that every JSON reader reads alike: 285,000 years.
const MOST: i64 = (1 << 53) - 1;

/// A moment, in milliseconds since the Unix epoch. The kernel is told the time; it never asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "i64", into = "i64")]
pub struct Timestamp(pub i64);

/// Too long ago, too far ahead or too long to be written exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` milliseconds are more than can be written exactly")]
pub struct TimeError(i128);

impl TryFrom<i64> for Timestamp {
    type Error = TimeError;

    fn try_from(millis: i64) -> Result<Self, TimeError> {
        if (-MOST..=MOST).contains(&millis) { Ok(Self(millis)) } else { Err(TimeError(millis.into())) }
    }
}

impl From<Timestamp> for i64 {
    fn from(moment: Timestamp) -> Self {
        moment.0
    }
}

impl Timestamp {
    /// The moment this much later.
    pub fn plus(self, span: Span) -> Self {
        Self(self.0.saturating_add_unsigned(span.0).min(MOST))
    }

    /// As RFC 3339 writes it, in UTC: `2023-11-14T22:13:20.000Z`.
    pub fn rfc3339(self) -> String {
        const DAY: i64 = 86_400_000;
        let (days, rest) = (self.0.div_euclid(DAY), self.0.rem_euclid(DAY));
        // Years that begin in March end with the leap day; 400 of them always have as many days.
        let days = days + 719_468;
        let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year + year / 4 - year / 100);
        let shifted = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted + 2) / 5 + 1;
        let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
        let year = year + era * 400 + i64::from(month <= 2);
        let (hours, minutes, seconds) = (rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60);
        format!("{year:04}-{month:02}-{day:02}T{hours:02}:{minutes:02}:{seconds:02}.{:03}Z", rest % 1000)
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
#[serde(try_from = "u64", into = "u64")]
pub struct Span(pub u64);

impl TryFrom<u64> for Span {
    type Error = TimeError;

    fn try_from(millis: u64) -> Result<Self, TimeError> {
        if millis <= MOST.unsigned_abs() { Ok(Self(millis)) } else { Err(TimeError(millis.into())) }
    }
}

impl From<Span> for u64 {
    fn from(span: Span) -> Self {
        span.0
    }
}

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
        Self(self.0.saturating_add(other.0).min(MOST.unsigned_abs()))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ms", self.0)
    }
}
