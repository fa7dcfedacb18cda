use countersign_kernel::{Negotiation, Side, Turn};

use crate::read::fold::Needle;
use crate::read::quote::quote;
use crate::{Concern, Finding, Whose};

/// A message of fewer words may well come twice.
const REPEATS_FROM: usize = 4;

/// A message that either side sent before, word for word. `by` says whose side the turn's is.
pub(crate) fn repeated(negotiation: &Negotiation, side: Side, turn: &Turn, by: Whose) -> Option<Finding> {
    let message = turn.message.as_ref()?;
    let words = Needle::new(message);
    if words.words().len() < REPEATS_FROM {
        return None;
    }
    let mut before = negotiation.turns().iter().enumerate();
    let (place, taken) = before.find(|(_, taken)| {
        taken.turn.message.as_ref().is_some_and(|message| Needle::new(message).letters() == words.letters())
    })?;
    let own = taken.side == side;
    Some(Finding::quoting(Concern::Repeated { by, own, turn: place + 1 }, quote(message, &(0..message.len()))))
}
