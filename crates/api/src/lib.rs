//! The one facade that every front end calls: open the data folder, look, decide, watch.
//!
//! It translates and forwards. It holds no rule and no truth: rules are the kernel's, truth is the journal's.

mod api;
#[cfg(debug_assertions)]
mod fault;
mod html;
mod live;
mod problem;
mod project;
mod reader;

pub use api::{Api, Options, restore};
pub use countersign_api_types as types;
pub use countersign_insights as insights;
pub use countersign_kernel::{AgentId, PersonAct};
pub use countersign_ledger::{Export, verify as verify_export};
pub use countersign_mandate::Mandate;
pub use countersign_policy::Policies;
pub use countersign_store::Verified;
pub use live::LiveStream;
pub use reader::Reader;
