//! What holds whatever is asked, in whatever order, however late.

use std::collections::BTreeSet;
use std::sync::Arc;

use countersign_kernel::{
    AgentAct, AgentKind, Approver, Ask, Authority, Awaiting, Command, Decision, Delegation, Digest, Escalation,
    EscalationReason, Fact, Frame, Hook, Load, Move, Negotiation, Objection, Offer, Opening, PersonAct, Question,
    RejectCode, Report, Rulebook, Ruled, Ruling, Side, Signature, Span, Status, SummitKind, SystemAct, Timer, Urgency,
    Verdict, Violation,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::kit::{NOON, Table, agent_id, name, opening, parties, reject, terms, text, turn, whole};
use crate::views::agree;

/// One thing that somebody tries: what, a variant of it, and how long after the last.
type Try = (u8, u8, u32);

fn tries(count: usize) -> impl Strategy<Value = Vec<Try>> {
    prop::collection::vec((any::<u8>(), any::<u8>(), any::<u32>()), 1..count)
}

fn openings() -> impl Strategy<Value = Opening> {
    let kinds = prop::sample::select(vec![AgentKind::System, AgentKind::Personal, AgentKind::Remote]);
    (0..5_u8, kinds.clone(), kinds, any::<bool>(), any::<bool>()).prop_map(|(protocol, one, other, ours, direct)| {
        let parties = parties(one, other);
        let rulebook = match protocol {
            0 => Rulebook::index(&parties),
            1 => Rulebook::asp(Span::minutes(30)),
            2 => Rulebook::summit(SummitKind::ResourceAllocation),
            3 => Rulebook::hire(),
            _ => Rulebook::lcp(),
        };
        let frame = Frame { goal: Some(text("share")), arbiter: true, direct: direct && ours, ..Frame::default() };
        let ours = if ours { Side::Initiator } else { Side::Responder };
        Opening { ours, frame, ..opening(rulebook, parties) }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    /// The table itself checks that a refusal changes nothing and that the events tell everything.
    #[test]
    fn any_sequence_keeps_the_invariants(opening in openings(), tries in tries(40)) {
        let mut table = Table::open(opening);
        let mut shown = table.n.digest();
        for attempt in tries {
            table.later(pause(&table.n, attempt));
            if table.n.status() == Status::Pending && attempt.1 % 2 == 0 {
                shown = table.n.digest();
            }
            let before = table.n.status();
            let _refused = table.ask(command(&table.n, attempt, &shown));
            check(&table, before);
        }
    }

    /// Whatever is tried and however often, it is over in the end, as long as time passes.
    #[test]
    fn every_negotiation_ends(opening in openings(), tries in tries(30)) {
        let events = Negotiation::open(opening, Load::default(), NOON).unwrap();
        let mut n = Negotiation::replay(&events).unwrap();
        let mut now = NOON;
        for attempt in tries.iter().cycle() {
            if is_over(&n) {
                break;
            }
            now = now.plus(Span::minutes(1 + u64::from(attempt.2 % 600)));
            prop_assert!(now.since(NOON) < Span::days(60), "{:?} after {:?}", n.awaiting(), attempt);
            let digest = n.digest();
            // Nobody lets it end who can help it.
            let unending = |command: &Command| !matches!(command, Command::Person(PersonAct::Withdraw(_)));
            let due = n.next_deadline().filter(|deadline| deadline.at <= now);
            let command = due.map_or_else(|| command(&n, *attempt, &digest), |due| Command::DeadlinePassed(due.timer));
            if unending(&command) && let Ok(events) = n.decide(command, now) {
                events.iter().for_each(|event| n.apply(event));
            }
        }
    }

    /// With nobody doing anything any more, the clock alone ends it, and binds nobody.
    #[test]
    fn the_clock_alone_ends_it(opening in openings(), tries in tries(20)) {
        let mut table = Table::open(opening);
        for attempt in tries {
            table.later(pause(&table.n, attempt));
            let digest = table.n.digest();
            let _refused = table.ask(command(&table.n, attempt, &digest));
        }
        let accepted = table.n.status() == Status::Accepted;
        for _ in 0..8 {
            if table.n.next_deadline().is_some() {
                table.wait();
            }
        }
        prop_assert!(is_over(&table.n));
        prop_assert_eq!(table.n.next_deadline(), None);
        prop_assert!(accepted || table.n.status() != Status::Accepted);
    }

    /// No text makes the kernel do anything but keep or refuse it.
    #[test]
    fn any_text_is_kept_or_refused(words in any::<String>()) {
        let read = serde_json::from_value::<countersign_kernel::Text>(words.clone().into());
        prop_assert_eq!(read.is_ok(), !words.trim().is_empty() && words.len() <= countersign_kernel::MAX_TEXT);
        if let Ok(text) = read {
            prop_assert_eq!(&*text, words.as_str());
        }
    }
}

/// What is tried above is worth trying: it gets everywhere.
#[test]
fn every_status_is_reached_and_every_kind_of_event() {
    let mut runner = TestRunner::deterministic();
    let (mut statuses, mut facts) = (BTreeSet::new(), BTreeSet::new());
    for _ in 0..4_000 {
        let opening = openings().new_tree(&mut runner).unwrap().current();
        let mut table = Table::open(opening);
        for attempt in tries(60).new_tree(&mut runner).unwrap().current() {
            table.later(pause(&table.n, attempt));
            let digest = table.n.digest();
            let _refused = table.ask(command(&table.n, attempt, &digest));
        }
        statuses.insert(format!("{:?}", table.n.status()));
        let kinds = table.events.iter().map(|event| serde_json::to_value(event).unwrap()["event"].to_string());
        facts.extend(kinds);
    }
    assert_eq!(statuses.len(), 8, "{statuses:?}");
    // All but the arbiter's word, which this generator does not give.
    assert_eq!(facts.len(), 34, "{facts:?}");
}

fn check(table: &Table, before: Status) {
    let n = &table.n;
    let status = n.status();
    // Nothing binds without the person: they approved exactly what is there.
    if status == Status::Accepted {
        let by_person = n.approvals().iter().find(|approval| approval.approver == Approver::Person).unwrap();
        assert_ne!(by_person.decision, Decision::Rejected);
        assert_eq!(by_person.digest, n.digest());
    }
    // What is over stays over, except that an agreement can still be void or run out.
    if is_over_status(before) && status != before {
        assert_eq!(before, Status::Accepted);
        assert!(matches!(status, Status::Aborted | Status::Expired));
    }
    assert!(agree(n), "{status:?} {:?} {:?} {:?}", n.summit_state(), n.task_state(), n.hire_state());
    assert_eq!(is_over(n), n.why().is_some());
    assert_eq!(matches!(status, Status::Negotiating | Status::Pending), n.next_deadline().is_some() && !is_over(n));
    let cap = n.opening().rulebook.limits.turns;
    assert!(cap.is_none_or(|cap| n.turns().len() <= cap as usize));
    assert_eq!(n.version(), table.events.len() as u64);
    // One side at most may speak, and never without an allowed move.
    let speaking = |awaiting: &Awaiting| {
        matches!(awaiting, Awaiting::Agent(_) | Awaiting::Pickup(_) | Awaiting::Claimed(..) | Awaiting::Fallback(_))
            || *awaiting == Awaiting::Person(countersign_kernel::Ask::Turn)
    };
    assert_eq!(speaking(&n.awaiting()), n.allowed().iter().next().is_some());
    // An accept is in the transcript as whoever made it, and turns alternate while nobody reopened it.
    let reopened = table.events.iter().any(|event| matches!(event.fact, Fact::Decided(_) | Fact::Guided(_)));
    if !reopened {
        assert!(n.turns().windows(2).all(|pair| pair[0].side != pair[1].side));
    }
}

fn is_over(n: &Negotiation) -> bool {
    is_over_status(n.status())
}

fn is_over_status(status: Status) -> bool {
    !matches!(status, Status::Negotiating | Status::Pending)
}

/// Often no time at all, often just about the next deadline, sometimes anything.
fn pause(n: &Negotiation, (_, variant, time): Try) -> Span {
    let left = n.next_deadline().map_or(Span(0), |deadline| deadline.at.since(n.changed_at()));
    match variant % 4 {
        0 => Span(0),
        1 => Span(u64::from(time) % 5000),
        2 => Span(left.0.saturating_sub(u64::from(time % 2))),
        _ => Span(u64::from(time) * 50),
    }
}

fn command(n: &Negotiation, (what, variant, _): Try, shown: &Digest) -> Command {
    let side = if variant & 1 == 0 { Side::Initiator } else { Side::Responder };
    let agent = agent_id(if variant & 2 == 0 { "one" } else { "other" });
    let act = || an_act(n, variant);
    let timers = [
        Timer::Hold,
        Timer::Reminder,
        Timer::FirstResponse,
        Timer::Clarification,
        Timer::Turn,
        Timer::Park,
        Timer::Claim,
        Timer::Total,
        Timer::Offer,
        Timer::Escalation,
        Timer::Pause,
        Timer::Approval,
        Timer::Commitment,
        Timer::Agreement,
    ];
    let decision = || match variant % 3 {
        0 => Decision::Approved,
        1 => Decision::Rejected,
        _ => Decision::Conditional(vec![text("if it is done by Friday")]),
    };
    let words = || text(["yes", "no", "perhaps"][usize::from(variant % 3)]);
    let promise = || match variant / 2 % 3 {
        0 => AgentAct::Promise(words()),
        1 => AgentAct::WithdrawPromise(usize::from(variant / 128)),
        _ => AgentAct::AcceptPromise(usize::from(variant / 128)),
    };
    let by_agent = |act| Command::Agent(side, act);
    match what % 32 {
        // Most of the time, whoever is next does something that is allowed.
        0..=9 => match n.awaiting() {
            Awaiting::Agent(side) | Awaiting::Fallback(side) => {
                Command::Agent(side, AgentAct::TakeTurn(turn(act(), "because")))
            }
            Awaiting::Pickup(side) => Command::Agent(side, AgentAct::Claim(agent)),
            Awaiting::Claimed(side, agent) => Command::Agent(side, AgentAct::Respond(agent, turn(act(), "because"))),
            Awaiting::Person(_) => {
                Command::Person(PersonAct::Decide { decision: decision(), digest: shown.clone(), remarks: None })
            }
            Awaiting::Signature(side) => sign(side),
            Awaiting::Others => Command::Person(PersonAct::Resume),
            Awaiting::Nobody => by_agent(promise()),
        },
        10 if variant & 8 == 0 => by_agent(AgentAct::TakeTurn(turn(act(), "because"))),
        10 => match n.awaiting() {
            Awaiting::Person(Ask::Draft) => by_agent(AgentAct::Retract),
            Awaiting::Agent(side) | Awaiting::Fallback(side) => {
                Command::Agent(side, AgentAct::Draft(None, turn(act(), "because"), Span::seconds(u64::from(variant))))
            }
            _ => by_agent(AgentAct::Draft(Some(agent), turn(act(), "because"), Span::seconds(u64::from(variant)))),
        },
        11 => by_agent(AgentAct::Respond(agent, turn(act(), "because"))),
        12 => by_agent(AgentAct::Claim(agent)),
        13 => by_agent(AgentAct::Release(agent)),
        14 => by_agent(AgentAct::Fail(words())),
        15 => by_agent(AgentAct::Escalate(Escalation {
            reason: EscalationReason::ConfidenceLow,
            urgency: [Urgency::Low, Urgency::Medium, Urgency::High, Urgency::Critical][usize::from(variant % 4)],
            context: words(),
            suggested_action: None,
            hook: None,
            draft: (variant & 8 == 0).then(|| Box::new(turn(act(), "because"))),
        })),
        16 => by_agent(AgentAct::Resume),
        17 => {
            let authority = [Authority::Full, Authority::Limited, Authority::Advisory][usize::from(variant % 3)];
            by_agent(AgentAct::Delegate(Delegation { to: agent, scope: words(), authority }))
        }
        18 => by_agent(AgentAct::TakeTurnFor(agent, turn(act(), "because"))),
        19 => by_agent(AgentAct::Report(Report { from: agent, finding: words(), conditions: vec![] })),
        20 => by_agent(promise()),
        21 => Command::Person(PersonAct::Decide { decision: decision(), digest: shown.clone(), remarks: None }),
        22 => Command::Person(PersonAct::Rule(Ruling { approved: variant & 4 == 0, remarks: words() })),
        23 => Command::Person(if variant & 4 == 0 { PersonAct::Hold } else { PersonAct::Resume }),
        24 => Command::Person(if variant & 4 == 0 { PersonAct::TakeOver } else { PersonAct::HandBack }),
        25 => Command::Person(PersonAct::TakeTurn(turn(act(), "because"))),
        26 => Command::Person(match variant % 8 {
            0 => PersonAct::Withdraw(words()),
            1..=2 => PersonAct::Guide(words()),
            3 => PersonAct::Send,
            4 => PersonAct::Mandate(u64::from(variant)),
            _ => PersonAct::Extend(Span::hours(u64::from(variant))),
        }),
        27 => Command::DeadlinePassed(timers[usize::from(variant) % timers.len()]),
        28 => n.next_deadline().map_or(Command::DeadlinePassed(Timer::Turn), |due| Command::DeadlinePassed(due.timer)),
        29 => {
            let hook = [Hook::Start, Hook::Turn, Hook::Resolution, Hook::Execution][usize::from(variant % 4)];
            let ruled = [Ruled::Allow, Ruled::Warn, Ruled::Deny, Ruled::Escalate][usize::from(variant / 4 % 4)];
            Command::System(SystemAct::Verdict(Verdict { hook, ruled, because: words() }, None))
        }
        30 if variant % 4 == 0 => {
            let violation = [Violation::Capability, Violation::Schema, Violation::Policy][usize::from(variant % 3)];
            Command::System(SystemAct::Violation(side, violation))
        }
        30 => {
            let approver = text(if variant & 4 == 0 { "policy:resource_allocation" } else { "person" });
            Command::System(SystemAct::Decide { approver, decision: decision(), digest: shown.clone() })
        }
        _ => sign(side),
    }
}

/// A move that is allowed, or any at all.
fn an_act(n: &Negotiation, variant: u8) -> Move {
    let amount = i64::from(variant % 16);
    let offer = Offer {
        terms: if variant & 16 == 0 { terms(&[("cpu", whole(amount))]) } else { terms(&[]) },
        objections: if variant & 32 == 0 {
            vec![]
        } else {
            vec![Objection { field: name("cpu"), reason: text("no"), alternative: None, evidence: vec![] }]
        },
        is_final: variant.is_multiple_of(11),
        valid_until: variant.is_multiple_of(7).then(|| n.changed_at().plus(Span::seconds(u64::from(variant)))),
        ..Offer::default()
    };
    let offer = Arc::new(offer);
    let all = [
        Move::Propose(offer.clone()),
        Move::Counter(offer.clone()),
        Move::Accept,
        reject(RejectCode::BudgetExceeded, variant & 4 == 0),
        Move::Question(vec![Question { field: None, question: text("when?"), options: vec![] }]),
        Move::Answer(vec![]),
        Move::Inquire,
        Move::Describe(offer),
    ];
    let allowed: Vec<&Move> = all.iter().filter(|act| n.allowed().contains(act.action())).collect();
    let wanted = usize::from(variant / 8);
    allowed.get(wanted % allowed.len().max(1)).map_or_else(|| all[wanted % all.len()].clone(), |act| (*act).clone())
}

fn sign(side: Side) -> Command {
    Command::System(SystemAct::Sign(Signature { side, signer: text("key"), signature: text("signature") }))
}
