//! The state as signals, and what the person does with it.

use countersign_api_types::{Folder, Live, Mode, NegotiationId, Opportunity, Problem};
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::bridge;
use crate::state::{Next, State};

/// Everything a component may read or ask for.
#[derive(Clone, Copy)]
pub(crate) struct Desk {
    pub(crate) state: RwSignal<State>,
    pub(crate) start: RwSignal<Start>,
    /// The last thing that the person asked for and that did not work.
    pub(crate) failed: RwSignal<Option<Problem>>,
    pub(crate) search: RwSignal<String>,
    pub(crate) help: RwSignal<bool>,
    /// Now, renewed often enough for "5 min ago".
    pub(crate) now: RwSignal<f64>,
}

/// Whether the core has opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    Waiting,
    Ready,
    Failed(Problem),
}

impl Desk {
    pub(crate) fn new() -> Self {
        let desk = Self {
            state: RwSignal::default(),
            start: RwSignal::new(Start::Waiting),
            failed: RwSignal::new(None),
            search: RwSignal::default(),
            help: RwSignal::new(false),
            now: RwSignal::new(js_sys::Date::now()),
        };
        set_interval(move || desk.now.set(js_sys::Date::now()), std::time::Duration::from_secs(20));
        desk
    }

    /// Reads everything, then follows. Tried again by the person when the core could not open.
    pub(crate) fn begin(self) {
        spawn_local(async move {
            match bridge::start().await {
                Ok(snapshot) => {
                    let seq = snapshot.seq;
                    self.state.set(State::begin(snapshot));
                    self.start.set(Start::Ready);
                    self.follow(seq);
                }
                Err(problem) => self.start.set(Start::Failed(problem)),
            }
        });
    }

    pub(crate) fn accept(self, opportunity: Opportunity) {
        self.run(async move {
            match &opportunity.digest {
                Some(digest) => bridge::accept(&opportunity.id, digest).await,
                None => Ok(()),
            }
        });
    }

    pub(crate) fn decline(self, opportunity: Opportunity) {
        self.run(async move {
            match &opportunity.digest {
                Some(digest) => bridge::decline(&opportunity.id, digest).await,
                None => Ok(()),
            }
        });
    }

    /// Answers what the agent asks; a yes sends what it was about to say.
    pub(crate) fn answer(self, id: NegotiationId, approved: bool, remarks: String) {
        self.run(async move { bridge::answer(&id, approved, &remarks).await });
    }

    /// Lets the agent say at once what it is about to say.
    pub(crate) fn send_now(self, id: NegotiationId) {
        self.run(async move { bridge::send_now(&id).await });
    }

    pub(crate) fn open_sample(self, then: impl FnOnce(NegotiationId) + 'static) {
        self.run(async move { bridge::open_sample().await.map(then) });
    }

    /// Reads more of a folder than is shown.
    pub(crate) fn show_more(self, folder: Folder) {
        let Some(last) = self.state.with_untracked(|state| state.last(folder)) else { return };
        self.run(async move {
            let more = bridge::list(folder, &last).await?;
            self.state.update(|state| state.extend(more));
            Ok(())
        });
    }

    pub(crate) fn switch(self) {
        let mode = match self.state.with_untracked(|state| state.mode) {
            Mode::On => Mode::Off,
            Mode::Off | Mode::Stopped => Mode::On,
        };
        self.run(bridge::set_mode(mode));
    }

    /// After trouble: lets the core go on, and follows again in case that had ended too.
    pub(crate) fn resume(self) {
        self.run(async move {
            bridge::resume().await?;
            self.follow(self.state.with_untracked(|state| state.seq));
            Ok(())
        });
    }

    fn follow(self, seq: u64) {
        let take = move |live: Live| {
            if self.state.try_update(|state| state.take(live)) == Some(Next::AskAgain) {
                self.follow(self.state.with_untracked(|state| state.seq));
            }
            if let Some(id) = self.state.with_untracked(State::stale) {
                self.read_again(id);
            }
        };
        spawn_local(async move {
            if let Err(problem) = bridge::watch(seq, take).await {
                self.failed.set(Some(problem));
            }
        });
    }

    fn read_again(self, id: NegotiationId) {
        spawn_local(async move {
            match bridge::thread(&id).await {
                // The person may have opened another one meanwhile.
                Ok(thread) => self.state.update(|state| {
                    if state.thread(&id).is_some() {
                        state.open(thread);
                    }
                }),
                Err(problem) => self.failed.set(Some(problem)),
            }
        });
    }

    fn run(self, action: impl Future<Output = Result<(), Problem>> + 'static) {
        self.failed.set(None);
        spawn_local(async move {
            if let Err(problem) = action.await {
                self.failed.set(Some(problem));
            }
        });
    }
}

/// The desk that the app provides to all its components.
pub(crate) fn use_desk() -> Desk {
    expect_context()
}
