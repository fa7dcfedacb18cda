//! What makes a journal tamper-evident: canonical bytes, hash chains, seals, signatures, and copies with the private
//! parts left out that still verify.
//!
//! It is pure: keys, nonces and moments come in as arguments. `spec/ledger.md` describes the format for whoever wants
//! to verify an export without this code.

mod canonical;
mod export;
mod hash;
mod mask;
mod nonce;
mod proof;
mod seal;

pub use canonical::{CanonicalError, canonical};
pub use export::{Export, ExportError, Exported, Hidden, verify};
pub use hash::{Hash, Salt, chain, commit, leaves};
pub use mask::{Mask, Sensitive};
pub use nonce::{Nonces, Replay};
pub use proof::{Identity, Proof, ProofError, PublicKey};
pub use seal::{Keys, Seal, SealKey};
