use countersign_api_types::Problem;
use leptos::prelude::*;

/// What happened, what was kept, what to do, and the button for it.
#[component]
pub(crate) fn ProblemCard(
    problem: Problem,
    /// Tries again what failed.
    #[prop(optional)]
    retry: Option<Callback<()>>,
    /// Takes the card away.
    #[prop(optional)]
    dismiss: Option<Callback<()>>,
) -> impl IntoView {
    view! {
        <section class="problem" role="alert">
            <p class="problem-what">{problem.what}</p>
            <p>{problem.kept} " " {problem.todo}</p>
            <div class="problem-buttons">
                {retry.map(|retry| view! { <button on:click=move |_| retry.run(())>"Try again"</button> })}
                {dismiss.map(|dismiss| view! { <button on:click=move |_| dismiss.run(())>"Dismiss"</button> })}
            </div>
        </section>
    }
}
