//! Everything that is counted on a day.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::counts::Add;
use crate::{
    Answered, Came, Decisions, End, MatchType, Raised, Recommended, Scenario, Silent, Theme, Undone, Violations,
};

/// From so many turns on, they are counted together.
pub const MANY_TURNS: u32 = 21;

/// The counts of a day, or of several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Tally {
    pub(crate) opened: u64,
    /// Ended, and made for trying the app out.
    pub(crate) samples: u64,
    pub(crate) ends: BTreeMap<End, u64>,
    pub(crate) talks: Talks,
    pub(crate) decisions: Decisions,
    pub(crate) violations: Violations,
    pub(crate) undone: Undone,
    pub(crate) recommended: Recommended,
    pub(crate) answered: Answered,
    /// The person spoke for themselves.
    pub(crate) taken_over: u64,
    pub(crate) matches: BTreeMap<MatchType, Came>,
    pub(crate) themes: BTreeMap<Theme, Raised>,
    pub(crate) turns: BTreeMap<Scenario, BTreeMap<u32, u64>>,
    pub(crate) silent: BTreeMap<Silent, u64>,
}

/// Negotiations that are over and in which agents talked, or were to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Talks {
    pub(crate) ended: u64,
    pub(crate) agreed: u64,
    /// A deadline of the dialogue ended them.
    pub(crate) timed_out: u64,
    pub(crate) aborted: u64,
    /// Their turns, together.
    pub(crate) turns: u64,
}

impl Add for Tally {
    fn add(&mut self, other: &Self) {
        let Self {
            opened,
            samples,
            ends,
            talks,
            decisions,
            violations,
            undone,
            recommended,
            answered,
            taken_over,
            matches,
            themes,
            turns,
            silent,
        } = other;
        self.opened.add(opened);
        self.samples.add(samples);
        self.ends.add(ends);
        self.talks.add(talks);
        self.decisions.add(decisions);
        self.violations.add(violations);
        self.undone.add(undone);
        self.recommended.add(recommended);
        self.answered.add(answered);
        self.taken_over.add(taken_over);
        self.matches.add(matches);
        self.themes.add(themes);
        self.turns.add(turns);
        self.silent.add(silent);
    }
}

impl Add for Talks {
    fn add(&mut self, other: &Self) {
        let Self { ended, agreed, timed_out, aborted, turns } = other;
        self.ended.add(ended);
        self.agreed.add(agreed);
        self.timed_out.add(timed_out);
        self.aborted.add(aborted);
        self.turns.add(turns);
    }
}
