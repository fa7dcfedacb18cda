use std::cmp::Ordering;

use countersign_kernel::{Incomparable, Percent, Value};
use serde::{Deserialize, Serialize};

use crate::Problem;

/// What one term may come to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "what a term may come to")]
pub struct TermMandate {
    /// What the person would like.
    pub target: Option<Value>,
    /// The worst that is still acceptable.
    pub walk_away: Option<Value>,
    /// Which way is better. Follows from the target and the walk-away where both are there and differ.
    pub better: Option<Better>,
    /// How much it counts beside the others.
    pub weight: Percent,
    /// Whether the other side may learn the walk-away.
    pub may_disclose_walk_away: bool,
}

/// Which way a term is better for the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Better {
    /// More of it.
    More,
    /// Less of it.
    Less,
}

impl TermMandate {
    /// Which way is better, as far as the mandate tells.
    pub fn better(&self) -> Option<Better> {
        let between = self.target.as_ref().zip(self.walk_away.as_ref());
        let order = between.and_then(|(target, walk_away)| target.compare(walk_away).ok());
        match order {
            Some(Ordering::Less) => Some(Better::Less),
            Some(Ordering::Greater) => Some(Better::More),
            Some(Ordering::Equal) | None => self.better,
        }
    }

    /// Whether a value is worse than the walk-away. Values that cannot be compared are for the person.
    pub fn is_crossed_by(&self, value: &Value) -> Result<bool, Incomparable> {
        let Some(walk_away) = &self.walk_away else { return Ok(false) };
        let order = value.compare(walk_away)?;
        Ok(match self.better() {
            Some(Better::More) => order == Ordering::Less,
            Some(Better::Less) => order == Ordering::Greater,
            // A mandate that was checked has a direction; without one, whatever differs is suspect.
            None => order != Ordering::Equal,
        })
    }

    /// What is wrong with it, and in which field.
    pub(crate) fn check(&self) -> Result<(), (&'static str, Problem)> {
        let Some(walk_away) = &self.walk_away else { return Ok(()) };
        if walk_away.number().is_none() {
            return Err(("walk_away", Problem::NoOrder));
        }
        let order = match &self.target {
            Some(target) => target.compare(walk_away).map_err(|unlike| ("target", Problem::Unlike(unlike)))?,
            None => Ordering::Equal,
        };
        match (order, self.better) {
            (Ordering::Equal, None) => Err(("better", Problem::NoDirection)),
            (Ordering::Less, Some(Better::More)) | (Ordering::Greater, Some(Better::Less)) => {
                Err(("target", Problem::BeyondWalkAway))
            }
            (Ordering::Equal, Some(_))
            | (Ordering::Less, None | Some(Better::Less))
            | (Ordering::Greater, None | Some(Better::More)) => Ok(()),
        }
    }
}

impl Default for TermMandate {
    fn default() -> Self {
        Self { target: None, walk_away: None, better: None, weight: Percent::of(50), may_disclose_walk_away: false }
    }
}
