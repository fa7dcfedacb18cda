//! What is kept of a negotiation while it is under way: a few bytes, however long it gets.

mod over;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use countersign_kernel::{
    Approval, Approver, Decision, EscalationReason, Fact, Opening, Ruled, Side, Speaker, TakenTurn, Violation,
};
use serde::{Deserialize, Serialize};

use crate::counts::Add;
use crate::end::Trouble;
use crate::tally::Tally;
use crate::{Decisions, MatchType, Scenario, Theme, Violations};

/// A negotiation under way, as far as anything is counted by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Course {
    ours: Side,
    match_type: MatchType,
    scenario: Scenario,
    sample: bool,
    /// What waits for approval can be talked about again.
    reopens: bool,
    stage: Stage,
    /// Who speaks next.
    floor: Side,
    turns: u32,
    taken_over: bool,
    /// Our side's last turn was the person's own.
    person_spoke: bool,
    trouble: Option<Trouble>,
    /// An agent reached for a capability.
    suspended: bool,
    /// A policy has just said no; what follows from it is not counted again.
    denied: bool,
    /// What each side has objected to. Closed lists, so it stays small.
    raised: BTreeSet<(bool, Theme)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Stage {
    Talking,
    Held,
    Escalated { side: Side, suggests: bool },
    Pending { by: By, decided: bool },
}

/// By whose word something waits for approval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum By {
    /// The person's agent recommends it.
    Agent,
    /// The person spoke for themselves.
    Person,
    /// Nobody negotiated.
    Evaluator,
}

impl Course {
    pub(crate) fn opened(opening: &Opening) -> Self {
        Self {
            ours: opening.ours,
            match_type: MatchType::of(opening),
            scenario: Scenario::of(opening),
            sample: opening.sample,
            reopens: opening.rulebook.reopens(),
            stage: Stage::Talking,
            floor: Side::Initiator,
            turns: 0,
            taken_over: false,
            person_spoke: false,
            trouble: None,
            suspended: false,
            denied: false,
            raised: BTreeSet::new(),
        }
    }

    /// Takes in what happened, and counts it. Breaks when that was the end.
    pub(crate) fn take(&mut self, fact: &Fact, tally: &mut Tally) -> ControlFlow<()> {
        match fact {
            Fact::TurnTaken(taken) => self.turn_taken(taken, tally),
            Fact::ClaimLapsed => self.trouble = Some(Trouble::ClaimLapsed),
            Fact::AgentFailed(..) => self.trouble = Some(Trouble::AgentFailed),
            Fact::Escalated(side, escalation) => {
                if escalation.reason == EscalationReason::AdversarialDetected {
                    self.trouble = Some(Trouble::Adversarial);
                }
                let suggests = escalation.suggested_action.is_some() || escalation.draft.is_some();
                self.stage = Stage::Escalated { side: *side, suggests };
            }
            Fact::Ruled(ruling) => {
                if let Stage::Escalated { suggests: true, .. } = self.stage {
                    let answered = &mut tally.answered;
                    *(if ruling.approved { &mut answered.as_suggested } else { &mut answered.otherwise }) += 1;
                }
                self.stage = Stage::Talking;
            }
            Fact::Held => self.stage = Stage::Held,
            Fact::Resumed => self.stage = Stage::Talking,
            Fact::Guided(_) => self.guided(tally),
            Fact::TakenOver => {
                self.taken_over = true;
                tally.taken_over += 1;
            }
            Fact::HandedBack => self.taken_over = false,
            Fact::VerdictGiven(verdict) => {
                self.denied = verdict.ruled == Ruled::Deny;
                tally.violations.denied += u64::from(self.denied);
            }
            Fact::Violated(_, violation) => {
                self.suspended |= *violation == Violation::Capability;
                if !std::mem::take(&mut self.denied) {
                    tally.violations.add(&Violations::of(*violation));
                }
            }
            Fact::Resolved(outcome) => return self.resolved(outcome, tally),
            Fact::Decided(approval) => self.decided(approval, tally),
            Fact::Ended(ending) => return self.ended(*ending, tally),
            Fact::Opened(_)
            | Fact::Claimed(_)
            | Fact::Released
            | Fact::FallbackDue
            | Fact::Drafted(..)
            | Fact::Retracted
            | Fact::Reminded
            | Fact::Mandated(_)
            | Fact::EscalationLate
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
            | Fact::AgreementEnded => {}
        }
        ControlFlow::Continue(())
    }

    fn turn_taken(&mut self, taken: &TakenTurn, tally: &mut Tally) {
        let (is_ours, by_person) = (taken.side == self.ours, taken.speaker == Speaker::Person);
        self.turns = self.turns.saturating_add(1);
        self.trouble = None;
        self.stage = Stage::Talking;
        self.floor = taken.side.other();
        if is_ours {
            self.person_spoke = by_person;
        }
        // The themes are the agents'. Said twice in one negotiation, an objection is one.
        let raised = if by_person { BTreeSet::new() } else { Theme::raised(&taken.turn) };
        for theme in raised {
            if self.raised.insert((is_ours, theme)) {
                let count = tally.themes.entry(theme).or_default();
                *(if is_ours { &mut count.ours } else { &mut count.theirs }) += 1;
            }
        }
    }

    fn guided(&mut self, tally: &mut Tally) {
        if let Stage::Pending { by, .. } = self.stage {
            self.sent_back(by, tally);
        }
    }

    fn sent_back(&mut self, by: By, tally: &mut Tally) {
        tally.recommended.sent_back += u64::from(by == By::Agent);
        self.stage = Stage::Talking;
        self.floor = self.ours;
    }

    fn decided(&mut self, approval: &Approval, tally: &mut Tally) {
        let none = Decisions::default();
        tally.decisions.add(&match approval.decision {
            Decision::Approved => Decisions { approved: 1, ..none },
            Decision::Rejected => Decisions { rejected: 1, ..none },
            Decision::Conditional(_) => Decisions { conditional: 1, ..none },
        });
        let Stage::Pending { by, .. } = self.stage else { return };
        if approval.approver != Approver::Person {
            return;
        }
        self.stage = Stage::Pending { by, decided: true };
        let recommended = u64::from(by == By::Agent);
        match approval.decision {
            Decision::Conditional(_) if self.reopens => self.sent_back(by, tally),
            Decision::Approved | Decision::Conditional(_) => tally.recommended.accepted += recommended,
            Decision::Rejected => tally.recommended.declined += recommended,
        }
    }
}
