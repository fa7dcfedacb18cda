//! Days, and stretches of them.

use countersign_kernel::Timestamp;
use serde::{Deserialize, Serialize};

const MINUTE: i64 = 60 * 1000;
const DAY: i64 = 24 * 60 * MINUTE;

/// How many minutes the person's clock is ahead of UTC; negative to the west. Days are cut by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Offset(pub i16);

/// What to count over. Counts are kept by the day, so a period has the days that begin in it: two periods that follow
/// each other share none and miss none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// All there is.
    Everything,
    /// The days that begin at `from` or later, and before `until`.
    Between {
        /// The first moment.
        from: Timestamp,
        /// The first moment that is too late.
        until: Timestamp,
    },
}

/// A day, counted from the first of January 1970.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Day(i64);

impl Period {
    pub(crate) fn has(self, day: Day, offset: Offset) -> bool {
        match self {
            Self::Everything => true,
            Self::Between { from, until } => (from..until).contains(&day.begins(offset)),
        }
    }

    /// Seven days. The last is the one that is under way just before `ending`: at midnight, the one that has ended.
    pub(crate) fn week(ending: Timestamp, offset: Offset) -> (Timestamp, Timestamp) {
        let Day(last) = Day::of(Timestamp(ending.0.saturating_sub(1)), offset);
        (Day(last.saturating_sub(6)).begins(offset), Day(last.saturating_add(1)).begins(offset))
    }
}

impl Day {
    pub(crate) fn of(at: Timestamp, offset: Offset) -> Self {
        Self(at.0.saturating_add(offset.millis()).div_euclid(DAY))
    }

    fn begins(self, offset: Offset) -> Timestamp {
        Timestamp(self.0.saturating_mul(DAY).saturating_sub(offset.millis()))
    }
}

impl Offset {
    fn millis(self) -> i64 {
        i64::from(self.0) * MINUTE
    }
}

/// The moment in UTC, as ISO 8601 writes it.
pub(crate) fn iso(at: Timestamp) -> String {
    let (days, millis) = (at.0.div_euclid(DAY), at.0.rem_euclid(DAY));
    let (year, month, day) = date(days);
    let (minutes, seconds) = (millis / MINUTE, millis % MINUTE);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
        minutes / 60,
        minutes % 60,
        seconds / 1000,
        seconds % 1000
    )
}

/// Year, month and day. A year is taken to begin in March, so that the day that comes and goes is its last.
fn date(days: i64) -> (i64, i64, i64) {
    const FOUR_CENTURIES: i64 = 146_097;
    let since = days + 719_468; // from the first of March of the year 0
    let (era, day_of_era) = (since.div_euclid(FOUR_CENTURIES), since.rem_euclid(FOUR_CENTURIES));
    let leaps = day_of_era / 1460 - day_of_era / 36_524 + day_of_era / 146_096;
    let year_of_era = (day_of_era - leaps) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}
