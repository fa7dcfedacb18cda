use std::cmp::Reverse;
use std::sync::{Arc, LazyLock};

use cedar_policy::{AuthorizationError, Authorizer, Decision, Entities, PolicyId, Request};
use countersign_kernel::{Hook, Ruled, Text, Verdict};

use crate::read::{Sets, read};
use crate::request::request;
use crate::{Case, PolicyError};

/// A set of policies that was read and checked once. Cheap to copy.
#[derive(Clone, Debug)]
pub struct Policies(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    text: Box<str>,
    sets: Sets,
}

/// One policy, as a list of them shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// What it is called; its line and column when it has no name.
    pub id: String,
    /// What it says when it applies.
    pub ruled: Ruled,
    /// Why, for the person.
    pub because: Option<Text>,
}

/// Something that was said to a case.
struct Heard {
    ruled: Ruled,
    /// Where it stands among the policies.
    place: usize,
    because: String,
}

impl Policies {
    /// The policies that the app comes with, as text.
    pub const SHIPPED: &str = include_str!("../shipped.cedar");

    /// The policies that the app comes with.
    pub fn shipped() -> Self {
        // INVARIANT: a test reads them. Were they broken, nothing would be permitted.
        static SHIPPED: LazyLock<Policies> = LazyLock::new(|| {
            Policies::parse(Policies::SHIPPED)
                .unwrap_or_else(|_| Policies(Arc::new(Inner { text: Policies::SHIPPED.into(), sets: Sets::default() })))
        });
        SHIPPED.clone()
    }

    /// Reads and checks a text. What it would not understand when asked, it refuses here.
    pub fn parse(text: &str) -> Result<Self, PolicyError> {
        let sets = read(text)?;
        Ok(Self(Arc::new(Inner { text: text.into(), sets })))
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Every policy, in the order of the text.
    pub fn names(&self) -> &[Named] {
        &self.0.sets.named
    }

    /// What they say at this point. The strictest counts: deny, then escalate, then warn.
    pub fn rule(&self, hook: Hook, case: &Case<'_>) -> Verdict {
        let Some((request, entities)) = request(hook, case) else {
            let because = Text::clipped("the policies could not be asked about this");
            return Verdict { hook, ruled: Ruled::Escalate, because };
        };
        let mut said = self.ask(&request, &entities);
        said.sort_by_key(|one| (Reverse(strictness(one.ruled)), one.place));
        let ruled = said.first().map_or(Ruled::Deny, |strictest| strictest.ruled);
        let because: Vec<&str> = said.iter().filter(|one| one.ruled == ruled).map(|one| &*one.because).collect();
        Verdict { hook, ruled, because: Text::clipped(because.join("; ")) }
    }

    fn ask(&self, request: &Request, entities: &Entities) -> Vec<Heard> {
        let sets = &self.0.sets;
        let authorizer = Authorizer::new();
        let permits = authorizer.is_authorized(request, &sets.permits, entities);
        let forbids = authorizer.is_authorized(request, &sets.forbids, entities);
        let deciding = permits.diagnostics().reason().chain(forbids.diagnostics().reason());
        let mut said: Vec<Heard> = deciding.filter_map(|id| self.decided(id)).collect();
        // A policy that could not be asked must not count as one that has nothing against it.
        let failed = permits.diagnostics().errors().chain(forbids.diagnostics().errors());
        said.extend(failed.map(|error| self.failed(error)));
        if permits.decision() == Decision::Deny {
            said.push(Heard { ruled: Ruled::Deny, place: 0, because: "no policy allows this".into() });
        }
        said
    }

    fn decided(&self, id: &PolicyId) -> Option<Heard> {
        let place = self.place(id)?;
        let Named { id, ruled, because } = self.names().get(place)?;
        let because = match (because, ruled) {
            (Some(because), _) => format!("{because} (policy `{id}`)"),
            (None, Ruled::Allow) => format!("policy `{id}` allows it"),
            (None, Ruled::Warn | Ruled::Deny | Ruled::Escalate) => format!("policy `{id}` is against it"),
        };
        Some(Heard { ruled: *ruled, place, because })
    }

    fn failed(&self, error: &AuthorizationError) -> Heard {
        let AuthorizationError::PolicyEvaluationError(error) = error;
        let id = error.policy_id();
        let because = format!("policy `{id}` could not be asked: {}", error.inner());
        Heard { ruled: Ruled::Escalate, place: self.place(id).unwrap_or(usize::MAX), because }
    }

    fn place(&self, id: &PolicyId) -> Option<usize> {
        self.names().iter().position(|named| named.id == AsRef::<str>::as_ref(id))
    }
}

fn strictness(ruled: Ruled) -> u8 {
    match ruled {
        Ruled::Allow => 0,
        Ruled::Warn => 1,
        Ruled::Escalate => 2,
        Ruled::Deny => 3,
    }
}
