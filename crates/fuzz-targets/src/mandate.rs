use countersign_mandate::Mandate;

use crate::table::survives_json;

/// A mandate from a file: one that is read makes sense, and is the same when it is written and read again.
pub fn mandate(bytes: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(bytes) else { return false };
    let Ok(mandate) = Mandate::from_json(text) else { return false };
    mandate.check().expect("what was read makes sense");
    survives_json(&mandate);
    true
}
