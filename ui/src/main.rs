//! The window: what the person sees and does, client-side rendered with Leptos.
//!
//! It keeps no truth. What it shows comes from the core and follows the core's numbered updates; only `bridge` talks to
//! it, only `state` says what an update means.

#![allow(unreachable_pub, reason = "the component macro writes `pub` for every component")]

mod app;
mod bridge;
mod components;
mod desk;
mod fault;
mod keys;
mod pages;
mod state;
mod theme;
mod words;

fn main() {
    fault::show_panics();
    leptos::mount::mount_to_body(app::App);
}
