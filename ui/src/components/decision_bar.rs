use countersign_api_types::{Opportunity, Question, Status, Thread, Turn};
use leptos::prelude::*;

use crate::desk::use_desk;
use crate::words;

/// Where the person decides, or answers. It never scrolls away, and says what each choice does before it is made.
#[component]
pub(crate) fn DecisionBar(#[prop(into)] thread: Signal<Option<Thread>>) -> impl IntoView {
    move || {
        let thread = thread.get()?;
        let opportunity = thread.opportunity;
        let otherwise = thread.otherwise.map(|(then, at)| words::otherwise(&then, at));
        if let Some(question) = thread.question {
            return Some(view! { <Asked opportunity question otherwise /> }.into_any());
        }
        if let Some((draft, _)) = thread.draft {
            return Some(view! { <Drafted opportunity draft otherwise /> }.into_any());
        }
        (opportunity.status == Status::Pending && opportunity.digest.is_some())
            .then(|| view! { <Pending opportunity otherwise /> }.into_any())
    }
}

/// What the agents recommend.
#[component]
fn Pending(opportunity: Opportunity, otherwise: Option<String>) -> impl IntoView {
    let desk = use_desk();
    let (accepted, declined) = (opportunity.clone(), opportunity.clone());
    let told = if opportunity.sample { "It is a sample: nobody is told. " } else { "The other side is told. " };
    view! {
        <section class="decision" aria-label="Your decision">
            <div class="decision-buttons">
                <button class="primary" on:click=move |_| desk.accept(accepted.clone())>"Accept"</button>
                <button on:click=move |_| desk.decline(declined.clone())>"Decline"</button>
            </div>
            <p>"Accept takes it on as shown above; decline closes it. " {told} {otherwise}</p>
        </section>
    }
}

/// What the agent may not decide by itself.
#[component]
fn Asked(opportunity: Opportunity, question: Question, otherwise: Option<String>) -> impl IntoView {
    let desk = use_desk();
    let remarks = RwSignal::new(String::new());
    let Question { context, suggestion, draft, .. } = question;
    let sends = draft.is_some();
    let (yes, no) = (opportunity.id.clone(), opportunity.id);
    view! {
        <section class="decision asked" aria-label="Your agent asks">
            <p class="asked-context"><strong>"Your agent asks: "</strong> {context.to_string()}</p>
            {suggestion.map(|suggestion| view! { <p>{suggestion.to_string()}</p> })}
            {draft.map(|draft| view! { <Words draft label="It wants to say" /> })}
            <label class="asked-remarks">
                <span class="visually-hidden">"In your words"</span>
                <input type="text" placeholder="In your words (optional)" prop:value=remarks on:input:target=move |event| remarks.set(event.target().value()) />
            </label>
            <div class="decision-buttons">
                <button class="primary" on:click=move |_| desk.answer(yes.clone(), true, remarks.get_untracked())>
                    {if sends { "Yes, send it" } else { "Yes" }}
                </button>
                <button on:click=move |_| desk.answer(no.clone(), false, remarks.get_untracked())>"No"</button>
            </div>
            <p>
                {if sends { "Yes sends exactly this. No sends nothing; your agent finds other words. " } else { "Your agent goes on with your answer. " }}
                {otherwise}
            </p>
        </section>
    }
}

/// What the agent is about to say by itself.
#[component]
fn Drafted(opportunity: Opportunity, draft: Turn, otherwise: Option<String>) -> impl IntoView {
    let desk = use_desk();
    let id = opportunity.id;
    view! {
        <section class="decision asked" aria-label="About to be said">
            <Words draft label="About to be said" />
            <div class="decision-buttons">
                <button class="primary" on:click=move |_| desk.send_now(id.clone())>"Send now"</button>
            </div>
            <p>"Switch negotiation off to stop it. " {otherwise}</p>
        </section>
    }
}

#[component]
fn Words(draft: Turn, label: &'static str) -> impl IntoView {
    let terms = draft.terms.iter().map(|(name, value)| format!("{name} {value}")).collect::<Vec<_>>().join(", ");
    view! {
        <div class="asked-draft">
            <span class="label">{label}</span>
            <span class="chip" data-action=words::action(draft.action)>{words::action(draft.action)}</span>
            {terms}
            {draft.message.map(|message| view! { <blockquote class="turn-message">{message}</blockquote> })}
        </div>
    }
}
