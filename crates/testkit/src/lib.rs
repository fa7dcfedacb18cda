//! What tests of several crates share: the promises of a journal, a journal in memory, one that breaks when it is told
//! to, and chance that can be had again. Nothing that is shipped depends on it.
//!
//! There is no clock here and no simulation: time is the engine's, and so is what runs on it.

mod chance;
pub mod contract;
mod faulty;
mod memory;

pub use chance::Chance;
pub use faulty::{Death, FaultyJournal};
pub use memory::MemoryJournal;
