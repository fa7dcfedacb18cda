//! Many worlds, on all cores. Whatever fails is named by its seed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::disk::Kind;
use crate::tally::Tally;
use crate::world;

/// When there were enough.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Until {
    Seeds(u64),
    Time(Duration),
}

/// How often a long run says how far it is.
const WORD: Duration = Duration::from_secs(30);

/// Plays worlds from a seed on, and stops at the first that fails.
pub(crate) fn run(from: u64, until: Until, kind: Kind) -> Tally {
    let (began, next, has_failed) = (Instant::now(), AtomicU64::new(from), AtomicBool::new(false));
    let (tally, failed, word) = (Mutex::new(Tally::default()), Mutex::new(Vec::new()), Mutex::new(began));
    let is_over = |seed: u64| match until {
        Until::Seeds(count) => seed >= from + count,
        Until::Time(time) => began.elapsed() >= time,
    };
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if is_over(seed) || has_failed.load(Ordering::Relaxed) {
                return;
            }
            match catch_unwind(AssertUnwindSafe(|| world::play(seed, kind, false))) {
                Ok(played) => tally.lock().unwrap().add(played),
                Err(_) => {
                    has_failed.store(true, Ordering::Relaxed);
                    failed.lock().unwrap().push(seed);
                }
            }
            let mut last = word.lock().unwrap();
            if matches!(until, Until::Time(_)) && last.elapsed() >= WORD {
                *last = Instant::now();
                println!("at seed {seed} after {} s", began.elapsed().as_secs());
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(
        failed.is_empty(),
        "failed on {kind:?}: {}",
        failed.iter().map(|seed| format!("\n  {}", again(*seed))).collect::<String>()
    );
    let mut tally = tally.into_inner().unwrap();
    tally.took = began.elapsed().as_secs_f64();
    tally
}

/// Plays one world in memory, and one on a disk.
pub(crate) fn play(seed: u64, tells: bool) {
    for kind in [Kind::Memory, Kind::Sqlite] {
        println!("seed {seed} on {kind:?}");
        world::play(seed, kind, tells);
    }
}

fn again(seed: u64) -> String {
    format!("COUNTERSIGN_SEED={seed} cargo test -p countersign-engine --test simulation one_seed -- --nocapture")
}
