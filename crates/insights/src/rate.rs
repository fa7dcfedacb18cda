//! Exact figures: what is counted is kept as it was counted, and rounded only to be read.

use std::fmt;

use serde::{Deserialize, Serialize};

/// So many of so many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rate {
    /// How many.
    pub count: u64,
    /// Of how many.
    pub of: u64,
}

/// A sum and what it is spread over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Average {
    /// All together.
    pub sum: u64,
    /// Over how many.
    pub of: u64,
}

impl Rate {
    /// In percent, rounded to the nearest; none of an empty sample.
    pub fn percent(self) -> Option<u64> {
        self.count.saturating_mul(100).saturating_add(self.of / 2).checked_div(self.of)
    }

    /// Whether it is more than this, exactly; an empty sample is not.
    pub fn exceeds(self, percent: u64) -> bool {
        self.count.saturating_mul(100) > self.of.saturating_mul(percent)
    }
}

impl Average {
    /// In tenths, rounded to the nearest; none of an empty sample.
    pub fn tenths(self) -> Option<u64> {
        self.sum.saturating_mul(10).saturating_add(self.of / 2).checked_div(self.of)
    }

    /// Whether it is more than this, exactly; an empty sample is not.
    pub fn exceeds(self, mean: u64) -> bool {
        self.sum > self.of.saturating_mul(mean)
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.count, self.of)
    }
}

impl fmt::Display for Average {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.tenths() {
            Some(tenths) => write!(f, "{}.{}", tenths / 10, tenths % 10),
            None => f.write_str("none"),
        }
    }
}
