//! The standard library for wasm32: from rustup, or built from Debian's sources where rustup cannot get it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::packages;
use crate::run::{cargo, output, run, target};

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// A compiler that can build for wasm32.
pub(crate) enum Wasm {
    /// The one that builds everything else.
    Rustup,
    /// Debian's, with a standard library built here.
    Debian { sysroot: PathBuf },
}

impl Wasm {
    /// Cargo, set up to build for wasm32.
    pub(crate) fn cargo(&self, args: &[&str]) -> Command {
        let mut cargo = cargo(args);
        cargo.args(["--target", TARGET]);
        if let Self::Debian { sysroot } = self {
            cargo
                .env("RUSTC", "/usr/bin/rustc")
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", format!("--sysroot={}", sysroot.display()))
                .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
        }
        cargo
    }
}

/// Finds it, or gets it.
pub(crate) fn ready() -> Result<Wasm> {
    if has_std() {
        return Ok(Wasm::Rustup);
    }
    println!("installing the standard library for {TARGET}");
    let added = Command::new("rustup").args(["target", "add", TARGET]).stderr(Stdio::null()).status();
    if added.is_ok_and(|status| status.success()) && has_std() {
        return Ok(Wasm::Rustup);
    }
    println!("rustup cannot get it; building it from Debian's sources");
    debian().context(format!("there is no standard library for {TARGET}; try: rustup target add {TARGET}"))
}

fn has_std() -> bool {
    let folder = output(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]));
    folder.is_ok_and(|folder| Path::new(&folder).is_dir())
}

/// Debian's compiler may build the standard library from the sources it ships; rustup's may not, being another version.
fn debian() -> Result<Wasm> {
    let sysroot = target().join("wasm-sysroot");
    let libraries = sysroot.join("lib/rustlib").join(TARGET).join("lib");
    packages(&["rustc-web", "cargo-web", "rust-web-src", "lld"])?;
    if libraries.is_dir() {
        return Ok(Wasm::Debian { sysroot });
    }
    let empty = target().join("wasm-std");
    fs::create_dir_all(empty.join("src"))?;
    fs::write(empty.join("Cargo.toml"), "[package]\nname = \"empty\"\nedition = \"2021\"\n[workspace]\n")?;
    fs::write(empty.join("src/lib.rs"), "")?;
    run(Command::new("/usr/bin/cargo")
        .args(["build", "--release", "--target", TARGET, "-Zbuild-std=std,panic_abort,proc_macro"])
        .current_dir(&empty)
        .env("RUSTC", "/usr/bin/rustc")
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_TARGET_DIR", empty.join("target"))
        .env_remove("CARGO")
        .env_remove("RUSTUP_TOOLCHAIN"))?;

    // Into place in one step, so that an interrupted build is not taken for a finished one.
    let half = sysroot.with_extension("half");
    let half_libraries = half.join("lib/rustlib").join(TARGET).join("lib");
    fs::create_dir_all(&half_libraries)?;
    for built in fs::read_dir(empty.join("target").join(TARGET).join("release/deps"))? {
        let built = built?.path();
        if built.extension().is_some_and(|extension| extension == "rlib") {
            fs::copy(&built, half_libraries.join(built.file_name().unwrap_or_default()))?;
        }
    }
    fs::rename(&half, &sysroot)?;
    Ok(Wasm::Debian { sysroot })
}
