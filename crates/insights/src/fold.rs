//! The fold: events in, counts by the day.

use std::collections::BTreeMap;

use countersign_kernel::{Ending, Event, Fact, NegotiationId, Ruled, Timestamp};
use serde::{Deserialize, Serialize};

use crate::counts::Add;
use crate::course::Course;
use crate::period::Day;
use crate::tally::Tally;
use crate::{Alert, Metrics, Offset, Period, Undone, Week};

/// What the events of all negotiations come to. It may be kept and gone on with: it is the same as folding anew.
///
/// Days are days in UTC, or those of the [`Offset`] that it was made with. A clock that is put forward or back in
/// between moves no day; to see the past by another clock, fold anew.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Insights {
    offset: Offset,
    days: BTreeMap<Day, Tally>,
    under_way: BTreeMap<NegotiationId, Course>,
}

impl Insights {
    /// Nothing yet, with days cut by the person's clock.
    pub fn at(offset: Offset) -> Self {
        Self { offset, ..Self::default() }
    }

    /// Takes an event in. Those of one negotiation come in their order, from the opening on; between negotiations the
    /// order does not matter.
    pub fn apply(&mut self, id: &NegotiationId, event: &Event) {
        let tally = self.days.entry(Day::of(event.at, self.offset)).or_default();
        match (&event.fact, self.under_way.get_mut(id)) {
            (Fact::Opened(opening), None) => {
                tally.opened += 1;
                self.under_way.insert(id.clone(), Course::opened(opening));
            }
            (fact, Some(course)) => {
                if course.take(fact, tally).is_break() {
                    self.under_way.remove(id);
                }
            }
            (fact, None) => afterwards(fact, tally),
        }
    }

    /// How many negotiations are open, which is how many it keeps anything of.
    pub fn under_way(&self) -> usize {
        self.under_way.len()
    }

    /// How often what happened, over a period.
    pub fn metrics(&self, period: Period) -> Metrics {
        Metrics::of(self.sum(period))
    }

    /// What somebody should look at.
    pub fn alerts(&self, period: Period) -> Vec<Alert> {
        Alert::raised_by(&self.metrics(period))
    }

    /// The person's week: seven days, of which the last is under way just before `ending`.
    pub fn week(&self, ending: Timestamp) -> Week {
        let (from, until) = Period::week(ending, self.offset);
        Week::of(from, until, self.sum(Period::Between { from, until }))
    }

    fn sum(&self, period: Period) -> Tally {
        let mut sum = Tally::default();
        let days = self.days.iter().filter(|(day, _)| period.has(**day, self.offset));
        days.for_each(|(_, tally)| sum.add(tally));
        sum
    }
}

/// What is over keeps nothing here, and needs nothing: only what was accepted can still end another way.
fn afterwards(fact: &Fact, tally: &mut Tally) {
    match fact {
        Fact::Ended(Ending::Unsigned) => tally.undone.add(&Undone { unsigned: 1, voided: 0 }),
        Fact::Ended(Ending::Voided) => tally.undone.add(&Undone { unsigned: 0, voided: 1 }),
        Fact::VerdictGiven(verdict) => tally.violations.denied += u64::from(verdict.ruled == Ruled::Deny),
        Fact::Ended(Ending::Accepted | Ending::Declined | Ending::Expired)
        | Fact::Opened(_)
        | Fact::TurnTaken(_)
        | Fact::Claimed(_)
        | Fact::Released
        | Fact::ClaimLapsed
        | Fact::FallbackDue
        | Fact::AgentFailed(..)
        | Fact::Escalated(..)
        | Fact::Drafted(..)
        | Fact::Retracted
        | Fact::Reminded
        | Fact::Mandated(_)
        | Fact::EscalationLate
        | Fact::Ruled(_)
        | Fact::Held
        | Fact::Resumed
        | Fact::Guided(_)
        | Fact::TakenOver
        | Fact::HandedBack
        | Fact::Delegated(..)
        | Fact::Reported(..)
        | Fact::Violated(..)
        | Fact::Resolved(_)
        | Fact::ApprovalOpened(..)
        | Fact::ApprovalExtended(_)
        | Fact::Decided(_)
        | Fact::Recommended(_)
        | Fact::Promised(..)
        | Fact::PromiseWithdrawn(_)
        | Fact::PromiseAccepted(_)
        | Fact::Signed(_)
        | Fact::Bound(..)
        | Fact::AgreementEnded => {}
    }
}
