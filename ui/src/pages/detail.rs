use countersign_api_types::{NegotiationId, Problem, ProblemCode, Thread};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use crate::bridge;
use crate::components::{DecisionBar, ProblemCard, TurnRail};
use crate::desk::use_desk;
use crate::words;

/// One opportunity: the verdict first, then what was said, and the decision always in reach.
#[component]
pub(crate) fn Detail() -> impl IntoView {
    let desk = use_desk();
    let params = use_params_map();
    let id = Memo::new(move |_| NegotiationId(params.with(|params| params.get("id").unwrap_or_default())));
    let read = LocalResource::new(move || {
        let id = id.get();
        async move { bridge::thread(&id).await.map(|thread| desk.state.update(|state| state.open(thread))) }
    });
    let retry = Callback::new(move |()| read.refetch());
    view! {
        <main class="detail">
            <Suspense fallback=|| view! { <Skeleton /> }>
                <ErrorBoundary fallback=move |errors| {
                    let problem = errors.with(|errors| errors.iter().next().map(|(_, error)| shown(error)));
                    problem.map(|problem| view! { <ProblemCard problem retry /> })
                }>
                    {move || Suspend::new(async move { read.await.map(|()| view! { <Reading id /> }) })}
                </ErrorBoundary>
            </Suspense>
        </main>
    }
}

#[component]
fn Reading(id: Memo<NegotiationId>) -> impl IntoView {
    let desk = use_desk();
    let thread = Memo::new(move |_| desk.state.with(|state| state.thread(&id.get()).cloned()));
    let opportunity = Memo::new(move |_| thread.with(|t| t.as_ref().map(|t| t.opportunity.clone())));
    view! {
        <article class="reading">
            {move || {
                opportunity
                    .get()
                    .map(|o| {
                        view! {
                            <header class="detail-head">
                                <h2>{o.title.clone()}</h2>
                                <p class="detail-meta">
                                    <span class="status" data-status=words::status(o.status)>{words::status(o.status)}</span>
                                    <span>"with " {o.counterpart.clone()}</span>
                                    <span>
                                        {words::turns(o.turn_count)} {o.turn_cap.map(|cap| format!(" of at most {cap}"))}
                                    </span>
                                    <span>{format!("{} rules", o.protocol)}</span>
                                </p>
                            </header>
                            <p class="verdict">{words::verdict(&o)}</p>
                            <p class="seed">
                                <span class="label">"Why it came up"</span>
                                {o.seed_reasoning.to_string()}
                                <span class="score">{format!(" Score {} of 100, before anyone spoke.", o.score)}</span>
                            </p>
                        }
                    })
            }}
            <TurnRail thread />
            <Why thread />
        </article>
        <DecisionBar thread />
    }
}

/// Why it ended, once it has: the same sentences everywhere.
#[component]
fn Why(thread: Memo<Option<Thread>>) -> impl IntoView {
    let lines = Memo::new(move |_| thread.with(|t| t.as_ref().map(|t| t.why.clone()).unwrap_or_default()));
    view! {
        <Show when=move || !lines.with(Vec::is_empty)>
            <section class="why" aria-label="Why it ended">
                <h3>"Why it ended"</h3>
                <ul>{move || lines.get().into_iter().map(|line| view! { <li>{line}</li> }).collect_view()}</ul>
            </section>
        </Show>
    }
}

#[component]
fn Skeleton() -> impl IntoView {
    view! { <div class="skeleton" aria-hidden="true"><span></span><span></span><span></span></div> }
}

fn shown(error: &Error) -> Problem {
    error.downcast_ref::<Problem>().cloned().unwrap_or_else(|| Problem {
        code: ProblemCode::Stopped,
        what: error.to_string(),
        kept: "Your data is kept.".into(),
        todo: String::new(),
    })
}
