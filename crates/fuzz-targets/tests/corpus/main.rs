//! The committed corpus, and what is near it, through the very functions that the fuzzer runs.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on should stop")]

mod mutate;

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use countersign_fuzz_targets::{TARGETS, Target};
use mutate::Mutator;

#[test]
fn every_target_has_its_program_and_its_corpus() {
    let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
    let programs: BTreeSet<&str> =
        manifest.split("[[bin]]\nname = \"").skip(1).map(|bin| bin.split('"').next().unwrap()).collect();
    let folders: Vec<String> = fs::read_dir(root().join("fuzz/corpus")).unwrap().map(name).collect();
    let targets: BTreeSet<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
    assert_eq!(programs, targets);
    assert_eq!(folders.iter().map(String::as_str).collect::<BTreeSet<_>>(), targets);
    for target in targets {
        let program = fs::read_to_string(root().join(format!("fuzz/fuzz_targets/{target}.rs"))).unwrap();
        assert!(program.contains(&format!("countersign_fuzz_targets::{target}(bytes)")), "{target}");
    }
}

/// A corpus of which nothing is read any more, because a format has changed, would test nothing.
#[test]
fn what_the_corpus_calls_hostile_is_refused_and_most_of_the_rest_is_read() {
    for (target, check) in TARGETS {
        let (mut read, mut all) = (0, 0);
        for (name, bytes) in corpus(target) {
            let is_read = holds(target, check, &bytes);
            let is_hostile = name.starts_with("hostile-");
            assert!(!(is_read && is_hostile), "{target}/{name} is read");
            read += usize::from(is_read);
            all += usize::from(!is_hostile);
        }
        assert!(read * 2 > all, "only {read} of {all} in the corpus of {target} are read");
    }
}

/// Makes a test of each target, so that they run beside each other: this many changes of each file.
macro_rules! what_is_near_the_corpus_holds {
    ($($target:ident: $changes:literal)*) => {
        $(
            #[test]
            fn $target() {
                near(stringify!($target), countersign_fuzz_targets::$target, $changes);
            }
        )*

        #[test]
        fn is_tried_for_every_target() {
            assert_eq!([$(stringify!($target)),*], TARGETS.map(|(name, _)| name));
        }
    };
}

mod what_is_near_the_corpus_holds {
    use super::{TARGETS, near};

    // As many as all of them together do in some seconds.
    what_is_near_the_corpus_holds! {
        canonical: 1000
        commands: 50
        events: 50
        export: 300
        guard: 50
        journal_file: 15
        key_file: 15
        mandate: 300
        mask: 100
        opening: 300
        policies: 50
        proof: 100
        turn: 30
    }
}

fn near(target: &str, check: Target, changes: u32) {
    let files = corpus(target);
    for (seed, (_, bytes)) in (1..).zip(&files) {
        let other = &files[usize::try_from(seed).unwrap() * 7 % files.len()].1;
        let mut mutator = Mutator::new(seed);
        for _ in 0..changes {
            holds(target, check, &mutator.change(bytes, other));
        }
    }
}

/// Runs a target; what does not hold is kept in a file, to be run again.
#[track_caller]
fn holds(target: &str, check: Target, bytes: &[u8]) -> bool {
    catch_unwind(AssertUnwindSafe(|| check(bytes))).unwrap_or_else(|_| {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("failed-{target}"));
        fs::write(&kept, bytes).unwrap();
        panic!("{target} does not hold for the bytes in {}", kept.display())
    })
}

/// In the order of their names, so that every run is the same.
fn corpus(target: &str) -> Vec<(String, Vec<u8>)> {
    let folder = root().join("fuzz/corpus").join(target);
    let mut names: Vec<String> = fs::read_dir(&folder).unwrap().map(name).collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), fs::read(folder.join(name)).unwrap())).collect()
}

fn name(entry: std::io::Result<fs::DirEntry>) -> String {
    entry.unwrap().file_name().into_string().unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}
