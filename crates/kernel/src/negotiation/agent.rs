//! What speaks for a party acts.

use super::{Floor, Holder, Negotiation, Pause, Phase};
use crate::{
    AgentAct, AgentId, Commitment, Ending, Escalation, Fact, PromiseState, Refusal, Report, Side, Span, Speaker, Text,
    Timestamp, Turn,
};

/// How many promises may follow one agreement.
const MAX_PROMISES: u32 = 64;

impl Negotiation {
    pub(super) fn agent(&self, side: Side, act: AgentAct, now: Timestamp) -> Result<Vec<Fact>, Refusal> {
        match act {
            AgentAct::TakeTurn(turn) => self.speak(side, turn, now),
            AgentAct::Respond(agent, turn) => self.respond(side, &agent, turn, now),
            AgentAct::TakeTurnFor(agent, turn) => self.speak_for(side, agent, turn, now),
            AgentAct::Draft(agent, turn, hold) => self.draft_turn(side, agent, turn, hold, now),
            AgentAct::Retract => match &self.floor_of(side)?.holder {
                Holder::Drafted { .. } => Ok(vec![Fact::Retracted]),
                Holder::Agent | Holder::Parked { .. } | Holder::Claimed { .. } | Holder::Fallback => {
                    Err(self.not_now())
                }
            },
            AgentAct::Claim(agent) => self.claim(side, agent),
            AgentAct::Release(agent) => self.holds(side, &agent).map(|()| vec![Fact::Released]),
            AgentAct::Fail(reason) => self.floor_of(side).map(|_| vec![Fact::AgentFailed(side, reason)]),
            AgentAct::Escalate(escalation) => self.escalate(side, escalation),
            AgentAct::Resume => self.resume(side),
            AgentAct::Delegate(delegation) => {
                self.floor_of(side)?;
                if self.delegated.is_some() {
                    return Err(self.not_now());
                }
                Ok(vec![Fact::Delegated(side, delegation)])
            }
            AgentAct::Report(report) => self.report(side, report),
            AgentAct::Promise(text) => self.promise(side, text),
            AgentAct::WithdrawPromise(place) => self.touch_promise(side, place, Fact::PromiseWithdrawn(place)),
            AgentAct::AcceptPromise(place) => self.touch_promise(side.other(), place, Fact::PromiseAccepted(place)),
        }
    }

    /// The agent of a side that nobody else speaks for.
    fn speak(&self, side: Side, turn: Turn, now: Timestamp) -> Result<Vec<Fact>, Refusal> {
        let floor = self.floor_of(side)?;
        self.check_not_taken_over(side)?;
        let speaker = match &floor.holder {
            Holder::Agent => Speaker::Agent,
            Holder::Fallback => Speaker::Fallback,
            Holder::Parked { .. } => return Err(Refusal::NotClaimed),
            Holder::Claimed { by, .. } => return Err(Refusal::ClaimedBy(by.clone())),
            Holder::Drafted { .. } => return Err(self.not_now()),
        };
        self.take_turn(side, speaker, turn, now)
    }

    /// What could be said now is said after a while, but never so late that the protocol's time has run out.
    fn draft_turn(
        &self,
        side: Side,
        agent: Option<AgentId>,
        turn: Turn,
        hold: Span,
        now: Timestamp,
    ) -> Result<Vec<Fact>, Refusal> {
        let said = match agent {
            Some(agent) => self.respond(side, &agent, turn, now),
            None => self.speak(side, turn, now),
        }?;
        let until = self.next_deadline().map_or(now.plus(hold), |deadline| deadline.at.min(now.plus(hold)));
        Ok(match said.first() {
            Some(Fact::TurnTaken(taken)) => {
                vec![Fact::Drafted(side, taken.speaker.clone(), taken.turn.clone(), until)]
            }
            // Not something to be said later, but to be stopped now.
            Some(_) | None => said,
        })
    }

    /// Says what is about to be said.
    pub(super) fn send(&self, now: Timestamp) -> Result<Vec<Fact>, Refusal> {
        match &self.phase {
            Phase::Talking(Floor { side, holder: Holder::Drafted { turn, speaker, .. }, .. }) => {
                self.take_turn(*side, speaker.clone(), Turn::clone(turn), now)
            }
            Phase::Talking(_)
            | Phase::Paused { .. }
            | Phase::Resolved(_)
            | Phase::Approval { .. }
            | Phase::Closed { .. } => Err(self.not_now()),
        }
    }

    fn respond(&self, side: Side, agent: &AgentId, turn: Turn, now: Timestamp) -> Result<Vec<Fact>, Refusal> {
        self.holds(side, agent)?;
        self.take_turn(side, Speaker::Agent, turn, now)
    }

    fn speak_for(&self, side: Side, agent: AgentId, turn: Turn, now: Timestamp) -> Result<Vec<Fact>, Refusal> {
        self.check_not_taken_over(side)?;
        let delegated = self.delegated.as_ref().filter(|out| out.side == side && out.delegation.to == agent);
        let authority = delegated.ok_or(Refusal::NotDelegated)?.delegation.authority;
        let action = turn.act.action();
        if !authority.moves().contains(action) {
            return Err(Refusal::Authority { action });
        }
        self.take_turn(side, Speaker::Delegate(agent), turn, now)
    }

    fn claim(&self, side: Side, agent: AgentId) -> Result<Vec<Fact>, Refusal> {
        let floor = self.floor_of(side)?;
        self.check_not_taken_over(side)?;
        match &floor.holder {
            Holder::Parked { .. } => Ok(vec![Fact::Claimed(agent)]),
            Holder::Claimed { by, .. } => Err(Refusal::ClaimedBy(by.clone())),
            Holder::Agent | Holder::Fallback | Holder::Drafted { .. } => Err(self.not_now()),
        }
    }

    /// Whether this agent picked the turn up and still has it.
    fn holds(&self, side: Side, agent: &AgentId) -> Result<(), Refusal> {
        let floor = self.floor_of(side)?;
        self.check_not_taken_over(side)?;
        match &floor.holder {
            Holder::Claimed { by, .. } if by == agent => Ok(()),
            Holder::Claimed { by, .. } => Err(Refusal::ClaimedBy(by.clone())),
            Holder::Parked { .. } => Err(Refusal::NotClaimed),
            Holder::Agent | Holder::Fallback | Holder::Drafted { .. } => Err(self.not_now()),
        }
    }

    pub(super) fn escalate(&self, side: Side, escalation: Escalation) -> Result<Vec<Fact>, Refusal> {
        match &self.phase {
            // Nobody has the other side's words approved.
            Phase::Talking(floor) if escalation.draft.is_some() && floor.side != side => {
                Err(Refusal::NotYourTurn { side })
            }
            Phase::Talking(_) => Ok(vec![Fact::Escalated(side, escalation)]),
            Phase::Paused { .. } | Phase::Resolved(_) | Phase::Approval { .. } | Phase::Closed { .. } => {
                Err(Refusal::NotTalking { status: self.status() })
            }
        }
    }

    /// Our own person answers with a ruling, never through an agent.
    fn resume(&self, side: Side) -> Result<Vec<Fact>, Refusal> {
        match &self.phase {
            Phase::Paused { why: Pause::Escalated { side: asked, .. }, .. }
                if *asked == side && side != self.opening.ours =>
            {
                Ok(vec![Fact::Resumed])
            }
            Phase::Paused { .. }
            | Phase::Talking(_)
            | Phase::Resolved(_)
            | Phase::Approval { .. }
            | Phase::Closed { .. } => Err(self.not_now()),
        }
    }

    fn report(&self, side: Side, report: Report) -> Result<Vec<Fact>, Refusal> {
        match &self.delegated {
            Some(out) if out.side == side && out.delegation.to == report.from => Ok(vec![Fact::Reported(side, report)]),
            Some(_) | None => Err(Refusal::NotDelegated),
        }
    }

    fn promise(&self, side: Side, text: Text) -> Result<Vec<Fact>, Refusal> {
        match &self.phase {
            Phase::Closed { ending: Some(Ending::Accepted), agreement, .. }
                if self.opening.rulebook.commitment == Commitment::Promises =>
            {
                let limit = MAX_PROMISES;
                if agreement.promises.len() >= limit as usize {
                    return Err(Refusal::Limit { what: "promises", limit });
                }
                Ok(vec![Fact::Promised(side, text)])
            }
            Phase::Closed { .. }
            | Phase::Talking(_)
            | Phase::Paused { .. }
            | Phase::Resolved(_)
            | Phase::Approval { .. } => Err(self.not_now()),
        }
    }

    /// A promise of this side that was neither taken back nor accepted.
    fn touch_promise(&self, side: Side, place: usize, fact: Fact) -> Result<Vec<Fact>, Refusal> {
        let promise = self.agreement().and_then(|agreement| agreement.promises.get(place));
        let open = promise.is_some_and(|promise| promise.side == side && promise.state == PromiseState::Offered);
        if open { Ok(vec![fact]) } else { Err(Refusal::Promise) }
    }

    fn check_not_taken_over(&self, side: Side) -> Result<(), Refusal> {
        if self.taken_over && side == self.opening.ours { Err(Refusal::TakenOver) } else { Ok(()) }
    }

    pub(super) fn not_now(&self) -> Refusal {
        Refusal::NotNow { awaiting: self.awaiting() }
    }
}
