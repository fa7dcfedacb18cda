use serde::{Deserialize, Serialize};

use crate::{Action, AgentKind, Parties};

/// The limits and allowed moves of one protocol, as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rulebook {
    /// Which protocol.
    pub name: String,
    /// How many turns both sides have together; none means the protocol sets no number.
    pub turn_cap: Option<u32>,
}

impl Rulebook {
    /// Index Network's bilateral negotiation. The cap depends on who speaks: 6 turns between two system agents, 8
    /// when one is personal, none when both are.
    pub fn index(parties: &Parties) -> Self {
        let turn_cap = match (parties.initiator.agent, parties.responder.agent) {
            (AgentKind::System, AgentKind::System) => Some(6),
            (AgentKind::System, AgentKind::Personal) | (AgentKind::Personal, AgentKind::System) => Some(8),
            (AgentKind::Personal, AgentKind::Personal) => None,
        };
        Self { name: "index".into(), turn_cap }
    }

    /// The moves open to an agent of this kind at this point.
    pub fn allowed(&self, agent: AgentKind, turns_taken: usize) -> &'static [Action] {
        match (turns_taken, agent) {
            (0, _) => &[Action::Propose],
            (_, AgentKind::System) => &[Action::Counter, Action::Accept, Action::Reject],
            (_, AgentKind::Personal) => &[Action::Counter, Action::Accept, Action::Reject, Action::Question],
        }
    }
}
