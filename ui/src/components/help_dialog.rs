use leptos::html;
use leptos::prelude::*;

use crate::desk::use_desk;
use crate::keys::KEYS;

/// Every key, on `?`.
#[component]
pub(crate) fn HelpDialog() -> impl IntoView {
    let desk = use_desk();
    let dialog = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = dialog.get() else { return };
        if desk.help.get() && !dialog.open() {
            // It only fails on a dialog that is not in the page, and this one is.
            let _ = dialog.show_modal();
        } else if !desk.help.get() {
            dialog.close();
        }
    });
    view! {
        <dialog class="help" node_ref=dialog aria-labelledby="help-title" on:close=move |_| desk.help.set(false)>
            <h2 id="help-title">"Keyboard"</h2>
            <dl>
                {KEYS
                    .map(|(key, does)| {
                        view! {
                            <dt><kbd>{key}</kbd></dt>
                            <dd>{does}</dd>
                        }
                    })}
            </dl>
            <button on:click=move |_| desk.help.set(false)>"Close"</button>
        </dialog>
    }
}
