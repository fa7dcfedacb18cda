//! What the person's policies say at the four points where a negotiation asks them.
//!
//! Policies are written in Cedar, which answers yes or no. What lies between, to warn and to ask the person first, is
//! an annotation on the policy that says no; see `shipped.cedar`. `schema.cedarschema` lists what policies may ask
//! about.
//!
//! [`Policies::rule`] answers and that is all: it records nothing and carries nothing out, and an answer of *allow*
//! binds nobody. There is no clock and no I/O here.

mod amounts;
mod case;
mod error;
mod policies;
mod read;
mod request;
mod scan;
mod simple;
mod vocabulary;

pub use case::{Case, Said};
pub use error::PolicyError;
pub use policies::{Named, Policies};
pub use scan::MAX_POLICY_TEXT;
pub use simple::Simple;
