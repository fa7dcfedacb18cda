//! Why a negotiation ended and what happens by itself, in plain sentences: the same in the window, on the command line
//! and in an export.

use crate::{Blocking, Cause, Next, RejectCode, Remedy, Retry, Side, Terms, Timer, Why, WhyCode};

impl Why {
    /// The whole explanation, for the person on this side.
    pub fn lines(&self, ours: Side) -> Vec<String> {
        let mut lines = vec![self.code.in_words(self.caused_by)];
        lines.extend(self.blocking.iter().map(|open| open.in_words(ours)));
        if let Some(closest) =
            self.closest.as_ref().filter(|closest| self.code != WhyCode::Accepted && !closest.terms.is_empty())
        {
            let terms = listed(&closest.terms);
            lines.push(format!("The closest was {} offer in turn {}: {terms}.", whose(closest.by, ours), closest.turn));
        }
        if let Some(change) = &self.would_have_closed {
            lines.push(format!(
                "It would have closed had {} last offer said {}.",
                whose(change.by, ours),
                listed(&change.to)
            ));
        }
        lines.extend(self.retryable.in_words(self.code).map(str::to_owned));
        lines.extend(self.next.iter().filter_map(|next| next.in_words()).map(str::to_owned));
        lines
    }
}

impl WhyCode {
    fn in_words(self, caused_by: Cause) -> String {
        let by = match caused_by {
            Cause::Us => "your agent",
            Cause::Them => "their agent",
            Cause::Both => "both agents",
            Cause::Rule | Cause::Clock | Cause::Fault | Cause::Person => "an agent",
        };
        match self {
            Self::Accepted => "You accepted it.".into(),
            Self::Declined if caused_by == Cause::Person => "You declined it.".into(),
            Self::Declined => "Somebody who had to approve it declined.".into(),
            Self::Withdrawn => "You took it back.".into(),
            Self::Expired => "Nobody decided in time.".into(),
            Self::Unsigned => "It was approved, and not signed in time.".into(),
            Self::Rejected(code) => format!("{} turned it down: {}.", capital(by), code.in_words()),
            Self::TurnCap => "All turns were used and nothing was settled.".into(),
            Self::Timeout => "The time ran out.".into(),
            Self::ClaimLapsed => "Whoever picked the turn up never handed it in, and the time ran out.".into(),
            Self::Stalemate => format!("It went in circles: {by} said the same again."),
            Self::PolicyDenied => "A policy did not allow it.".into(),
            Self::CapabilityViolation => format!("{} reached for something that no negotiation grants.", capital(by)),
            Self::SchemaViolation => format!("{} sent something that could not be read.", capital(by)),
            Self::Adversarial => "It ended under suspicion of bad faith.".into(),
            Self::AgentError => format!("{} could not go on, and the time ran out.", capital(by)),
        }
    }
}

impl RejectCode {
    /// In words, as the end of a sentence.
    pub fn in_words(self) -> &'static str {
        match self {
            Self::Unsuitable => "it does not fit",
            Self::InsufficientTrustScore => "there is not enough trust",
            Self::Unauthorized => "it may not be asked for",
            Self::SchemaUnsupported => "it is in a form that cannot be read",
            Self::BudgetExceeded => "it costs more than there is",
            Self::CapacityUnavailable => "it needs more than can be had",
            Self::PolicyViolation => "it is against a policy",
            Self::Timeout => "it could not be considered in time",
            Self::Duplicate => "it is under consideration already",
            Self::EscalationRequired => "a person has to approve it first",
            Self::UtilityGap => "what the two sides need does not overlap",
        }
    }
}

impl Blocking {
    fn in_words(&self, ours: Side) -> String {
        match self {
            Self::Term(name) => format!("Still apart: {name}."),
            Self::Objection(raised) => {
                let (by, turn) = (whose(raised.by, ours), raised.turn);
                format!("Not met: {by} objection in turn {turn}, “{}”.", &*raised.objection.reason)
            }
            Self::Question(by, question) => format!("Not answered: {} question, “{}”.", whose(*by, ours), &**question),
        }
    }
}

impl Retry {
    fn in_words(self, code: WhyCode) -> Option<&'static str> {
        match self {
            _ if matches!(code, WhyCode::Accepted | WhyCode::Declined | WhyCode::Withdrawn) => None,
            Self::Yes => Some("A changed offer may be welcome."),
            Self::No => Some("Trying again would end the same way."),
            Self::After(Remedy::LowerAmount) => Some("Try again with a lower amount."),
            Self::After(Remedy::TimeOrLess) => Some("Try again later, or ask for less."),
            Self::After(Remedy::MoreTrust) => Some("Try again once there is more trust."),
            Self::After(Remedy::OtherSchema) => Some("Try again in another form."),
            Self::After(Remedy::Approval) => Some("Try again once a person has approved it."),
            Self::After(Remedy::Time) => Some("Try again later."),
        }
    }
}

impl Next {
    fn in_words(self) -> Option<&'static str> {
        match self {
            Self::Reopen => Some("You can open it again, with guidance for your agent."),
            Self::ChangeMandate => Some("You can change what your agent may agree to."),
            Self::Answer => Some("You can answer what was left open."),
            Self::LookIntoFault => Some("You can look into what broke."),
            // Said with whether to try again, or goes without saying.
            Self::Wait | Self::LetGo => None,
        }
    }
}

impl Timer {
    /// What happens when it passes, if nobody does anything. It is never an approval.
    pub fn then(self) -> &'static str {
        match self {
            Self::Hold => "your agent says what it is about to say",
            Self::FirstResponse | Self::Clarification | Self::Turn | Self::Total => {
                "the time is over and nothing is agreed"
            }
            Self::Park => "the built-in negotiator takes the turn",
            Self::Claim => "the turn is free to be picked up again",
            Self::Offer => "the offer is no longer valid and nothing is agreed",
            Self::Reminder => "you are reminded",
            Self::Escalation => "your answer is late; everything goes on waiting for you",
            Self::Pause => "it ends and nothing is agreed",
            Self::Approval => "it expires and binds nobody",
            Self::Commitment => "it is not signed in time and binds nobody",
            Self::Agreement => "the agreement is no longer in force",
        }
    }
}

fn whose(side: Side, ours: Side) -> &'static str {
    if side == ours { "your" } else { "their" }
}

fn listed(terms: &Terms) -> String {
    let terms: Vec<String> = terms.iter().map(|(name, value)| format!("{name} {value}")).collect();
    terms.join(", ")
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(char::to_uppercase);
    format!("{}{}", first.map(String::from_iter).unwrap_or_default(), chars.as_str())
}
