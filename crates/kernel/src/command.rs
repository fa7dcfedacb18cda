//! What may be asked of a negotiation, grouped by who may ask: what an agent or a message can do, and what only the
//! person can, are different types.

use serde::{Deserialize, Serialize};

use crate::{
    AgentId, Candidate, Decision, Delegation, Digest, Escalation, Report, Ruling, Side, Signature, Span, Text, Timer,
    Turn, Verdict, Violation, Weights,
};

/// What may be asked of a negotiation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// By what speaks for a party.
    Agent(Side, AgentAct),
    /// By our person. Nobody and nothing else may.
    Person(PersonAct),
    /// By the clock.
    DeadlinePassed(Timer),
    /// By policies and whatever else watches over it.
    System(SystemAct),
}

/// What an agent may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AgentAct {
    /// Takes its side's turn.
    TakeTurn(Turn),
    /// Takes its side's turn as the personal agent that picked it up.
    Respond(AgentId, Turn),
    /// Takes its side's turn as the delegate.
    TakeTurnFor(AgentId, Turn),
    /// Is about to take its side's turn, as an agent of this process or as the one that picked it up. It is said after
    /// this long, unless the person stops it.
    Draft(Option<AgentId>, Turn, Span),
    /// Takes back what it was about to say.
    Retract,
    /// Picks the turn up.
    Claim(AgentId),
    /// Puts it back.
    Release(AgentId),
    /// Could not produce a turn. That is not a turn.
    Fail(Text),
    /// Asks its person; everything waits.
    Escalate(Escalation),
    /// Its person answered what it had asked; it goes on. For the other side, whose person we do not see.
    Resume,
    /// Passes part of the conversation on.
    Delegate(Delegation),
    /// What the delegate found.
    Report(Report),
    /// Promises something, after an agreement.
    Promise(Text),
    /// Takes a promise of its own back.
    WithdrawPromise(usize),
    /// Accepts a promise of the other side.
    AcceptPromise(usize),
}

/// What our person may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PersonAct {
    /// Decides on what was shown, and nothing else.
    Decide {
        /// Which.
        decision: Decision,
        /// Of what.
        digest: Digest,
        /// In their words.
        remarks: Option<Text>,
    },
    /// Answers an escalation.
    Rule(Ruling),
    /// Lets everything wait.
    Hold,
    /// Lets it go on.
    Resume,
    /// Tells their agent what to mind. What waits for their approval goes back to the agents with it.
    Guide(Text),
    /// Speaks for themselves from now on.
    TakeOver,
    /// Lets the agent speak again.
    HandBack,
    /// Takes their side's turn.
    TakeTurn(Turn),
    /// Lets their agent say at once what it is about to say.
    Send,
    /// Puts it under another version of their mandate.
    Mandate(u64),
    /// Takes more time to decide.
    Extend(Span),
    /// Takes it back before anything was agreed.
    Withdraw(Text),
}

/// What watches over a negotiation may do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SystemAct {
    /// A policy answered; and what to ask the person, when it says to ask.
    Verdict(Verdict, Option<Box<Escalation>>),
    /// Somebody whom the protocol names decided. It counts beside the person's word, never instead.
    Decide {
        /// Who.
        approver: Text,
        /// What.
        decision: Decision,
        /// Of what.
        digest: Digest,
    },
    /// The person approved beforehand, in their mandate, what was agreed.
    PreApprove {
        /// What they called it there.
        name: Text,
        /// Of what.
        digest: Digest,
    },
    /// The arbiter scored the proposals.
    Recommend {
        /// What there is to rank.
        candidates: Vec<Candidate>,
        /// What counts how much.
        weights: Weights,
    },
    /// A side sent what it must not.
    Violation(Side, Violation),
    /// A side signed what was approved.
    Sign(Signature),
}
