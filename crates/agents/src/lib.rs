//! Who takes a turn: the built-in negotiator, and sample counterparts to try it with.
//!
//! A negotiator reads a [`Brief`] and returns one [`Turn`]. It decides nothing: the kernel may refuse the turn, and an
//! accept only recommends. It keeps no state between turns, so a restart loses none.

mod builtin;
mod samples;

use std::pin::Pin;

use countersign_kernel::{Actions, Opening, Side, TakenTurn, Text, Turn};

pub use builtin::BuiltIn;
pub use samples::sample;

/// Everything a negotiator may know when it is its turn.
#[derive(Clone, Copy, Debug)]
pub struct Brief<'a> {
    /// The match, both people, the evaluator's view.
    pub opening: &'a Opening,
    /// Whom it speaks for.
    pub side: Side,
    /// What was said so far.
    pub turns: &'a [TakenTurn],
    /// The moves that are open to it.
    pub allowed: Actions,
}

/// What speaks for a party.
pub trait Negotiator: Send + Sync {
    /// One move for this brief, in its own time. Whoever asks may lose patience and drop it.
    fn take_turn<'a>(&'a self, brief: Brief<'a>) -> Thinking<'a>;
}

/// A negotiator at work.
pub type Thinking<'a> = Pin<Box<dyn Future<Output = Result<Turn, AgentError>> + Send + 'a>>;

/// Why a negotiator has no move: what it says itself. That is not a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentError(pub Text);
