use countersign_api_types::{Action, Awaiting, Mode, Side, Thread, Turn};
use leptos::prelude::*;

use crate::desk::use_desk;
use crate::words;

/// What was said, oldest first, and who is thinking now. New turns appear at the end as they are taken.
#[component]
pub(crate) fn TurnRail(#[prop(into)] thread: Signal<Option<Thread>>) -> impl IntoView {
    let desk = use_desk();
    let turns = Memo::new(move |_| thread.with(|t| t.as_ref().map(|t| t.turns.clone()).unwrap_or_default()));
    let ours = Memo::new(move |_| thread.with(|t| t.as_ref().map(|t| t.opportunity.ours)));
    let thinking = Memo::new(move |_| {
        let moving = desk.state.with(|state| state.mode == Mode::On && state.trouble.is_none());
        thread.with(|t| match t.as_ref().map(|t| (t.opportunity.awaiting.clone(), &t.opportunity)) {
            Some((Awaiting::Agent(side), opportunity)) if moving => Some(words::thinking(opportunity, side)),
            Some(_) | None => None,
        })
    });
    view! {
        <ol class="turns" aria-label="Turns" aria-live="polite">
            <For each=move || turns.get() key=|turn| turn.number let:turn>
                <TurnCard own=ours.get_untracked() == Some(turn.side) turn />
            </For>
        </ol>
        {move || thinking.get().map(|text| view! { <p class="thinking">{text}</p> })}
    }
}

#[component]
fn TurnCard(own: bool, turn: Turn) -> impl IntoView {
    let time = js_sys::Date::new(&wasm_bindgen::JsValue::from_f64(millis(&turn)));
    let side = match turn.side {
        Side::Initiator => "initiator",
        Side::Responder => "responder",
    };
    view! {
        <li class="turn" class:own=own data-side=side>
            <div class="turn-head">
                <span class="turn-number">{turn.number}</span>
                <span class="chip" data-action=words::action(turn.action)>
                    <span aria-hidden="true">{shape(turn.action)}</span>
                    {words::action(turn.action)}
                </span>
                <span class="turn-speaker">
                    {if own { "Your agent".to_owned() } else { format!("Agent of {}", turn.speaker) }}
                </span>
                <time class="turn-time">{String::from(time.to_locale_time_string("en-GB"))}</time>
            </div>
            {turn.message.map(|message| view! { <blockquote class="turn-message">{message}</blockquote> })}
            <p class="turn-reasoning">
                <span class="label">{if own { "Why · never sent" } else { "Why" }}</span>
                {turn.reasoning}
            </p>
            {turn
                .roles
                .map(|roles| {
                    view! {
                        <p class="turn-roles">
                            {if own { "sees you as the " } else { "sees its person as the " }} {words::role(roles.own)}
                            {if own { ", them as the " } else { ", you as the " }} {words::role(roles.other)}
                        </p>
                    }
                })}
        </li>
    }
}

/// Status by word and shape, never by colour alone.
fn shape(action: Action) -> &'static str {
    match action {
        Action::Propose => "◇",
        Action::Counter => "⇄",
        Action::Accept => "✓",
        Action::Reject => "✕",
        Action::Question | Action::Inquire => "?",
        Action::Answer | Action::Describe => "!",
    }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds since 1970 fit a double")]
fn millis(turn: &Turn) -> f64 {
    turn.at.0 as f64
}
