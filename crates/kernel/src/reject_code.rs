use serde::{Deserialize, Serialize};

/// Why an offer was turned down, for code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RejectCode {
    /// It does not serve the person; the reasoning says why.
    Unsuitable,
    /// The other side is not trusted enough.
    InsufficientTrustScore,
    /// The other side may not ask for this.
    Unauthorized,
    /// It is written in a form that cannot be processed.
    SchemaUnsupported,
    /// It costs more than there is.
    BudgetExceeded,
    /// It needs more than can be had.
    CapacityUnavailable,
    /// It is against a policy.
    PolicyViolation,
    /// It could not be considered in time.
    Timeout,
    /// It is under consideration already.
    Duplicate,
    /// A person has to approve it first.
    EscalationRequired,
    /// What the two sides need does not overlap.
    UtilityGap,
}

/// Whether to try again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// With a changed offer.
    Yes,
    /// When this has happened.
    After(Remedy),
    /// It would end the same way.
    No,
}

/// What has to happen before trying again makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Remedy {
    /// A lower amount.
    LowerAmount,
    /// Some time, or smaller demands.
    TimeOrLess,
    /// More trust.
    MoreTrust,
    /// Another form.
    OtherSchema,
    /// A person's approval.
    Approval,
    /// Some time.
    Time,
}

impl RejectCode {
    /// What this reason says about trying again.
    pub fn retry(self) -> Retry {
        match self {
            Self::BudgetExceeded => Retry::After(Remedy::LowerAmount),
            Self::CapacityUnavailable => Retry::After(Remedy::TimeOrLess),
            Self::Timeout => Retry::After(Remedy::Time),
            Self::EscalationRequired => Retry::After(Remedy::Approval),
            Self::InsufficientTrustScore => Retry::After(Remedy::MoreTrust),
            Self::SchemaUnsupported => Retry::After(Remedy::OtherSchema),
            Self::UtilityGap | Self::Unsuitable => Retry::Yes,
            Self::Unauthorized | Self::PolicyViolation | Self::Duplicate => Retry::No,
        }
    }

    /// Whether a changed offer in the same negotiation can help.
    pub fn may_retry(self) -> bool {
        match self {
            Self::BudgetExceeded
            | Self::CapacityUnavailable
            | Self::Timeout
            | Self::EscalationRequired
            | Self::UtilityGap
            | Self::Unsuitable => true,
            Self::InsufficientTrustScore
            | Self::SchemaUnsupported
            | Self::Unauthorized
            | Self::PolicyViolation
            | Self::Duplicate => false,
        }
    }
}
