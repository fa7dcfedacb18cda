//! Reading words as a person would, whatever they are dressed up as.

pub(crate) mod digits;
pub(crate) mod fold;
pub(crate) mod glyph;
pub(crate) mod number;
pub(crate) mod phrase;
pub(crate) mod quote;
pub(crate) mod spelled;
pub(crate) mod token;
