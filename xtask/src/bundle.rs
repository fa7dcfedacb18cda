//! A .deb from a release build: the app, the command line with its completions, a desktop entry and the icons.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::run::{Profile, cargo, output, root, run, target};
use crate::{app, install};

const DESKTOP_ENTRY: &str = "\
[Desktop Entry]
Type=Application
Name=Countersign
Comment=Your agent negotiates for you. Nothing binds until you countersign.
Exec=countersign-app
Icon=countersign
Terminal=false
Categories=Office;
StartupWMClass=countersign-app
";

pub(crate) fn bundle() -> Result<()> {
    let wasm = install::everything()?;
    println!("building for release (some minutes)");
    let program = app::build(&wasm, Profile::Release)?;
    run(cargo(&["build", "--quiet", "--package", "countersign-cli"]).args(Profile::Release.args()))?;
    let command = program.with_file_name("countersign");

    let tree = target().join("bundle/tree");
    if tree.exists() {
        fs::remove_dir_all(&tree)?;
    }
    for (program, name) in [(&program, "countersign-app"), (&command, "countersign")] {
        let place = tree.join("usr/bin").join(name);
        put(program, &place)?;
        fs::set_permissions(place, fs::Permissions::from_mode(0o755))?;
    }
    for (shell, place) in [
        ("bash", "bash-completion/completions/countersign"),
        ("zsh", "zsh/vendor-completions/_countersign"),
        ("fish", "fish/vendor_completions.d/countersign.fish"),
    ] {
        let script = output(Command::new(&command).args(["completions", shell]))?;
        write(&script, &tree.join("usr/share").join(place))?;
    }
    write(DESKTOP_ENTRY, &tree.join("usr/share/applications/countersign.desktop"))?;
    let icons = tree.join("usr/share/icons/hicolor");
    for (file, size) in [
        ("32x32.png", "32x32"),
        ("64x64.png", "64x64"),
        ("128x128.png", "128x128"),
        ("128x128@2x.png", "256x256"),
        ("icon.png", "512x512"),
    ] {
        put(&root().join("icons").join(file), &icons.join(size).join("apps/countersign.png"))?;
    }
    put(&root().join("icons/countersign.svg"), &icons.join("scalable/apps/countersign.svg"))?;
    put(&root().join("LICENSE-MIT"), &tree.join("usr/share/doc/countersign/copyright"))?;

    let version = env!("CARGO_PKG_VERSION");
    let architecture = output(Command::new("dpkg").arg("--print-architecture"))?;
    write(&control(version, &architecture), &tree.join("DEBIAN/control"))?;
    let package = target().join(format!("bundle/countersign_{version}_{architecture}.deb"));
    run(Command::new("dpkg-deb").args(["--root-owner-group", "--build"]).arg(&tree).arg(&package))?;
    println!("made {}; install it with: apt install ./{}", package.display(), name(&package));
    Ok(())
}

fn control(version: &str, architecture: &str) -> String {
    format!(
        "\
Package: countersign
Version: {version}
Architecture: {architecture}
Maintainer: The Countersign authors
Section: net
Priority: optional
Depends: libwebkit2gtk-4.1-0, libgtk-3-0t64 | libgtk-3-0
Description: your agent negotiates for you
 Countersign runs the negotiation engine for your own agent, shows every turn
 and the reasoning behind it, and leaves every decision to you.
"
    )
}

fn put(from: &Path, to: &Path) -> Result<()> {
    make_room(to)?;
    fs::copy(from, to).map(drop).with_context(|| format!("cannot copy `{}`", from.display()))
}

fn write(text: &str, to: &Path) -> Result<()> {
    make_room(to)?;
    fs::write(to, text).with_context(|| format!("cannot write `{}`", to.display()))
}

fn make_room(file: &Path) -> Result<()> {
    Ok(fs::create_dir_all(file.parent().context("a file has a folder")?)?)
}

fn name(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
