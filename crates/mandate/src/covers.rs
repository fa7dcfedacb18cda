use countersign_kernel::{Money, TermName, Terms, Text, Timestamp, Value};
use serde::{Deserialize, Serialize};

use crate::{Mandate, Requirement, Spent, Whose, deal};

/// An agreement that the person agreed to beforehand: with whom, for how much, until when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a pre-authorisation")]
pub struct PreAuthorisation {
    /// What the person calls it.
    pub name: Text,
    /// All amounts together come to no more than this, in this currency alone.
    pub most: Money,
    /// With whom, by their exact name; with anybody when nobody is named.
    #[serde(default)]
    pub counterpart: Option<Text>,
    /// Whether it covers an agreement that has no amount in it at all.
    #[serde(default)]
    pub without_value: bool,
    /// It covers nothing from then on.
    pub expires: Timestamp,
}

impl Mandate {
    /// The pre-authorisation that covers an agreement, if one does and nothing else in the mandate speaks against it.
    ///
    /// Code cannot read what a requirement means. So a term on the topic of a deal-breaker is for the person, and a
    /// must-have counts as met only by a term of its name.
    pub fn covers(&self, terms: &Terms, counterpart: &str, spent: &Spent, now: Timestamp) -> Option<&PreAuthorisation> {
        let crossed = terms.iter().any(|(name, value)| deal::crossed(self, name, value).is_some());
        let broken = terms.iter().any(|(name, _)| self.deal_breakers.iter().any(|breaker| is_about(breaker, name)));
        let met =
            |must: &Requirement| terms.iter().any(|(name, value)| is_about(must, name) && *value != Value::Flag(false));
        let fits = !crossed
            && !broken
            && self.must_haves.iter().all(met)
            && deal::prohibited(self, terms, Whose::Ours).is_empty()
            && deal::unknown(self, terms).is_empty()
            && deal::over_authority(self, terms, spent).is_empty()
            && deal::over_value(self, terms).is_empty();
        self.pre_authorised.iter().find(|given| fits && given.allows(terms, counterpart, now))
    }
}

impl PreAuthorisation {
    fn allows(&self, terms: &Terms, counterpart: &str, now: Timestamp) -> bool {
        let worth = deal::worth(terms);
        let bounded = worth.iter().all(|(currency, sum)| *currency == self.most.currency && *sum <= self.most.amount);
        let valued = !worth.is_empty() || self.without_value;
        // To the letter: a name that merely looks alike is somebody else's.
        let named = self.counterpart.as_deref().is_none_or(|name| name == counterpart);
        bounded && valued && named && now < self.expires
    }
}

fn is_about(requirement: &Requirement, term: &TermName) -> bool {
    let topic = requirement.topic.trim();
    topic.eq_ignore_ascii_case(term.as_str()) || term.parts().any(|part| topic.eq_ignore_ascii_case(part))
}
