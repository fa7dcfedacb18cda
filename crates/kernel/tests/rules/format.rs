//! What was written once can be read for ever: one event of each kind, as the journal holds it.

use std::collections::BTreeMap;
use std::path::Path;

use countersign_kernel::{Event, Timestamp};
use serde_json::Value as Json;

#[test]
fn every_kind_of_event_is_read_and_written_as_it_always_was() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/events.json");
    let events: BTreeMap<String, Json> = serde_json::from_str(&std::fs::read_to_string(file).unwrap()).unwrap();
    for (kind, json) in &events {
        let event: Event = serde_json::from_value(json.clone()).unwrap_or_else(|error| unreachable!("{kind}: {error}"));
        assert_eq!(&serde_json::to_value(&event).unwrap(), json, "{kind}");
        assert_eq!(json["event"], kind.as_str());
    }
    assert_eq!(events.len(), 35, "one of each");
}

#[test]
fn a_moment_is_written_as_people_and_machines_read_it() {
    for (at, written) in [
        (0, "1970-01-01T00:00:00.000Z"),
        (1_700_000_000_123, "2023-11-14T22:13:20.123Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
    ] {
        assert_eq!(Timestamp(at).rfc3339(), written);
    }
}
