use countersign_kernel::{Command, Decision, Event, Negotiation, PersonAct};

use crate::table::{NOON, Table, look_at, openings, survives_json};

/// As many as a state is looked at after each of.
const MOST: usize = 48;

/// Events from elsewhere, as an array or one a line: taken in in any order, no state is one that cannot be looked at.
pub fn events(bytes: &[u8]) -> bool {
    let mut events = read(bytes);
    events.truncate(MOST);
    if events.is_empty() {
        return false;
    }
    survives_json(&events);
    if let Some(n) = Negotiation::replay(&events) {
        assert_eq!(n.version(), events.len() as u64);
        go_on(n);
    }
    for opening in openings().step_by(3) {
        let mut n = Table::open(opening).n;
        for event in events.iter().chain(events.iter().rev()) {
            n.apply(event);
            look_at(&n);
        }
        go_on(n);
    }
    true
}

fn read(bytes: &[u8]) -> Vec<Event> {
    let lines = || bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
    serde_json::from_slice(bytes).unwrap_or_else(|_| lines().collect())
}

/// Whatever the state, the clock and the person can still be heard.
fn go_on(mut n: Negotiation) {
    for _ in 0..8 {
        look_at(&n);
        let Some(due) = n.next_deadline() else { break };
        let passed = n.decide(Command::DeadlinePassed(due.timer), due.at).expect("what is due happens");
        passed.iter().for_each(|event| n.apply(event));
    }
    let decide = PersonAct::Decide { decision: Decision::Approved, digest: n.digest(), remarks: None };
    for act in [PersonAct::Hold, PersonAct::Resume, PersonAct::Send, PersonAct::TakeOver, decide] {
        if let Ok(events) = n.decide(Command::Person(act), NOON) {
            events.iter().for_each(|event| n.apply(event));
            look_at(&n);
        }
    }
}
