use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Value;

/// How many terms an offer may have.
pub const MAX_TERMS: usize = 64;

/// The name of a term: letters, digits, `_`, `-`, and `.` between parts, as in `rank.backup`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TermName(String);

/// Structured terms by name, in the order of their names.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "BTreeMap<TermName, Value>", into = "BTreeMap<TermName, Value>")]
pub struct Terms(BTreeMap<TermName, Value>);

/// Why something is not a set of terms.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TermsError {
    /// Not a name.
    #[error("`{0}` is not the name of a term")]
    Name(String),
    /// Over the limit.
    #[error("{0} terms are more than {MAX_TERMS}")]
    TooMany(usize),
}

impl Terms {
    /// No terms at all.
    pub const NONE: Self = Self(BTreeMap::new());

    /// These terms; a name that comes twice keeps its last value.
    pub fn new(terms: impl IntoIterator<Item = (TermName, Value)>) -> Result<Self, TermsError> {
        Self::try_from(BTreeMap::from_iter(terms))
    }

    /// The value of one.
    pub fn get(&self, name: &TermName) -> Option<&Value> {
        self.0.get(name)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = (&TermName, &Value)> {
        self.0.iter()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those below one part of the name, without it: `rank` of `rank.backup` gives `backup`.
    pub fn under<'a>(&'a self, part: &'a str) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.0.iter().filter_map(move |(name, value)| Some((name.0.strip_prefix(part)?.strip_prefix('.')?, value)))
    }
}

impl TryFrom<BTreeMap<TermName, Value>> for Terms {
    type Error = TermsError;

    fn try_from(terms: BTreeMap<TermName, Value>) -> Result<Self, TermsError> {
        if terms.len() > MAX_TERMS { Err(TermsError::TooMany(terms.len())) } else { Ok(Self(terms)) }
    }
}

impl From<Terms> for BTreeMap<TermName, Value> {
    fn from(terms: Terms) -> Self {
        terms.0
    }
}

impl TermName {
    /// Checks and keeps it.
    pub fn new(name: &str) -> Result<Self, TermsError> {
        Self::try_from(name.to_owned())
    }

    /// What is between the dots.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        self.0.split('.')
    }

    /// The first part of the name.
    pub fn head(&self) -> &str {
        self.parts().next().unwrap_or_default()
    }

    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for TermName {
    type Error = TermsError;

    fn try_from(name: String) -> Result<Self, TermsError> {
        let part = |part: &str| {
            !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        };
        if name.len() <= 64 && name.split('.').all(part) { Ok(Self(name)) } else { Err(TermsError::Name(name)) }
    }
}

impl From<TermName> for String {
    fn from(name: TermName) -> Self {
        name.0
    }
}

impl fmt::Display for TermName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
