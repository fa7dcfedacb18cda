//! Finds where each policy stands, and refuses what is too long or nested too deeply.
//!
//! Cedar's parser calls itself for every bracket and every `if`, and a stack that overflows ends the whole app. So
//! that is counted before the parser sees the text.

use std::ops::Range;

use crate::PolicyError;

/// The longest text that is read as policies, in bytes.
pub const MAX_POLICY_TEXT: usize = 256 * 1024;
/// The longest single policy, in bytes: a chain of operators is as deep as it is long.
const MAX_LENGTH: usize = 8 * 1024;
/// Brackets and `if`s inside of one another.
const MAX_DEPTH: usize = 12;

/// Where each policy stands, without the comments before it.
pub(crate) fn scan(text: &str) -> Result<Vec<Range<usize>>, PolicyError> {
    if text.len() > MAX_POLICY_TEXT {
        let reason = format!("the text has {} bytes, more than {MAX_POLICY_TEXT}", text.len());
        return Err(PolicyError::at(text, 0, reason));
    }
    let (mut policies, mut start, mut depth) = (Vec::new(), None, 0_usize);
    let mut rest = text;
    while !rest.is_empty() {
        let at = text.len() - rest.len();
        let (token, length) = token(rest);
        rest = rest.get(length..).unwrap_or_default();
        if let Token::Space = token {
            continue;
        }
        let begin = *start.get_or_insert(at);
        match token {
            Token::Space | Token::Other => {}
            Token::Deeper => depth += 1,
            Token::Back => depth = depth.saturating_sub(1),
            Token::End => {
                policies.push(begin..at + length);
                (start, depth) = (None, 0);
            }
        }
        if depth > MAX_DEPTH {
            return Err(PolicyError::at(text, at, format!("this is nested more than {MAX_DEPTH} deep")));
        }
        if at + length - begin > MAX_LENGTH {
            let reason = format!("this policy has more than {MAX_LENGTH} bytes: make two of it");
            return Err(PolicyError::at(text, begin, reason));
        }
    }
    Ok(policies)
}

enum Token {
    /// White space or a comment.
    Space,
    /// An opening bracket or an `if`, which nothing closes before the policy ends.
    Deeper,
    /// A closing bracket.
    Back,
    /// The end of a policy.
    End,
    Other,
}

/// The first token of a text that is not empty, and its length.
fn token(text: &str) -> (Token, usize) {
    let until = |stop: fn(char) -> bool| text.find(stop).unwrap_or(text.len());
    let Some(first) = text.chars().next() else { return (Token::Space, 0) };
    match first {
        '/' if text.starts_with("//") => (Token::Space, until(|c| matches!(c, '\n' | '\r'))),
        '(' | '[' | '{' => (Token::Deeper, 1),
        ')' | ']' | '}' => (Token::Back, 1),
        ';' => (Token::End, 1),
        '"' => (Token::Other, string(text)),
        c if c.is_whitespace() => (Token::Space, until(|c| !c.is_whitespace())),
        c if c.is_ascii_alphabetic() || c == '_' => {
            let length = until(|c| !c.is_ascii_alphanumeric() && c != '_');
            (if text.get(..length) == Some("if") { Token::Deeper } else { Token::Other }, length)
        }
        c => (Token::Other, c.len_utf8()),
    }
}

/// The length of a string with its quotes, or of what there is of it.
fn string(text: &str) -> usize {
    let mut escaped = true; // the opening quote ends nothing
    for (at, c) in text.char_indices() {
        match c {
            '"' if !escaped => return at + 1,
            '\\' if !escaped => escaped = true,
            _ => escaped = false,
        }
    }
    text.len()
}
