use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use crate::desk::use_desk;

/// Opens a sample opportunity and shows it.
#[component]
pub(crate) fn SampleButton() -> impl IntoView {
    let desk = use_desk();
    let navigate = use_navigate();
    let open = move |_| {
        let navigate = navigate.clone();
        desk.open_sample(move |id| navigate(&format!("/live/{id}"), leptos_router::NavigateOptions::default()));
    };
    view! {
        <button class="sample" on:click=open>
            "Try with sample counterparts"
        </button>
    }
}
