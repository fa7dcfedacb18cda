//! A side moves.

use super::{Floor, Negotiation, Phase};
use crate::{
    Action, AgreedRoles, Fact, Move, Offer, OnRepeat, OutOfBounds, Outcome, Protocol, Refusal, Resolution, Side,
    Speaker, Stop, TakenTurn, TermProblem, Terms, Text, Timestamp, Turn, Violation,
};

impl Negotiation {
    /// The side's move, if it is its turn and the rulebook allows it, and what it makes of the dialogue.
    pub(super) fn take_turn(
        &self,
        side: Side,
        speaker: Speaker,
        turn: Turn,
        now: Timestamp,
    ) -> Result<Vec<Fact>, Refusal> {
        self.check_move(side, &turn, now)?;
        if let Some(offer) = turn.act.offer() {
            match self.opening.rulebook.check_offer(offer, &self.opening.frame.pool) {
                Ok(()) => {}
                // Not a mistake but an attempt: it ends here, and the agent with it.
                Err(TermProblem::Capability(_)) => return Ok(self.violate(side, Violation::Capability)),
                Err(problem) => return Err(Refusal::Terms(problem)),
            }
        }
        let repeats = self.repeats(side, &turn);
        if repeats && self.opening.rulebook.on_repeat == OnRepeat::Refused {
            return Err(Refusal::Repeated);
        }
        let outcome = self.outcome_of(side, &turn, repeats);
        let taken = Fact::TurnTaken(TakenTurn { side, speaker, turn, at: now });
        let mut facts = Vec::with_capacity(1);
        facts.push(taken);
        if let Some(outcome) = outcome {
            facts.extend(self.resolve(outcome, Some(side), now));
        }
        Ok(facts)
    }

    /// The floor, if it is this side's.
    pub(super) fn floor_of(&self, side: Side) -> Result<&Floor, Refusal> {
        match &self.phase {
            Phase::Talking(floor) if floor.side == side => Ok(floor),
            Phase::Talking(_) => Err(Refusal::NotYourTurn { side }),
            Phase::Paused { .. } | Phase::Resolved(_) | Phase::Approval { .. } | Phase::Closed { .. } => {
                Err(Refusal::NotTalking { status: self.status() })
            }
        }
    }

    /// A dialogue that ends without a last word.
    pub(super) fn stop(&self, result: Resolution, reasoning: Text) -> Outcome {
        Outcome { result, agreed_roles: None, terms: Terms::NONE, reasoning, turn_count: self.turn_count() }
    }

    /// What running out of something makes of it.
    pub(super) fn out_of_bounds(&self, stop: Stop) -> Resolution {
        match self.opening.rulebook.out_of_bounds {
            OutOfBounds::Stalls => Resolution::Stalled(stop),
            OutOfBounds::Aborts => Resolution::Aborted(stop),
        }
    }

    /// What an agent's overstepping makes happen.
    pub(super) fn violate(&self, side: Side, violation: Violation) -> Vec<Fact> {
        let ends = match violation {
            Violation::Capability => true,
            Violation::Schema => matches!(self.opening.rulebook.protocol, Protocol::Summit(_)),
            Violation::Policy => false,
        };
        let outcome = ends.then(|| {
            let result = Resolution::Aborted(Stop::Violation(side, violation));
            self.stop(result, Text::own("an agent did what it must not"))
        });
        std::iter::once(Fact::Violated(side, violation)).chain(outcome.map(Fact::Resolved)).collect()
    }

    fn check_move(&self, side: Side, turn: &Turn, now: Timestamp) -> Result<(), Refusal> {
        self.floor_of(side)?;
        if self.is_suspended(side) {
            return Err(Refusal::Suspended(side));
        }
        let rulebook = &self.opening.rulebook;
        let (action, allowed) = (turn.act.action(), self.open_moves());
        if !allowed.contains(action) {
            return Err(Refusal::NotAllowed { action, allowed });
        }
        if rulebook.has_roles() && turn.assessment.suggested_roles.is_none() {
            return Err(Refusal::NoRoles);
        }
        match &turn.act {
            Move::Accept => self.check_validity(side, now),
            Move::Counter(_) if turn.act.is_challenge() => self.check_challenge(side),
            Move::Counter(_) => within("counter-proposals", *self.counters.get(side), rulebook.limits.counters),
            Move::Question(_) => within("challenges", self.challenges, rulebook.limits.challenges),
            Move::Propose(_) | Move::Reject(_) | Move::Answer(_) | Move::Inquire | Move::Describe(_) => Ok(()),
        }
    }

    fn check_validity(&self, side: Side, now: Timestamp) -> Result<(), Refusal> {
        match self.standing.get(side.other()).as_ref().and_then(|standing| standing.offer.valid_until) {
            Some(until) if now > until => Err(Refusal::OfferExpired { until }),
            Some(_) | None => Ok(()),
        }
    }

    /// In a governed negotiation only the challenger challenges, and not without end.
    fn check_challenge(&self, side: Side) -> Result<(), Refusal> {
        let rulebook = &self.opening.rulebook;
        if matches!(rulebook.protocol, Protocol::Summit(_)) && side == Side::Initiator {
            return Err(Refusal::NotAllowed {
                action: Action::Counter,
                allowed: self.open_moves().without(Action::Counter),
            });
        }
        within("challenges", self.challenges, rulebook.limits.challenges)
    }

    /// Whether the side offers exactly what it has on the table; where there are no terms, in the same words.
    fn repeats(&self, side: Side, turn: &Turn) -> bool {
        let (Some(offer), Some(standing)) = (turn.act.offer(), self.standing.get(side)) else { return false };
        if !offer.terms.is_empty() {
            return offer.terms == standing.offer.terms;
        }
        let before = self.turns.get(standing.turn).map(|taken| &taken.turn);
        before.is_some_and(|before| {
            let same_reasons = before.assessment.reasoning == turn.assessment.reasoning;
            offer.objections == standing.offer.objections
                && before.message == turn.message
                && (turn.message.is_some() || same_reasons)
        })
    }

    /// What this turn makes of the dialogue, if it ends it.
    fn outcome_of(&self, side: Side, turn: &Turn, repeats: bool) -> Option<Outcome> {
        let rulebook = &self.opening.rulebook;
        let turn_count = self.turn_count().saturating_add(1);
        let capped = rulebook.limits.turns.is_some_and(|cap| turn_count >= cap);
        let result = match &turn.act {
            Move::Accept => Resolution::Agreement,
            Move::Reject(rejection) if !(rulebook.retries() && rejection.may_retry() && !capped) => {
                Resolution::Rejected { by: side, rejection: rejection.clone() }
            }
            _ if repeats && rulebook.on_repeat == OnRepeat::Ends => self.out_of_bounds(Stop::Stalemate(side)),
            _ if capped => self.out_of_bounds(Stop::TurnCap),
            _ => return None,
        };
        let agreed = result == Resolution::Agreement;
        Some(Outcome {
            result,
            agreed_roles: if agreed { self.agreed_roles(side, turn) } else { None },
            terms: if agreed { self.agreed_terms(side) } else { Terms::NONE },
            reasoning: turn.assessment.reasoning.clone(),
            turn_count,
        })
    }

    /// Each side's own last word on its own part: the accept turn's, and the one's before it.
    fn agreed_roles(&self, side: Side, turn: &Turn) -> Option<AgreedRoles> {
        let own = turn.assessment.suggested_roles?.own;
        let other = self.turns.iter().rfind(|taken| taken.side != side)?.turn.assessment.suggested_roles?.own;
        Some(match side {
            Side::Initiator => AgreedRoles { initiator: own, responder: other },
            Side::Responder => AgreedRoles { initiator: other, responder: own },
        })
    }

    fn agreed_terms(&self, side: Side) -> Terms {
        self.standing.get(side.other()).as_ref().map_or(Terms::NONE, |standing| Offer::clone(&standing.offer).terms)
    }
}

fn within(what: &'static str, count: u32, limit: Option<u32>) -> Result<(), Refusal> {
    match limit {
        Some(limit) if count >= limit => Err(Refusal::Limit { what, limit }),
        Some(_) | None => Ok(()),
    }
}
