use countersign_api_types::Mode;
use leptos::prelude::*;

use super::ProblemCard;
use crate::desk::use_desk;

/// Under the header: negotiation is off, something stands still, something asked for did not work.
#[component]
pub(crate) fn Notices() -> impl IntoView {
    let desk = use_desk();
    let off = Memo::new(move |_| desk.state.with(|state| state.mode == Mode::Off));
    let trouble = Memo::new(move |_| desk.state.with(|state| state.trouble.clone()));
    let resume = Callback::new(move |()| desk.resume());
    let dismiss = Callback::new(move |()| desk.failed.set(None));
    view! {
        <div class="notices">
            <Show when=move || off.get()>
                <p class="notice" role="status">
                    <strong>"Negotiation is off."</strong>
                    " Your agent takes no turn, and nobody acts for you instead. What is under way waits where it is until you switch it on."
                </p>
            </Show>
            {move || trouble.get().map(|problem| view! { <ProblemCard problem retry=resume /> })}
            {move || desk.failed.get().map(|problem| view! { <ProblemCard problem dismiss /> })}
        </div>
    }
}
