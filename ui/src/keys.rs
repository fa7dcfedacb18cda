//! The keyboard: j and k walk the list, Enter opens, ? helps, / searches.

use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, KeyboardEvent};

use crate::desk::Desk;

/// Every key and what it does, as the help shows it.
pub(crate) const KEYS: [(&str, &str); 6] = [
    ("j", "Next in the list"),
    ("k", "Previous in the list"),
    ("Enter", "Open what is selected"),
    ("/ or Ctrl K", "Search"),
    ("Esc", "Leave the search, close this help"),
    ("?", "This help"),
];

pub(crate) fn listen(desk: Desk) {
    let handle = window_event_listener(ev::keydown, move |event| press(desk, &event));
    on_cleanup(move || handle.remove());
}

fn press(desk: Desk, event: &KeyboardEvent) {
    let command = event.ctrl_key() || event.meta_key();
    let typing = event
        .target()
        .and_then(|target| target.dyn_into::<Element>().ok())
        .is_some_and(|element| matches!(element.tag_name().as_str(), "INPUT" | "TEXTAREA" | "SELECT"));
    match event.key().as_str() {
        "k" if command => focus(".search input"),
        "Escape" if typing => blur(),
        _ if typing || command || event.alt_key() => return,
        "j" => step(1),
        "k" => step(-1),
        "/" => focus(".search input"),
        "?" => desk.help.set(true),
        // Enter is the focused row's own.
        _ => return,
    }
    event.prevent_default();
}

/// Moves the focus by one row, from the focused one, or else from the open one.
fn step(by: i32) {
    let Ok(rows) = document().query_selector_all(".row") else { return };
    let rows: Vec<HtmlElement> = (0..rows.length()).filter_map(|index| rows.item(index)?.dyn_into().ok()).collect();
    let focused = document().active_element();
    let is_focused = |row: &HtmlElement| Some(row.unchecked_ref::<Element>()) == focused.as_ref();
    let at = rows.iter().position(is_focused).or_else(|| rows.iter().position(|row| row.has_attribute("aria-current")));
    let to = match at {
        Some(at) => at.saturating_add_signed(isize::try_from(by).unwrap_or(0)).min(rows.len().saturating_sub(1)),
        None => 0,
    };
    if let Some(row) = rows.get(to) {
        // A row that cannot take the focus leaves it where it was.
        let _ = row.focus();
    }
}

fn focus(selector: &str) {
    let found = document().query_selector(selector).ok().flatten();
    if let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

fn blur() {
    let focused = document().active_element().and_then(|element| element.dyn_into::<HtmlElement>().ok());
    if let Some(element) = focused {
        let _ = element.blur();
    }
}
