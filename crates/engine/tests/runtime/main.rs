//! What the runtime promises.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on should stop")]
#![allow(unreachable_pub, reason = "nobody uses a test")]

mod driving;
mod failing;
mod kit;
mod limits;
mod races;
mod timers;
