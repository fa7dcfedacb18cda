use crate::{Action, Actions, AgentId, Awaiting, Digest, Side, Status, TermProblem, TextError, Timer, Timestamp};

/// Why a command was not carried out. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The dialogue is over, or waits for a person.
    #[error("nobody may take a turn now: it is {status}")]
    NotTalking {
        /// Where it stands.
        status: Status,
    },
    /// Somebody spoke out of turn.
    #[error("it is not the {side}'s turn")]
    NotYourTurn {
        /// Who spoke.
        side: Side,
    },
    /// The rulebook does not allow the move here.
    #[error("`{action}` is not allowed here, only {allowed}")]
    NotAllowed {
        /// What was tried.
        action: Action,
        /// What is open.
        allowed: Actions,
    },
    /// The protocol wants to know who would play which part.
    #[error("a turn has to suggest roles here")]
    NoRoles,
    /// The terms will not do.
    #[error("{0}")]
    Terms(TermProblem),
    /// The words will not do.
    #[error("{0}")]
    Text(TextError),
    /// The side said exactly this before.
    #[error("this is word for word what the same side said before")]
    Repeated,
    /// The side has no more of these.
    #[error("the limit of {limit} {what} is reached")]
    Limit {
        /// Of what.
        what: &'static str,
        /// How many.
        limit: u32,
    },
    /// What would be accepted is no longer offered.
    #[error("the offer was valid until {until}")]
    OfferExpired {
        /// Until when.
        until: Timestamp,
    },
    /// The turn has to be picked up first.
    #[error("the turn has to be picked up first")]
    NotClaimed,
    /// Somebody else picked it up.
    #[error("the turn was picked up by another agent")]
    ClaimedBy(AgentId),
    /// The delegate may not do this.
    #[error("a delegate with this authority may not `{action}`")]
    Authority {
        /// What was tried.
        action: Action,
    },
    /// There is no such delegate.
    #[error("nothing was delegated to this agent")]
    NotDelegated,
    /// The person speaks for this side.
    #[error("the person speaks for this side now")]
    TakenOver,
    /// An agent of this side was suspended.
    #[error("the {0}'s agent is suspended")]
    Suspended(Side),
    /// The negotiation cannot begin like this.
    #[error("{0}")]
    CannotOpen(&'static str),
    /// The agent has too much under way.
    #[error("the {side}'s agent has {limit} negotiations under way, which is the limit")]
    TooManyAtOnce {
        /// Whose.
        side: Side,
        /// How many.
        limit: u32,
    },
    /// There is nothing of the kind to act on.
    #[error("this cannot be done now")]
    NotNow {
        /// What it waits for.
        awaiting: Awaiting,
    },
    /// Nothing waits for the person.
    #[error("there is nothing to decide: it is {status}")]
    NothingPending {
        /// Where it stands.
        status: Status,
    },
    /// The person saw something else.
    #[error("what was shown is not what is there now")]
    Changed {
        /// What is there now.
        current: Digest,
    },
    /// They decided already, or do not have to.
    #[error("this approval is not asked for")]
    NotAsked,
    /// The arbiter ranks what was offered, and nothing else.
    #[error("turn {turn} made no offer, or not then")]
    NotAnOffer {
        /// Which turn, from 1.
        turn: u32,
    },
    /// The deadline has not passed, or there is none.
    #[error("this deadline has not passed")]
    NotDue {
        /// Which.
        timer: Timer,
    },
    /// The person may not take that much time.
    #[error("more than seven days are not allowed")]
    TooLong,
    /// There is no such promise, or it is not theirs to touch, or it stands.
    #[error("this promise cannot be changed")]
    Promise,
    /// It was signed by the wrong side.
    #[error("the {0} has to sign first")]
    SignatureOrder(Side),
}
