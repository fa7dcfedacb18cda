//! Takes events in. The only way state changes, and it cannot fail.

use std::sync::Arc;

use super::{BySide, Floor, Holder, Negotiation, Pause, Phase, Stage, Standing, Trouble};
use crate::{
    Agreement, Approval, Approver, Decision, Delegated, Ending, EscalationReason, Event, Fact, Move, Opening, Outcome,
    Promise, PromiseState, Side, Span, TakenTurn, Text, Timestamp, Violation,
};

impl Negotiation {
    /// As it is when nobody has spoken.
    pub(super) fn opened(opening: Arc<Opening>, at: Timestamp) -> Self {
        let floor = Floor::given_to(Side::Initiator, opening.parties.initiator.agent, at);
        let mandate = opening.mandate;
        Self {
            opening,
            opened_at: at,
            changed_at: at,
            version: 1,
            turns: Vec::new(),
            phase: Phase::Talking(floor),
            standing: BySide { initiator: None, responder: None },
            counters: BySide::default(),
            challenges: 0,
            stopped: Span(0),
            taken_over: false,
            mandate,
            guidance: Vec::new(),
            suspended: BySide::default(),
            delegated: None,
            verdicts: Vec::new(),
            violations: BySide::default(),
            recommendation: None,
            trouble: None,
        }
    }

    /// Takes an event in.
    pub fn apply(&mut self, event: &Event) {
        let at = event.at;
        self.version += 1;
        self.changed_at = at;
        match &event.fact {
            // INVARIANT: only `replay` meets an opening, and only as the first event; `decide` makes none.
            Fact::Opened(_) => {}
            Fact::AgentFailed(side, _) => self.trouble = Some(Trouble::AgentFailed(*side)),
            Fact::TurnTaken(taken) => self.turn_taken(taken, at),
            Fact::Claimed(agent) => self.hold(|first| Holder::Claimed { by: agent.clone(), since: at, first }),
            Fact::Released => self.hold(|first| Holder::Parked { first }),
            Fact::ClaimLapsed => {
                if let Phase::Talking(floor) = &self.phase {
                    self.trouble = Some(Trouble::ClaimLapsed(floor.side));
                }
                self.hold(|first| Holder::Parked { first });
            }
            Fact::FallbackDue => self.fallback_due(at),
            Fact::Escalated(side, escalation) => {
                if escalation.reason == EscalationReason::AdversarialDetected {
                    self.trouble = Some(Trouble::Adversarial(*side));
                }
                self.pause(Pause::Escalated { side: *side, escalation: escalation.clone(), stage: Stage::Asked }, at);
            }
            Fact::Reminded => self.stage_becomes(Stage::Reminded),
            Fact::EscalationLate => self.stage_becomes(Stage::Late),
            Fact::Held => self.pause(Pause::Held, at),
            Fact::Ruled(_) | Fact::Resumed => self.go_on(at),
            Fact::Mandated(version) => self.mandate = *version,
            Fact::Drafted(_, speaker, turn, until) => {
                if let Phase::Talking(floor) = &mut self.phase {
                    let (turn, speaker, until) = (Arc::new(turn.clone()), speaker.clone(), *until);
                    floor.holder = Holder::Drafted { turn, speaker, until };
                }
            }
            Fact::Retracted => self.drop_draft(at),
            Fact::Guided(guidance) => self.guided(guidance.clone(), at),
            Fact::TakenOver => {
                self.drop_draft(at);
                self.taken_over = true;
            }
            Fact::HandedBack => self.taken_over = false,
            Fact::Delegated(side, delegation) => {
                self.delegated = Some(Delegated { side: *side, delegation: delegation.clone(), at });
            }
            Fact::Reported(..) => self.delegated = None,
            Fact::VerdictGiven(verdict) => self.verdicts.push(verdict.clone()),
            Fact::Violated(side, violation) => {
                *self.violations.get_mut(*side) += 1;
                *self.suspended.get_mut(*side) |= *violation == Violation::Capability;
            }
            Fact::Resolved(outcome) => self.resolved(outcome.clone(), at),
            Fact::ApprovalOpened(required, due) => {
                if let Phase::Resolved(outcome) = &self.phase {
                    let (outcome, required) = (outcome.clone(), required.clone());
                    self.phase = Phase::Approval { outcome, required, given: Vec::new(), since: at, due: *due };
                }
            }
            Fact::ApprovalExtended(until) => {
                if let Phase::Approval { due, .. } = &mut self.phase {
                    *due = *until;
                }
            }
            Fact::Decided(approval) => self.decided(approval, at),
            Fact::Recommended(recommendation) => self.recommendation = Some(recommendation.clone()),
            Fact::Ended(ending) => self.ended(*ending, at),
            Fact::Promised(side, text) => self.agreement_mut(|agreement| {
                let promise = Promise { side: *side, text: text.clone(), state: PromiseState::Offered };
                agreement.promises.push(promise);
            }),
            Fact::PromiseWithdrawn(place) => self.promise_becomes(*place, PromiseState::Withdrawn),
            Fact::PromiseAccepted(place) => self.promise_becomes(*place, PromiseState::Accepted),
            Fact::Signed(signature) => self.agreement_mut(|agreement| agreement.signatures.push(signature.clone())),
            Fact::Bound(from, until) => self.agreement_mut(|agreement| agreement.binding = Some((*from, *until))),
            Fact::AgreementEnded => self.agreement_mut(|agreement| agreement.is_over = true),
        }
    }

    fn turn_taken(&mut self, taken: &TakenTurn, at: Timestamp) {
        let side = taken.side;
        match &taken.turn.act {
            Move::Propose(offer) | Move::Counter(offer) => {
                let is_challenge = taken.turn.act.is_challenge();
                if is_challenge {
                    self.challenges += 1;
                } else {
                    self.challenges = 0;
                    *self.standing.get_mut(side) = Some(Standing { offer: offer.clone(), turn: self.turns.len() });
                }
                if matches!(taken.turn.act, Move::Counter(_)) && !is_challenge {
                    *self.counters.get_mut(side) += 1;
                }
            }
            Move::Question(_) => self.challenges += 1,
            // What was turned down is no longer on the table.
            Move::Reject(_) => *self.standing.get_mut(side.other()) = None,
            Move::Accept | Move::Answer(_) | Move::Inquire | Move::Describe(_) => {}
        }
        self.turns.push(taken.clone());
        self.trouble = None;
        let next = side.other();
        self.phase = Phase::Talking(Floor::given_to(next, self.opening.parties.get(next).agent, at));
    }

    /// What was about to be said is not; the side's agent speaks anew. The protocol's clock does not begin anew for that.
    fn drop_draft(&mut self, at: Timestamp) {
        let drafted = |floor: &Floor| matches!(floor.holder, Holder::Drafted { .. });
        if let Phase::Talking(floor) | Phase::Paused { floor, .. } = &mut self.phase
            && drafted(floor)
        {
            let anew = Floor::given_to(floor.side, self.opening.parties.get(floor.side).agent, at);
            floor.holder = anew.holder;
        }
    }

    fn stage_becomes(&mut self, next: Stage) {
        if let Phase::Paused { why: Pause::Escalated { stage, .. }, .. } = &mut self.phase {
            *stage = next;
        }
    }

    fn hold(&mut self, holder: impl FnOnce(Timestamp) -> Holder) {
        if let Phase::Talking(floor) = &mut self.phase
            && let Holder::Parked { first } | Holder::Claimed { first, .. } = &floor.holder
        {
            floor.holder = holder(*first);
        }
    }

    fn fallback_due(&mut self, at: Timestamp) {
        if let Phase::Talking(floor) = &mut self.phase {
            floor.holder = Holder::Fallback;
            floor.since = at;
        }
    }

    fn pause(&mut self, why: Pause, at: Timestamp) {
        if let Phase::Talking(floor) = &self.phase {
            self.phase = Phase::Paused { why, since: at, floor: floor.clone() };
        }
    }

    /// As it was, with every clock moved on by the time it stood still.
    fn go_on(&mut self, at: Timestamp) {
        let Phase::Paused { since, floor, .. } = &self.phase else { return };
        let stood = at.since(*since);
        let mut floor = floor.clone();
        floor.since = floor.since.plus(stood);
        match &mut floor.holder {
            Holder::Parked { first } => *first = first.plus(stood),
            Holder::Claimed { since, first, .. } => {
                *since = since.plus(stood);
                *first = first.plus(stood);
            }
            Holder::Drafted { until, .. } => *until = until.plus(stood),
            Holder::Agent | Holder::Fallback => {}
        }
        self.stopped = self.stopped.and(stood);
        self.phase = Phase::Talking(floor);
    }

    fn resolved(&mut self, outcome: Outcome, at: Timestamp) {
        self.phase = if outcome.has_opportunity() {
            Phase::Resolved(outcome)
        } else {
            Phase::Closed { outcome, ending: None, agreement: Agreement::default(), at }
        };
    }

    fn decided(&mut self, approval: &Approval, at: Timestamp) {
        if let Phase::Approval { given, .. } = &mut self.phase {
            given.push(approval.clone());
        }
        let by_person = approval.approver == Approver::Person;
        if by_person && matches!(approval.decision, Decision::Conditional(_)) && self.opening.rulebook.reopens() {
            // The person's turn with the conditions follows.
            self.reopen(at);
        }
    }

    fn guided(&mut self, guidance: Text, at: Timestamp) {
        self.guidance.push(guidance);
        self.drop_draft(at);
        self.reopen(at);
    }

    /// What waited for approval is talked about again, and our side speaks. Nobody's clock ran meanwhile.
    fn reopen(&mut self, at: Timestamp) {
        if let Phase::Approval { since, .. } = &self.phase {
            let ours = self.opening.ours;
            self.stopped = self.stopped.and(at.since(*since));
            self.phase = Phase::Talking(Floor::given_to(ours, self.opening.parties.get(ours).agent, at));
        }
    }

    fn ended(&mut self, ending: Ending, at: Timestamp) {
        match &mut self.phase {
            Phase::Approval { outcome, given, .. } => {
                let (outcome, approvals) = (outcome.clone(), std::mem::take(given));
                let agreement = Agreement { approvals, ..Agreement::default() };
                self.phase = Phase::Closed { outcome, ending: Some(ending), agreement, at };
            }
            Phase::Closed { ending: before, agreement, .. } => {
                *before = Some(ending);
                agreement.is_over = true;
            }
            Phase::Talking(_) | Phase::Paused { .. } | Phase::Resolved(_) => {}
        }
    }

    fn promise_becomes(&mut self, place: usize, state: PromiseState) {
        self.agreement_mut(|agreement| {
            if let Some(promise) = agreement.promises.get_mut(place) {
                promise.state = state;
            }
        });
    }

    fn agreement_mut(&mut self, change: impl FnOnce(&mut Agreement)) {
        if let Phase::Closed { agreement, .. } = &mut self.phase {
            change(agreement);
        }
    }
}
