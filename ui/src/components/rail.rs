use countersign_api_types::Folder;
use leptos::prelude::*;
use leptos_router::components::A;

use crate::desk::use_desk;
use crate::words;

/// The way around: what needs the person first, then everything else.
#[component]
pub(crate) fn Rail() -> impl IntoView {
    view! {
        <nav class="rail" aria-label="Folders">
            <ul>{Folder::ALL.map(|folder| view! { <li><FolderLink folder /></li> })}</ul>
            <ul>
                <li><A href="/insights">"Insights"</A></li>
                <li><A href="/mandate">"Mandate"</A></li>
                <li><A href="/record">"Record"</A></li>
                <li><A href="/settings">"Settings"</A></li>
            </ul>
        </nav>
    }
}

#[component]
fn FolderLink(folder: Folder) -> impl IntoView {
    let desk = use_desk();
    let count = Memo::new(move |_| desk.state.with(|state| state.count(folder)));
    view! {
        <A href=format!("/{folder}")>
            <span>{words::folder(folder)}</span>
            <span class="count" class:urgent=folder == Folder::NeedsYou>
                {move || (count.get() > 0).then(|| count.get())}
            </span>
        </A>
    }
}
