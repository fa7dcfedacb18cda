//! How often what happened.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::tally::Tally;
use crate::{Average, Decisions, End, Rate, Undone, Violations};

/// Figures over a period. A negotiation counts on the day on which it ended, a decision on the day on which it was made.
///
/// The rates of what agents did are over the negotiations that ended in the period, without those in which nobody was
/// to talk. They overlap: under a governed protocol what runs out of time is a timeout and aborted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metrics {
    /// How many were opened.
    pub opened: u64,
    /// How many ended, each in one way.
    pub ended: u64,
    /// How.
    pub endings: BTreeMap<End, u64>,
    /// How many of those that ended were made for trying the app out.
    pub samples: u64,
    /// The agents agreed, whatever the person said to it.
    pub success: Rate,
    /// How many turns it took, whatever it came to.
    pub turns: Average,
    /// A deadline of the dialogue passed. That nobody decided in time is not among them: there the agents had agreed.
    pub timeouts: Rate,
    /// It was stopped: by a policy, a violation or the person, or by a limit where the protocol aborts at its limits.
    pub aborts: Rate,
    /// Approvals, of all decisions by whoever had to approve. One under conditions counts among all, and as neither.
    pub approvals: Rate,
    /// Rejections, of the same.
    pub rejections: Rate,
    /// The decisions themselves.
    pub decisions: Decisions,
    /// What was not allowed.
    pub violations: Violations,
    /// What had been accepted, then or earlier, and did not stay so.
    pub undone: Undone,
}

impl Metrics {
    pub(crate) fn of(tally: Tally) -> Self {
        let Tally { opened, samples, ends, talks, decisions, violations, undone, .. } = tally;
        let of_talks = |count| Rate { count, of: talks.ended };
        let of_decisions = |count| Rate { count, of: decisions.total() };
        Self {
            opened,
            ended: ends.values().sum(),
            endings: ends,
            samples,
            success: of_talks(talks.agreed),
            turns: Average { sum: talks.turns, of: talks.ended },
            timeouts: of_talks(talks.timed_out),
            aborts: of_talks(talks.aborted),
            approvals: of_decisions(decisions.approved),
            rejections: of_decisions(decisions.rejected),
            decisions,
            violations,
            undone,
        }
    }
}
