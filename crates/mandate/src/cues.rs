//! What makes a number a limit.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use crate::read::number::Stated;
use crate::read::phrase::Phrases;
use crate::read::token::{Kind, Token};

/// Where the number is that a cue speaks of.
#[derive(Clone, Copy, Debug)]
enum Bound {
    /// After it.
    After,
    /// On either side.
    Either,
}

/// In a few languages, without accents.
static CUES: LazyLock<Phrases<Bound>> = LazyLock::new(|| {
    Phrases::new(&[
        (
            Bound::After,
            &[
                "at most|least",
                "up to",
                "no|not more|less|higher|lower than",
                "cant|cannot|wont|couldnt|wouldnt go|pay|accept|do|take|offer .. below|above|under|over|beyond|past|less|more|higher|lower",
                "not|never go|pay|accept|take .. below|above|under|over|beyond|less|more|higher|lower",
                "as high|low as",
                "best|most|least|lowest|highest i|we can|could|would|may|am|are",
                "stretch to",
                "hochstens|mindestens|maximal|minimal",
                "nicht mehr|weniger|unter|uber",
                "au plus|moins|maximum|minimum",
                "como maximo|minimo|mucho|poco",
                "al menos",
            ],
        ),
        (
            Bound::Either,
            &[
                "limit|limits|maximum|max|minimum|lowest|highest|ceiling|floor|budget|cap|threshold|reserve",
                "bottom|red line",
                "walk away",
                "walkaway|reservation",
                "have|need to stop",
                "absolute",
                "obergrenze|untergrenze|schmerzgrenze|grenze|limite|plafond|tope",
                "best i|we can|could do",
            ],
        ),
    ])
});

/// After these, what a cue speaks of follows.
const LEADING: [&str; 8] = ["of", "is", "at", "to", ":", "=", "around", "about"];

/// The numbers that are said to be a limit: the nearest to each cue, with no other between them.
pub(crate) fn limits(tokens: &[Token], stated: &[Stated]) -> BTreeSet<usize> {
    let mut limits = BTreeSet::new();
    for (bound, cue) in CUES.find(tokens) {
        let sentence = tokens.get(cue.start).map(|token| token.sentence);
        let here = |at: &usize| stated.get(*at).map(|number| number.sentence) == sentence;
        let next = stated.partition_point(|number| number.tokens.0 < cue.end);
        let ahead = stated.get(next).map(|number| number.tokens.0.saturating_sub(cue.end));
        let after = Some(next).filter(|at| here(at) && ahead.is_some_and(|ahead| ahead <= 10));
        let last = stated.partition_point(|number| number.tokens.1 <= cue.start).checked_sub(1);
        let behind = last.and_then(|last| stated.get(last)).map(|number| cue.start.saturating_sub(number.tokens.1));
        let before = last.filter(|at| here(at) && behind.is_some_and(|behind| behind <= 6));
        let leads = tokens
            .get(cue.end)
            .is_some_and(|token| token.kind == Kind::Number || LEADING.contains(&token.text.as_str()));
        limits.extend(after);
        match bound {
            Bound::After if after.is_none() => limits.extend(before),
            Bound::Either if !leads => limits.extend(before),
            Bound::After | Bound::Either => {}
        }
    }
    limits
}
