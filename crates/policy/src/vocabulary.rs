//! The words of the schema: how what the kernel knows is called in a policy.

use std::sync::LazyLock;

use cedar_policy::{EntityId, EntityTypeName, EntityUid, RestrictedExpression, Schema, Validator};
use countersign_kernel::{Action, AgentKind, Hook, Protocol, RiskLevel, Speaker, SummitKind};

/// The names of types, read once, and what checks policies against them.
pub(crate) struct Vocabulary {
    pub(crate) validator: Validator,
    action: EntityTypeName,
    agent: EntityTypeName,
    amounts: EntityTypeName,
    kind: EntityTypeName,
    moves: EntityTypeName,
    negotiation: EntityTypeName,
    protocol: EntityTypeName,
    risk: EntityTypeName,
    speaker: EntityTypeName,
    summit: EntityTypeName,
}

/// INVARIANT: the schema is part of the program, and no test passes with a broken one.
pub(crate) fn vocabulary() -> Option<&'static Vocabulary> {
    static VOCABULARY: LazyLock<Option<Vocabulary>> = LazyLock::new(Vocabulary::read);
    VOCABULARY.as_ref()
}

impl Vocabulary {
    fn read() -> Option<Self> {
        let (schema, _) = Schema::from_cedarschema_str(include_str!("../schema.cedarschema")).ok()?;
        let name = |name: &str| name.parse::<EntityTypeName>().ok();
        Some(Self {
            validator: Validator::new(schema),
            action: name("Action")?,
            agent: name("Agent")?,
            amounts: name("Amounts")?,
            kind: name("Kind")?,
            moves: name("Move")?,
            negotiation: name("Negotiation")?,
            protocol: name("Protocol")?,
            risk: name("Risk")?,
            speaker: name("Speaker")?,
            summit: name("Summit")?,
        })
    }

    pub(crate) fn agent(&self, is_ours: bool) -> EntityUid {
        uid(&self.agent, if is_ours { "ours" } else { "theirs" })
    }

    pub(crate) fn negotiation(&self, id: &str) -> EntityUid {
        uid(&self.negotiation, id)
    }

    pub(crate) fn amounts(&self, by: &str) -> EntityUid {
        uid(&self.amounts, by)
    }

    pub(crate) fn hook(&self, hook: Hook) -> EntityUid {
        let name = match hook {
            Hook::Start => "start",
            Hook::Turn => "turn",
            Hook::Resolution => "resolution",
            Hook::Execution => "execution",
        };
        uid(&self.action, name)
    }

    pub(crate) fn kind(&self, kind: AgentKind) -> RestrictedExpression {
        let name = match kind {
            AgentKind::System => "system",
            AgentKind::Personal => "personal",
            AgentKind::Remote => "remote",
        };
        word(&self.kind, name)
    }

    pub(crate) fn protocol(&self, protocol: Protocol) -> RestrictedExpression {
        let name = match protocol {
            Protocol::Index => "index",
            Protocol::Asp => "asp",
            Protocol::Summit(_) => "summit",
            Protocol::Hire => "hire",
            Protocol::Lcp => "lcp",
        };
        word(&self.protocol, name)
    }

    pub(crate) fn summit(&self, kind: SummitKind) -> RestrictedExpression {
        let name = match kind {
            SummitKind::ResourceAllocation => "resource_allocation",
            SummitKind::TaskPrioritization => "task_prioritization",
            SummitKind::PolicyConflict => "policy_conflict",
            SummitKind::CollaborativePlanning => "collaborative_planning",
            SummitKind::RiskMitigation => "risk_mitigation",
        };
        word(&self.summit, name)
    }

    pub(crate) fn risk(&self, risk: RiskLevel) -> RestrictedExpression {
        let name = match risk {
            RiskLevel::Low => "low",
            RiskLevel::Medium => "medium",
            RiskLevel::High => "high",
            RiskLevel::Critical => "critical",
        };
        word(&self.risk, name)
    }

    pub(crate) fn action(&self, action: Action) -> RestrictedExpression {
        let name = match action {
            Action::Propose => "propose",
            Action::Counter => "counter",
            Action::Accept => "accept",
            Action::Reject => "reject",
            Action::Question => "question",
            Action::Answer => "answer",
            Action::Inquire => "inquire",
            Action::Describe => "describe",
        };
        word(&self.moves, name)
    }

    pub(crate) fn speaker(&self, speaker: &Speaker) -> RestrictedExpression {
        let name = match speaker {
            Speaker::Agent => "agent",
            Speaker::Fallback => "fallback",
            Speaker::Delegate(_) => "delegate",
            Speaker::Person => "person",
        };
        word(&self.speaker, name)
    }
}

fn uid(of: &EntityTypeName, id: &str) -> EntityUid {
    EntityUid::from_type_name_and_id(of.clone(), EntityId::new(id))
}

fn word(of: &EntityTypeName, id: &str) -> RestrictedExpression {
    RestrictedExpression::new_entity_uid(uid(of, id))
}
