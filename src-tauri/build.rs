//! Declares the commands that the window may call, so that each needs a permission of its own.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // `cargo check` in a fresh clone has no built window yet; `cargo xtask app` builds one first.
    std::fs::create_dir_all("../dist")?;
    let commands = tauri_build::AppManifest::new().commands(&[
        "start",
        "list",
        "figures",
        "thread",
        "watch",
        "open_sample",
        "accept",
        "decline",
        "answer",
        "send_now",
        "set_mode",
        "resume",
        "set_theme",
        "painted",
    ]);
    tauri_build::try_build(tauri_build::Attributes::new().app_manifest(commands))?;
    Ok(())
}
