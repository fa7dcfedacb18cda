//! What a fact is in the audit trail.

use countersign_kernel::{
    AgentId, AgentKind, Approval, Approver, Decision, Ending, Fact, NegotiationId, Outcome, Resolution, Ruled, Side,
    Speaker, Stop, TakenTurn, Timestamp,
};

use super::{AuditEvent, AuditKind, AuditOutcome, AuditRole, SoFar};

impl SoFar {
    pub(super) fn entry(&mut self, fact: &Fact) -> Option<AuditEvent> {
        match fact {
            Fact::Opened(opening) => {
                self.initiator = Some(opening.parties.initiator.agent);
                self.responder = Some(opening.parties.responder.agent);
                Some(self.by_agent(AuditKind::Initiated, Side::Initiator))
            }
            Fact::TurnTaken(taken) => Some(self.turn_taken(taken)),
            // Whoever takes the turn after a claim was given up has claimed it anew, or is the fallback.
            Fact::Claimed(agent) => {
                self.claimed = Some(agent.clone());
                None
            }
            Fact::VerdictGiven(verdict) => {
                self.verdict = Some(verdict.ruled);
                None
            }
            Fact::Violated(side, violation) => {
                let entry = self.by_agent(AuditKind::Violation, *side);
                Some(AuditEvent { violation_type: Some(*violation), ..entry })
            }
            Fact::Resolved(outcome) => Some(self.resolved(outcome)),
            Fact::Decided(approval) => Some(decided(approval)),
            Fact::Ended(ending) => self.ended(*ending),
            Fact::Released
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
            | Fact::ApprovalOpened(..)
            | Fact::ApprovalExtended(_)
            | Fact::Recommended(_)
            | Fact::Promised(..)
            | Fact::PromiseWithdrawn(_)
            | Fact::PromiseAccepted(_)
            | Fact::Signed(_)
            | Fact::Bound(..)
            | Fact::AgreementEnded => None,
        }
    }

    fn turn_taken(&mut self, taken: &TakenTurn) -> AuditEvent {
        self.turn = self.turn.saturating_add(1);
        let entry = self.by_agent(AuditKind::Turn, taken.side);
        let claimed = self.claimed.take();
        let entry = AuditEvent { action: Some(taken.turn.act.action()), ..entry };
        match &taken.speaker {
            Speaker::Agent => AuditEvent { agent_id: claimed.map(named).or(entry.agent_id), ..entry },
            Speaker::Delegate(agent) => AuditEvent { agent_id: Some(named(agent.clone())), ..entry },
            Speaker::Fallback => AuditEvent { agent_id: Some("fallback".into()), ..entry },
            Speaker::Person => AuditEvent { agent_id: None, role: Some(AuditRole::Human), ..entry },
        }
    }

    fn resolved(&self, outcome: &Outcome) -> AuditEvent {
        let of = |stop: &Stop, otherwise| {
            if matches!(stop, Stop::Timeout(_)) { AuditOutcome::Timeout } else { otherwise }
        };
        match &outcome.result {
            Resolution::Agreement | Resolution::Direct => by_system(AuditKind::Resolved, AuditOutcome::Agreement),
            Resolution::Rejected { by, .. } => {
                let entry = self.by_agent(AuditKind::Resolved, *by);
                AuditEvent { outcome: Some(AuditOutcome::Disagreement), ..entry }
            }
            Resolution::Stalled(stop) => by_system(AuditKind::Resolved, of(stop, AuditOutcome::Disagreement)),
            Resolution::Aborted(stop) => {
                let entry = by_system(AuditKind::Aborted, of(stop, AuditOutcome::Aborted));
                match stop {
                    Stop::Violation(side, _) => {
                        AuditEvent { outcome: entry.outcome, ..self.by_agent(AuditKind::Aborted, *side) }
                    }
                    Stop::PolicyDenied if self.verdict == Some(Ruled::Deny) => {
                        AuditEvent { role: Some(AuditRole::PolicyEngine), ..entry }
                    }
                    // Where a policy left it to the person, the person said no.
                    Stop::PolicyDenied | Stop::Withdrawn => AuditEvent { role: Some(AuditRole::Human), ..entry },
                    Stop::TurnCap | Stop::Timeout(_) | Stop::Stalemate(_) => entry,
                }
            }
        }
    }

    /// What a decision brings about is told with the decision.
    fn ended(&self, ending: Ending) -> Option<AuditEvent> {
        match ending {
            Ending::Accepted | Ending::Declined => None,
            Ending::Expired => Some(by_system(AuditKind::Resolved, AuditOutcome::Expired)),
            Ending::Unsigned => Some(by_system(AuditKind::Resolved, AuditOutcome::Unsigned)),
            Ending::Voided => {
                let entry = by_system(AuditKind::Aborted, AuditOutcome::Voided);
                let denied = self.verdict == Some(Ruled::Deny);
                Some(if denied { AuditEvent { role: Some(AuditRole::PolicyEngine), ..entry } } else { entry })
            }
        }
    }

    fn by_agent(&self, kind: AuditKind, side: Side) -> AuditEvent {
        let (role, agent) = match side {
            Side::Initiator => (AuditRole::Proposer, self.initiator),
            Side::Responder => (AuditRole::Challenger, self.responder),
        };
        let agent = agent.map(|agent| match agent {
            AgentKind::System => "system",
            AgentKind::Personal => "personal",
            AgentKind::Remote => "remote",
        });
        AuditEvent { agent_id: agent.map(Into::into), ..blank(kind, role) }
    }
}

fn decided(approval: &Approval) -> AuditEvent {
    let outcome = match approval.decision {
        Decision::Approved => AuditOutcome::Approved,
        Decision::Rejected => AuditOutcome::Rejected,
        Decision::Conditional(_) => AuditOutcome::Conditional,
    };
    let (role, agent_id) = match &approval.approver {
        Approver::Person => (AuditRole::Human, None),
        Approver::Named(name) => (AuditRole::PolicyEngine, Some(name.to_string())),
    };
    AuditEvent { agent_id, outcome: Some(outcome), ..blank(AuditKind::Approved, role) }
}

fn by_system(kind: AuditKind, outcome: AuditOutcome) -> AuditEvent {
    AuditEvent { outcome: Some(outcome), ..blank(kind, AuditRole::System) }
}

fn blank(kind: AuditKind, role: AuditRole) -> AuditEvent {
    AuditEvent {
        event_type: kind,
        negotiation_id: NegotiationId(String::new()),
        turn: 0,
        agent_id: None,
        role: Some(role),
        action: None,
        outcome: None,
        violation_type: None,
        policy_verdict: None,
        timestamp: Timestamp(0),
    }
}

fn named(AgentId(name): AgentId) -> String {
    name.into()
}
