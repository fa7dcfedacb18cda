use leptos::prelude::*;

use crate::desk::use_desk;

/// The journal: what it is, where it is, how long it is.
#[component]
pub(crate) fn Record() -> impl IntoView {
    let desk = use_desk();
    let entries = Memo::new(move |_| desk.state.with(|state| state.seq));
    let home = Memo::new(move |_| desk.state.with(|state| state.home.clone()));
    view! {
        <main class="page">
            <h1>"Record"</h1>
            <p>"Everything that happens is written to one journal before you see it. Entries are added, never changed, never removed."</p>
            <dl class="facts">
                <dt>"Entries"</dt>
                <dd class="entries">{entries}</dd>
                <dt>"Kept in"</dt>
                <dd><code>{home}</code></dd>
            </dl>
        </main>
    }
}
