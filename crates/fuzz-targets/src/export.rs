use std::collections::BTreeMap;

use countersign_ledger::{Export, Exported, Hash, canonical, verify};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::canonical::strings;
use crate::table::survives_json;

/// How much of each entry is changed to see whether it shows.
const MOST: usize = 4;

/// A copy from elsewhere: what verifies has the hashes that the format asks for, and nothing in it can be changed.
pub fn export(bytes: &[u8]) -> bool {
    let Ok(export) = serde_json::from_slice::<Export>(bytes) else { return false };
    let Ok(signer) = verify(&export) else { return true };
    let mut last = [0; 32];
    for entry in &export.entries {
        last = hash([last, commitment(entry)].concat());
        assert_eq!(entry.hash, Hash(last), "the chain is as the format says");
    }
    assert_eq!(export.hash, Hash(last));
    survives_json(&export);
    for place in 0..export.entries.len() {
        changed(&export, place);
    }
    if signer.is_some() {
        let mut other = export.clone();
        other.negotiation_id.push('x');
        assert!(verify(&other).is_err(), "a signature covers everything");
        let mut other = export;
        other.sensitive_fields_redacted.push("/x".into());
        assert!(verify(&other).is_err(), "a signature covers everything");
    }
    true
}

/// The commitment to an entry, from the description of the format rather than from our own code.
fn commitment(entry: &Exported) -> [u8; 32] {
    let hidden: BTreeMap<usize, Hash> = entry.redacted.iter().map(|hidden| (hidden.leaf, hidden.hash)).collect();
    let mut texts = Vec::new();
    strings(&entry.body, &mut texts);
    assert_eq!(texts.len(), entry.salts.len(), "a salt for each string");
    let mut all = Vec::new();
    for (leaf, (text, salt)) in texts.into_iter().zip(&entry.salts).enumerate() {
        let quoted = canonical(&text).expect("a string is written");
        let inside = &quoted[1..quoted.len() - 1];
        all.extend(match hidden.get(&leaf) {
            Some(hash) => hash.0,
            None => hash([hex::decode(salt).expect("a salt"), inside.into()].concat()),
        });
    }
    let mut frame = entry.body.clone();
    empty(&mut frame);
    all.extend(hash(canonical(&frame).expect("what is hashed is canonical")));
    hash(all)
}

/// Whatever is changed in an entry that was not left out shows.
fn changed(export: &Export, place: usize) {
    let shows = |change: &dyn Fn(&mut Vec<Exported>)| {
        let mut other = export.clone();
        change(&mut other.entries);
        assert!(verify(&other).is_err(), "entry {place} can be changed");
    };
    let entry = &export.entries[place];
    shows(&|entries| drop(entries.remove(place)));
    shows(&|entries| entries.insert(place, entry.clone()));
    shows(&|entries| entries[place].body = Value::Array(vec![entry.body.clone()]));
    shows(&|entries| entries[place].salts.push(String::new()));
    let shown = (0..entry.salts.len()).filter(|leaf| entry.redacted.iter().all(|hidden| hidden.leaf != *leaf));
    for leaf in shown.take(MOST) {
        shows(&|entries| {
            let mut left = leaf;
            append(&mut entries[place].body, &mut left);
        });
        shows(&|entries| entries[place].salts[leaf] = "00".repeat(16) + "00");
    }
}

/// Adds to one of the strings.
fn append(value: &mut Value, left: &mut usize) {
    each(value, &mut |text| {
        if *left == 0 {
            text.push('x');
        }
        *left = left.wrapping_sub(1);
    });
}

fn empty(value: &mut Value) {
    each(value, &mut |text| text.clear());
}

fn each(value: &mut Value, visit: &mut dyn FnMut(&mut String)) {
    match value {
        Value::String(text) => visit(text),
        Value::Array(items) => items.iter_mut().for_each(|item| each(item, visit)),
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter_mut().collect();
            fields.sort_by_key(|(name, _)| name.encode_utf16().collect::<Vec<_>>());
            fields.into_iter().for_each(|(_, value)| each(value, visit));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn hash(bytes: impl AsRef<[u8]>) -> [u8; 32] {
    Sha256::digest(bytes).into()
}
