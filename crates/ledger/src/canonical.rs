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
    canonical_without(value, None)
}

/// The same, leaving out one member of the outermost object.
pub(crate) fn canonical_without(value: &impl Serialize, left_out: Option<&str>) -> Result<Vec<u8>, CanonicalError> {
    // What serde_json writes is canonical but for the order of names: its strings and whole numbers are RFC 8785's.
    let bytes = serde_json::to_vec(value).map_err(|error| CanonicalError::Json(error.to_string()))?;
    check_numbers(&bytes)?;
    let mut sorted = Vec::with_capacity(bytes.len());
    let rest = sort(&bytes, left_out, &mut sorted);
    debug_assert!(rest.is_empty(), "serde_json writes one value");
    Ok(sorted)
}

/// Writes one value with the names of each object in order, and gives what follows it.
fn sort<'a>(bytes: &'a [u8], left_out: Option<&str>, sorted: &mut Vec<u8>) -> &'a [u8] {
    match bytes.first() {
        Some(b'{') => sort_object(bytes, left_out, sorted),
        Some(b'[') => {
            let (mut rest, mut separator) = (bytes.get(1..).unwrap_or_default(), b'[');
            if rest.first() == Some(&b']') {
                sorted.push(separator);
            }
            while rest.first() != Some(&b']') && !rest.is_empty() {
                sorted.push(separator);
                rest = sort(rest, None, sorted);
                separator = b',';
                rest = rest.strip_prefix(b",").unwrap_or(rest);
            }
            sorted.push(b']');
            rest.get(1..).unwrap_or_default()
        }
        Some(b'"') => copy(bytes, string_length(bytes.get(1..).unwrap_or_default()) + 2, sorted),
        _ => copy(bytes, bytes.iter().take_while(|byte| !matches!(byte, b',' | b']' | b'}')).count(), sorted),
    }
}

fn sort_object<'a>(bytes: &'a [u8], left_out: Option<&str>, sorted: &mut Vec<u8>) -> &'a [u8] {
    let mut rest = bytes.get(1..).unwrap_or_default();
    let start = sorted.len();
    // Each member as it was written, with its name.
    let mut members: Vec<(&[u8], std::ops::Range<usize>)> = Vec::new();
    sorted.push(b'{');
    while rest.first() == Some(&b'"') {
        let name = rest.get(1..=string_length(rest.get(1..).unwrap_or_default())).unwrap_or_default();
        let begins = sorted.len();
        rest = copy(rest, name.len() + 3, sorted);
        rest = sort(rest, None, sorted);
        rest = rest.strip_prefix(b",").unwrap_or(rest);
        if left_out.is_some_and(|left_out| left_out.as_bytes() == name) {
            sorted.truncate(begins);
        } else {
            members.push((name, begins..sorted.len()));
            sorted.push(b',');
        }
    }
    if !members.is_sorted_by(|(one, _), (other, _)| order(one, other).is_lt()) {
        members.sort_by(|(one, _), (other, _)| order(one, other));
        let written = sorted.get(start..).unwrap_or_default().to_vec();
        sorted.truncate(start + 1);
        for (_, place) in &members {
            sorted.extend_from_slice(written.get(place.start - start..place.end - start).unwrap_or_default());
            sorted.push(b',');
        }
    }
    if !members.is_empty() {
        sorted.pop();
    }
    sorted.push(b'}');
    rest.get(1..).unwrap_or_default()
}

/// RFC 8785 orders names by their UTF-16 code units; for plain ones that is the order of their bytes.
fn order(one: &[u8], other: &[u8]) -> std::cmp::Ordering {
    let is_plain = |name: &[u8]| name.iter().all(|byte| byte.is_ascii() && *byte != b'\\');
    if is_plain(one) && is_plain(other) {
        return one.cmp(other);
    }
    let read = |name: &[u8]| {
        let quoted = [b"\"", name, b"\""].concat();
        // INVARIANT: serde_json wrote it, and reads it again.
        serde_json::from_slice::<String>(&quoted).unwrap_or_default().encode_utf16().collect::<Vec<_>>()
    };
    read(one).cmp(&read(other))
}

fn copy<'a>(bytes: &'a [u8], length: usize, to: &mut Vec<u8>) -> &'a [u8] {
    let (taken, rest) = bytes.split_at_checked(length).unwrap_or((bytes, &[]));
    to.extend_from_slice(taken);
    rest
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
