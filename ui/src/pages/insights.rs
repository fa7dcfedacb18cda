use countersign_api_types::Figures;
use leptos::prelude::*;

use crate::bridge;
use crate::components::ProblemCard;
use crate::desk::use_desk;

/// What everything adds up to: counted from the journal by rules, never scored.
#[component]
pub(crate) fn Insights() -> impl IntoView {
    let desk = use_desk();
    // Counted again when something has happened.
    let seq = Memo::new(move |_| desk.state.with(|state| state.seq));
    let figures = LocalResource::new(move || {
        seq.track();
        bridge::figures()
    });
    view! {
        <main class="page">
            <h1>"Insights"</h1>
            <Suspense>
                {move || {
                    figures
                        .get()
                        .map(|figures| match figures {
                            Ok(figures) => view! { <Counted figures /> }.into_any(),
                            Err(problem) => view! { <ProblemCard problem /> }.into_any(),
                        })
                }}
            </Suspense>
        </main>
    }
}

#[component]
fn Counted(figures: Figures) -> impl IntoView {
    let Figures { week, alerts, rates } = figures;
    let item = |line: String| view! { <li>{line}</li> };
    view! {
        {(!alerts.is_empty())
            .then(|| view! { <h2>"Look into this"</h2> <ul class="alerts">{alerts.into_iter().map(item).collect_view()}</ul> })}
        <h2>"The last seven days"</h2>
        <ul>{week.into_iter().map(item).collect_view()}</ul>
        <h2>"Everything so far"</h2>
        <table>
            <tbody>
                {rates
                    .into_iter()
                    .map(|(what, rate)| view! { <tr><th scope="row">{what}</th><td>{rate}</td></tr> })
                    .collect_view()}
            </tbody>
        </table>
    }
}
