use std::fmt;
use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The longest text a turn may carry, in bytes.
pub const MAX_TEXT: usize = 16 * 1024;

/// Words that were checked once: not blank, not too long. Cheap to copy.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Text(Arc<str>);

/// Why something is not a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// Nothing but white space.
    #[error("the text is blank")]
    Blank,
    /// Over the limit.
    #[error("the text has {length} bytes, more than {MAX_TEXT}")]
    TooLong {
        /// How long it is.
        length: usize,
    },
}

impl Text {
    /// Checks and keeps it.
    pub fn new(text: impl AsRef<str>) -> Result<Self, TextError> {
        let text = text.as_ref();
        if text.trim().is_empty() {
            return Err(TextError::Blank);
        }
        if text.len() > MAX_TEXT {
            return Err(TextError::TooLong { length: text.len() });
        }
        Ok(Self(text.into()))
    }

    /// As much of it as fits; an ellipsis for what is blank or was cut off.
    pub fn clipped(text: impl AsRef<str>) -> Self {
        const MORE: &str = "…";
        let text = text.as_ref();
        Self::new(text).unwrap_or_else(|_| {
            let fits = text.trim().char_indices().map(|(at, c)| at + c.len_utf8());
            let end = fits.take_while(|end| *end <= MAX_TEXT - MORE.len()).last().unwrap_or(0);
            Self(format!("{}{MORE}", text.trim().get(..end).unwrap_or_default()).into())
        })
    }

    /// Words of our own, known to be neither blank nor long.
    pub(crate) fn own(text: &'static str) -> Self {
        Self(text.into())
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Text {
    type Error = TextError;

    fn try_from(text: String) -> Result<Self, TextError> {
        Self::new(text)
    }
}

impl TryFrom<&str> for Text {
    type Error = TextError;

    fn try_from(text: &str) -> Result<Self, TextError> {
        Self::new(text)
    }
}

impl From<Text> for String {
    fn from(text: Text) -> Self {
        text.0.as_ref().into()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
