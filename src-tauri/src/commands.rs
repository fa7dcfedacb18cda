//! Everything the window may ask for. Each forwards to the core and does nothing else.

use countersign_api::PersonAct;
use countersign_api::types::{
    Digest, Figures, Folder, Live, Mode, NegotiationId, Opportunity, Problem, Snapshot, Thread,
};
use tauri::ipc::Channel;
use tauri::{State, Theme, WebviewWindow};

use crate::core::Core;
use crate::painted;

type Answer<T> = Result<T, Problem>;

#[tauri::command]
pub(crate) async fn start(core: State<'_, Core>) -> Answer<Snapshot> {
    core.api().await?.snapshot().await
}

#[tauri::command]
pub(crate) async fn thread(core: State<'_, Core>, id: NegotiationId) -> Answer<Thread> {
    core.api().await?.thread(&id).await
}

#[tauri::command]
pub(crate) async fn list(core: State<'_, Core>, folder: Folder, after: Opportunity) -> Answer<Vec<Opportunity>> {
    core.api().await?.list(folder, Some(after)).await
}

#[tauri::command]
pub(crate) async fn figures(core: State<'_, Core>) -> Answer<Figures> {
    core.api().await?.figures().await
}

/// Sends everything after `seq` to the window, until the window asks anew.
#[tauri::command]
pub(crate) async fn watch(core: State<'_, Core>, seq: u64, to: Channel<Live>) -> Answer<()> {
    let mut live = core.api().await?.watch(seq);
    let feed = tokio::spawn(async move {
        while let Some(message) = live.next().await {
            if to.send(message).is_err() {
                return;
            }
        }
    });
    if let Some(old) = core.feed.lock().await.replace(feed) {
        old.abort();
    }
    Ok(())
}

#[tauri::command]
pub(crate) async fn open_sample(core: State<'_, Core>) -> Answer<NegotiationId> {
    core.api().await?.open_sample().await
}

#[tauri::command]
pub(crate) async fn accept(core: State<'_, Core>, id: NegotiationId, digest: Digest) -> Answer<()> {
    core.api().await?.accept(&id, digest).await
}

#[tauri::command]
pub(crate) async fn decline(core: State<'_, Core>, id: NegotiationId, digest: Digest) -> Answer<()> {
    core.api().await?.decline(&id, digest).await
}

#[tauri::command]
pub(crate) async fn answer(core: State<'_, Core>, id: NegotiationId, approved: bool, remarks: &str) -> Answer<()> {
    core.api().await?.answer(&id, approved, remarks).await
}

#[tauri::command]
pub(crate) async fn send_now(core: State<'_, Core>, id: NegotiationId) -> Answer<()> {
    core.api().await?.act(&id, PersonAct::Send).await
}

#[tauri::command]
pub(crate) async fn set_mode(core: State<'_, Core>, mode: Mode) -> Answer<()> {
    core.api().await?.set_mode(mode, None).await
}

#[tauri::command]
pub(crate) async fn resume(core: State<'_, Core>) -> Answer<()> {
    core.api().await?.resume();
    Ok(())
}

/// The frame around the page follows the page's theme; without a name, the system's.
#[tauri::command]
pub(crate) fn set_theme(window: WebviewWindow, name: Option<&str>) {
    let theme = name.map(|name| if name == "dark" { Theme::Dark } else { Theme::Light });
    if let Err(error) = window.set_theme(theme) {
        log::warn!("the window frame keeps its theme: {error}");
    }
}

#[tauri::command]
pub(crate) async fn painted() {
    painted::tell();
}
