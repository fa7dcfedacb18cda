//! From text to policies: read, named, and checked against the schema.

use std::ops::Range;

use cedar_policy::ffi::DetailedError;
use cedar_policy::{Effect, Policy, PolicyId, PolicySet, ValidationMode, ValidationWarning};
use countersign_kernel::{Ruled, Text};

use crate::PolicyError;
use crate::policies::Named;
use crate::scan::scan;
use crate::vocabulary::vocabulary;

/// What allows and what forbids, apart: whether anything allows must be known also when something forbids softly.
#[derive(Debug, Default)]
pub(crate) struct Sets {
    pub(crate) permits: PolicySet,
    pub(crate) forbids: PolicySet,
    /// In the order of the text.
    pub(crate) named: Vec<Named>,
}

pub(crate) fn read(text: &str) -> Result<Sets, PolicyError> {
    let places = scan(text)?;
    let parsed: PolicySet = text.parse().map_err(|errors: cedar_policy::ParseErrors| {
        let errors = errors.iter().map(|error| PolicyError::cedar(text, 0, &DetailedError::from(error)));
        PolicyError::first(errors).unwrap_or_else(|| PolicyError::at(text, 0, "this is not a set of policies"))
    })?;
    let mut sets = Sets::default();
    for (number, place) in places.iter().enumerate() {
        // Cedar numbers what it reads; one that it does not list as a policy has a slot in it.
        let policy = parsed.policy(&PolicyId::new(format!("policy{number}")));
        let policy =
            policy.ok_or_else(|| PolicyError::at(text, place.start, "there is nothing to fill a slot with"))?;
        sets.take(policy, text, place)?;
    }
    if sets.permits.is_empty() {
        return Err(PolicyError::at(text, 0, "nothing is permitted, so everything would be denied"));
    }
    sets.check(text, &places)?;
    Ok(sets)
}

impl Sets {
    /// Gives the policy its name and puts it where it belongs.
    fn take(&mut self, policy: &Policy, text: &str, place: &Range<usize>) -> Result<(), PolicyError> {
        let named = named(policy, text, place)?;
        if self.named.iter().any(|other| other.id == named.id) {
            return Err(refuse(text, place, "id", format!("there is a policy `{}` already", named.id)));
        }
        let set = match policy.effect() {
            Effect::Permit => &mut self.permits,
            Effect::Forbid => &mut self.forbids,
        };
        let added = set.add(policy.new_id(PolicyId::new(&named.id)));
        added.map_err(|error| PolicyError::at(text, place.start, error.to_string()))?;
        self.named.push(named);
        Ok(())
    }

    fn check(&self, text: &str, places: &[Range<usize>]) -> Result<(), PolicyError> {
        let words = vocabulary().ok_or_else(|| PolicyError::at(text, 0, "the schema cannot be read"))?;
        let start = |id: &PolicyId| {
            let number = self.named.iter().position(|named| named.id == AsRef::<str>::as_ref(id));
            number.and_then(|number| places.get(number)).map_or(0, |place| place.start)
        };
        let [permits, forbids] =
            [&self.permits, &self.forbids].map(|set| words.validator.validate(set, ValidationMode::Strict));
        let errors = permits.validation_errors().chain(forbids.validation_errors());
        let errors =
            errors.map(|error| PolicyError::cedar(text, start(error.policy_id()), &DetailedError::from(error)));
        // A policy that looks as if it protected, and never does, is worse than none.
        let never = permits.validation_warnings().chain(forbids.validation_warnings()).filter(|warning| {
            matches!(warning, ValidationWarning::ImpossiblePolicy(_) | ValidationWarning::InvalidActionApplication(_))
        });
        let never = never.map(|warning| {
            let id = warning.policy_id();
            PolicyError::at(text, start(id), format!("policy `{id}` can never apply"))
        });
        // What is misspelt cannot apply either: that it is misspelt is the better answer.
        PolicyError::first(errors).or_else(|| PolicyError::first(never)).map_or(Ok(()), Err)
    }
}

fn named(policy: &Policy, text: &str, place: &Range<usize>) -> Result<Named, PolicyError> {
    let refuse = |key: &str, reason: String| refuse(text, place, key, reason);
    let mut annotations: Vec<(&str, &str)> = policy.annotations().collect();
    annotations.sort_unstable();
    for (key, value) in annotations {
        if !["id", "verdict", "because"].contains(&key) {
            return Err(refuse(key, format!("`@{key}` means nothing here: there are @id, @verdict and @because")));
        }
        if value.trim().is_empty() {
            return Err(refuse(key, format!("`@{key}` says nothing")));
        }
    }
    let ruled = match (policy.effect(), policy.annotation("verdict")) {
        (Effect::Permit, None) => Ruled::Allow,
        (Effect::Permit, Some(_)) => {
            return Err(refuse("verdict", "only a forbid has a verdict: a permit allows".into()));
        }
        (Effect::Forbid, None | Some("deny")) => Ruled::Deny,
        (Effect::Forbid, Some("escalate")) => Ruled::Escalate,
        (Effect::Forbid, Some("warn")) => Ruled::Warn,
        (Effect::Forbid, Some(other)) => {
            return Err(refuse("verdict", format!("`{other}` is not a verdict: there are deny, escalate and warn")));
        }
    };
    // One without a name is called by its place.
    let unnamed = || {
        let PolicyError { line, column, .. } = PolicyError::at(text, place.start, "");
        format!("line {line}:{column}")
    };
    let id = policy.annotation("id").map_or_else(unnamed, String::from);
    let because = policy.annotation("because").map(Text::clipped);
    Ok(Named { id, ruled, because })
}

/// At an annotation of the policy that stands here.
fn refuse(text: &str, place: &Range<usize>, key: &str, reason: String) -> PolicyError {
    let annotation = text.get(place.clone()).and_then(|policy| policy.find(&format!("@{key}")));
    PolicyError::at(text, place.start + annotation.unwrap_or(0), reason)
}
