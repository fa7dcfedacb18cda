//! The routes, and the frame that stays around them.

use leptos::prelude::*;
use leptos_router::components::{Outlet, ParentRoute, Redirect, Route, Router, Routes};
use leptos_router::path;

use crate::components::{Header, HelpDialog, Mark, Notices, ProblemCard, Rail};
use crate::desk::{Desk, Start};
use crate::pages::{Detail, FolderPage, Insights, Mandate, NothingOpen, Record, Settings};
use crate::theme::Theme;
use crate::{bridge, keys};

#[component]
pub(crate) fn App() -> impl IntoView {
    let desk = Desk::new();
    provide_context(desk);
    keys::listen(desk);
    Theme::stored().show();
    desk.begin();
    tell_when_painted(desk);

    view! {
        <Router>
            <Show when=move || desk.start.get() == Start::Ready fallback=move || view! { <Opening /> }>
                <Routes fallback=|| view! { <Redirect path="/needs-you" /> }>
                    <ParentRoute path=path!("/") view=Frame>
                        <Route path=path!("") view=|| view! { <Redirect path="/needs-you" /> } />
                        <Route path=path!("insights") view=Insights />
                        <Route path=path!("mandate") view=Mandate />
                        <Route path=path!("record") view=Record />
                        <Route path=path!("settings") view=Settings />
                        <ParentRoute path=path!(":folder") view=FolderPage>
                            <Route path=path!("") view=NothingOpen />
                            <Route path=path!(":id") view=Detail />
                        </ParentRoute>
                    </ParentRoute>
                </Routes>
            </Show>
        </Router>
    }
}

#[component]
fn Frame() -> impl IntoView {
    view! {
        <div class="frame">
            <Header />
            <Notices />
            <div class="panes">
                <Rail />
                <Outlet />
            </div>
            <HelpDialog />
        </div>
    }
}

/// Before the core is open: a moment of nothing, or the reason why it stays closed.
#[component]
fn Opening() -> impl IntoView {
    let desk = crate::desk::use_desk();
    let retry = Callback::new(move |()| desk.begin());
    move || match desk.start.get() {
        Start::Waiting | Start::Ready => None,
        Start::Failed(problem) => Some(view! {
            <main class="opening">
                <h1>
                    <Mark />
                    "Countersign could not open your data"
                </h1>
                <ProblemCard problem retry />
            </main>
        }),
    }
}

/// Two frames after the first content is in the page, it is on the screen.
fn tell_when_painted(desk: Desk) {
    Effect::new(move |told: Option<bool>| {
        let ready = desk.start.get() != Start::Waiting;
        if ready && told != Some(true) {
            request_animation_frame(|| {
                request_animation_frame(|| {
                    leptos::task::spawn_local(async {
                        // Only a launcher that waits for it cares.
                        let _ = bridge::painted().await;
                    });
                });
            });
        }
        ready
    });
}
