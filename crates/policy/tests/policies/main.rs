//! What policies say, through the public API.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod amounts;
mod kit;
mod limits;
mod reading;
mod shipped;
mod simple;
mod verdicts;
