use memchr::memchr2;
use serde::Serialize;

/// The largest whole number that survives a reader that takes numbers for floating point.
const MAX_EXACT: u64 = (1 << 53) - 1;

/// Why a value has no canonical form.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CanonicalError {
    /// It does not serialise.
    #[error("it cannot be written as JSON: {0}")]
    Json(String),
    /// A number that readers would not all read alike.
    #[error("the number `{0}` is not exact in every reader")]
    Number(String),
}

/// The bytes that are hashed and signed: JSON as RFC 8785 writes it.
///
/// Numbers have to be whole and exact everywhere: two amounts that round to the same number must not share a hash.
pub fn canonical(value: &impl Serialize) -> Result<Vec<u8>, CanonicalError> {
    let bytes = serde_json_canonicalizer::to_vec(value).map_err(|error| CanonicalError::Json(error.to_string()))?;
    check_numbers(&bytes)?;
    Ok(bytes)
}

fn check_numbers(bytes: &[u8]) -> Result<(), CanonicalError> {
    let mut rest = bytes;
    while let Some((first, others)) = rest.split_first() {
        rest = match first {
            b'"' => others.get(string_length(others) + 1..).unwrap_or_default(),
            b'-' | b'0'..=b'9' => {
                let length = rest.iter().take_while(|byte| !matches!(byte, b',' | b']' | b'}')).count();
                let (number, after) = rest.split_at_checked(length).unwrap_or((rest, &[]));
                let number = String::from_utf8_lossy(number);
                let exact = number.trim_start_matches('-').parse::<u64>().is_ok_and(|number| number <= MAX_EXACT);
                if !exact {
                    return Err(CanonicalError::Number(number.into_owned()));
                }
                after
            }
            _ => others,
        };
    }
    Ok(())
}

/// How many bytes there are before the quote that ends a string.
pub(crate) fn string_length(bytes: &[u8]) -> usize {
    let mut from = 0;
    while let Some(at) = bytes.get(from..).and_then(|rest| memchr2(b'"', b'\\', rest)) {
        let at = from + at;
        if bytes.get(at) == Some(&b'"') {
            return at;
        }
        // Whatever a backslash stands before is part of the string.
        from = at + 2;
    }
    bytes.len()
}
