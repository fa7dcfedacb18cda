//! How much each agent does in an hour.

use std::collections::{BTreeMap, VecDeque};

use countersign_kernel::{Span, Timestamp};

const HOUR: Span = Span::hours(1);

/// With more agents than this, those that did nothing for an hour are forgotten.
const MOST_KNOWN: usize = 1024;

/// When each agent last did something that is limited, for an hour.
#[derive(Debug, Default)]
pub(crate) struct Rates(BTreeMap<String, VecDeque<Timestamp>>);

impl Rates {
    /// Counts it, unless there were so many in the last hour; then says when there will be room again.
    pub(crate) fn take(&mut self, who: &str, most: u32, now: Timestamp) -> Result<(), Timestamp> {
        if self.0.len() > MOST_KNOWN {
            self.0.retain(|_, times| times.back().is_some_and(|at| now.since(*at) < HOUR));
        }
        let times = self.0.entry(who.to_owned()).or_default();
        // A clock that was set back must not lock anybody out until it is there again.
        times.iter_mut().rev().take_while(|at| **at > now).for_each(|at| *at = now);
        while times.front().is_some_and(|at| now.since(*at) >= HOUR) {
            times.pop_front();
        }
        match times.front() {
            Some(first) if times.len() >= most as usize => Err(first.plus(HOUR)),
            Some(_) | None if most == 0 => Err(now.plus(HOUR)),
            Some(_) | None => {
                times.push_back(now);
                Ok(())
            }
        }
    }

    /// Remembers what was done before a restart.
    pub(crate) fn remember(&mut self, who: &str, at: Timestamp) {
        let times = self.0.entry(who.to_owned()).or_default();
        let place = times.partition_point(|other| *other <= at);
        times.insert(place, at);
    }
}
