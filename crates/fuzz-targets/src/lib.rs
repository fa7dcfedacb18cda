//! What must hold whatever bytes come in: one function for everything that reads foreign bytes. The fuzzer runs them on
//! bytes it makes up, the tests on the committed corpus and on what is near it. Nothing of the app depends on this.
//!
//! A new target is a file here, a line in [`TARGETS`], a program in `fuzz/fuzz_targets` with its lines in
//! `fuzz/Cargo.toml`, and a corpus in `fuzz/corpus`; a test says which of these is missing.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "whatever does not hold stops the target"
)]

mod canonical;
mod commands;
mod events;
mod export;
mod guard;
mod journal_file;
mod key_file;
mod mandate;
mod mask;
mod opening;
mod policies;
mod proof;
mod reader;
mod table;
mod turn;

pub use canonical::canonical;
pub use commands::commands;
pub use events::events;
pub use export::export;
pub use guard::guard;
pub use journal_file::journal_file;
pub use key_file::key_file;
pub use mandate::mandate;
pub use mask::mask;
pub use opening::opening;
pub use policies::policies;
pub use proof::{documents, proof};
pub use turn::turn;

/// Checks everything that must hold for these bytes. Says whether they were what the target reads, or were refused.
pub type Target = fn(&[u8]) -> bool;

/// Every target, by name.
pub const TARGETS: [(&str, Target); 13] = [
    ("canonical", canonical),
    ("commands", commands),
    ("events", events),
    ("export", export),
    ("guard", guard),
    ("journal_file", journal_file),
    ("key_file", key_file),
    ("mandate", mandate),
    ("mask", mask),
    ("opening", opening),
    ("policies", policies),
    ("proof", proof),
    ("turn", turn),
];

/// The secret of the journal and of the known signer in the corpus.
pub const SECRET: [u8; 32] = [7; 32];
