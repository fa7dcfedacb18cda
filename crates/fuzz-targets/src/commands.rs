use std::sync::Arc;

use countersign_kernel::{
    Action, AgentAct, AgentId, AgentKind, Answer, Authority, Awaiting, Candidate, Command, Decision, Delegation,
    Digest, Escalation, EscalationReason, Hook, Move, Negotiation, Objection, Offer, Percent, PersonAct, Question,
    RejectCode, Rejection, Report, RiskLevel, Rulebook, Ruled, Ruling, Scores, Side, Signature, Span, Status,
    SummitKind, SystemAct, TermName, Terms, Timer, Timestamp, Turn, Urgency, Value, Verdict, Violation, Weights,
};

use crate::reader::Reader;
use crate::table::{NOON, Table, opening, parties, take, turn};

/// As many as one run asks for.
const MOST: usize = 64;

/// Anything that anybody may ask, in any order, at any time: nothing binds without the person, and the events tell all.
pub fn commands(bytes: &[u8]) -> bool {
    let mut from = Reader(bytes);
    let mut table = open(&mut from);
    let (mut now, mut shown, mut approved) = (NOON, table.n.digest(), None);
    for _ in 0..MOST {
        if from.is_empty() {
            break;
        }
        now = later(&mut from, &table.n, now);
        if from.flag() {
            shown = table.n.digest();
        }
        let command = command(&mut from, &table.n, &shown);
        let approves = approved_by_person(&command);
        let before = table.n.digest();
        if table.ask(command, now) && approves.is_some() {
            assert_eq!(approves.as_ref(), Some(&before), "only what was shown is approved");
            approved = approves;
        }
        if table.n.status() == Status::Accepted {
            assert_eq!(approved, Some(table.n.digest()), "nothing binds without the person");
        }
    }
    table.check();
    true
}

/// What our person says yes to, now or beforehand.
fn approved_by_person(command: &Command) -> Option<Digest> {
    match command {
        Command::Person(PersonAct::Decide {
            decision: Decision::Approved | Decision::Conditional(_), digest, ..
        })
        | Command::System(SystemAct::PreApprove { digest, .. }) => Some(digest.clone()),
        Command::Person(_) | Command::System(_) | Command::Agent(..) | Command::DeadlinePassed(_) => None,
    }
}

fn open(from: &mut Reader<'_>) -> Table {
    let kinds = [AgentKind::System, AgentKind::Personal, AgentKind::Remote];
    let parties = parties(from.pick(&kinds), from.pick(&kinds));
    let rulebook = match from.byte() % 5 {
        0 => Rulebook::index(&parties),
        1 => Rulebook::asp(Span::minutes(30)),
        2 => Rulebook::summit(from.pick(&SummitKind::ALL)),
        3 => Rulebook::hire(),
        _ => Rulebook::lcp(),
    };
    let mut opening = opening(rulebook, parties, from.pick(&Side::BOTH));
    opening.frame.direct = from.byte().is_multiple_of(16);
    if from.byte().is_multiple_of(4) {
        opening.frame.approvers = vec![from.text()];
    }
    Table::open(opening)
}

/// Mostly a little later, or when the next deadline is; sometimes any time at all, earlier too.
fn later(from: &mut Reader<'_>, n: &Negotiation, now: Timestamp) -> Timestamp {
    match from.byte() % 8 {
        0..=3 => now.plus(Span(from.byte().into())),
        4 | 5 => n.next_deadline().map_or(now, |due| due.at),
        6 => now.plus(Span(from.number() >> 11)),
        _ => Timestamp(from.number().cast_signed() >> 11),
    }
}

fn command(from: &mut Reader<'_>, n: &Negotiation, shown: &Digest) -> Command {
    match from.byte() % 8 {
        // Whoever is next does what comes next.
        0..=3 => match n.awaiting() {
            Awaiting::Agent(side) | Awaiting::Fallback(side) => take(side, a_turn(from, n)),
            Awaiting::Pickup(side) => Command::Agent(side, AgentAct::Claim(agent(from))),
            Awaiting::Claimed(side, by) => Command::Agent(side, AgentAct::Respond(by, a_turn(from, n))),
            Awaiting::Signature(side) => Command::System(SystemAct::Sign(signature(from, side))),
            Awaiting::Person(_) => Command::Person(by_person(from, n, shown)),
            Awaiting::Others => Command::System(by_system(from, n, shown)),
            Awaiting::Nobody => Command::Agent(from.pick(&Side::BOTH), by_agent(from, n)),
        },
        4 => Command::Agent(from.pick(&Side::BOTH), by_agent(from, n)),
        5 => Command::Person(by_person(from, n, shown)),
        6 => Command::System(by_system(from, n, shown)),
        _ if from.flag() => Command::DeadlinePassed(from.pick(&TIMERS)),
        _ => Command::DeadlinePassed(n.next_deadline().map_or(Timer::Turn, |due| due.timer)),
    }
}

fn by_agent(from: &mut Reader<'_>, n: &Negotiation) -> AgentAct {
    match from.byte() % 15 {
        0 => AgentAct::TakeTurn(a_turn(from, n)),
        1 => AgentAct::Respond(agent(from), a_turn(from, n)),
        2 => AgentAct::TakeTurnFor(agent(from), a_turn(from, n)),
        3 => AgentAct::Draft(from.flag().then(|| agent(from)), a_turn(from, n), Span(from.number() >> 11)),
        4 => AgentAct::Retract,
        5 => AgentAct::Claim(agent(from)),
        6 => AgentAct::Release(agent(from)),
        7 => AgentAct::Fail(from.text()),
        8 => AgentAct::Escalate(Escalation {
            reason: from.pick(&[EscalationReason::AuthorityLimit, EscalationReason::AdversarialDetected]),
            urgency: from.pick(&[Urgency::Low, Urgency::Medium, Urgency::High, Urgency::Critical]),
            context: from.text(),
            suggested_action: None,
            hook: from.flag().then(|| from.pick(&HOOKS)),
            draft: from.flag().then(|| Box::new(a_turn(from, n))),
        }),
        9 => AgentAct::Resume,
        10 => AgentAct::Delegate(Delegation {
            to: agent(from),
            scope: from.text(),
            authority: from.pick(&[Authority::Full, Authority::Limited, Authority::Advisory]),
        }),
        11 => AgentAct::Report(Report { from: agent(from), finding: from.text(), conditions: Vec::new() }),
        12 => AgentAct::Promise(from.text()),
        13 => AgentAct::WithdrawPromise(from.byte().into()),
        _ => AgentAct::AcceptPromise(from.byte().into()),
    }
}

fn by_person(from: &mut Reader<'_>, n: &Negotiation, shown: &Digest) -> PersonAct {
    match from.byte() % 16 {
        0..=4 => PersonAct::Decide {
            decision: decision(from),
            digest: digest(from, shown),
            remarks: from.flag().then(|| from.text()),
        },
        5 => PersonAct::Rule(Ruling { approved: from.flag(), remarks: from.text() }),
        6 => PersonAct::Hold,
        7 => PersonAct::Resume,
        8 => PersonAct::Guide(from.text()),
        9 => PersonAct::TakeOver,
        10 => PersonAct::HandBack,
        11 => PersonAct::TakeTurn(a_turn(from, n)),
        12 => PersonAct::Send,
        13 => PersonAct::Mandate(from.number()),
        14 => PersonAct::Extend(Span(from.number() >> 11)),
        _ => PersonAct::Withdraw(from.text()),
    }
}

fn by_system(from: &mut Reader<'_>, n: &Negotiation, shown: &Digest) -> SystemAct {
    match from.byte() % 8 {
        0 => SystemAct::Verdict(
            Verdict {
                hook: from.pick(&HOOKS),
                ruled: from.pick(&[Ruled::Allow, Ruled::Warn, Ruled::Deny, Ruled::Escalate]),
                because: from.text(),
            },
            None,
        ),
        1..=3 => SystemAct::Decide { approver: from.text(), decision: decision(from), digest: digest(from, shown) },
        4 => SystemAct::PreApprove { name: from.text(), digest: digest(from, shown) },
        5 => {
            let candidates = (1..).zip(n.turns()).take(usize::from(from.byte() % 4)).map(|(turn, taken)| {
                let percent = Percent::of(from.byte());
                Candidate {
                    turn,
                    scores: Scores {
                        feasibility: percent,
                        compliance: percent,
                        cost_benefit: percent,
                        risk_mitigation: percent,
                        stakeholder_alignment: percent,
                    },
                    changes: from.byte().into(),
                    risk: from.pick(&[RiskLevel::Low, RiskLevel::Critical]),
                    at: taken.at,
                }
            });
            SystemAct::Recommend { candidates: candidates.collect(), weights: Weights::default() }
        }
        6 => SystemAct::Violation(
            from.pick(&Side::BOTH),
            from.pick(&[Violation::Capability, Violation::Schema, Violation::Policy]),
        ),
        _ => {
            let side = from.pick(&Side::BOTH);
            SystemAct::Sign(signature(from, side))
        }
    }
}

/// A move that is open to whoever is next, or any at all.
fn a_turn(from: &mut Reader<'_>, n: &Negotiation) -> Turn {
    let open: Vec<Action> = n.allowed().iter().collect();
    let any = open.is_empty() || from.byte().is_multiple_of(8);
    let action = if any { from.pick(&Action::ALL) } else { from.pick(&open) };
    let mut taken = turn(match action {
        Action::Propose => Move::Propose(offer(from)),
        Action::Counter => Move::Counter(offer(from)),
        Action::Accept => Move::Accept,
        Action::Reject => Move::Reject(Rejection {
            code: from.pick(&[RejectCode::BudgetExceeded, RejectCode::UtilityGap]),
            retryable: from.flag(),
            retry_after: from.flag().then(|| Span(from.number() >> 11)),
        }),
        Action::Question => Move::Question(vec![Question { field: None, question: from.text(), options: Vec::new() }]),
        Action::Answer => Move::Answer(vec![Answer { field: Some(name(from)), answer: from.text() }]),
        Action::Inquire => Move::Inquire,
        Action::Describe => Move::Describe(offer(from)),
    });
    taken.message = from.flag().then(|| from.text());
    taken.assessment.suggested_roles.take_if(|_| from.byte().is_multiple_of(16));
    taken
}

fn offer(from: &mut Reader<'_>) -> Arc<Offer> {
    let terms: Vec<(TermName, Value)> = (0..from.byte() % 4).map(|_| (name(from), value(from))).collect();
    let objections = (0..from.byte() % 3).map(|_| Objection {
        field: name(from),
        reason: from.text(),
        alternative: from.flag().then(|| value(from)),
        evidence: Vec::new(),
    });
    Arc::new(Offer {
        objections: objections.collect(),
        terms: Terms::new(terms).expect("few enough"),
        is_final: from.byte().is_multiple_of(8),
        valid_until: from.byte().is_multiple_of(8).then(|| Timestamp(from.number().cast_signed() >> 11)),
        ..Offer::default()
    })
}

fn name(from: &mut Reader<'_>) -> TermName {
    let names = ["cpu", "cpu.one", "memory", "rank.backup", "dependency.a.b", "dependency.b.a", "framework.gdpr"];
    let others = ["parallel.logo", "role.logo", "budget.logo", "control.lock", "test.lock", "price", "capability"];
    TermName::new(from.pick(&[names, others].concat())).expect("a name")
}

/// Small, negative, and the largest there are.
fn value(from: &mut Reader<'_>) -> Value {
    let value = from.pick(&[
        r#"{"integer":{"amount":1}}"#,
        r#"{"integer":{"amount":-9007199254740991}}"#,
        r#"{"integer":{"amount":9007199254740991}}"#,
        r#"{"decimal":{"amount":"0.0000000000000000000000000001","unit":"GB"}}"#,
        r#"{"decimal":{"amount":"79228162514264337593543950335","unit":"GB"}}"#,
        r#"{"decimal":{"amount":"-79228162514264337593543950335","unit":"GB"}}"#,
        r#"{"money":{"amount":"5","currency":"USDC"}}"#,
        r#"{"money":{"amount":"-79228162514264337593543950335","currency":"USDC"}}"#,
        r#"{"money":{"amount":"79228162514264337593543950335","currency":"USDC"}}"#,
        r#"{"duration":9007199254740991}"#,
        r#"{"flag":true}"#,
        r#"{"flag":false}"#,
        r#"{"choice":"red"}"#,
        r#"{"text":"soon"}"#,
    ]);
    serde_json::from_str(value).expect("a value")
}

fn decision(from: &mut Reader<'_>) -> Decision {
    match from.byte() % 4 {
        0 | 1 => Decision::Approved,
        2 => Decision::Rejected,
        _ => Decision::Conditional((0..from.byte() % 3).map(|_| from.text()).collect()),
    }
}

/// Of what was shown, or of nothing there ever was.
fn digest(from: &mut Reader<'_>, shown: &Digest) -> Digest {
    if from.byte().is_multiple_of(8) { serde_json::from_str("\"00\"").expect("a digest") } else { shown.clone() }
}

fn agent(from: &mut Reader<'_>) -> AgentId {
    AgentId(from.text())
}

fn signature(from: &mut Reader<'_>, side: Side) -> Signature {
    Signature { side, signer: from.text(), signature: from.text() }
}

const HOOKS: [Hook; 4] = [Hook::Start, Hook::Turn, Hook::Resolution, Hook::Execution];

const TIMERS: [Timer; 14] = [
    Timer::Hold,
    Timer::FirstResponse,
    Timer::Clarification,
    Timer::Turn,
    Timer::Park,
    Timer::Claim,
    Timer::Total,
    Timer::Offer,
    Timer::Reminder,
    Timer::Escalation,
    Timer::Pause,
    Timer::Approval,
    Timer::Commitment,
    Timer::Agreement,
];
