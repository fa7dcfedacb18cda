use countersign_api_types::{Folder, NegotiationId, Opportunity};
use leptos::prelude::*;
use leptos_router::components::{A, Outlet};
use leptos_router::hooks::{use_location, use_params_map};

use crate::components::SampleButton;
use crate::desk::use_desk;
use crate::words;

/// The list of one folder, and beside it what is open.
#[component]
pub(crate) fn FolderPage() -> impl IntoView {
    let desk = use_desk();
    let params = use_params_map();
    let location = use_location();
    let folder = Memo::new(move |_| {
        params.with(|params| params.get_str("folder").and_then(Folder::named)).unwrap_or(Folder::NeedsYou)
    });
    let open = Memo::new(move |_| {
        location.pathname.with(|path| path.split('/').nth(2).map(|id| NegotiationId(id.to_owned())))
    });
    let list = Memo::new(move |_| {
        let (folder, open, search) = (folder.get(), open.get(), desk.search.get());
        desk.state.with(|state| state.list(folder, &search, open.as_ref()))
    });
    let more = Memo::new(move |_| desk.state.with(|state| state.has_more(folder.get())));
    view! {
        <section class="list" aria-label=move || words::folder(folder.get())>
            <div class="list-head">
                <h1>{move || words::folder(folder.get())}</h1>
                <Show when=move || !list.with(Vec::is_empty) && matches!(folder.get(), Folder::NeedsYou | Folder::Live)>
                    <SampleButton />
                </Show>
            </div>
            <Show when=move || !list.with(Vec::is_empty) fallback=move || view! { <Empty folder /> }>
                <ul class="rows">
                    <For each=move || list.get() key=|o| o.id.clone() let:o>
                        <li>
                            <Row id=o.id folder list />
                        </li>
                    </For>
                </ul>
                <Show when=move || more.get()>
                    <button class="more" on:click=move |_| desk.show_more(folder.get())>"Show more"</button>
                </Show>
            </Show>
        </section>
        <Outlet />
    }
}

#[component]
fn Row(id: NegotiationId, folder: Memo<Folder>, list: Memo<Vec<Opportunity>>) -> impl IntoView {
    let desk = use_desk();
    let found = id.clone();
    let opportunity = Memo::new(move |_| list.with(|list| list.iter().find(|o| o.id == found).cloned()));
    view! {
        <A href=move || format!("/{}/{id}", folder.get()) attr:class="row">
            {move || {
                opportunity
                    .get()
                    .map(|o| {
                        view! {
                            <span class="row-title">{o.title.clone()}</span>
                            <span class="status" data-status=words::status(o.status)>{words::status(o.status)}</span>
                            <span class="row-line">{words::row(&o)}</span>
                            <span class="row-time">{words::ago(o.changed_at, desk.now.get())}</span>
                        }
                    })
            }}
        </A>
    }
}

#[component]
fn Empty(folder: Memo<Folder>) -> impl IntoView {
    let desk = use_desk();
    let searching = move || !desk.search.get().trim().is_empty();
    view! {
        <div class="empty">
            <Show when=searching fallback=move || view! { <p>{words::nothing_in(folder.get())}</p> <SampleButton /> }>
                <p>"Nothing here matches your search."</p>
                <button on:click=move |_| desk.search.set(String::new())>"Clear the search"</button>
            </Show>
        </div>
    }
}
