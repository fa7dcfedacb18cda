use serde::{Deserialize, Serialize};

use crate::{Role, Side, Timestamp};

/// The longest reasoning or message a turn may carry, in bytes.
pub const MAX_TEXT: usize = 16 * 1024;

/// What a side does with its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Presents the match; the first turn and only that.
    Propose,
    /// Partly agrees, and says what is missing.
    Counter,
    /// Recommends the match to its own person. Binds nobody.
    Accept,
    /// Ends it: the match does not serve its person.
    Reject,
    /// Asks the other side; open to personal agents only.
    Question,
}

/// The parts a side suggests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuggestedRoles {
    /// For the person it speaks for.
    pub own: Role,
    /// For the other person.
    pub other: Role,
}

/// Why a side did what it did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assessment {
    /// In words, for the side's own person.
    pub reasoning: String,
    /// The parts it sees for both people.
    pub suggested_roles: SuggestedRoles,
}

/// One move, as an agent hands it in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// What it does.
    pub action: Action,
    /// Why.
    pub assessment: Assessment,
    /// What it says to the other side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// One move that was taken, with its place in the dialogue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenTurn {
    /// Whose move.
    pub side: Side,
    /// The move.
    pub turn: Turn,
    /// When it was taken.
    pub at: Timestamp,
}
