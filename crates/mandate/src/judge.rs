//! What follows from a finding.

use countersign_kernel::{EscalationReason, Urgency};

use crate::{Concern, Disclose, Finding, Sign, Weight, Whose};

impl Finding {
    /// Its name, which does not change.
    pub fn code(&self) -> &'static str {
        match &self.concern {
            Concern::WorseThanWalkAway { .. } => "worse_than_walk_away",
            Concern::Incomparable { .. } => "incomparable",
            Concern::Prohibited { .. } => "prohibited_term",
            Concern::UnknownTerm { .. } => "unknown_term",
            Concern::OverAuthority { .. } => "over_authority",
            Concern::NoAuthority { .. } => "no_authority",
            Concern::ValueOver { .. } => "value_over",
            Concern::AskBefore { .. } => "ask_before",
            Concern::LowConfidence { .. } => "low_confidence",
            Concern::WalkAwayTold { .. } => "walk_away_told",
            Concern::FactTold { .. } => "fact_told",
            Concern::NameTold { .. } => "name_told",
            Concern::SensitiveTold { .. } => "sensitive_told",
            Concern::TooLarge { .. } => "too_large",
            Concern::TooMany { .. } => "too_many",
            Concern::NotAllowed { .. } => "not_allowed",
            Concern::Repeated { .. } => "repeated",
            Concern::TooOften { .. } => "too_often",
            Concern::Suspicious { sign, .. } => sign.code(),
        }
    }

    /// What it does to the turn.
    pub fn weight(&self) -> Weight {
        match &self.concern {
            Concern::Prohibited { .. }
            | Concern::TooLarge { .. }
            | Concern::TooMany { .. }
            | Concern::NotAllowed { .. }
            | Concern::Repeated { by: Whose::Ours, .. }
            | Concern::TooOften { .. }
            | Concern::FactTold { rule: Disclose::Never, .. }
            | Concern::SensitiveTold { rule: Disclose::Never, .. }
            | Concern::Suspicious { whose: Whose::Ours, .. } => Weight::Refuse,
            Concern::WorseThanWalkAway { .. }
            | Concern::Incomparable { .. }
            | Concern::UnknownTerm { .. }
            | Concern::OverAuthority { .. }
            | Concern::NoAuthority { .. }
            | Concern::ValueOver { .. }
            | Concern::AskBefore { .. }
            | Concern::LowConfidence { .. }
            | Concern::WalkAwayTold { .. }
            | Concern::FactTold { rule: Disclose::Freely | Disclose::Ask, .. }
            | Concern::NameTold { .. }
            | Concern::SensitiveTold { rule: Disclose::Freely | Disclose::Ask, .. } => Weight::Ask,
            Concern::Repeated { by: Whose::Theirs, .. } | Concern::Suspicious { whose: Whose::Theirs, .. } => {
                Weight::Note
            }
        }
    }

    /// Why the person would be asked.
    pub fn reason(&self) -> EscalationReason {
        match &self.concern {
            Concern::WorseThanWalkAway { .. }
            | Concern::OverAuthority { .. }
            | Concern::NoAuthority { .. }
            | Concern::ValueOver { .. }
            | Concern::AskBefore { .. }
            | Concern::WalkAwayTold { .. }
            | Concern::FactTold { .. }
            | Concern::NameTold { .. }
            | Concern::SensitiveTold { .. }
            | Concern::Prohibited { whose: Whose::Ours, .. } => EscalationReason::AuthorityLimit,
            Concern::LowConfidence { .. } => EscalationReason::ConfidenceLow,
            Concern::Incomparable { .. }
            | Concern::UnknownTerm { .. }
            | Concern::Prohibited { whose: Whose::Theirs, .. } => EscalationReason::PolicyAmbiguous,
            Concern::TooLarge { whose: Whose::Theirs, .. }
            | Concern::TooMany { .. }
            | Concern::Repeated { by: Whose::Theirs, .. }
            | Concern::Suspicious { whose: Whose::Theirs, .. } => EscalationReason::AdversarialDetected,
            Concern::TooLarge { whose: Whose::Ours, .. }
            | Concern::NotAllowed { .. }
            | Concern::Repeated { by: Whose::Ours, .. }
            | Concern::TooOften { .. }
            | Concern::Suspicious { whose: Whose::Ours, .. } => EscalationReason::AgentError,
        }
    }

    /// How soon the person would have to answer.
    pub fn urgency(&self) -> Urgency {
        match &self.concern {
            Concern::Suspicious { .. } | Concern::Prohibited { .. } => Urgency::High,
            Concern::WorseThanWalkAway { .. }
            | Concern::OverAuthority { .. }
            | Concern::NoAuthority { .. }
            | Concern::WalkAwayTold { .. }
            | Concern::FactTold { .. }
            | Concern::NameTold { .. }
            | Concern::SensitiveTold { .. }
            | Concern::Incomparable { .. }
            | Concern::ValueOver { .. } => Urgency::Medium,
            Concern::AskBefore { .. }
            | Concern::LowConfidence { .. }
            | Concern::UnknownTerm { .. }
            | Concern::TooLarge { .. }
            | Concern::TooMany { .. }
            | Concern::NotAllowed { .. }
            | Concern::Repeated { .. }
            | Concern::TooOften { .. } => Urgency::Low,
        }
    }
}

impl Sign {
    fn code(self) -> &'static str {
        match self {
            Self::Instruction => "instruction",
            Self::RoleMarker => "role_marker",
            Self::ToolCall => "tool_call",
            Self::Probing => "probing",
            Self::HiddenCharacters => "hidden_characters",
            Self::Encoded => "encoded",
            Self::Markup => "markup",
            Self::Pressure => "pressure",
            Self::Threat => "threat",
            Self::Impersonation => "impersonation",
        }
    }
}
