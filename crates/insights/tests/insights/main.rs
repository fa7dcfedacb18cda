//! What the insights count, through the public API, mostly from negotiations that the kernel has run.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on should stop")]
#![allow(unreachable_pub, reason = "nobody uses a test")]

mod alerts;
mod audit;
mod fold;
mod kit;
mod metrics;
mod periods;
mod person;
mod properties;
mod themes;
mod week;
