//! Builds the window's files into `dist/`: the compiled UI, one stylesheet, and what is copied as it is.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use wasm_bindgen_cli_support::Bindgen;

use crate::install::Wasm;
use crate::run::{Profile, root, run, target};

pub(crate) fn build(wasm: &Wasm, profile: Profile) -> Result<()> {
    let name = match profile {
        Profile::Dev => "dev",
        Profile::Release => "window",
    };
    run(&mut wasm.cargo(&["build", "--quiet", "--package", "countersign-ui", "--profile", name]))?;
    let folder = if profile == Profile::Dev { "debug" } else { name };
    let built = target().join("wasm32-unknown-unknown").join(folder).join("countersign-ui.wasm");

    // Made beside and compared, so that the app is only built anew when the window has changed.
    let fresh = target().join("dist");
    if fresh.exists() {
        fs::remove_dir_all(&fresh)?;
    }
    fs::create_dir_all(&fresh)?;
    Bindgen::new()
        .input_path(&built)
        .remove_name_section(profile == Profile::Release)
        .web(true)
        .and_then(|bindgen| bindgen.typescript(false).out_name("countersign_ui").generate(&fresh))
        .map_err(|error| anyhow!("wasm-bindgen: {error:#}"))?;
    let ui = root().join("ui");
    fs::write(fresh.join("countersign.css"), stylesheet(&ui)?)?;
    fs::copy(ui.join("index.html"), fresh.join("index.html"))?;
    fs::copy(root().join("icons/countersign.svg"), fresh.join("countersign.svg"))?;
    for file in files(&ui.join("static"))? {
        fs::copy(&file, fresh.join(file.file_name().unwrap_or_default()))?;
    }
    put_in_place(&fresh, &root().join("dist"))
}

/// The tokens, then the base, then each component's own.
fn stylesheet(ui: &Path) -> Result<String> {
    let mut sheets = vec![ui.join("styles/tokens.css"), ui.join("styles/base.css"), ui.join("src/app.css")];
    for folder in ["src/components", "src/pages"] {
        sheets.extend(files(&ui.join(folder))?.into_iter().filter(|file| file.extension().is_some_and(|e| e == "css")));
    }
    let read = |file: &PathBuf| fs::read_to_string(file).with_context(|| format!("cannot read `{}`", file.display()));
    Ok(sheets.iter().map(read).collect::<Result<Vec<_>>>()?.join("\n"))
}

fn put_in_place(fresh: &Path, dist: &Path) -> Result<()> {
    fs::create_dir_all(dist)?;
    let fresh = files(fresh)?;
    for old in files(dist)? {
        if !fresh.iter().any(|file| file.file_name() == old.file_name()) {
            fs::remove_file(old)?;
        }
    }
    for file in fresh {
        let to = dist.join(file.file_name().unwrap_or_default());
        if fs::read(&to).ok() != Some(fs::read(&file)?) {
            fs::copy(&file, &to)?;
        }
    }
    Ok(())
}

/// The files of a folder, in order.
fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("cannot read `{}`", folder.display()))?;
    let mut files = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    files.retain(|file| file.is_file());
    files.sort();
    Ok(files)
}
