//! The real program, run as a person or a script would.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on should stop")]
#![allow(unreachable_pub, reason = "nobody uses a test")]

mod asked;
mod killed;
mod kit;
