use cedar_policy::ffi::DetailedError;

/// Why a text is not a set of policies, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct PolicyError {
    /// The line, from 1.
    pub line: u32,
    /// The character in it, from 1.
    pub column: u32,
    /// In words.
    pub reason: String,
}

impl PolicyError {
    /// At this byte of the text.
    pub(crate) fn at(text: &str, offset: usize, reason: impl Into<String>) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX).saturating_add(1);
        Self {
            line: count(before.matches('\n').count()),
            column: count(before.get(line_start..).unwrap_or_default().chars().count()),
            reason: reason.into(),
        }
    }

    /// What Cedar says, where it says it; `near` where it does not say where.
    pub(crate) fn cedar(text: &str, near: usize, error: &DetailedError) -> Self {
        let place = error.source_locations.iter().map(|label| label.loc.start).min().unwrap_or(near);
        let reason = match &error.help {
            Some(help) => format!("{} ({help})", error.message),
            None => error.message.clone(),
        };
        Self::at(text, place, reason)
    }

    /// The one that a reader meets first.
    pub(crate) fn first(errors: impl Iterator<Item = Self>) -> Option<Self> {
        errors.min_by_key(|error| (error.line, error.column))
    }
}
