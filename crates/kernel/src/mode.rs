use serde::{Deserialize, Serialize};

/// Whether the person's own agent may take turns. Off means off: no own turn is taken anywhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The agent takes its turns.
    #[default]
    On,
    /// The agent takes no turn; what waits, waits.
    Off,
    /// Nothing is said and nothing is taken in, by anybody but the person.
    Stopped,
}
