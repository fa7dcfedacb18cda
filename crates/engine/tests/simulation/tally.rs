//! What happened in worlds, counted.

use std::collections::BTreeMap;
use std::fmt;

use countersign_kernel::Status;

#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) worlds: u64,
    pub(crate) negotiations: u64,
    pub(crate) events: u64,
    /// What was done to the world, and what came of what was asked.
    pub(crate) happened: BTreeMap<&'static str, u64>,
    pub(crate) facts: BTreeMap<String, u64>,
    pub(crate) statuses: BTreeMap<String, u64>,
    /// How long it took, in seconds.
    pub(crate) took: f64,
}

impl Tally {
    pub(crate) fn count(&mut self, what: &'static str) {
        *self.happened.entry(what).or_default() += 1;
    }

    pub(crate) fn ended(&mut self, status: Status) {
        *self.statuses.entry(status.to_string()).or_default() += 1;
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.worlds += other.worlds;
        self.negotiations += other.negotiations;
        self.events += other.events;
        other.happened.into_iter().for_each(|(what, count)| *self.happened.entry(what).or_default() += count);
        other.facts.into_iter().for_each(|(fact, count)| *self.facts.entry(fact).or_default() += count);
        other.statuses.into_iter().for_each(|(status, count)| *self.statuses.entry(status).or_default() += count);
    }

    /// Every way to end was found, every kind of event that an engine can make, every fault.
    pub(crate) fn check_reach(&self) {
        // All but negotiating and pending.
        assert_eq!(self.statuses.len(), 6, "{self}");
        // All but the arbiter's word, signatures and what follows them: nobody gives them to an engine yet.
        assert_eq!(self.facts.len(), 31, "{self}");
        for fault in ["died before a write", "died after a write", "died", "disk full", "clock back", "agent failed"] {
            assert!(self.happened.contains_key(fault), "no `{fault}`: {self}");
        }
        for fault in ["agent dawdled", "agent panicked", "agent broke a rule", "forged", "replayed", "unsigned"] {
            assert!(self.happened.contains_key(fault), "no `{fault}`: {self}");
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { worlds, negotiations, events, happened, facts, statuses, took } = self;
        #[expect(clippy::cast_precision_loss, reason = "a figure to look at")]
        let rate = *worlds as f64 / took;
        writeln!(
            f,
            "{worlds} worlds in {took:.1} s, {rate:.0} a second: {negotiations} negotiations, {events} events"
        )?;
        let mut list = |name: &str, counts: Vec<(String, u64)>| {
            let counts: Vec<String> = counts.into_iter().map(|(what, count)| format!("{what} {count}")).collect();
            writeln!(f, "{name}: {}", counts.join(", "))
        };
        list("happened", happened.iter().map(|(what, count)| ((*what).to_owned(), *count)).collect())?;
        list("ended", statuses.clone().into_iter().collect())?;
        list("written", facts.clone().into_iter().collect())
    }
}
