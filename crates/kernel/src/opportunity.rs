//! A negotiation as the person reviews it: everything a list or a card needs, without the turns.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{
    Awaiting, Deadline, Digest, Negotiation, NegotiationId, Protocol, Role, Side, Status, Terms, Text, Timestamp,
};

/// What the person reviews. It follows from the negotiation and is never the truth itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opportunity {
    /// Which one.
    pub id: NegotiationId,
    /// Grows with everything that happens to it.
    pub version: u64,
    /// The match in one line.
    pub title: String,
    /// The other person.
    pub counterpart: String,
    /// Made to try the app with; the other person does not exist.
    pub sample: bool,
    /// Which protocol it runs under.
    pub protocol: Protocol,
    /// Which side the person is on.
    pub ours: Side,
    /// Where it stands.
    pub status: Status,
    /// Who has to act next.
    pub awaiting: Awaiting,
    /// What happens by itself next, and when.
    pub due: Option<Deadline>,
    /// The evaluator's score, from 0 to 100; negotiation never changes it.
    pub score: u8,
    /// Why the evaluator thought of it.
    pub seed_reasoning: Text,
    /// Turns taken so far.
    pub turn_count: u32,
    /// Turns there are, when the rulebook sets a number.
    pub turn_cap: Option<u32>,
    /// How the dialogue ended, once it has.
    pub conclusion: Option<Conclusion>,
    /// What a decision on it must be bound to, while one is waited for.
    pub digest: Option<Digest>,
    /// When it began.
    pub opened_at: Timestamp,
    /// When anything last happened to it.
    pub changed_at: Timestamp,
}

/// How a dialogue ended, as facts; the words are the front end's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conclusion {
    /// Whose turn was the last.
    pub last_side: Side,
    /// What was given as the reason.
    pub reasoning: Text,
    /// The part the person would play, when the agents recommend it.
    pub own_role: Option<Role>,
    /// The part the other would play.
    pub other_role: Option<Role>,
    /// What was agreed, when there are terms.
    pub terms: Terms,
}

/// A shelf: the opportunities in one kind of state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Folder {
    /// Only the person can go on.
    NeedsYou,
    /// Agents are at it.
    Live,
    /// The person accepted.
    Accepted,
    /// It ran out of turns, of time, or of anything new to say.
    Stalled,
    /// An agent turned it down.
    Rejected,
    /// It ended in another way.
    Closed,
}

impl Folder {
    /// All of them, in the order in which they matter.
    pub const ALL: [Self; 6] =
        [Self::NeedsYou, Self::Live, Self::Accepted, Self::Stalled, Self::Rejected, Self::Closed];

    /// Its name in an address or on a command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NeedsYou => "needs-you",
            Self::Live => "live",
            Self::Accepted => "accepted",
            Self::Stalled => "stalled",
            Self::Rejected => "rejected",
            Self::Closed => "closed",
        }
    }

    fn of(status: Status, awaiting: &Awaiting) -> Self {
        match status {
            Status::Negotiating | Status::Pending if matches!(awaiting, Awaiting::Person(_)) => Self::NeedsYou,
            Status::Negotiating | Status::Pending => Self::Live,
            Status::Accepted => Self::Accepted,
            Status::Stalled => Self::Stalled,
            Status::Rejected => Self::Rejected,
            Status::Declined | Status::Aborted | Status::Expired => Self::Closed,
        }
    }

    /// The folder of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|folder| folder.as_str() == name)
    }
}

impl fmt::Display for Folder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Opportunity {
    /// Where the person finds it.
    pub fn folder(&self) -> Folder {
        Folder::of(self.status, &self.awaiting)
    }

    /// Its place in its folder: what is due first where the person is needed, the newest first elsewhere.
    pub fn place(&self) -> i64 {
        match self.folder() {
            Folder::NeedsYou => self.due.map_or(self.changed_at, |due| due.at).0,
            Folder::Live | Folder::Accepted | Folder::Stalled | Folder::Rejected | Folder::Closed => {
                self.opened_at.0.saturating_neg()
            }
        }
    }
}

impl Negotiation {
    /// Where the person finds it.
    pub fn folder(&self) -> Folder {
        Folder::of(self.status(), &self.awaiting())
    }

    /// As the person reviews it.
    pub fn opportunity(&self) -> Opportunity {
        let (opening, awaiting) = (self.opening(), self.awaiting());
        Opportunity {
            id: opening.id.clone(),
            version: self.version(),
            title: opening.title.clone(),
            counterpart: opening.parties.get(opening.ours.other()).name.clone(),
            sample: opening.sample,
            protocol: opening.rulebook.protocol,
            ours: opening.ours,
            status: self.status(),
            digest: (awaiting == Awaiting::Person(crate::Ask::Approval)).then(|| self.digest()),
            awaiting,
            due: self.next_deadline(),
            score: opening.seed.score,
            seed_reasoning: opening.seed.reasoning.clone(),
            turn_count: self.turn_count(),
            turn_cap: opening.rulebook.limits.turns,
            conclusion: self.conclusion(),
            opened_at: self.opened_at(),
            changed_at: self.changed_at(),
        }
    }

    fn conclusion(&self) -> Option<Conclusion> {
        let outcome = self.outcome()?;
        let ours = self.opening().ours;
        Some(Conclusion {
            last_side: self.turns().last().map_or(Side::Initiator, |taken| taken.side),
            reasoning: outcome.reasoning.clone(),
            own_role: outcome.agreed_roles.map(|roles| roles.get(ours)),
            other_role: outcome.agreed_roles.map(|roles| roles.get(ours.other())),
            terms: outcome.terms.clone(),
        })
    }
}
