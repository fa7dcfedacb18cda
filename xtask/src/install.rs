//! Gets what building and testing needs: system packages, and the standard library for the window. Idempotent, and quick
//! when nothing is missing.

mod wasm;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};

use crate::run::{cargo, output, run, target};
pub(crate) use wasm::Wasm;

/// Debian's names.
const PACKAGES: &[&str] = &[
    "build-essential",
    "pkg-config",
    "libwebkit2gtk-4.1-dev",
    "webkit2gtk-driver",
    "xvfb",
    "openbox",
    "dbus",
    "procps",
    "python3",
    "fonts-dejavu-core",
];

/// Everything, or an error that says exactly what to install by hand.
pub(crate) fn everything() -> Result<Wasm> {
    packages(PACKAGES)?;
    wasm::ready()
}

/// Installs those of these packages that are missing.
pub(crate) fn packages(wanted: &[&str]) -> Result<()> {
    if !cfg!(target_os = "linux") {
        // Elsewhere the system brings its own web view, and there is no private screen to set up.
        return Ok(());
    }
    if !Path::new("/usr/bin/dpkg-query").exists() {
        return other_distribution();
    }
    let missing: Vec<&str> = wanted.iter().copied().filter(|package| !is_installed(package)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    println!("installing {}", missing.join(" "));
    let Some(mut update) = as_root("apt-get") else {
        bail!(
            "these packages are missing, and installing them needs root:\n\n    apt-get install {}\n",
            missing.join(" ")
        );
    };
    // An old list still installs most things; what it cannot, the next command says.
    let _ = run(update.args(["update", "-q"]).stdout(Stdio::null()));
    if let Some(mut install) = as_root("apt-get") {
        install.env("DEBIAN_FRONTEND", "noninteractive").stdout(Stdio::null());
        run(install.args(["install", "-q", "-y", "--no-install-recommends"]).args(&missing))?;
    }
    Ok(())
}

/// A program of cargo's, built beside what we build ourselves if it is not there yet.
pub(crate) fn tool(name: &str, version: &str) -> Result<PathBuf> {
    let tools = target().join("tools");
    let program = tools.join("bin").join(name);
    if !program.exists() {
        println!("building {name} {version}");
        let mut install = cargo(&["install", name, "--locked", "--debug", "--quiet", "--version", version]);
        run(install.arg("--root").arg(&tools).arg("--target-dir").arg(tools.join("build")))?;
    }
    Ok(program)
}

fn is_installed(package: &str) -> bool {
    let status = output(Command::new("dpkg-query").args(["-W", "-f=${db:Status-Status}", package]));
    status.is_ok_and(|status| status == "installed")
}

/// The command with the rights to install: as it is for root, through sudo where that needs no password or there is
/// somebody to type it.
fn as_root(program: &str) -> Option<Command> {
    if output(Command::new("id").arg("-u")).is_ok_and(|id| id == "0") {
        return Some(Command::new(program));
    }
    let sudo = Command::new("sudo").args(["-v"]).stdin(Stdio::inherit()).status();
    sudo.is_ok_and(|status| status.success()).then(|| {
        let mut sudo = Command::new("sudo");
        sudo.arg(program);
        sudo
    })
}

/// Without apt we do not install, but we can see whether what matters is there.
fn other_distribution() -> Result<()> {
    let webkit = output(Command::new("pkg-config").args(["--exists", "webkit2gtk-4.1"])).is_ok();
    let programs = ["cc", "Xvfb", "openbox", "dbus-daemon", "WebKitWebDriver"];
    let missing: Vec<&str> = programs.into_iter().filter(|program| !on_path(program)).collect();
    if webkit && missing.is_empty() {
        return Ok(());
    }
    let webkit = if webkit { "" } else { "  WebKitGTK 4.1 with its development files (webkit2gtk-4.1.pc)\n" };
    bail!(
        "this system has no apt, so please install by its own means:\n{webkit}{}",
        missing.iter().map(|program| format!("  {program}\n")).collect::<String>()
    )
}

pub(crate) fn on_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}
