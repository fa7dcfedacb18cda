//! Words that are not an argument, and what is not words at all.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::Sign;
use crate::phrases::PHRASES;
use crate::read::glyph::is_unseen;
use crate::read::token::tokens;

/// As many characters without a space are no word, when they are mixed like this.
const BLOB: usize = 100;

/// Pieces of text, in lower case, that only programs write to programs.
const MARKS: [(Sign, &[&str]); 3] = [
    (
        Sign::RoleMarker,
        &[
            "<|im_start|>",
            "<|im_end|>",
            "<|system|>",
            "<|user|>",
            "<|assistant|>",
            "<|endoftext|>",
            "<|eot_id|>",
            "<|start_header_id|>",
            "[inst]",
            "[/inst]",
            "<<sys>>",
            "### instruction",
            "### system",
            "### response",
            "<system>",
            "</system>",
            "<assistant>",
            "\nsystem:",
            "\nassistant:",
            "\ndeveloper:",
            "\nhuman:",
        ],
    ),
    (
        Sign::ToolCall,
        &[
            "\"tool_calls\"",
            "\"tool_call\"",
            "\"tool_use\"",
            "\"function_call\"",
            "\"tool\":",
            "\"tool_name\"",
            "<tool_call",
            "<function_calls",
            "<function=",
            "<invoke",
            "\"jsonrpc\"",
            "```tool",
        ],
    ),
    (
        Sign::Markup,
        &[
            "<script",
            "<iframe",
            "<img",
            "<svg",
            "<style",
            "<object",
            "<embed",
            "<link",
            "<meta",
            "<form",
            "<a href",
            "<div",
            "<body",
            "<html",
            "onerror=",
            "onload=",
            "javascript:",
            "vbscript:",
            "data:text/html",
        ],
    ),
];

/// The first place of each sign in a text.
pub(crate) fn signs(text: &str) -> BTreeMap<Sign, Range<usize>> {
    let mut signs = BTreeMap::new();
    let tokens = tokens(text);
    for (sign, found) in PHRASES.find(&tokens) {
        let first = tokens.get(found.start).map(|token| token.start);
        let last = tokens.get(found.end.saturating_sub(1)).map(|token| token.end);
        if let Some((start, end)) = first.zip(last) {
            signs.entry(sign).or_insert(start..end);
        }
    }
    // As many bytes as before, so places stay; a line break in front so that the first line is one like the others.
    let lower = format!("\n{}", text.to_ascii_lowercase());
    for (sign, marks) in MARKS {
        let found =
            marks.iter().filter_map(|mark| lower.find(mark).map(|at| at.saturating_sub(1)..at + mark.len() - 1));
        if let Some(place) = found.min_by_key(|place| place.start) {
            signs.insert(sign, place);
        }
    }
    signs.extend(hidden(text).map(|place| (Sign::HiddenCharacters, place)));
    signs.extend(blob(text).map(|place| (Sign::Encoded, place)));
    signs
}

/// Characters that are there for programs. Those that join emoji and letters of some scripts are for people.
pub(crate) fn hidden(text: &str) -> Option<Range<usize>> {
    let mut before: Option<char> = None;
    let mut run = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let after = chars.peek().map(|(_, after)| *after);
        let plain = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
        run = if matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}') { run + 1 } else { 0 };
        let hides = match c {
            '\u{200c}' | '\u{200d}' | '\u{200e}' | '\u{200f}' | '\u{ad}' => plain(before) && plain(after),
            // Three flags are written with these.
            '\u{e0000}'..='\u{e007f}' => !matches!(before, Some('\u{1f3f4}' | '\u{e0061}'..='\u{e007a}')),
            '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}' => run > 2,
            '\u{feff}' => at > 0,
            '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'
            | '\u{1160}'
            | '\u{17b4}'
            | '\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{3164}'
            | '\u{ffa0}' => false,
            other => is_unseen(other),
        };
        if hides {
            return Some(at..at + c.len_utf8());
        }
        before = Some(c);
    }
    None
}

/// Something encoded.
fn blob(text: &str) -> Option<Range<usize>> {
    let encoded = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | '-' | '_');
    let mut start = 0;
    for piece in text.split_inclusive(|c| !encoded(c)) {
        let run = piece.trim_end_matches(|c| !encoded(c));
        let has = |kind: fn(&u8) -> bool| run.bytes().any(|byte| kind(&byte));
        if run.len() >= BLOB && has(u8::is_ascii_digit) && (has(u8::is_ascii_uppercase) || has(u8::is_ascii_lowercase))
        {
            return Some(start..start + run.len());
        }
        start += piece.len();
    }
    None
}
