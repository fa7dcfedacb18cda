//! The durable runtime: drives every open negotiation turn by turn, appends before it shows, and comes back after a
//! restart where it was.
//!
//! It owns the clock and the tasks. It knows no window and no protocol rule: what a turn may be is the kernel's to say.

mod admission;
mod clock;
mod driver;
mod engine;
mod error;
mod hooks;
mod places;
mod rates;
mod settings;
mod signing;
mod timekeeper;
mod writing;

pub use clock::{Clock, HandClock, SystemClock};
pub use engine::{Engine, Pace, Parts};
pub use error::{EngineError, Trouble};
pub use places::read as read_negotiation;
pub use settings::{Settings, built_in};
pub use signing::{Message, Said};
