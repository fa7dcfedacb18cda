//! Counts of a few things each. They add up, so that a period is the sum of its days in whatever order.

use std::collections::BTreeMap;

use countersign_kernel::Violation;
use serde::{Deserialize, Serialize};

/// Declares counts that add up, field by field.
macro_rules! counts {
    ($($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $field:ident,)* })*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(default)]
        pub struct $name { $($(#[$doc])* pub $field: u64,)* }

        impl Add for $name {
            fn add(&mut self, other: &Self) {
                $(self.$field += other.$field;)*
            }
        }

        impl $name {
            /// All of them.
            pub fn total(&self) -> u64 {
                [$(self.$field),*].iter().sum()
            }
        }
    )*};
}

counts! {
    /// What those who had to approve said: the person, and whoever else was asked.
    Decisions {
        /// Yes.
        approved,
        /// No.
        rejected,
        /// Yes, if.
        conditional,
    }

    /// What was not allowed.
    Violations {
        /// An agent reached for a capability.
        capability,
        /// An agent sent what does not fit its schema.
        schema,
        /// An agent sent what a policy or the rulebook forbids.
        policy,
        /// A policy said no to something. A turn that it turned away is here and not above.
        denied,
    }

    /// What was accepted and did not stay so.
    Undone {
        /// It was not signed in time.
        unsigned,
        /// A policy no longer allowed it.
        voided,
    }

    /// What became of what the person's own agent recommended.
    Recommended {
        /// They accepted.
        accepted,
        /// They declined.
        declined,
        /// They sent it back, with guidance or under conditions.
        sent_back,
        /// They did not decide in time.
        lapsed,
    }

    /// How the person answered their agent's questions, where it said what it would do.
    Answered {
        /// As it suggested.
        as_suggested,
        /// Otherwise.
        otherwise,
    }

    /// What the agents came to.
    Came {
        /// Both recommend it.
        agreed,
        /// One turned it down.
        rejected,
        /// Neither: it ran out, or was stopped.
        neither,
    }

    /// How many negotiations an objection came up in.
    Raised {
        /// By the person's agent.
        ours,
        /// By the other side's.
        theirs,
    }
}

impl Violations {
    pub(crate) fn of(violation: Violation) -> Self {
        let none = Self::default();
        match violation {
            Violation::Capability => Self { capability: 1, ..none },
            Violation::Schema => Self { schema: 1, ..none },
            Violation::Policy => Self { policy: 1, ..none },
        }
    }
}

/// What can be added up.
pub(crate) trait Add {
    fn add(&mut self, other: &Self);
}

impl Add for u64 {
    fn add(&mut self, other: &Self) {
        *self += other;
    }
}

impl<K: Copy + Ord, V: Add + Default> Add for BTreeMap<K, V> {
    fn add(&mut self, other: &Self) {
        for (key, value) in other {
            self.entry(*key).or_default().add(value);
        }
    }
}
