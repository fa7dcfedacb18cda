//! The one window: made once, remembered, brought to the front by a second start.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use tauri::{App, AppHandle, Manager, WebviewUrl, WebviewWindowBuilder};

use crate::commands;
use crate::core::Core;

/// The window's name, in the capability file too.
const MAIN: &str = "main";

/// Opens the window and stays until it is closed.
pub(crate) fn run(home: PathBuf) -> Result<(), String> {
    check_display()?;
    let context = tauri::generate_context!();
    let single = tauri_plugin_single_instance::Builder::new()
        .callback(|app, _, _| bring_to_front(app))
        .dbus_id(bus_name(&context.config().identifier, &home))
        .build();
    let remembered =
        tauri_plugin_window_state::Builder::new().with_filename(home.join("window.json").to_string_lossy()).build();
    tauri::Builder::default()
        .plugin(single)
        .plugin(remembered)
        .manage(Core::new(home.clone()))
        .invoke_handler(tauri::generate_handler![
            commands::start,
            commands::thread,
            commands::watch,
            commands::open_sample,
            commands::accept,
            commands::decline,
            commands::set_mode,
            commands::resume,
            commands::set_theme,
            commands::painted,
        ])
        .setup(move |app| open(app, &home).map_err(Into::into))
        .run(context)
        .map_err(|error| format!("the window could not be opened: {error}"))
}

fn open(app: &mut App, home: &Path) -> tauri::Result<()> {
    // Opened here so that the core is ready by the time the page asks; a problem is kept for the page to show.
    let opened = tauri::async_runtime::block_on(app.state::<Core>().api());
    WebviewWindowBuilder::new(app, MAIN, WebviewUrl::default())
        .title("Countersign")
        .inner_size(1280.0, 800.0)
        .min_inner_size(640.0, 480.0)
        .data_directory(home.join("window"))
        // A folder that cannot be written to cannot hold the page's preferences either.
        .incognito(opened.is_err())
        .build()?;
    Ok(())
}

fn bring_to_front(app: &AppHandle) {
    let Some(window) = app.get_webview_window(MAIN) else { return };
    log::info!("a second start: the window comes to the front");
    let shown = window.unminimize().and_then(|()| window.show()).and_then(|()| window.set_focus());
    if let Err(error) = shown {
        log::warn!("the window could not be brought to the front: {error}");
    }
}

/// One instance per data folder: another folder is another app.
fn bus_name(identifier: &str, home: &Path) -> String {
    let mut hasher = DefaultHasher::new();
    home.hash(&mut hasher);
    format!("{identifier}.h{:016x}", hasher.finish())
}

/// A window needs a screen; say so before the toolkit gives up in its own words.
fn check_display() -> Result<(), String> {
    let there = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(target_os = "linux") && !there("DISPLAY") && !there("WAYLAND_DISPLAY") {
        return Err("there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set). \
                    Start it from a desktop session, or under Xvfb: cargo xtask app does that by itself"
            .into());
    }
    Ok(())
}
