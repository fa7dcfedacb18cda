use countersign_ledger::{CanonicalError, canonical as written, leaves};
use serde_json::Value;

const MAX_EXACT: u64 = (1 << 53) - 1;

/// Any JSON: its canonical bytes are read and written the same, and a number that readers round is refused.
pub fn canonical(bytes: &[u8]) -> bool {
    let Ok(value) = serde_json::from_slice::<Value>(bytes) else { return false };
    let canonical = match written(&value) {
        Ok(canonical) => canonical,
        Err(CanonicalError::Number(_)) => {
            assert!(!is_exact(&value), "a number was refused that every reader reads alike");
            return true;
        }
        Err(CanonicalError::Json(reason)) => unreachable!("JSON can be written: {reason}"),
    };
    assert!(is_exact(&value), "a number that readers round");
    let read: Value = serde_json::from_slice(&canonical).expect("canonical bytes are JSON");
    assert_eq!(written(&read).as_ref(), Ok(&canonical), "canonical bytes stay as they are");

    let mut texts = Vec::new();
    strings(&read, &mut texts);
    let unquoted = |leaf: &[u8]| serde_json::from_slice::<String>(&[b"\"", leaf, b"\""].concat()).expect("a string");
    let found: Vec<String> = leaves(&canonical).into_iter().map(unquoted).collect();
    assert_eq!(found, texts, "every string that is a value, in order");
    true
}

fn is_exact(value: &Value) -> bool {
    match value {
        Value::Number(number) => match (number.as_u64(), number.as_i64()) {
            (Some(number), _) => number <= MAX_EXACT,
            (None, Some(number)) => number.unsigned_abs() <= MAX_EXACT,
            // With a point or an exponent, also when nothing follows it.
            (None, None) => false,
        },
        Value::Array(items) => items.iter().all(is_exact),
        Value::Object(fields) => fields.values().all(is_exact),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}

/// The strings that are values, in the order in which they are written canonically.
pub(crate) fn strings<'a>(value: &'a Value, into: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(items) => items.iter().for_each(|item| strings(item, into)),
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(name, _)| name.encode_utf16().collect::<Vec<_>>());
            fields.into_iter().for_each(|(_, value)| strings(value, into));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
