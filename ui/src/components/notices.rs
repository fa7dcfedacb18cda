use countersign_api_types::Mode;
use leptos::prelude::*;

use super::ProblemCard;
use crate::desk::use_desk;

/// Under the header: negotiation is off, something stands still, something asked for did not work.
#[component]
pub(crate) fn Notices() -> impl IntoView {
    let desk = use_desk();
    let mode = Memo::new(move |_| desk.state.with(|state| state.mode));
    let trouble = Memo::new(move |_| desk.state.with(|state| state.trouble.clone()));
    let resume = Callback::new(move |()| desk.resume());
    let dismiss = Callback::new(move |()| desk.failed.set(None));
    view! {
        <div class="notices">
            <Show when=move || mode.get() == Mode::Off>
                <p class="notice" role="status">
                    <strong>"Negotiation is off."</strong>
                    " Your agent takes no turn, and nobody acts for you instead. What is under way waits where it is until you switch it on."
                </p>
            </Show>
            <Show when=move || mode.get() == Mode::Stopped>
                <p class="notice" role="status">
                    <strong>"Everything is stopped."</strong>
                    " Nothing is said and nothing is taken in until you switch negotiation on. Deadlines of the protocols still pass."
                </p>
            </Show>
            {move || trouble.get().map(|problem| view! { <ProblemCard problem retry=resume /> })}
            {move || desk.failed.get().map(|problem| view! { <ProblemCard problem dismiss /> })}
        </div>
    }
}
