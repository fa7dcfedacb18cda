//! One state, seen as each protocol and the person see it. None of these is stored.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Ask, Awaiting, Holder, Negotiation, Pause, Phase};
use crate::{AgentKind, Approver, Commitment, Ending, Resolution, Side, Stop};

/// Where an opportunity stands, for the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The agents are talking, or wait for a person.
    Negotiating,
    /// Both agents recommend it; it waits for the person.
    Pending,
    /// The person accepted.
    Accepted,
    /// The person declined.
    Declined,
    /// An agent rejected.
    Rejected,
    /// It ran out of turns, of time, or of anything new to say.
    Stalled,
    /// It was stopped.
    Aborted,
    /// Nobody decided in time.
    Expired,
}

/// Where it stands in Summit's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum SummitState {
    /// Nobody has proposed.
    Init,
    /// The first proposal is out.
    Challenge,
    /// Back and forth.
    Iteration,
    /// The outcome is there.
    Resolution,
    /// It waits for approval.
    Approval,
    /// It is over.
    Closed,
    /// It was stopped.
    Aborted,
}

/// Where it stands as an A2A task.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskState {
    /// Nobody has spoken.
    Submitted,
    /// An agent is at it.
    Working,
    /// A personal agent has to pick the turn up.
    WaitingForAgent,
    /// One has.
    Claimed,
    /// A person has to answer.
    InputRequired,
    /// The outcome is there.
    Completed,
    /// It went wrong.
    Failed,
    /// It was taken back.
    Canceled,
}

/// Where it stands for HIRE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum HireState {
    /// Nothing was proposed.
    Idle,
    /// Terms are talked about, or wait for approval.
    Negotiating,
    /// There is a contract.
    Contracted,
    /// There will be none.
    Declined,
}

impl Negotiation {
    /// Where it stands, for the person.
    pub fn status(&self) -> Status {
        match &self.phase {
            Phase::Talking(_) | Phase::Paused { .. } => Status::Negotiating,
            Phase::Resolved(_) | Phase::Approval { .. } => Status::Pending,
            Phase::Closed { ending: Some(ending), .. } => match ending {
                Ending::Accepted => Status::Accepted,
                Ending::Declined => Status::Declined,
                Ending::Expired | Ending::Unsigned => Status::Expired,
                Ending::Voided => Status::Aborted,
            },
            Phase::Closed { ending: None, outcome, .. } => match outcome.result {
                // INVARIANT: a dialogue that found something is closed by an ending only.
                Resolution::Agreement | Resolution::Direct => Status::Pending,
                Resolution::Rejected { .. } => Status::Rejected,
                Resolution::Stalled(_) => Status::Stalled,
                Resolution::Aborted(_) => Status::Aborted,
            },
        }
    }

    /// Where it stands in Summit's table.
    pub fn summit_state(&self) -> SummitState {
        match &self.phase {
            Phase::Talking(_) | Phase::Paused { .. } => match self.turns.len() {
                0 => SummitState::Init,
                1 => SummitState::Challenge,
                _ => SummitState::Iteration,
            },
            Phase::Resolved(_) => SummitState::Resolution,
            Phase::Approval { .. } => SummitState::Approval,
            Phase::Closed { .. } => match self.status() {
                Status::Aborted => SummitState::Aborted,
                Status::Negotiating
                | Status::Pending
                | Status::Accepted
                | Status::Declined
                | Status::Rejected
                | Status::Stalled
                | Status::Expired => SummitState::Closed,
            },
        }
    }

    /// Where it stands as an A2A task.
    pub fn task_state(&self) -> TaskState {
        match &self.phase {
            Phase::Paused { .. } => TaskState::InputRequired,
            Phase::Talking(floor) => match &floor.holder {
                Holder::Parked { .. } => TaskState::WaitingForAgent,
                Holder::Claimed { .. } => TaskState::Claimed,
                Holder::Agent | Holder::Fallback | Holder::Drafted { .. } if self.turns.is_empty() => {
                    TaskState::Submitted
                }
                Holder::Agent | Holder::Fallback | Holder::Drafted { .. } => TaskState::Working,
            },
            Phase::Resolved(_) | Phase::Approval { .. } => TaskState::Completed,
            Phase::Closed { ending: Some(Ending::Voided), .. } => TaskState::Failed,
            Phase::Closed { ending: Some(_), .. } => TaskState::Completed,
            Phase::Closed { ending: None, outcome, .. } => match outcome.result {
                Resolution::Aborted(Stop::Withdrawn) => TaskState::Canceled,
                Resolution::Aborted(_) => TaskState::Failed,
                Resolution::Agreement | Resolution::Direct | Resolution::Rejected { .. } | Resolution::Stalled(_) => {
                    TaskState::Completed
                }
            },
        }
    }

    /// Where it stands for HIRE.
    pub fn hire_state(&self) -> HireState {
        match self.status() {
            Status::Negotiating if self.standing.initiator.is_none() => HireState::Idle,
            Status::Negotiating | Status::Pending => HireState::Negotiating,
            Status::Accepted => HireState::Contracted,
            Status::Declined | Status::Rejected | Status::Stalled | Status::Aborted | Status::Expired => {
                HireState::Declined
            }
        }
    }

    /// Whether an agent in this process has to speak, for either side.
    pub fn is_ready(&self) -> bool {
        match self.awaiting() {
            Awaiting::Agent(side) => self.opening.parties.get(side).agent == AgentKind::System,
            Awaiting::Fallback(_) => true,
            Awaiting::Pickup(_)
            | Awaiting::Claimed(..)
            | Awaiting::Person(_)
            | Awaiting::Others
            | Awaiting::Signature(_)
            | Awaiting::Nobody => false,
        }
    }

    /// Who has to act next.
    pub fn awaiting(&self) -> Awaiting {
        let ours = self.opening.ours;
        match &self.phase {
            Phase::Talking(floor) if self.taken_over && floor.side == ours => Awaiting::Person(Ask::Turn),
            Phase::Talking(floor) => match &floor.holder {
                Holder::Agent => Awaiting::Agent(floor.side),
                Holder::Parked { .. } => Awaiting::Pickup(floor.side),
                Holder::Claimed { by, .. } => Awaiting::Claimed(floor.side, by.clone()),
                Holder::Fallback => Awaiting::Fallback(floor.side),
                Holder::Drafted { .. } if floor.side == ours => Awaiting::Person(Ask::Draft),
                Holder::Drafted { .. } => Awaiting::Others,
            },
            Phase::Paused { why: Pause::Held, .. } => Awaiting::Person(Ask::Hold),
            Phase::Paused { why: Pause::Escalated { side, .. }, .. } if *side == ours => {
                Awaiting::Person(Ask::Escalation)
            }
            Phase::Paused { why: Pause::Escalated { .. }, .. } | Phase::Resolved(_) => Awaiting::Others,
            Phase::Approval { given, .. } if given.iter().any(|one| one.approver == Approver::Person) => {
                Awaiting::Others
            }
            Phase::Approval { .. } => Awaiting::Person(Ask::Approval),
            Phase::Closed { ending: Some(Ending::Accepted), agreement, .. }
                if self.opening.rulebook.commitment == Commitment::Signatures && !agreement.is_over =>
            {
                match agreement.signatures.as_slice() {
                    [] => Awaiting::Signature(Side::Responder),
                    [_] => Awaiting::Signature(Side::Initiator),
                    [_, ..] => Awaiting::Nobody,
                }
            }
            Phase::Closed { .. } => Awaiting::Nobody,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Negotiating => "negotiating",
            Self::Pending => "pending",
            Self::Accepted => "accepted",
            Self::Declined => "declined",
            Self::Rejected => "rejected",
            Self::Stalled => "stalled",
            Self::Aborted => "aborted",
            Self::Expired => "expired",
        })
    }
}
