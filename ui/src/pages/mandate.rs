use leptos::prelude::*;

/// What the agent may and may not do, as it is in force.
#[component]
pub(crate) fn Mandate() -> impl IntoView {
    view! {
        <main class="page">
            <h1>"Mandate"</h1>
            <p>"What your agent may do for you, and what it may not."</p>
            <h2>"It may"</h2>
            <ul>
                <li>"argue from your profile, ask, and answer"</li>
                <li>"turn a match down, with its reason"</li>
                <li>"recommend a match to you"</li>
            </ul>
            <h2>"It may never"</h2>
            <ul>
                <li>"bind you: only your own decision on exactly what you were shown does"</li>
                <li>"take a turn while negotiation is off"</li>
                <li>"go past the number of turns that the rules set"</li>
            </ul>
            <p class="hint">
                "These rules are fixed. Limits and wishes of your own are set on the command line: countersign mandate FILE. What crosses one is not sent; you are asked here."
            </p>
        </main>
    }
}
