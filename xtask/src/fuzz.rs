//! The fuzzer: libFuzzer through cargo-fuzz, on the stable compiler and without a sanitizer, since no code of ours is
//! unsafe. It starts from the committed corpus; what it learns stays in the build folder, what fails in `fuzz/artifacts`.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::install;
use crate::run::{root, run, target};

const VERSION: &str = "0.13.2";

/// How long each target runs unless somebody says otherwise.
const SECONDS: u64 = 60;

pub(crate) fn fuzz(args: &[&str]) -> Result<()> {
    let (only, seconds) = match args {
        [] => (None, None),
        ["--seconds", seconds] => (None, Some(*seconds)),
        [target] => (Some(*target), None),
        [target, "--seconds", seconds] => (Some(*target), Some(*seconds)),
        other => bail!("`{}` is not `[TARGET] [--seconds N]`", other.join(" ")),
    };
    let seconds = seconds.map_or(Ok(SECONDS), str::parse).context("how many seconds?")?;
    let all = targets()?;
    let targets = match only {
        None => all,
        Some(only) if all.iter().any(|target| target == only) => vec![only.into()],
        Some(other) => bail!("`{other}` is not a target; there are {}", all.join(", ")),
    };
    install::packages(&["build-essential"])?;
    install::tool("cargo-fuzz", VERSION)?;
    // The same versions as in the app; the fuzzer adds its own to them.
    fs::copy(root().join("Cargo.lock"), root().join("fuzz/Cargo.lock"))?;
    for target in targets {
        println!("── {target}, {seconds} s");
        one(&target, seconds)?;
    }
    Ok(())
}

fn one(name: &str, seconds: u64) -> Result<()> {
    let learned = target().join("fuzz/learned").join(name);
    fs::create_dir_all(&learned)?;
    let mut fuzz = Command::new(install::tool("cargo-fuzz", VERSION)?);
    fuzz.current_dir(root()).args(["fuzz", "run", "--sanitizer", "none", "--fuzz-dir", "fuzz", "--target-dir"]);
    // What is new is written to the first folder; the second is only read.
    fuzz.arg(target().join("fuzz")).arg(name).arg(learned).arg(root().join("fuzz/corpus").join(name));
    run(fuzz.arg("--").arg(format!("-max_total_time={seconds}")).args([
        "-timeout=60",
        "-verbosity=0",
        "-print_final_stats=1",
    ]))
    .context("what failed is in fuzz/artifacts; fix it, and keep it in fuzz/corpus under a name that says what it is")
}

/// Every target there is.
fn targets() -> Result<Vec<String>> {
    let mut targets = Vec::new();
    for file in fs::read_dir(root().join("fuzz/fuzz_targets"))? {
        targets.extend(file?.path().file_stem().map(|name| name.to_string_lossy().into_owned()));
    }
    targets.sort();
    Ok(targets)
}
