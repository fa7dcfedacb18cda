//! Ranks the proposals when the sides do not agree. Advisory: the person decides.

use std::cmp::{Ordering, Reverse};

use serde::{Deserialize, Serialize};

use crate::{Percent, RiskLevel, Timestamp};

/// What one proposal is worth, criterion by criterion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scores {
    /// Can it be carried out?
    pub feasibility: Percent,
    /// Does it pass the policies?
    pub compliance: Percent,
    /// What is it worth for what it costs?
    pub cost_benefit: Percent,
    /// Does it lower the risk?
    pub risk_mitigation: Percent,
    /// Does it serve what everybody is there for?
    pub stakeholder_alignment: Percent,
}

/// How much each criterion counts; together 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Scores", into = "Scores")]
pub struct Weights(Scores);

/// A proposal before the arbiter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// The turn it was made in, from 1.
    pub turn: u32,
    /// What it is worth.
    pub scores: Scores,
    /// How many things it would change.
    pub changes: u32,
    /// How risky it is.
    pub risk: RiskLevel,
    /// When it was made.
    pub at: Timestamp,
}

/// What the arbiter says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recommendation {
    /// Best first, each with its score in hundredths of a percent.
    pub ranking: Vec<(u32, u32)>,
    /// Nothing tells the best two apart: a person has to.
    pub tied: bool,
}

impl Scores {
    /// The weighted sum, from 0 to 10,000.
    pub fn total(&self, weights: &Weights) -> u32 {
        let Weights(weights) = weights;
        self.each().into_iter().zip(weights.each()).map(|(score, weight)| score * weight).sum()
    }

    fn each(&self) -> [u32; 5] {
        [self.feasibility, self.compliance, self.cost_benefit, self.risk_mitigation, self.stakeholder_alignment]
            .map(|percent| u8::from(percent).into())
    }
}

impl TryFrom<Scores> for Weights {
    type Error = &'static str;

    fn try_from(weights: Scores) -> Result<Self, Self::Error> {
        if weights.each().iter().sum::<u32>() == 100 { Ok(Self(weights)) } else { Err("weights add up to 100") }
    }
}

impl From<Weights> for Scores {
    fn from(Weights(weights): Weights) -> Self {
        weights
    }
}

impl Default for Weights {
    /// What counts unless the negotiation says otherwise.
    fn default() -> Self {
        Self(Scores {
            feasibility: Percent::of(25),
            compliance: Percent::of(30),
            cost_benefit: Percent::of(20),
            risk_mitigation: Percent::of(15),
            stakeholder_alignment: Percent::of(10),
        })
    }
}

/// Ranks the candidates: by score, then the fewest changes, then the lowest risk, then the earliest.
pub fn rank(candidates: &[Candidate], weights: &Weights) -> Recommendation {
    let mut sorted: Vec<&Candidate> = candidates.iter().collect();
    sorted.sort_by(|a, b| compare(a, b, weights));
    let tied = match sorted.as_slice() {
        [first, second, ..] => compare(first, second, weights) == Ordering::Equal,
        _ => false,
    };
    let ranking = sorted.into_iter().map(|candidate| (candidate.turn, candidate.scores.total(weights))).collect();
    Recommendation { ranking, tied }
}

fn compare(a: &Candidate, b: &Candidate, weights: &Weights) -> Ordering {
    let key = |c: &Candidate| (Reverse(c.scores.total(weights)), c.changes, c.risk, c.at);
    key(a).cmp(&key(b))
}
