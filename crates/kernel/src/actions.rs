use std::fmt;

use crate::Action;

/// A set of kinds of move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Actions(u8);

impl Actions {
    /// The empty set.
    pub const NONE: Self = Self(0);

    /// These.
    pub const fn of(actions: &[Action]) -> Self {
        let (mut set, mut rest) = (Self::NONE, actions);
        while let [first, others @ ..] = rest {
            set = set.with(*first);
            rest = others;
        }
        set
    }

    /// This one too.
    #[must_use]
    pub const fn with(self, action: Action) -> Self {
        Self(self.0 | 1 << action as u8)
    }

    /// All but this one.
    #[must_use]
    pub const fn without(self, action: Action) -> Self {
        Self(self.0 & !(1 << action as u8))
    }

    /// Whether it is among them.
    pub const fn contains(self, action: Action) -> bool {
        self.0 & 1 << action as u8 != 0
    }

    /// Each of them.
    pub fn iter(self) -> impl Iterator<Item = Action> {
        Action::ALL.into_iter().filter(move |action| self.contains(*action))
    }
}

impl fmt::Display for Actions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, action) in self.iter().enumerate() {
            write!(f, "{}{action}", if place == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Propose => "propose",
            Self::Counter => "counter",
            Self::Accept => "accept",
            Self::Reject => "reject",
            Self::Question => "question",
            Self::Answer => "answer",
            Self::Inquire => "inquire",
            Self::Describe => "describe",
        })
    }
}
