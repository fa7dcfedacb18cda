//! The journal in memory keeps what every journal promises; the faulty one breaks as it is told to, and no other way.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop")]

use std::sync::Arc;
use std::time::Duration;

use countersign_ledger::Keys;
use countersign_store::{Journal, StoreError};
use countersign_testkit::contract::modes;
use countersign_testkit::{Chance, Death, FaultyJournal, MemoryJournal, keeps_its_promises};

keeps_its_promises!(fresh);

mod when_nothing_breaks {
    countersign_testkit::keeps_its_promises!(super::sound);
}

#[tokio::test]
async fn a_full_disk_takes_nothing_until_there_is_room() {
    let (journal, memory) = sound();
    journal.fill(true);
    assert_eq!(journal.append(modes(0, 1)).await, Err(StoreError::Full));
    assert_eq!(*memory.head().borrow(), 0);
    journal.fill(false);
    assert_eq!(journal.append(modes(0, 1)).await, Ok(1));
}

#[tokio::test(start_paused = true)]
async fn who_dies_before_a_write_has_written_nothing_and_who_dies_after_it_has() {
    for (death, written) in [(Death::Before, 1), (Death::After, 2)] {
        let (journal, memory) = sound();
        journal.light(1, death);
        assert_eq!(journal.append(modes(0, 1)).await, Ok(1));
        let unheard = tokio::time::timeout(Duration::from_secs(1), journal.append(modes(1, 1))).await;
        assert!(unheard.is_err(), "nobody hears of it");
        assert!(*journal.dead().borrow());
        assert_eq!(*memory.head().borrow(), written);
        let read = tokio::time::timeout(Duration::from_secs(1), journal.after(0, 10)).await;
        assert!(read.is_err(), "the dead do not answer");
    }
}

#[test]
fn the_same_seed_gives_the_same_draws() {
    let draws = |seed| {
        let mut chance = Chance::new(seed);
        (0..8).map(|_| chance.below(100)).collect::<Vec<_>>()
    };
    assert_eq!(draws(1), draws(1));
    assert_ne!(draws(1), draws(2));
}

fn fresh() -> (MemoryJournal, ()) {
    (MemoryJournal::new(Keys::new([7; 32])), ())
}

fn sound() -> (FaultyJournal, MemoryJournal) {
    let (memory, ()) = fresh();
    (FaultyJournal::new(Arc::new(memory.clone()), Chance::new(7)), memory)
}
