//! Time passes. Timers follow from the state, so a restart loses none.

use super::{Floor, Holder, LONGEST_WAIT, Negotiation, Pause, Phase, Stage};
use crate::{Action, Commitment, Deadline, Ending, Fact, Refusal, Side, Span, Stop, Text, Timer, Timestamp};

impl Negotiation {
    /// The next timer that will be due, if nothing happens before. There is one until it is over.
    pub fn next_deadline(&self) -> Option<Deadline> {
        self.deadlines().into_iter().flatten().min()
    }

    /// What letting it lapse comes to in the end: reminders and being late change nothing yet.
    pub fn lapse(&self) -> Option<Deadline> {
        let Phase::Paused { why, since, .. } = &self.phase else { return self.next_deadline() };
        let left = Span(LONGEST_WAIT.0.saturating_sub(self.stopped.0));
        let asked = match why {
            Pause::Held => left,
            Pause::Escalated { escalation, .. } => {
                escalation.urgency.within().and(self.opening.rulebook.timers.approval)
            }
        };
        deadline(Timer::Pause, *since, Some(left.min(asked)))
    }

    pub(super) fn deadline_passed(&self, timer: Timer, now: Timestamp) -> Result<Vec<Fact>, Refusal> {
        let due = self.deadlines().into_iter().flatten().any(|deadline| deadline.timer == timer && deadline.at <= now);
        if !due {
            return Err(Refusal::NotDue { timer });
        }
        Ok(vec![match timer {
            Timer::Hold => return Ok(self.send(now).unwrap_or_else(|_| vec![Fact::Retracted])),
            Timer::Reminder => Fact::Reminded,
            Timer::Park => Fact::FallbackDue,
            Timer::Claim => Fact::ClaimLapsed,
            Timer::Escalation => Fact::EscalationLate,
            Timer::Approval => Fact::Ended(Ending::Expired),
            Timer::Commitment => Fact::Ended(Ending::Unsigned),
            Timer::Agreement => Fact::AgreementEnded,
            Timer::Pause => {
                let result = self.out_of_bounds(Stop::Timeout(timer));
                Fact::Resolved(self.stop(result, Text::own("it waited for a person, and nobody came")))
            }
            Timer::FirstResponse | Timer::Clarification | Timer::Turn | Timer::Total | Timer::Offer => {
                let result = self.out_of_bounds(Stop::Timeout(timer));
                Fact::Resolved(self.stop(result, Text::own("the time ran out")))
            }
        }])
    }

    fn deadlines(&self) -> [Option<Deadline>; 3] {
        let timers = &self.opening.rulebook.timers;
        match &self.phase {
            Phase::Talking(floor) => [self.turn_deadline(floor), self.total(), self.offer(floor.side)],
            Phase::Paused { why, since, .. } => {
                let left = Span(LONGEST_WAIT.0.saturating_sub(self.stopped.0));
                let own = match why {
                    Pause::Held => None,
                    Pause::Escalated { escalation, stage, .. } => {
                        let within = escalation.urgency.within();
                        match stage {
                            // A quarter of the time before it is late.
                            Stage::Asked if within.0 > 0 => {
                                deadline(Timer::Reminder, *since, Some(Span(within.0 / 4 * 3)))
                            }
                            Stage::Asked | Stage::Reminded => deadline(Timer::Escalation, *since, Some(within)),
                            Stage::Late => deadline(Timer::Pause, *since, Some(within.and(timers.approval))),
                        }
                    }
                };
                [deadline(Timer::Pause, *since, Some(left)), own, None]
            }
            Phase::Resolved(_) => [None; 3],
            Phase::Approval { due, .. } => [Some(Deadline { at: *due, timer: Timer::Approval }), None, None],
            Phase::Closed { ending: Some(Ending::Accepted), agreement, at, .. } if !agreement.is_over => {
                match (self.opening.rulebook.commitment, agreement.binding) {
                    (Commitment::Signatures, None) => [deadline(Timer::Commitment, *at, timers.commitment), None, None],
                    (_, Some((_, until))) => [Some(Deadline { at: until, timer: Timer::Agreement }), None, None],
                    (Commitment::None | Commitment::Promises | Commitment::Contract, None) => [None; 3],
                }
            }
            Phase::Closed { .. } => [None; 3],
        }
    }

    fn turn_deadline(&self, floor: &Floor) -> Option<Deadline> {
        let timers = &self.opening.rulebook.timers;
        let by_person = self.taken_over && floor.side == self.opening.ours;
        match &floor.holder {
            Holder::Parked { first } if !by_person && timers.park.is_some() => {
                deadline(Timer::Park, *first, timers.park)
            }
            Holder::Claimed { since, .. } if !by_person && timers.claim.is_some() => {
                deadline(Timer::Claim, *since, timers.claim)
            }
            Holder::Drafted { until, .. } => Some(Deadline { at: *until, timer: Timer::Hold }),
            Holder::Agent | Holder::Fallback | Holder::Parked { .. } | Holder::Claimed { .. } => {
                let asked = self.turns.last().is_some_and(|last| last.turn.act.action() == Action::Question);
                let (timer, span) = match (asked, timers.clarification) {
                    (true, Some(span)) => (Timer::Clarification, Some(span)),
                    _ if self.turns.len() <= 1 => (Timer::FirstResponse, timers.first_response),
                    _ => (Timer::Turn, timers.turn),
                };
                deadline(timer, floor.since, span)
            }
        }
    }

    /// The clock stands still while everything waits for a person.
    fn total(&self) -> Option<Deadline> {
        deadline(Timer::Total, self.opened_at.plus(self.stopped), self.opening.rulebook.timers.total)
    }

    /// What the side that has the floor could accept, and until when.
    fn offer(&self, side: Side) -> Option<Deadline> {
        let until = self.standing.get(side.other()).as_ref()?.offer.valid_until?;
        Some(Deadline { at: Timestamp(until.0.saturating_add(1)), timer: Timer::Offer })
    }
}

fn deadline(timer: Timer, from: Timestamp, span: Option<Span>) -> Option<Deadline> {
    span.map(|span| Deadline { at: from.plus(span), timer })
}
