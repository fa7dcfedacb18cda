//! What was written once can be read for ever: one event of each kind, as the journal holds it.

use std::collections::BTreeMap;
use std::path::Path;

use countersign_kernel::Event;
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
    assert_eq!(events.len(), 31, "one of each");
}
