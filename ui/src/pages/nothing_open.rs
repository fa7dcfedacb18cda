use leptos::prelude::*;

/// The detail pane before anything is chosen.
#[component]
pub(crate) fn NothingOpen() -> impl IntoView {
    view! {
        <main class="detail nothing-open">
            <p>"Choose an opportunity to read what was said, why, and what it means for you."</p>
            <p class="hint"><kbd>"j"</kbd> " and " <kbd>"k"</kbd> " walk the list, " <kbd>"Enter"</kbd> " opens, " <kbd>"?"</kbd> " shows every key."</p>
        </main>
    }
}
