use countersign_api_types::KeptIn;
use leptos::prelude::*;

use crate::components::SampleButton;
use crate::desk::use_desk;
use crate::theme::Theme;

/// How it looks, where the data is, and samples to try.
#[component]
pub(crate) fn Settings() -> impl IntoView {
    let desk = use_desk();
    let theme = RwSignal::new(Theme::stored());
    let choose = move |chosen: Theme| {
        chosen.choose();
        theme.set(chosen);
    };
    view! {
        <main class="page">
            <h1>"Settings"</h1>
            <fieldset>
                <legend>"Theme"</legend>
                {Theme::ALL
                    .map(|option| {
                        view! {
                            <label class="choice">
                                <input type="radio" name="theme" value=option.name() prop:checked=move || theme.get() == option on:change=move |_| choose(option) />
                                {option.label()}
                            </label>
                        }
                    })}
            </fieldset>
            <h2>"Data folder"</h2>
            <p><code>{move || desk.state.with(|state| state.home.clone())}</code></p>
            <p class="hint">"Start with --home FOLDER to use another one."</p>
            <p>
                {move || {
                    desk.state
                        .with(|state| match state.kept_in {
                            Some(KeptIn::Keychain) => "The key that seals and signs your record is in your system’s keychain.",
                            Some(KeptIn::File) => {
                                "Your system has no keychain, so the key that seals and signs your record is in the file “key” of this folder. Only you can read it; keep a copy in a safe place."
                            }
                            None => "",
                        })
                }}
            </p>
            <h2>"Samples"</h2>
            <p>"A sample opportunity has a counterpart that does not exist. It works offline, and nobody is contacted."</p>
            <SampleButton />
            <p class="hint version">{concat!("Countersign ", env!("CARGO_PKG_VERSION"))}</p>
        </main>
    }
}
