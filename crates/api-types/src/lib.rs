//! What crosses the door to a front end: plain serde types, the same in the core and in the window.
//!
//! No behaviour lives here, and nothing that does not build for wasm32.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use countersign_kernel::{
    Action, Ask, Awaiting, Conclusion, Deadline, Digest, EscalationReason, Folder, Mode, NegotiationId, Opportunity,
    Protocol, Role, Side, Status, Text, Timer, Timestamp, Urgency,
};

/// Everything a view starts from; live updates go on from `seq`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The last thing that happened that is in here.
    pub seq: u64,
    /// Whether the person's agent takes turns.
    pub mode: Mode,
    /// How many opportunities there are in each folder.
    pub counts: BTreeMap<Folder, u64>,
    /// The first of each folder.
    pub opportunities: Vec<Opportunity>,
    /// Where the person's data is.
    pub home: String,
    /// Where the secret is that everything is sealed and signed with.
    pub kept_in: KeptIn,
    /// What keeps negotiations from going on, if anything does.
    pub trouble: Option<Problem>,
}

/// Where the folder's secret is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeptIn {
    /// In the system's keychain.
    Keychain,
    /// In a file of the data folder that only the person can read, because there is no keychain.
    File,
}

/// One turn of the dialogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// From 1.
    pub number: u32,
    /// Whose.
    pub side: Side,
    /// Who spoke, by name.
    pub speaker: String,
    /// What it did.
    pub action: Action,
    /// Why, for its own person.
    pub reasoning: String,
    /// What it said to the other side.
    pub message: Option<String>,
    /// What it offers, term by term, in words.
    pub terms: Vec<(String, String)>,
    /// The parts it sees, where the protocol has parts.
    pub roles: Option<Roles>,
    /// When.
    pub at: Timestamp,
}

/// The parts that a side sees for both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roles {
    /// For its own person.
    pub own: Role,
    /// For the other.
    pub other: Role,
}

/// An opportunity with everything that was said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// As it stands.
    pub opportunity: Opportunity,
    /// Oldest first.
    pub turns: Vec<Turn>,
    /// The two people, by name.
    pub names: Vec<String>,
    /// Why it ended, in sentences, once it has.
    pub why: Vec<String>,
    /// What the agent asks its person, while it does.
    pub question: Option<Question>,
    /// What the agent is about to say, and when.
    pub draft: Option<(Turn, Timestamp)>,
    /// What happens if nobody does anything, and when.
    pub otherwise: Option<(String, Timestamp)>,
}

/// What an agent asks its person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Which limit or doubt.
    pub reason: EscalationReason,
    /// How soon it needs an answer.
    pub urgency: Urgency,
    /// What it is about.
    pub context: Text,
    /// What the agent suggests.
    pub suggestion: Option<Text>,
    /// What it was about to say; a yes sends it.
    pub draft: Option<Turn>,
}

/// What everything adds up to, in sentences and counts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Figures {
    /// The last seven days.
    pub week: Vec<String>,
    /// What calls for attention in them.
    pub alerts: Vec<String>,
    /// Rates over everything: what, and how often of how many.
    pub rates: Vec<(String, String)>,
}

/// One message of the live stream.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Live {
    /// Something happened. Every one comes once, in order, without gaps.
    Update(Update),
    /// What keeps negotiations from going on changed.
    Trouble(Option<Problem>),
}

/// Something that happened, by its place in the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Update {
    /// One more than the update before.
    pub seq: u64,
    /// What.
    pub change: Change,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// To an opportunity, as it was right after.
    Opportunity {
        /// As it stands.
        opportunity: Box<Opportunity>,
        /// Where it was before, unless it is new.
        moved_from: Option<Folder>,
        /// The turn, when it was one.
        turn: Option<Turn>,
    },
    /// The mode was switched.
    Mode(Mode),
    /// Something else that the person has set changed.
    Settings,
    /// The record of a negotiation that ended was signed.
    Sealed(NegotiationId),
}

/// What went wrong, what was kept, what to do: everything an error screen says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{what} {kept} {todo}")]
pub struct Problem {
    /// Which kind, for code.
    pub code: ProblemCode,
    /// What happened.
    pub what: String,
    /// What was kept.
    pub kept: String,
    /// What to do.
    pub todo: String,
}

/// The kinds of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// The data folder cannot be written to.
    Unwritable,
    /// The disk is full.
    Full,
    /// Another process uses the data folder.
    InUse,
    /// A newer version wrote the journal.
    Newer,
    /// The journal's file is something else.
    NotAJournal,
    /// The journal is broken.
    Damaged,
    /// Part of the core stopped unexpectedly.
    Stopped,
    /// What was shown is not what is there now.
    Changed,
    /// The rules do not allow it.
    Refused,
    /// There is no such thing.
    Unknown,
}
