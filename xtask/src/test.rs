//! Every check and test there is, a line per stage.

use std::time::{Duration, Instant};

use anyhow::Result;

use crate::install::{self, Wasm};
use crate::run::{Profile, cargo, run, target};
use crate::{app, deny, ui};

/// The crates that must stay pure enough to run anywhere.
const PURE: [&str; 6] = [
    "countersign-kernel",
    "countersign-ledger",
    "countersign-mandate",
    "countersign-insights",
    "countersign-agents",
    "countersign-api-types",
];

pub(crate) fn test() -> Result<()> {
    let mut stages = Stages::default();
    let wasm = stages.run("install what is missing", install::everything)?;
    stages.run("format", || run(&mut cargo(&["fmt", "--all", "--check"])))?;
    stages.run("licences and sources", deny::deny)?;
    stages.run("the window's files", || ui::build(&wasm, Profile::Dev))?;
    stages.run("clippy, native", || {
        run(cargo(&["clippy", "--quiet", "--workspace", "--all-targets"]).args(["--", "-D", "warnings"]))
    })?;
    stages.run("clippy, wasm32", || lint_window(&wasm))?;
    stages.run("pure crates build for wasm32", || pure(&wasm))?;
    stages.run("tests, native", || {
        run(&mut cargo(&["test", "--quiet", "--workspace", "--exclude", "countersign-e2e"]))
    })?;
    stages.run("every way a small negotiation can go", || {
        let mut model = cargo(&["test", "--quiet", "--package", "countersign-kernel", "--lib"]);
        run(model.args(["--", "--ignored", "--nocapture", "model::large"]))
    })?;
    stages.run("build the app", || app::build(&wasm, Profile::Dev))?;
    stages.run("tests in the real window", || window_tests(&[]))?;
    stages.close();
    Ok(())
}

pub(crate) fn e2e(filter: &[&str]) -> Result<()> {
    let wasm = install::everything()?;
    app::build(&wasm, Profile::Dev)?;
    window_tests(filter)
}

/// Every screen in both themes and two sizes, to look at.
pub(crate) fn pictures() -> Result<()> {
    e2e(&["--ignored", "pictures"])?;
    println!("the pictures are in {}", target().join("tmp/pictures").display());
    Ok(())
}

fn window_tests(filter: &[&str]) -> Result<()> {
    let app = target().join("debug/countersign-app");
    let app = std::env::var_os("COUNTERSIGN_APP").unwrap_or_else(|| app.into());
    let mut tests = cargo(&["test", "--quiet", "--package", "countersign-e2e", "--test", "window"]);
    run(tests.env("COUNTERSIGN_APP", app).args(["--", "--test-threads", "2"]).args(filter))
}

fn lint_window(wasm: &Wasm) -> Result<()> {
    let package = ["--quiet", "--package", "countersign-ui"];
    match wasm {
        Wasm::Rustup => run(wasm.cargo(&["clippy"]).args(package).args(["--", "-D", "warnings"])),
        Wasm::Debian { .. } => {
            println!("our clippy does not fit Debian's compiler: only compiling");
            run(wasm.cargo(&["check"]).args(package))
        }
    }
}

fn pure(wasm: &Wasm) -> Result<()> {
    let mut check = wasm.cargo(&["check", "--quiet"]);
    run(check.args(PURE.iter().flat_map(|package| ["--package", package])))
}

/// What was done and how long it took.
#[derive(Default)]
struct Stages(Vec<(&'static str, Duration)>);

impl Stages {
    fn run<T>(&mut self, name: &'static str, stage: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("── {name}");
        let began = Instant::now();
        let done =
            stage().inspect_err(|_| println!("── {name}: failed after {:.1} s", began.elapsed().as_secs_f64()))?;
        self.0.push((name, began.elapsed()));
        println!("── {name}: {:.1} s", began.elapsed().as_secs_f64());
        Ok(done)
    }

    fn close(&self) {
        println!("\nall stages passed");
        for (name, took) in &self.0 {
            println!("{:>8.1} s  {name}", took.as_secs_f64());
        }
        let total: Duration = self.0.iter().map(|(_, took)| *took).sum();
        println!("{:>8.1} s  together", total.as_secs_f64());
    }
}
