//! The real window, driven through WebDriver: what a person sees and does, checked there.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test that cannot go on should stop"
)]
#![allow(unreachable_pub, reason = "the harness is public to the tests beside it")]

mod asked;
mod bad_weather;
mod harness;
mod insights;
mod keyboard;
mod page;
mod pictures;
mod single_instance;
mod theme;
mod thin_path;
