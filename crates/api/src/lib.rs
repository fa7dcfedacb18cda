//! The one facade that every front end calls: open the data folder, look, decide, watch.
//!
//! It translates and forwards. It holds no rule and no truth: rules are the kernel's, truth is the journal's.

mod api;
#[cfg(debug_assertions)]
mod fault;
mod live;
mod problem;
mod project;

pub use api::{Api, Options};
pub use countersign_api_types as types;
pub use live::LiveStream;
