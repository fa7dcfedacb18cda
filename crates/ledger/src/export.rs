//! A copy of one chain that verifies without this program, whole or with private parts left out.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::hash::{commit_with, leaf_hash};
use crate::{CanonicalError, Hash, Mask, Proof, ProofError, PublicKey, Salt, Sensitive, canonical, chain};

/// A copy of everything that happened in one negotiation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Export {
    /// Which format: `countersign-export/1`.
    pub format: String,
    /// Which negotiation.
    pub negotiation_id: String,
    /// Everything, oldest first.
    pub entries: Vec<Exported>,
    /// What was left out, all together.
    pub sensitive_fields_redacted: Vec<String>,
    /// The hash of the last entry.
    pub hash: Hash,
    /// Who vouches for that hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
}

/// One entry of the copy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Exported {
    /// Its place, from 1.
    pub version: u64,
    /// What happened; what was left out is masked.
    pub body: Value,
    /// The salt of each string in it, in hex; empty for those that were left out.
    pub salts: Vec<String>,
    /// What was left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redacted: Vec<Hidden>,
    /// Its hash.
    pub hash: Hash,
}

/// A string that was left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hidden {
    /// Which of the entry's strings, from 0.
    pub leaf: usize,
    /// Where it was, as a JSON pointer.
    pub field: String,
    /// What was in it.
    pub kinds: BTreeSet<Sensitive>,
    /// Its hash, which still goes into the entry's.
    pub hash: Hash,
}

/// What is wrong with a copy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExportError {
    /// Another format.
    #[error("the format is `{0}`, not `{FORMAT}`")]
    Format(String),
    /// An entry is missing or out of order.
    #[error("entry {expected} is missing: entry {found} stands in its place")]
    Order {
        /// What should come.
        expected: u64,
        /// What came.
        found: u64,
    },
    /// An entry was changed.
    #[error("entry {0} was changed: its content does not give its hash")]
    Changed(u64),
    /// An entry has too few or too many salts, or a salt that is none.
    #[error("entry {0} has salts that do not fit its content")]
    Salts(u64),
    /// Entries were cut off the end, or added.
    #[error("the copy does not end where it says")]
    End,
    /// The signature does not hold.
    #[error("the signature under the copy: {0}")]
    Proof(#[from] ProofError),
    /// It cannot be written canonically.
    #[error("entry {version}: {reason}")]
    Canonical {
        /// Which entry.
        version: u64,
        /// Why.
        reason: CanonicalError,
    },
}

const FORMAT: &str = "countersign-export/1";

impl Export {
    /// A copy of these entries, each with its salt and its hash; with a mask, what is sensitive is left out.
    pub fn new(
        negotiation_id: String,
        entries: impl IntoIterator<Item = (Value, Salt, Hash)>,
        mask: Option<&Mask>,
    ) -> Self {
        let mut all = BTreeSet::new();
        let mut last = Hash::NONE;
        let entries = (1..)
            .zip(entries)
            .map(|(version, (mut body, salt, hash))| {
                let redacted = mask.map(|mask| hide(&mut body, mask, &salt)).unwrap_or_default();
                all.extend(redacted.iter().map(|hidden| hidden.field.clone()));
                let hidden: BTreeSet<usize> = redacted.iter().map(|hidden| hidden.leaf).collect();
                let salts = salt.each().take(count_strings(&body)).enumerate();
                let shown = |(leaf, salt)| if hidden.contains(&leaf) { String::new() } else { hex::encode(salt) };
                last = hash;
                Exported { version, salts: salts.map(shown).collect(), body, redacted, hash }
            })
            .collect();
        let sensitive_fields_redacted = all.into_iter().collect();
        Self { format: FORMAT.into(), negotiation_id, entries, sensitive_fields_redacted, hash: last, proof: None }
    }
}

/// Whether a copy is whole and unchanged, and who vouches for it. Everything needed is in the copy.
pub fn verify(export: &Export) -> Result<Option<PublicKey>, ExportError> {
    if export.format != FORMAT {
        return Err(ExportError::Format(export.format.clone()));
    }
    let mut last = Hash::NONE;
    for (expected, entry) in (1..).zip(&export.entries) {
        if entry.version != expected {
            return Err(ExportError::Order { expected, found: entry.version });
        }
        last = chain(last, commitment(entry)?);
        if last != entry.hash {
            return Err(ExportError::Changed(entry.version));
        }
    }
    if last != export.hash {
        return Err(ExportError::End);
    }
    let Some(proof) = &export.proof else { return Ok(None) };
    let signer = proof.signer()?;
    proof.verify(export, &signer)?;
    Ok(Some(signer))
}

fn commitment(entry: &Exported) -> Result<Hash, ExportError> {
    let version = entry.version;
    let bytes = canonical(&entry.body).map_err(|reason| ExportError::Canonical { version, reason })?;
    let hidden: BTreeMap<usize, Hash> = entry.redacted.iter().map(|hidden| (hidden.leaf, hidden.hash)).collect();
    let mut salts = entry.salts.iter().enumerate();
    let mut fits = true;
    let commitment = commit_with(&bytes, |leaf| {
        let Some((place, salt)) = salts.next() else {
            fits = false;
            return Hash::NONE;
        };
        let mut bytes = [0; 16];
        match hidden.get(&place) {
            Some(hash) => {
                fits &= salt.is_empty();
                *hash
            }
            None => {
                fits &= hex::decode_to_slice(salt, &mut bytes).is_ok();
                leaf_hash(bytes, leaf)
            }
        }
    });
    if fits && salts.next().is_none() { Ok(commitment) } else { Err(ExportError::Salts(version)) }
}

/// Masks what is sensitive, and keeps the hash of what was there.
fn hide(body: &mut Value, mask: &Mask, salt: &Salt) -> Vec<Hidden> {
    let mut hidden = Vec::new();
    let mut salts = salt.each().enumerate();
    walk(body, &mut String::new(), &mut |field, text| {
        let Some((leaf, salt)) = salts.next() else { return };
        if let Some((masked, kinds)) = mask.apply(text) {
            // INVARIANT: a string always has a canonical form, with quotes around it.
            let written = canonical(text).unwrap_or_default();
            let inside = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
            hidden.push(Hidden { leaf, field: field.into(), kinds, hash: leaf_hash(salt, inside) });
            *text = masked;
        }
    });
    hidden
}

fn count_strings(body: &Value) -> usize {
    match body {
        Value::String(_) => 1,
        Value::Array(items) => items.iter().map(count_strings).sum(),
        Value::Object(fields) => fields.values().map(count_strings).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
    }
}

/// Every string that is a value, in the order in which they are written canonically.
fn walk(value: &mut Value, field: &mut String, visit: &mut impl FnMut(&str, &mut String)) {
    let length = field.len();
    match value {
        Value::String(text) => visit(field, text),
        Value::Array(items) => {
            for (place, item) in items.iter_mut().enumerate() {
                field.push_str(&format!("/{place}"));
                walk(item, field, visit);
                field.truncate(length);
            }
        }
        Value::Object(fields) => {
            // RFC 8785 sorts by UTF-16 code units.
            let mut sorted: Vec<_> = fields.iter_mut().collect();
            sorted.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            for (name, value) in sorted {
                field.push('/');
                field.push_str(&name.replace('~', "~0").replace('/', "~1"));
                walk(value, field, visit);
                field.truncate(length);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
