//! What a mandate may say, and what the guard finds.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on should stop")]
#![allow(unreachable_pub, reason = "nobody uses a test")]

mod asking;
mod covering;
mod facts;
mod incoming;
mod kit;
mod mandate;
mod numbers;
mod properties;
mod splitting;
mod terms;
