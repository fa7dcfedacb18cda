//! Light, dark, or as the system has it. The choice is the window's own and stays in its storage.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::bridge;

/// `static/theme.js` reads it before the first paint.
const KEY: &str = "theme";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    System,
    Light,
    Dark,
}

impl Theme {
    pub(crate) const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    pub(crate) fn label(self) -> &'static str {
        match self {
            Self::System => "As the system",
            Self::Light => "Light",
            Self::Dark => "Dark",
        }
    }

    /// What the person chose last.
    pub(crate) fn stored() -> Self {
        let stored = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
        Self::ALL.into_iter().find(|theme| stored.as_deref() == Some(theme.name())).unwrap_or(Self::System)
    }

    /// Shows it now and from the next start on.
    pub(crate) fn choose(self) {
        if let Some(storage) = storage() {
            // A window without storage forgets the choice at the next start, and works.
            let _ = storage.set_item(KEY, self.name());
        }
        self.show();
    }

    pub(crate) fn show(self) {
        let name = (self != Self::System).then(|| self.name());
        if let Some(root) = document().document_element() {
            let _ = match name {
                Some(name) => root.set_attribute("data-theme", name),
                None => root.remove_attribute("data-theme"),
            };
        }
        spawn_local(async move {
            // Only the frame around the page; the page itself has its theme already.
            let _ = bridge::set_theme(name).await;
        });
    }
}

fn storage() -> Option<web_sys::Storage> {
    window().local_storage().ok().flatten()
}
