use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{
    AgentId, Approval, Approver, Delegation, Ending, Escalation, Opening, Outcome, Recommendation, Report, Ruling,
    Side, Signature, Speaker, TakenTurn, Text, Timestamp, Turn, Verdict, Violation,
};

/// What happened, and when. The journal holds these and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// When.
    pub at: Timestamp,
    /// What.
    #[serde(flatten)]
    pub fact: Fact,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", content = "of", rename_all = "snake_case")]
pub enum Fact {
    /// The negotiation began.
    Opened(Arc<Opening>),
    /// A side moved.
    TurnTaken(TakenTurn),
    /// A side is about to say this, at that moment.
    Drafted(Side, Speaker, Turn, Timestamp),
    /// It will not.
    Retracted,
    /// A personal agent picked the turn up.
    Claimed(AgentId),
    /// It put the turn back.
    Released,
    /// It kept the turn too long.
    ClaimLapsed,
    /// Nobody picked the turn up: the in-process negotiator takes it.
    FallbackDue,
    /// An agent could not produce a turn.
    AgentFailed(Side, Text),
    /// A side asked its person; everything waits, and the other side knows why.
    Escalated(Side, Escalation),
    /// The person was told that an escalation will be late soon.
    Reminded,
    /// The person has let an escalation become late.
    EscalationLate,
    /// The person answered.
    Ruled(Ruling),
    /// The person lets everything wait.
    Held,
    /// It goes on.
    Resumed,
    /// The person put it under another version of their mandate.
    Mandated(u64),
    /// The person told their agent what to mind.
    Guided(Text),
    /// The person speaks for themselves.
    TakenOver,
    /// The agent speaks again.
    HandedBack,
    /// Part of the conversation was passed on.
    Delegated(Side, Delegation),
    /// What came of that.
    Reported(Side, Report),
    /// A policy answered.
    VerdictGiven(Verdict),
    /// A side did what it must not.
    Violated(Side, Violation),
    /// The dialogue is over.
    Resolved(Outcome),
    /// It waits for these, until then.
    ApprovalOpened(Vec<Approver>, Timestamp),
    /// The person took more time.
    ApprovalExtended(Timestamp),
    /// Somebody decided.
    Decided(Approval),
    /// The arbiter's word.
    Recommended(Recommendation),
    /// It is over, this way.
    Ended(Ending),
    /// A side promised something.
    Promised(Side, Text),
    /// A promise was taken back.
    PromiseWithdrawn(usize),
    /// A promise was accepted.
    PromiseAccepted(usize),
    /// A side signed.
    Signed(Signature),
    /// Both are bound, from when to when.
    Bound(Timestamp, Timestamp),
    /// The agreement is no longer in force.
    AgreementEnded,
}

impl Fact {
    /// Whether it can follow the end of a negotiation. Nothing else can.
    pub fn follows_an_end(&self) -> bool {
        match self {
            Self::VerdictGiven(_)
            | Self::Violated(..)
            | Self::Recommended(_)
            | Self::Ended(_)
            | Self::Promised(..)
            | Self::PromiseWithdrawn(_)
            | Self::PromiseAccepted(_)
            | Self::Signed(_)
            | Self::Bound(..)
            | Self::AgreementEnded => true,
            Self::Opened(_)
            | Self::TurnTaken(_)
            | Self::Drafted(..)
            | Self::Retracted
            | Self::Claimed(_)
            | Self::Released
            | Self::ClaimLapsed
            | Self::FallbackDue
            | Self::AgentFailed(..)
            | Self::Escalated(..)
            | Self::Reminded
            | Self::EscalationLate
            | Self::Mandated(_)
            | Self::Ruled(_)
            | Self::Held
            | Self::Resumed
            | Self::Guided(_)
            | Self::TakenOver
            | Self::HandedBack
            | Self::Delegated(..)
            | Self::Reported(..)
            | Self::Resolved(_)
            | Self::ApprovalOpened(..)
            | Self::ApprovalExtended(_)
            | Self::Decided(_) => false,
        }
    }
}
