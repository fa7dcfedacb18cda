//! What kind of negotiation it is, as far as the opening says.

use countersign_kernel::{AgentKind, Opening, Protocol, Role, Side};
use serde::{Deserialize, Serialize};

/// What kind of match it is about: the part that our person would play in it.
///
/// Under Index and ASP the evaluator's seed says so. Under HIRE and LCP whoever opens it seeks, and the other side
/// serves. A governed negotiation is about shared means and has no such parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MatchType {
    /// They would help.
    Helper,
    /// They would be helped.
    Seeker,
    /// Both would give and take.
    Peer,
    /// It is about means that both sides share.
    Governed,
}

/// Who talks to whom. What is not in-process counts as personal, as it does for the cap on turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scenario {
    /// Two in-process negotiators.
    SystemSystem,
    /// One, and an agent from outside.
    Mixed,
    /// Two agents from outside.
    PersonalPersonal,
}

impl MatchType {
    /// The kind of match of this opening.
    pub fn of(opening: &Opening) -> Self {
        match opening.rulebook.protocol {
            Protocol::Summit(_) => Self::Governed,
            Protocol::Hire | Protocol::Lcp => match opening.ours {
                Side::Initiator => Self::Seeker,
                Side::Responder => Self::Helper,
            },
            Protocol::Index | Protocol::Asp => {
                let initiator = opening.seed.valency_role;
                let own = match opening.ours {
                    Side::Initiator => initiator,
                    Side::Responder => initiator.across(),
                };
                match own {
                    Role::Agent => Self::Helper,
                    Role::Patient => Self::Seeker,
                    Role::Peer => Self::Peer,
                }
            }
        }
    }
}

impl Scenario {
    /// Who talks to whom in this opening.
    pub fn of(opening: &Opening) -> Self {
        let in_process = |side| match opening.parties.get(side).agent {
            AgentKind::System => true,
            AgentKind::Personal | AgentKind::Remote => false,
        };
        match (in_process(Side::Initiator), in_process(Side::Responder)) {
            (true, true) => Self::SystemSystem,
            (true, false) | (false, true) => Self::Mixed,
            (false, false) => Self::PersonalPersonal,
        }
    }
}
