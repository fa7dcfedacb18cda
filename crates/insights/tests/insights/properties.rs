//! What holds for any negotiations in any order.

use countersign_insights::{End, Insights, Metrics, Period, Rate};
use countersign_kernel::{
    AgentAct, AgentKind, Awaiting, Command, Decision, EscalationReason, Event, Frame, Hook, Move, Opening, PersonAct,
    RejectCode, Rulebook, Ruled, Ruling, Side, Signature, Span, Status, SummitKind, SystemAct, Verdict, Violation,
    WhyCode,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use crate::kit::{
    MIDNIGHT, NOON, Table, agent_id, counter, doubt, id, objecting, opening, parties, propose, reject, text, turn,
};

/// One thing that somebody tries: what, a variant of it, and how many minutes after the last.
type Try = (u8, u8, u16);

/// A negotiation that was tried out: its events, and how it ended when it first did.
#[derive(Clone, Debug)]
struct Ran {
    events: Vec<Event>,
    end: Option<WhyCode>,
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn interleaving_does_not_matter(ran in negotiations(), picks in prop::collection::vec(any::<prop::sample::Index>(), 200)) {
        let apart = fold_apart(&ran);
        let mut together = Insights::default();
        let mut rest: Vec<(usize, &[Event])> = ran.iter().map(|one| &*one.events).enumerate().collect();
        for pick in picks.iter().cycle() {
            rest.retain(|(_, events)| !events.is_empty());
            if rest.is_empty() {
                break;
            }
            let place = pick.index(rest.len());
            let (number, events) = &mut rest[place];
            let (first, others) = events.split_first().unwrap();
            together.apply(&id(*number), first);
            *events = others;
        }
        prop_assert_eq!(together.week(MIDNIGHT).lines(), apart.week(MIDNIGHT).lines());
        prop_assert_eq!(together, apart);
    }

    #[test]
    fn every_ended_negotiation_has_exactly_one_end_and_it_is_the_kernels(ran in negotiations()) {
        let insights = fold_apart(&ran);
        let metrics = insights.metrics(Period::Everything);
        let ends: Vec<End> = ran.iter().filter_map(|one| one.end).map(end).collect();
        prop_assert_eq!(metrics.opened, u64::try_from(ran.len()).unwrap());
        prop_assert_eq!(metrics.ended, u64::try_from(ends.len()).unwrap());
        prop_assert_eq!(insights.under_way(), ran.len() - ends.len());
        for one in &ends {
            let same = ends.iter().filter(|other| *other == one).count();
            prop_assert_eq!(metrics.endings[one], u64::try_from(same).unwrap(), "{:?}", one);
        }
        prop_assert_eq!(metrics.endings.values().sum::<u64>(), metrics.ended);
        prop_assert!(metrics.undone.total() <= metrics.endings.get(&End::Accepted).copied().unwrap_or(0));
        for rate in [metrics.success, metrics.timeouts, metrics.aborts, metrics.approvals, metrics.rejections] {
            prop_assert!(rate.count <= rate.of && rate.percent().is_none_or(|percent| percent <= 100));
        }
        let all = metrics.approvals.count + metrics.rejections.count + metrics.decisions.conditional;
        prop_assert_eq!(all, metrics.decisions.total());
    }

    #[test]
    fn periods_that_follow_each_other_add_up_to_everything(ran in negotiations(), cut in -20..20_i64) {
        let insights = fold_apart(&ran);
        let cut = countersign_kernel::Timestamp(NOON.0 + cut * 5 * 3_600_000);
        let far = Span::days(4000);
        let before = insights.metrics(Period::Between { from: countersign_kernel::Timestamp(0), until: cut });
        let after = insights.metrics(Period::Between { from: cut, until: cut.plus(far) });
        let all = insights.metrics(Period::Everything);
        prop_assert_eq!(before.ended + after.ended, all.ended);
        prop_assert_eq!(before.opened + after.opened, all.opened);
        prop_assert_eq!(before.violations.total() + after.violations.total(), all.violations.total());
        let sum = |of: fn(&Metrics) -> Rate| of(&before).count + of(&after).count == of(&all).count;
        prop_assert!(sum(|m| m.success) && sum(|m| m.aborts) && sum(|m| m.timeouts) && sum(|m| m.rejections));
    }

    #[test]
    fn a_week_adds_up(ran in negotiations()) {
        let week = fold_apart(&ran).week(MIDNIGHT);
        let matches: u64 = week.matches.iter().map(|one| one.came.total()).sum();
        let turns: u64 = week.turns.iter().flat_map(|one| &one.counts).map(|count| count.negotiations).sum();
        prop_assert_eq!(matches, turns);
        prop_assert!(matches <= week.ended);
        prop_assert!(week.silent.values().sum::<u64>() <= week.ended);
        prop_assert!(week.overrides.count <= week.overrides.of);
        prop_assert!(week.lines().iter().all(|line| line.ends_with('.') && !line.contains("  ")));
    }
}

/// What is tried above is worth trying: it ends in every way there is, and some of it is undone.
#[test]
fn every_end_is_reached() {
    let mut runner = TestRunner::deterministic();
    let mut all = Insights::default();
    for round in 0..1_500 {
        for (place, one) in negotiations().new_tree(&mut runner).unwrap().current().iter().enumerate() {
            one.events.iter().for_each(|event| all.apply(&id(round * 10 + place), event));
        }
    }
    let metrics = all.metrics(Period::Everything);
    assert_eq!(metrics.endings.len(), 14, "{:?}", metrics.endings);
    assert!(metrics.undone.unsigned > 0 && metrics.undone.voided > 0, "{:?}", metrics.undone);
}

fn negotiations() -> impl Strategy<Value = Vec<Ran>> {
    let tries = prop::collection::vec((any::<u8>(), any::<u8>(), any::<u16>()), 0..25);
    prop::collection::vec((openings(), tries).prop_map(|(opening, tries)| run(opening, tries)), 1..6)
}

fn openings() -> impl Strategy<Value = Opening> {
    let kinds = prop::sample::select(vec![AgentKind::System, AgentKind::Personal, AgentKind::Remote]);
    (0..5_u8, kinds.clone(), kinds, any::<bool>(), any::<u8>()).prop_map(|(protocol, one, other, ours, rare)| {
        let parties = parties(one, other);
        let rulebook = match protocol {
            0 => Rulebook::index(&parties),
            1 => Rulebook::asp(Span::minutes(30)),
            2 => Rulebook::summit(SummitKind::PolicyConflict),
            3 => Rulebook::hire(),
            _ => Rulebook::lcp(),
        };
        let frame = Frame { goal: Some(text("share")), direct: rare % 8 == 0, ..Frame::default() };
        let ours = if ours { Side::Initiator } else { Side::Responder };
        Opening { ours, frame, sample: rare % 5 == 0, ..opening(rulebook, parties) }
    })
}

fn run(opening: Opening, tries: Vec<Try>) -> Ran {
    let (mut table, mut end) = (Table::open(opening), None);
    for attempt in tries {
        table.later(pause(&table, attempt));
        let _refused = table.try_ask(command(&table, attempt));
        if end.is_none() && !matches!(table.n.status(), Status::Negotiating | Status::Pending) {
            end = table.n.why().map(|why| why.code);
        }
    }
    Ran { events: table.events, end }
}

fn pause(table: &Table, (what, variant, time): Try) -> Span {
    let left = table.n.next_deadline().map_or(Span(0), |deadline| deadline.at.since(table.now));
    match variant % 8 {
        _ if what % 40 > 34 => left,
        0..=6 => Span(u64::from(time) % 3000),
        _ => Span::minutes(u64::from(time) % 3000),
    }
}

fn command(table: &Table, (what, variant, _): Try) -> Command {
    let n = &table.n;
    let side = if variant & 1 == 0 { Side::Initiator } else { Side::Responder };
    let pick = usize::from(variant / 2);
    let decision = || match variant % 4 {
        0 | 1 => Decision::Approved,
        2 => Decision::Rejected,
        _ => Decision::Conditional(vec![text("if it is done by Friday")]),
    };
    let taken = || turn(act(table, pick), &format!("reason {}", table.events.len() % 7));
    let decides = || Command::Person(PersonAct::Decide { decision: decision(), digest: n.digest(), remarks: None });
    match what % 40 {
        0..=25 => match n.awaiting() {
            Awaiting::Agent(side) | Awaiting::Fallback(side) => Command::Agent(side, AgentAct::TakeTurn(taken())),
            Awaiting::Pickup(side) => Command::Agent(side, AgentAct::Claim(agent_id("claude"))),
            Awaiting::Claimed(side, agent) => Command::Agent(side, AgentAct::Respond(agent, taken())),
            Awaiting::Person(countersign_kernel::Ask::Turn) => Command::Person(PersonAct::TakeTurn(taken())),
            Awaiting::Person(_) => decides(),
            Awaiting::Signature(side) => {
                Command::System(SystemAct::Sign(Signature { side, signer: text("key"), signature: text("s") }))
            }
            Awaiting::Others => Command::Person(PersonAct::Resume),
            Awaiting::Nobody => Command::Agent(side, AgentAct::Promise(text("soon"))),
        },
        26 => decides(),
        27 => Command::Agent(side, AgentAct::Fail(text("no route"))),
        28 => {
            let reasons = [EscalationReason::AdversarialDetected, EscalationReason::ConfidenceLow];
            Command::Agent(side, doubt(reasons[pick % 2], (variant & 4 == 0).then_some("go on")))
        }
        29 => Command::Person(PersonAct::Rule(Ruling { approved: variant & 2 == 0, remarks: text("so") })),
        30 => Command::Person(if variant & 4 == 0 { PersonAct::Hold } else { PersonAct::Resume }),
        31 => Command::Person(if variant & 4 == 0 { PersonAct::TakeOver } else { PersonAct::HandBack }),
        32 if variant % 8 == 0 => Command::Person(PersonAct::Withdraw(text("no"))),
        32 => Command::Person(PersonAct::Guide(text("mind the price"))),
        33 => {
            let hook = [Hook::Start, Hook::Turn, Hook::Resolution, Hook::Execution][pick % 4];
            let ruled = [Ruled::Allow, Ruled::Warn, Ruled::Deny, Ruled::Escalate][pick / 4 % 4];
            Command::System(SystemAct::Verdict(Verdict { hook, ruled, because: text("so") }, None))
        }
        34 => {
            let violation = [Violation::Capability, Violation::Schema, Violation::Policy][pick % 3];
            Command::System(SystemAct::Violation(side, violation))
        }
        _ => n.next_deadline().map_or_else(decides, |due| Command::DeadlinePassed(due.timer)),
    }
}

/// A move that is allowed, if there is one.
fn act(table: &Table, pick: usize) -> Move {
    let all = [
        propose(),
        counter(),
        counter(),
        Move::Accept,
        objecting(["price", "hours", "x"][pick % 3], "it will not do"),
        reject([RejectCode::Unsuitable, RejectCode::BudgetExceeded][pick % 2]),
        Move::Inquire,
    ];
    let allowed: Vec<&Move> = all.iter().filter(|act| table.n.allowed().contains(act.action())).collect();
    allowed.get(pick % allowed.len().max(1)).map_or(Move::Accept, |act| (*act).clone())
}

fn fold_apart(ran: &[Ran]) -> Insights {
    let mut insights = Insights::default();
    for (place, one) in ran.iter().enumerate() {
        one.events.iter().for_each(|event| insights.apply(&id(place), event));
    }
    insights
}

fn end(code: WhyCode) -> End {
    match code {
        WhyCode::Accepted => End::Accepted,
        WhyCode::Rejected(_) => End::Rejected,
        WhyCode::TurnCap => End::TurnCap,
        WhyCode::Timeout => End::Timeout,
        WhyCode::ClaimLapsed => End::ClaimLapsed,
        WhyCode::Stalemate => End::Stalemate,
        WhyCode::PolicyDenied => End::PolicyDenied,
        WhyCode::CapabilityViolation => End::CapabilityViolation,
        WhyCode::SchemaViolation => End::SchemaViolation,
        WhyCode::Adversarial => End::Adversarial,
        WhyCode::AgentError => End::AgentError,
        WhyCode::Declined => End::Declined,
        WhyCode::Expired | WhyCode::Unsigned => End::Expired,
        WhyCode::Withdrawn => End::Withdrawn,
    }
}
