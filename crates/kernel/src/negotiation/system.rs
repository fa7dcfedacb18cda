//! Policies, the arbiter, signatures: whatever watches over a negotiation.

use super::{Negotiation, Phase};
use crate::{
    Approval, Approver, Candidate, Commitment, Decision, Ending, Escalation, EscalationReason, Fact, Hook, Refusal,
    Resolution, Ruled, Side, Signature, Span, Stop, SystemAct, Timestamp, Urgency, Verdict, Violation, rank,
};

impl Negotiation {
    pub(super) fn system(&self, act: SystemAct, now: Timestamp) -> Result<Vec<Fact>, Refusal> {
        match act {
            SystemAct::Verdict(verdict, escalation) => self.verdict(verdict, escalation),
            SystemAct::Decide { approver, decision, digest } => {
                let approver = Approver::Named(approver);
                let approval = Approval { approver, decision, digest, remarks: None, beforehand: None };
                self.settle(approval, now)
            }
            SystemAct::PreApprove { name, digest } => {
                let (approver, decision) = (Approver::Person, Decision::Approved);
                self.settle(Approval { approver, decision, digest, remarks: None, beforehand: Some(name) }, now)
            }
            SystemAct::Recommend { candidates, weights } => {
                let open = match &self.phase {
                    Phase::Closed { outcome, .. } => !outcome.has_opportunity(),
                    Phase::Talking(_) | Phase::Paused { .. } | Phase::Resolved(_) | Phase::Approval { .. } => false,
                };
                if !open || !self.opening.frame.arbiter || self.recommendation.is_some() || candidates.is_empty() {
                    return Err(self.not_now());
                }
                if let Some(stray) = candidates.iter().find(|candidate| !self.is_offer(candidate)) {
                    return Err(Refusal::NotAnOffer { turn: stray.turn });
                }
                Ok(vec![Fact::Recommended(rank(&candidates, &weights))])
            }
            SystemAct::Violation(side, violation) => match &self.phase {
                Phase::Talking(_) | Phase::Paused { .. } => Ok(self.violate(side, violation)),
                Phase::Approval { .. } if violation == Violation::Capability => {
                    Ok(vec![Fact::Violated(side, violation), Fact::Ended(Ending::Voided)])
                }
                Phase::Approval { .. } => Ok(vec![Fact::Violated(side, violation)]),
                Phase::Resolved(_) | Phase::Closed { .. } => Err(self.not_now()),
            },
            SystemAct::Sign(signature) => self.sign(signature, now),
        }
    }

    /// Keeps the verdict, and does what it says.
    fn verdict(&self, verdict: Verdict, asked: Option<Box<Escalation>>) -> Result<Vec<Fact>, Refusal> {
        let follows = match (verdict.ruled, &self.phase) {
            (Ruled::Allow | Ruled::Warn, _) => None,
            (Ruled::Deny, Phase::Talking(floor)) if verdict.hook == Hook::Turn => {
                Some(Fact::Violated(floor.side, Violation::Policy))
            }
            (Ruled::Deny, Phase::Talking(_) | Phase::Paused { .. }) => {
                let result = Resolution::Aborted(Stop::PolicyDenied);
                Some(Fact::Resolved(self.stop(result, verdict.because.clone())))
            }
            (Ruled::Deny, Phase::Approval { .. })
            | (Ruled::Deny, Phase::Closed { ending: Some(Ending::Accepted), .. }) => Some(Fact::Ended(Ending::Voided)),
            (Ruled::Escalate, Phase::Talking(_)) => {
                let escalation = asked.map_or_else(|| doubt(&verdict), |asked| *asked);
                Some(Fact::Escalated(self.opening.ours, Escalation { hook: Some(verdict.hook), ..escalation }))
            }
            // What is with a person already stays with them.
            (Ruled::Escalate, Phase::Paused { .. } | Phase::Approval { .. }) => None,
            (Ruled::Deny | Ruled::Escalate, Phase::Resolved(_) | Phase::Closed { .. }) => return Err(self.not_now()),
        };
        Ok(std::iter::once(Fact::VerdictGiven(verdict)).chain(follows).collect())
    }

    fn is_offer(&self, candidate: &Candidate) -> bool {
        let place = usize::try_from(candidate.turn).ok().and_then(|turn| turn.checked_sub(1));
        let taken = place.and_then(|place| self.turns.get(place));
        taken.is_some_and(|taken| taken.at == candidate.at && taken.turn.act.offer().is_some())
    }

    /// First the side that answers, then the side that asked; then both are bound.
    fn sign(&self, signature: Signature, now: Timestamp) -> Result<Vec<Fact>, Refusal> {
        let Phase::Closed { ending: Some(Ending::Accepted), agreement, .. } = &self.phase else {
            return Err(self.not_now());
        };
        if agreement.is_over || self.opening.rulebook.commitment != Commitment::Signatures {
            return Err(self.not_now());
        }
        match (agreement.signatures.as_slice(), signature.side) {
            ([], Side::Responder) => Ok(vec![Fact::Signed(signature)]),
            ([], Side::Initiator) => Err(Refusal::SignatureOrder(Side::Responder)),
            ([_], Side::Initiator) => {
                let span = self.opening.rulebook.timers.agreement.unwrap_or(Span::hours(1));
                Ok(vec![Fact::Signed(signature), Fact::Bound(now, now.plus(span))])
            }
            ([_], Side::Responder) => Err(Refusal::SignatureOrder(Side::Initiator)),
            ([_, ..], _) => Err(self.not_now()),
        }
    }
}

fn doubt(verdict: &Verdict) -> Escalation {
    Escalation {
        reason: EscalationReason::PolicyAmbiguous,
        urgency: Urgency::Medium,
        context: verdict.because.clone(),
        suggested_action: None,
        hook: None,
        draft: None,
    }
}
