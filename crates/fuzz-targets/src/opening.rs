use countersign_kernel::{Command, Load, Negotiation, Opening, Side, Status, Timestamp};

use crate::table::{NOON, Table, propose, survives_json, take};

/// An opening from elsewhere: it opens or is refused, and what opened ends when nobody does anything.
pub fn opening(bytes: &[u8]) -> bool {
    let Ok(opening) = serde_json::from_slice::<Opening>(bytes) else { return false };
    survives_json(&opening);
    let busy = Load { initiator: u32::MAX, responder: u32::MAX };
    assert_eq!(Negotiation::open(opening.clone(), busy, NOON).is_ok(), may_open(&opening, true));
    assert_eq!(Negotiation::open(opening.clone(), Load::default(), NOON).is_ok(), may_open(&opening, false));
    if may_open(&opening, false) {
        for at in [NOON, Timestamp(0), Timestamp(1 - (1 << 53)), Timestamp((1 << 53) - 1)] {
            opened(opening.clone(), at);
        }
    }
    true
}

fn opened(opening: Opening, at: Timestamp) {
    let events = Negotiation::open(opening, Load::default(), at).expect("it opened before");
    let mut table = Table { n: Negotiation::replay(&events).expect("it begins with an opening"), events };
    assert!(matches!(table.n.status(), Status::Negotiating | Status::Pending));
    table.check();
    table.ask(take(Side::Initiator, propose()), at);
    let mut now = at;
    for _ in 0..8 {
        let Some(due) = table.n.next_deadline() else { break };
        now = now.max(due.at);
        assert!(table.ask(Command::DeadlinePassed(due.timer), now), "what is due happens");
    }
    assert_eq!(table.n.next_deadline(), None, "time comes to an end");
    assert_ne!(table.n.status(), Status::Accepted, "nothing binds without the person");
    table.check();
}

/// What the rules ask of an opening.
fn may_open(opening: &Opening, is_busy: bool) -> bool {
    let frame = &opening.frame;
    if opening.seed.score > 100 {
        return false;
    }
    let governed = matches!(opening.rulebook.protocol, countersign_kernel::Protocol::Summit(_));
    let critical = frame.risk == Some(countersign_kernel::RiskLevel::Critical);
    let has_room = match opening.rulebook.limits.concurrent {
        Some(limit) => !is_busy && limit > 0,
        None => true,
    };
    has_room && (!governed || (frame.goal.is_some() && (!critical || frame.arbiter)))
}
