//! The person acts. Nothing else in the kernel can make anything binding.

use std::sync::Arc;

use super::{Holder, LONGEST_WAIT, Negotiation, Pause, Phase};
use crate::{
    Approval, Approver, Assessment, Decision, Ending, Event, Fact, Hook, Move, Offer, PersonAct, Refusal, Resolution,
    Ruling, Span, Speaker, Stop, TakenTurn, Text, Timestamp, Turn,
};

impl Negotiation {
    pub(super) fn person(&self, act: PersonAct, now: Timestamp) -> Result<Vec<Fact>, Refusal> {
        match act {
            PersonAct::Decide { decision, digest, remarks } => {
                let approver = Approver::Person;
                self.settle(Approval { approver, decision, digest, remarks, beforehand: None }, now)
            }
            PersonAct::Rule(ruling) => self.rule(ruling, now),
            PersonAct::Hold => match &self.phase {
                Phase::Talking(_) => Ok(vec![Fact::Held]),
                Phase::Paused { .. } | Phase::Resolved(_) | Phase::Approval { .. } | Phase::Closed { .. } => {
                    Err(self.not_now())
                }
            },
            PersonAct::Resume => match &self.phase {
                Phase::Paused { why: Pause::Held, .. } => Ok(vec![Fact::Resumed]),
                Phase::Paused { .. }
                | Phase::Talking(_)
                | Phase::Resolved(_)
                | Phase::Approval { .. }
                | Phase::Closed { .. } => Err(self.not_now()),
            },
            PersonAct::Guide(guidance) => self.guide(guidance, now),
            PersonAct::TakeOver => self.switch_speaker(false, Fact::TakenOver),
            PersonAct::HandBack => self.switch_speaker(true, Fact::HandedBack),
            PersonAct::TakeTurn(turn) => {
                self.floor_of(self.opening.ours)?;
                if !self.taken_over {
                    return Err(self.not_now());
                }
                self.take_turn(self.opening.ours, Speaker::Person, turn, now)
            }
            PersonAct::Send if self.floor_of(self.opening.ours).is_ok() => self.send(now),
            PersonAct::Send => Err(self.not_now()),
            PersonAct::Mandate(version) => match &self.phase {
                Phase::Talking(_) | Phase::Paused { .. } | Phase::Approval { .. } => Ok(vec![Fact::Mandated(version)]),
                Phase::Resolved(_) | Phase::Closed { .. } => Err(self.not_now()),
            },
            PersonAct::Extend(span) => self.extend(span, now),
            PersonAct::Withdraw(why) => match &self.phase {
                Phase::Talking(_) | Phase::Paused { .. } => {
                    Ok(vec![Fact::Resolved(self.stop(Resolution::Aborted(Stop::Withdrawn), why))])
                }
                Phase::Resolved(_) | Phase::Approval { .. } | Phase::Closed { .. } => Err(self.not_now()),
            },
        }
    }

    /// Takes a decision in: bound to what is there now, from somebody who was asked and has not decided.
    pub(super) fn settle(&self, approval: Approval, now: Timestamp) -> Result<Vec<Fact>, Refusal> {
        let Phase::Approval { outcome, required, given, .. } = &self.phase else {
            return Err(Refusal::NothingPending { status: self.status() });
        };
        if !required.contains(&approval.approver) || given.iter().any(|one| one.approver == approval.approver) {
            return Err(Refusal::NotAsked);
        }
        let current = self.digest();
        if approval.digest != current {
            return Err(Refusal::Changed { current });
        }
        let by_person = approval.approver == Approver::Person;
        let missing = required.iter().filter(|one| !given.iter().any(|other| other.approver == **one)).count();
        match &approval.decision {
            Decision::Rejected => Ok(vec![Fact::Decided(approval), Fact::Ended(Ending::Declined)]),
            Decision::Conditional(conditions) if by_person && self.opening.rulebook.reopens() => {
                self.check_reopen(now)?;
                let turn = self.conditions(conditions, outcome.terms.clone(), now)?;
                Ok(vec![Fact::Decided(approval), Fact::TurnTaken(turn)])
            }
            // What is approved under conditions is approved, and the conditions stay with it.
            Decision::Approved | Decision::Conditional(_) if missing > 1 => Ok(vec![Fact::Decided(approval)]),
            Decision::Approved | Decision::Conditional(_) => {
                Ok(vec![Fact::Decided(approval), Fact::Ended(Ending::Accepted)])
            }
        }
    }

    /// The person's conditions, as the turn that takes them to the other side.
    fn conditions(&self, conditions: &[Text], terms: crate::Terms, now: Timestamp) -> Result<TakenTurn, Refusal> {
        let words = conditions.iter().map(|condition| &**condition).collect::<Vec<_>>().join("\n");
        let message = Text::new(words).map_err(Refusal::Text)?;
        let side = self.opening.ours;
        let mine = self.turns.iter().rfind(|taken| taken.side == side);
        let turn = Turn {
            act: Move::Counter(Arc::new(Offer { terms, ..Offer::default() })),
            assessment: Assessment {
                reasoning: Text::own("the person agrees under conditions"),
                suggested_roles: mine.and_then(|taken| taken.turn.assessment.suggested_roles),
                confidence: None,
            },
            message: Some(message),
        };
        Ok(TakenTurn { side, speaker: Speaker::Person, turn, at: now })
    }

    fn guide(&self, guidance: Text, now: Timestamp) -> Result<Vec<Fact>, Refusal> {
        match &self.phase {
            Phase::Talking(_) | Phase::Paused { .. } => {}
            Phase::Approval { .. } if self.opening.rulebook.reopens() => self.check_reopen(now)?,
            Phase::Approval { .. } | Phase::Resolved(_) | Phase::Closed { .. } => return Err(self.not_now()),
        }
        Ok(vec![Fact::Guided(guidance)])
    }

    /// There must be a turn left for each side, and some of the time that a person may let everything wait.
    fn check_reopen(&self, now: Timestamp) -> Result<(), Refusal> {
        let limit = self.opening.rulebook.limits.turns.unwrap_or(u32::MAX);
        if self.turn_count().saturating_add(1) >= limit {
            return Err(Refusal::Limit { what: "turns", limit });
        }
        let Phase::Approval { since, .. } = &self.phase else { return Err(self.not_now()) };
        if self.stopped.and(now.since(*since)) >= LONGEST_WAIT { Err(Refusal::TooLong) } else { Ok(()) }
    }

    /// A no to what a policy wanted to know beforehand ends it; any other answer lets it go on. A yes to what the agent was
    /// about to say sends it, if it can still be said.
    fn rule(&self, ruling: Ruling, now: Timestamp) -> Result<Vec<Fact>, Refusal> {
        match &self.phase {
            Phase::Paused { why: Pause::Escalated { side, escalation, .. }, .. } if *side == self.opening.ours => {
                let forbids = !ruling.approved && matches!(escalation.hook, Some(Hook::Start | Hook::Resolution));
                let ends = forbids.then(|| self.stop(Resolution::Aborted(Stop::PolicyDenied), ruling.remarks.clone()));
                let draft = escalation.draft.as_ref().filter(|_| ruling.approved);
                let ruled = Fact::Ruled(ruling);
                let said = draft.map(|draft| {
                    let mut after = self.clone();
                    after.apply(&Event { at: now, fact: ruled.clone() });
                    after.say(Turn::clone(draft), now).unwrap_or_default()
                });
                Ok(std::iter::once(ruled).chain(ends.map(Fact::Resolved)).chain(said.unwrap_or_default()).collect())
            }
            Phase::Paused { .. }
            | Phase::Talking(_)
            | Phase::Resolved(_)
            | Phase::Approval { .. }
            | Phase::Closed { .. } => Err(self.not_now()),
        }
    }

    /// What the person let through is said by whoever has the floor: their own agent, or the other side's.
    fn say(&self, turn: Turn, now: Timestamp) -> Result<Vec<Fact>, Refusal> {
        let Phase::Talking(floor) = &self.phase else { return Err(self.not_now()) };
        let speaker = match floor.holder {
            Holder::Fallback => Speaker::Fallback,
            Holder::Agent | Holder::Parked { .. } | Holder::Claimed { .. } | Holder::Drafted { .. } => Speaker::Agent,
        };
        self.take_turn(floor.side, speaker, turn, now)
    }

    fn switch_speaker(&self, taken_over: bool, fact: Fact) -> Result<Vec<Fact>, Refusal> {
        match &self.phase {
            Phase::Talking(_) | Phase::Paused { .. } if self.taken_over == taken_over => Ok(vec![fact]),
            Phase::Talking(_)
            | Phase::Paused { .. }
            | Phase::Resolved(_)
            | Phase::Approval { .. }
            | Phase::Closed { .. } => Err(self.not_now()),
        }
    }

    fn extend(&self, span: Span, now: Timestamp) -> Result<Vec<Fact>, Refusal> {
        let Phase::Approval { since, due, .. } = &self.phase else {
            return Err(Refusal::NothingPending { status: self.status() });
        };
        let until = now.plus(span);
        if until > since.plus(LONGEST_WAIT) {
            return Err(Refusal::TooLong);
        }
        match self.accepted_until(self.turns.last().map(|last| last.side)) {
            Some(end) if until > end => Err(Refusal::OfferExpired { until: end }),
            Some(_) | None => Ok(vec![Fact::ApprovalExtended(until.max(*due))]),
        }
    }
}
