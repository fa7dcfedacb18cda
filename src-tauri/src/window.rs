//! The one window: made once, remembered, brought to the front by a second start.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use tauri::{App, AppHandle, Manager, WebviewUrl, WebviewWindowBuilder};

use crate::commands;
use crate::core::Core;

/// The window's name, in the capability file too.
const MAIN: &str = "main";

/// Opens the window and stays until it is closed.
pub(crate) fn run(home: &Path) -> Result<(), String> {
    check_display()?;
    #[cfg(target_os = "linux")]
    draw_plainly();
    let app = build(home).map_err(|error| {
        if matches!(&error, tauri::Error::PluginInitialization(plugin, _) if plugin == "single-instance") {
            begin_anew();
        }
        format!("the window could not be opened: {error}")
    })?;
    app.run(|_, _| {});
    Ok(())
}

/// The first instance was on its way out when it was asked to come to the front, so this is the first one now. The
/// toolkit cannot be set up twice in one process: the process takes its own place, a few times at most.
#[cfg(unix)]
fn begin_anew() {
    use std::os::unix::process::CommandExt;
    const TRIES: &str = "COUNTERSIGN_TRIES";
    let tries: u32 = std::env::var(TRIES).ok().and_then(|tries| tries.parse().ok()).unwrap_or(0);
    let Ok(program) = std::env::current_exe() else { return };
    if tries < 20 {
        std::thread::sleep(Duration::from_millis(100));
        let failed = Command::new(program).args(std::env::args_os().skip(1)).env(TRIES, (tries + 1).to_string()).exec();
        log::warn!("cannot begin anew: {failed}");
    }
}

/// Elsewhere the first instance is found in a way that knows no such moment.
#[cfg(not(unix))]
fn begin_anew() {}

fn build(home: &Path) -> tauri::Result<App> {
    let context = tauri::generate_context!();
    let single = tauri_plugin_single_instance::Builder::new()
        .callback(|app, _, _| bring_to_front(app))
        .dbus_id(bus_name(&context.config().identifier, home))
        .build();
    let remembered =
        tauri_plugin_window_state::Builder::new().with_filename(home.join("window.json").to_string_lossy()).build();
    let opened = home.to_owned();
    tauri::Builder::default()
        .plugin(single)
        .plugin(remembered)
        .manage(Core::new(home.to_owned()))
        .invoke_handler(tauri::generate_handler![
            commands::start,
            commands::list,
            commands::figures,
            commands::thread,
            commands::watch,
            commands::open_sample,
            commands::accept,
            commands::decline,
            commands::answer,
            commands::send_now,
            commands::set_mode,
            commands::resume,
            commands::set_theme,
            commands::painted,
        ])
        .setup(move |app| open(app, &opened).map_err(Into::into))
        .build(context)
}

fn open(app: &mut App, home: &Path) -> tauri::Result<()> {
    // Meanwhile, so that the core is ready by the time the page asks. The page asks for a problem again, and shows it.
    let handle = app.handle().clone();
    tauri::async_runtime::spawn(async move { handle.state::<Core>().api().await.map(drop) });
    WebviewWindowBuilder::new(app, MAIN, WebviewUrl::default())
        .title("Countersign")
        .inner_size(1280.0, 800.0)
        .min_inner_size(640.0, 480.0)
        .data_directory(page_folder(home))
        .build()?;
    Ok(())
}

/// Text needs no graphics driver: without one the window starts sooner, takes less memory, and never stays blank because
/// of it. Whoever sets the variable themselves has their way.
#[cfg(target_os = "linux")]
fn draw_plainly() {
    if let Err(error) = webkit2gtk::glib::setenv("WEBKIT_DISABLE_DMABUF_RENDERER", "1", false) {
        log::warn!("the window is drawn through the graphics driver: {error}");
    }
}

/// Where the page keeps its preferences. A home that cannot hold them has a window all the same: it says what is wrong.
fn page_folder(home: &Path) -> PathBuf {
    let folder = home.join("window");
    match std::fs::create_dir_all(&folder) {
        Ok(()) => folder,
        Err(_) => std::env::temp_dir().join(format!("countersign-{}", std::process::id())),
    }
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
