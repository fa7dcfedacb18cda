//! Whole worlds on a fake clock: a person, their agents and those of others, a disk that fills up, a clock that jumps, a
//! process that dies between any two writes. What is in the journal afterwards is held to the kernel's rules.
//!
//! A world follows from its seed. One that fails says which it was, and `COUNTERSIGN_SEED=… one_seed` plays it again.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should stop"
)]
#![allow(clippy::print_stdout, reason = "a soak says how far it is")]

mod acts;
mod book;
mod check;
mod disk;
mod openings;
mod replay;
mod scripted;
mod tally;
mod world;
mod worlds;

use std::time::Duration;

use crate::disk::Kind;
use crate::worlds::Until;

/// How many worlds are tried in the ordinary tests.
const SEEDS: u64 = 2_000;

#[test]
fn whatever_happens_in_a_world_its_journal_keeps_the_rules() {
    let tally = worlds::run(0, Until::Seeds(SEEDS), Kind::Memory);
    println!("{tally}");
    // What is tried is worth trying: it gets everywhere.
    tally.check_reach();
}

#[test]
fn on_a_real_disk_too() {
    worlds::run(1_000_000, Until::Seeds(40), Kind::Sqlite);
}

#[test]
fn the_same_seed_makes_the_same_history() {
    for seed in 0..25 {
        let (once, again) = (world::history(seed), world::history(seed));
        let differs = once.iter().zip(&again).position(|(one, other)| one != other);
        assert_eq!(
            differs,
            None,
            "seed {seed}: {:?} and {:?}",
            differs.map(|at| &once[at]),
            differs.map(|at| &again[at])
        );
        assert_eq!(once.len(), again.len(), "seed {seed}");
    }
}

/// Plays one world, and tells what happened in it: `COUNTERSIGN_SEED=17 cargo test -p countersign-engine --test simulation
/// one_seed -- --nocapture`.
#[test]
fn one_seed() {
    let seed = number("COUNTERSIGN_SEED");
    worlds::play(seed.unwrap_or(1), seed.is_some());
}

/// As many worlds as fit: `cargo xtask soak`.
#[test]
#[ignore = "takes as long as it is given"]
fn soak() {
    let minutes = number("COUNTERSIGN_MINUTES").unwrap_or(10);
    let from = number("COUNTERSIGN_FROM").unwrap_or(SEEDS);
    let tally = worlds::run(from, Until::Time(Duration::from_secs(60 * minutes)), Kind::Memory);
    println!("{tally}");
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|text| text.parse().expect("a number"))
}
