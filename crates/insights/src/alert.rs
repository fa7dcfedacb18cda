//! What somebody should look at.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Average, Metrics, Rate, Violations};

/// More percent aborted than this is an alert.
pub const ABORTS_OVER: u64 = 20;
/// More turns on average than this are.
pub const TURNS_OVER: u64 = 15;
/// More percent of the decisions that reject than this are.
pub const REJECTIONS_OVER: u64 = 50;

/// A figure that is out of bounds, with what raised it. Exactly at its bound none is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alert {
    /// Too many are aborted.
    Aborts(Rate),
    /// They take too many turns.
    Turns(Average),
    /// Too much of what waits for approval is rejected.
    Rejections(Rate),
    /// Something was not allowed.
    Violations(Violations),
}

impl Alert {
    pub(crate) fn raised_by(metrics: &Metrics) -> Vec<Self> {
        let Metrics { aborts, turns, rejections, violations, .. } = *metrics;
        let alerts = [
            (aborts.exceeds(ABORTS_OVER), Self::Aborts(aborts)),
            (turns.exceeds(TURNS_OVER), Self::Turns(turns)),
            (rejections.exceeds(REJECTIONS_OVER), Self::Rejections(rejections)),
            (violations.total() > 0, Self::Violations(violations)),
        ];
        alerts.into_iter().filter_map(|(raised, alert)| raised.then_some(alert)).collect()
    }
}

impl fmt::Display for Alert {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aborts(rate) => write!(f, "{rate} negotiations were aborted, more than {ABORTS_OVER} %"),
            Self::Turns(average) => write!(f, "negotiations took {average} turns on average, more than {TURNS_OVER}"),
            Self::Rejections(rate) => write!(f, "{rate} decisions were rejections, more than {REJECTIONS_OVER} %"),
            Self::Violations(violations) => {
                let Violations { capability, schema, policy, denied } = violations;
                write!(
                    f,
                    "violations by agents: {capability} of capabilities, {schema} of schemas, {policy} of rules; "
                )?;
                write!(f, "denied by policies: {denied}")
            }
        }
    }
}
