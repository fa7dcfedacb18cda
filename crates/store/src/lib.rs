//! The journal: append at an expected version, read, watch it grow, ask what is due. [`SqliteJournal`] keeps it in a data
//! folder, verifies and copies it. All SQL lives here.
//!
//! It takes no turn and reads no clock: what an event means is the kernel's business, when it happens the engine's. It
//! never writes to a file that it could not read first.

mod entry;
mod error;
mod folder;
mod journal;
mod key;
mod schema;
mod sqlite;
mod verify;
mod views;
mod writer;

pub use entry::{Checkpoint, Entry, Record, Signed, Stream};
pub use error::{OpenError, StoreError};
pub use folder::DataFolder;
pub use journal::{Answer, Append, Journal, Overview, Standing};
pub use key::KeptIn;
pub use sqlite::{SqliteJournal, restore, verify};
pub use verify::{Damage, Verified, VerifyError};
