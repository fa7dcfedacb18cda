use countersign_kernel::{Command, PersonAct, Side, Span, Status, Turn};
use countersign_ledger::{CanonicalError, canonical};

use crate::table::{NOON, Table, openings, propose, survives_json, take};

/// A turn from elsewhere: read, written, and tried at every table.
pub fn turn(bytes: &[u8]) -> bool {
    let Ok(turn) = serde_json::from_slice::<Turn>(bytes) else { return false };
    survives_json(&turn);
    match canonical(&turn) {
        Ok(written) => assert_eq!(serde_json::from_slice::<Turn>(&written).as_ref().ok(), Some(&turn)),
        Err(CanonicalError::Number(_)) => {}
        Err(CanonicalError::Json(reason)) => unreachable!("a turn can be written: {reason}"),
    }
    for opening in openings() {
        let (fresh, ours) = (Table::open(opening.clone()), opening.ours);
        for side in Side::BOTH {
            tried(fresh.clone(), take(side, turn.clone()));
            let mut proposed = fresh.clone();
            assert!(proposed.ask(take(Side::Initiator, propose()), NOON));
            tried(proposed, take(side, turn.clone()));
        }
        let mut by_person = fresh.clone();
        assert!(by_person.ask(Command::Person(PersonAct::TakeOver), NOON));
        if ours == Side::Responder {
            assert!(by_person.ask(take(Side::Initiator, propose()), NOON));
        }
        tried(by_person, Command::Person(PersonAct::TakeTurn(turn.clone())));
    }
    true
}

/// Kept or refused; and answered by the same, by an accept, and by nothing until the time is up. None of it binds anybody.
fn tried(mut table: Table, command: Command) {
    let now = NOON.plus(Span::seconds(1));
    if table.ask(command.clone(), now) {
        for side in Side::BOTH {
            table.ask(take(side, crate::table::turn(countersign_kernel::Move::Accept)), now);
        }
    }
    table.ask(command, now);
    for _ in 0..8 {
        if let Some(due) = table.n.next_deadline() {
            assert!(table.ask(Command::DeadlinePassed(due.timer), due.at.max(now)), "what is due happens");
        }
    }
    assert_ne!(table.n.status(), Status::Accepted, "nothing binds without the person");
    table.check();
}
