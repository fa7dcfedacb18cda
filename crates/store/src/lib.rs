//! The journal on SQLite: append at an expected version, read, watch it grow, verify and copy it. All SQL lives here.
//!
//! It knows nothing of turns, timers or people: what an event means is the kernel's business, when it happens the
//! engine's. It never writes to a file that it could not read first.

mod entry;
mod error;
mod folder;
mod journal;
mod key;
mod schema;
mod verify;
mod writer;

pub use entry::{Entry, Record, Stream};
pub use error::{OpenError, StoreError};
pub use folder::DataFolder;
pub use journal::{Journal, restore, verify};
pub use verify::{Damage, Verified, VerifyError};
