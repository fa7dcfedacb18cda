//! The rules of the five protocols, each held by a test.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on should stop")]
#![allow(unreachable_pub, reason = "nobody uses a test")]

mod asp;
mod format;
mod hire;
mod index;
mod kit;
mod lcp;
mod opportunity;
mod person;
mod properties;
mod summit;
mod terms;
mod vectors;
mod views;
mod why;
