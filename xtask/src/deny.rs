//! Licences, sources and banned crates, by cargo-deny. Known vulnerabilities need a database from elsewhere, so that
//! check is for people with a network: `cargo deny check advisories`.

use std::process::Command;

use anyhow::Result;

use crate::install;
use crate::run::{root, run};

const VERSION: &str = "0.20.2";

pub(crate) fn deny() -> Result<()> {
    let program = install::tool("cargo-deny", VERSION)?;
    run(Command::new(program).current_dir(root()).args(["check", "licenses", "bans", "sources"]))
}
