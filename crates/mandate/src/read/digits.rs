//! Digits that stand apart and are one number: `12, 345`.

use std::ops::Range;

use super::token::{Kind, Token};

/// From this many digits on, pieces that make up a number are no accident.
const LONG: usize = 4;

/// Numbers with nothing but a space, a comma or a dot between them.
#[derive(Debug)]
pub(crate) struct Run {
    digits: String,
    /// Where in the digits each piece begins, and where in the text it is.
    pieces: Vec<(usize, Range<usize>)>,
}

pub(crate) fn runs(tokens: &[Token]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    let mut goes_on = None;
    for token in tokens {
        match token.kind {
            Kind::Word => goes_on = None,
            Kind::Mark if token.is(',') || token.is('.') => {}
            Kind::Mark => goes_on = None,
            Kind::Number => {
                if goes_on != Some(token.sentence) {
                    runs.push(Run { digits: String::new(), pieces: Vec::new() });
                }
                goes_on = Some(token.sentence);
                if let Some(run) = runs.last_mut() {
                    run.pieces.push((run.digits.len(), token.start..token.end));
                    run.digits.extend(token.text.chars().filter(char::is_ascii_digit));
                }
            }
        }
    }
    runs.retain(|run| run.pieces.len() > 1);
    runs
}

impl Run {
    /// Where these digits are, in more than one piece.
    pub(crate) fn find(&self, wanted: &str) -> Option<Range<usize>> {
        if wanted.len() < LONG || !wanted.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        self.pieces.iter().enumerate().find_map(|(at, (from, place))| {
            let to = from + wanted.len();
            let last = self.pieces.partition_point(|(start, _)| *start < to).checked_sub(1)?;
            let ends = self.pieces.get(last + 1).map_or(self.digits.len(), |(start, _)| *start) == to;
            let here = last > at && ends && self.digits.get(*from..)?.starts_with(wanted);
            here.then_some(place.start..self.pieces.get(last)?.1.end)
        })
    }
}
