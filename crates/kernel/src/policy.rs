//! What a policy hook said.

use serde::{Deserialize, Serialize};

use crate::Text;

/// When policies are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hook {
    /// Before anyone speaks.
    Start,
    /// Before a turn is accepted.
    Turn,
    /// Before an agreement goes to the person.
    Resolution,
    /// Before what was approved is carried out.
    Execution,
}

/// What a policy says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ruled {
    /// Go on.
    Allow,
    /// Go on, and note it.
    Warn,
    /// Not this.
    Deny,
    /// A person has to look.
    Escalate,
}

/// A policy's answer at one hook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// When.
    pub hook: Hook,
    /// What.
    pub ruled: Ruled,
    /// Which policy, and why.
    pub because: Text,
}

/// What an agent did that it must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Violation {
    /// Reached for a capability.
    Capability,
    /// Sent what does not fit its schema.
    Schema,
    /// Sent what a policy or the rulebook forbids.
    Policy,
}
