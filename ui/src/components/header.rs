use countersign_api_types::Mode;
use leptos::prelude::*;

use super::Mark;
use crate::desk::use_desk;
use crate::state::Activity;

/// Who we are, search, what the agent is doing, and the switch.
#[component]
pub(crate) fn Header() -> impl IntoView {
    let desk = use_desk();
    let on = Memo::new(move |_| desk.state.with(|state| state.mode == Mode::On));
    let activity = Memo::new(move |_| desk.state.with(crate::state::State::activity));
    view! {
        <header class="header">
            <span class="brand">
                <Mark />
                "Countersign"
            </span>
            <label class="search">
                <span class="visually-hidden">"Search opportunities"</span>
                <input type="search" placeholder="Search" prop:value=desk.search on:input:target=move |event| desk.search.set(event.target().value()) />
                <kbd>"Ctrl K"</kbd>
            </label>
            <span class="agent" role="status">
                "Your agent: built-in · "
                <strong>
                    {move || match activity.get() {
                        Activity::Off => "off",
                        Activity::Stopped => "stopped",
                        Activity::Thinking => "thinking",
                        Activity::Listening => "listening",
                        Activity::Idle => "idle",
                    }}
                </strong>
            </span>
            <button class="switch" role="switch" aria-checked=move || on.get().to_string() aria-describedby="mode-means" on:click=move |_| desk.switch()>
                <span class="switch-name">"Negotiation"</span>
                <span class="switch-track" aria-hidden="true"></span>
                <span class="switch-state" aria-hidden="true">
                    {move || if on.get() { "On" } else { "Off" }}
                </span>
            </button>
            <span id="mode-means" class="visually-hidden">
                "On: your agent takes its turns. Off: it takes none, and what is under way waits."
            </span>
        </header>
    }
}
