//! The person's week.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use countersign_kernel::Timestamp;
use serde::{Deserialize, Serialize};

use crate::tally::Tally;
use crate::{Answered, Came, End, MatchType, Raised, Rate, Recommended, Scenario, Silent, Theme};

/// How many themes a week names.
pub const TOP_THEMES: usize = 5;

/// Seven days of negotiations, as patterns and never as scores.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Week {
    /// The first moment.
    pub from: Timestamp,
    /// The first moment that is too late.
    pub until: Timestamp,
    /// How many were opened.
    pub opened: u64,
    /// How many ended.
    pub ended: u64,
    /// How.
    pub endings: BTreeMap<End, u64>,
    /// How many of those that ended were made for trying the app out.
    pub samples: u64,
    /// What the agents came to, by the part that the person would play.
    pub matches: Vec<MatchCount>,
    /// What agents objected to most: in most negotiations first, then by name.
    pub themes: Vec<ThemeCount>,
    /// How many turns it took, by who talked to whom.
    pub turns: Vec<ScenarioTurns>,
    /// What the person said to what their agent recommended.
    pub recommended: Recommended,
    /// How they answered its questions.
    pub answered: Answered,
    /// How often they spoke for themselves.
    pub taken_over: u64,
    /// How often they went against their agent, of all the times when they could have followed it: declined, answered
    /// otherwise, took over. What was sent back is neither.
    pub overrides: Rate,
    /// What ended with nobody saying why, by who was silent.
    pub silent: BTreeMap<Silent, u64>,
}

/// What the agents came to in one kind of match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchCount {
    /// Which.
    pub match_type: MatchType,
    /// What.
    #[serde(flatten)]
    pub came: Came,
}

/// How often one thing was objected to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThemeCount {
    /// What.
    pub theme: Theme,
    /// In how many negotiations.
    #[serde(flatten)]
    pub raised: Raised,
}

/// How many turns it took between agents of two kinds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioTurns {
    /// Which.
    pub scenario: Scenario,
    /// The fewest turns first. The last may be [`MANY_TURNS`](crate::MANY_TURNS), which stands for so many or more.
    pub counts: Vec<TurnCount>,
}

/// So many negotiations took so many turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnCount {
    /// How many turns.
    pub turns: u32,
    /// How many negotiations.
    pub negotiations: u64,
}

impl Week {
    pub(crate) fn of(from: Timestamp, until: Timestamp, tally: Tally) -> Self {
        let Tally { opened, samples, ends, recommended, answered, taken_over, silent, .. } = tally;
        let overrides = Rate {
            count: recommended.declined + answered.otherwise + taken_over,
            of: recommended.accepted + recommended.declined + answered.total() + taken_over,
        };
        Self {
            from,
            until,
            opened,
            ended: ends.values().sum(),
            endings: ends,
            samples,
            matches: tally.matches.into_iter().map(|(match_type, came)| MatchCount { match_type, came }).collect(),
            themes: most(tally.themes),
            turns: tally.turns.into_iter().map(ScenarioTurns::of).collect(),
            recommended,
            answered,
            taken_over,
            overrides,
            silent,
        }
    }
}

impl ScenarioTurns {
    fn of((scenario, counts): (Scenario, BTreeMap<u32, u64>)) -> Self {
        let counts = counts.into_iter().map(|(turns, negotiations)| TurnCount { turns, negotiations });
        Self { scenario, counts: counts.collect() }
    }
}

fn most(themes: BTreeMap<Theme, Raised>) -> Vec<ThemeCount> {
    let mut themes: Vec<ThemeCount> = themes.into_iter().map(|(theme, raised)| ThemeCount { theme, raised }).collect();
    themes.sort_by_key(|one| (Reverse(one.raised.total()), one.theme.name()));
    themes.truncate(TOP_THEMES);
    themes
}
