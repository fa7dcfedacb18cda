use countersign_api_types::{Opportunity, Status};
use leptos::prelude::*;

use crate::desk::use_desk;

/// Where the person decides. It never scrolls away, and says what each choice does before it is made.
#[component]
pub(crate) fn DecisionBar(#[prop(into)] opportunity: Signal<Option<Opportunity>>) -> impl IntoView {
    let desk = use_desk();
    let pending = Memo::new(move |_| {
        opportunity.with(|o| o.as_ref().filter(|o| o.status == Status::Pending && o.digest.is_some()).cloned())
    });
    move || {
        pending.get().map(|opportunity| {
            let (accepted, declined) = (opportunity.clone(), opportunity.clone());
            let told = if opportunity.sample { "It is a sample: nobody is told." } else { "The other side is told." };
            view! {
                <section class="decision" aria-label="Your decision">
                    <div class="decision-buttons">
                        <button class="primary" on:click=move |_| desk.accept(accepted.clone())>"Accept"</button>
                        <button on:click=move |_| desk.decline(declined.clone())>"Decline"</button>
                    </div>
                    <p>
                        "Accept takes it on as shown above; decline closes it. " {told}
                        " If you do nothing for a day, it expires and binds nobody."
                    </p>
                </section>
            }
        })
    }
}
