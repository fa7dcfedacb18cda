use leptos::prelude::*;

/// The countersignature: the app's sign.
#[component]
pub(crate) fn Mark() -> impl IntoView {
    view! { <img class="mark" src="/countersign.svg" alt="" width="24" height="24" /> }
}
