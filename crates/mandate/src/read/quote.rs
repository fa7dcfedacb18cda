use std::ops::Range;

use countersign_kernel::Text;

use super::glyph::is_unseen;

/// How much of a text is shown before and after the place that matters, in characters.
const AROUND: usize = 30;
/// How much of the place itself.
const SHOWN: usize = 120;

/// A place in a text with a little of its line around it. What cannot be seen is written out.
pub(crate) fn quote(text: &str, place: &Range<usize>) -> Text {
    let before = text.get(..place.start).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
    let skipped = before.chars().count().saturating_sub(AROUND);
    let before: String = before.chars().skip(skipped).collect();
    let here = text.get(place.clone()).unwrap_or_default();
    let after = text.get(place.end..).unwrap_or_default().split('\n').next().unwrap_or_default();
    let quoted: String = before.chars().chain(here.chars().take(SHOWN)).chain(after.chars().take(AROUND)).collect();
    let mut shown = String::with_capacity(quoted.len());
    for c in quoted.trim().chars() {
        if is_unseen(c) || is_tag(c) || (c.is_control() && c != '\n') {
            shown.push_str(&format!("[U+{:04X}]", u32::from(c)));
        } else {
            shown.push(c);
        }
    }
    Text::clipped(shown)
}

fn is_tag(c: char) -> bool {
    matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// As much of the end of a text as fits.
pub(crate) fn tail(text: &str, most: usize) -> &str {
    let from = text.len().saturating_sub(most);
    (from..=text.len()).find_map(|at| text.get(at..)).unwrap_or_default()
}

/// As much of the beginning of a text as fits.
pub(crate) fn head(text: &str, most: usize) -> &str {
    (0..=most.min(text.len())).rev().find_map(|at| text.get(..at)).unwrap_or_default()
}
