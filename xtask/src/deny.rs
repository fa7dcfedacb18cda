//! Licences, sources and banned crates, by cargo-deny. Known vulnerabilities need a database from elsewhere, so that
//! check is for people with a network: `cargo deny check advisories`.

use std::process::Command;

use anyhow::Result;

use crate::run::{cargo, root, run, target};

const VERSION: &str = "0.20.2";

pub(crate) fn deny() -> Result<()> {
    let tools = target().join("tools");
    let program = tools.join("bin/cargo-deny");
    if !program.exists() {
        println!("building cargo-deny {VERSION}");
        let mut install = cargo(&["install", "cargo-deny", "--locked", "--debug", "--quiet", "--version", VERSION]);
        run(install.arg("--root").arg(&tools).arg("--target-dir").arg(tools.join("build")))?;
    }
    run(Command::new(program).current_dir(root()).args(["check", "licenses", "bans", "sources"]))
}
