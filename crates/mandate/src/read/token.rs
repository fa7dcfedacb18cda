//! A text as words, numbers and marks.

use super::glyph::{Glyph, glyphs};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    /// Digits, with separators between them.
    Number,
    Mark,
}

/// A piece of a text.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Nothing stands between it and the one before.
    pub(crate) glued: bool,
    /// In which sentence, counted from 0.
    pub(crate) sentence: usize,
}

impl Token {
    pub(crate) fn is(&self, mark: char) -> bool {
        self.kind == Kind::Mark && self.text.starts_with(mark)
    }
}

/// A full stop after these does not end a sentence.
const SHORT: [&str; 12] = ["max", "min", "approx", "ca", "abs", "no", "incl", "excl", "vs", "mr", "ms", "dr"];

pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let glyphs = glyphs(text);
    let mut tokens: Vec<Token> = Vec::new();
    let (mut at, mut sentence, mut glued) = (0, 0, false);
    while let Some(glyph) = glyphs.get(at) {
        if glyph.c.is_whitespace() {
            sentence += usize::from(glyph.c == '\n');
            glued = false;
            at += 1;
            continue;
        }
        let (kind, end) = piece(&glyphs, at);
        let part = glyphs.get(at..end).unwrap_or_default();
        let text: String = part.iter().map(|glyph| glyph.c).filter(|c| kind != Kind::Word || *c != '\'').collect();
        let ends = kind == Kind::Mark && ends_sentence(glyph.c, glyphs.get(end), tokens.last());
        tokens.push(Token {
            kind,
            text,
            start: glyph.start,
            end: part.last().map_or(glyph.end, |last| last.end),
            glued,
            sentence,
        });
        sentence += usize::from(ends);
        glued = true;
        at = end;
    }
    tokens
}

/// What begins here, and where it ends.
fn piece(glyphs: &[Glyph], at: usize) -> (Kind, usize) {
    let c = |at: usize| glyphs.get(at).map_or(' ', |glyph| glyph.c);
    if c(at).is_ascii_digit() {
        return (Kind::Number, number(&c, at));
    }
    if !c(at).is_alphabetic() {
        return (Kind::Mark, at + 1);
    }
    let mut end = at + 1;
    while c(end).is_alphabetic() || (c(end) == '\'' && c(end + 1).is_alphabetic()) {
        end += 1;
    }
    (Kind::Word, end)
}

fn number(c: &impl Fn(usize) -> char, at: usize) -> usize {
    let digits = |from: usize| (from..).take_while(|at| c(*at).is_ascii_digit()).count();
    let first = digits(at);
    let mut end = at + first;
    loop {
        let next = digits(end + 1);
        let goes_on = match c(end) {
            '.' | ',' | '\'' | '_' => next > 0,
            // A space groups thousands and nothing else.
            ' ' => next == 3 && first <= 3,
            _ => false,
        };
        if !goes_on {
            return end;
        }
        end += 1 + next;
    }
}

fn ends_sentence(mark: char, next: Option<&Glyph>, before: Option<&Token>) -> bool {
    let apart = next.is_none_or(|next| next.c.is_whitespace());
    let short = before.is_some_and(|before| SHORT.contains(&before.text.as_str()));
    match mark {
        '.' => apart && !short,
        '!' | '?' | ';' => apart,
        _ => false,
    }
}
