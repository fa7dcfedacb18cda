//! A negotiator that breaks once where `COUNTERSIGN_FAULT` says, so that tests can see how the app bears it. Debug builds
//! only: no release build reads the variable.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use countersign_agents::{Brief, BuiltIn, Negotiator, Thinking};

/// The built-in negotiator, faulty if the environment asks for it.
pub(crate) fn negotiator() -> Arc<dyn Negotiator> {
    match std::env::var("COUNTERSIGN_FAULT").as_deref() {
        Ok("panic-on-third-turn") => Arc::new(PanicsOnce { done: AtomicBool::new(false) }),
        _ => Arc::new(BuiltIn),
    }
}

struct PanicsOnce {
    done: AtomicBool,
}

impl Negotiator for PanicsOnce {
    #[expect(clippy::panic, reason = "that is its purpose")]
    fn take_turn<'a>(&'a self, brief: Brief<'a>) -> Thinking<'a> {
        if brief.turns.len() == 2 && !self.done.swap(true, Ordering::Relaxed) {
            panic!("the fault that COUNTERSIGN_FAULT asked for");
        }
        BuiltIn.take_turn(brief)
    }
}
