//! Every way a small negotiation can go, explored to the end.
//!
//! Both agents, two personal agents that race for one turn, an agent that crashes, a person who acts at any moment (also
//! on what they saw before it changed), policies, and a clock that may jump ahead or stand still. Writes race: what was
//! decided on one version is written only while that version is the current one.

use std::fmt::Write as _;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use stateright::{Checker, Model, Property};

#[path = "../../tests/rules/views.rs"]
mod views;

use super::{Holder, Negotiation, Pause, Phase};
use crate::{
    AgentAct, AgentId, AgentKind, Approver, Assessment, Command, Decision, Delegation, Digest, Escalation,
    EscalationReason, Event, Fact, Frame, Hook, Load, Move, NegotiationId, Offer, Opening, Parties, Party, PersonAct,
    Profile, Protocol, RejectCode, Rejection, Role, Rulebook, Ruled, Ruling, SeedAssessment, Side, Signature, Span,
    Speaker, Status, SuggestedRoles, SummitKind, SystemAct, TermName, Terms, Text, Timestamp, Turn, Urgency, Value,
    Verdict, Violation,
};
use views::agree;

/// A negotiation, what its person last looked at, and what somebody is about to write.
#[derive(Clone, Debug)]
struct State {
    n: Negotiation,
    now: Timestamp,
    /// What the person saw.
    seen: Option<Digest>,
    /// Decided on that version, not written yet.
    in_flight: Option<(u64, Arc<[Event]>)>,
    /// How often something came between that could go on for ever.
    detours: u8,
    /// The person approved exactly what is there, and it was written.
    approved: bool,
}

#[derive(Clone, Debug, PartialEq)]
enum Step {
    /// Asked, decided and written at once.
    Do(Command),
    /// Asked and decided; the writing comes later, or never.
    Begin(Command),
    /// What was decided is written, if nobody was first.
    Write,
    /// The process dies before it writes.
    Crash,
    /// The person reads what is there.
    Look,
    /// The person decides on what they saw.
    Decide(Decision),
    /// Half of the time to the next deadline passes.
    Wait,
    /// The next deadline passes.
    Ring,
}

struct Table {
    opening: Opening,
    /// Claims and writes race too.
    races: bool,
    /// How often something may come between.
    detours: u8,
}

impl Model for Table {
    type State = State;
    type Action = Step;

    fn init_states(&self) -> Vec<State> {
        let events = Negotiation::open(self.opening.clone(), Load::default(), Timestamp(0)).unwrap_or_default();
        let n = Negotiation::replay(&events);
        n.map(|n| State { n, now: Timestamp(0), seen: None, in_flight: None, detours: 0, approved: false })
            .into_iter()
            .collect()
    }

    fn actions(&self, state: &State, steps: &mut Vec<Step>) {
        steps.extend([Step::Look, Step::Wait, Step::Ring]);
        let decisions = [Decision::Approved, Decision::Rejected, Decision::Conditional(vec![text("if")])];
        steps.extend(decisions.map(Step::Decide));
        if state.in_flight.is_some() {
            steps.extend([Step::Write, Step::Crash]);
        }
        for command in self.commands(state) {
            let races = matches!(&command, Command::Agent(_, AgentAct::Claim(_) | AgentAct::Respond(..)));
            if self.races && races && state.in_flight.is_none() {
                steps.push(Step::Begin(command.clone()));
            }
            steps.push(Step::Do(command));
        }
    }

    fn next_state(&self, before: &State, step: Step) -> Option<State> {
        let mut state = before.clone();
        match step {
            Step::Do(command) => {
                state.detours += u8::from(is_detour(&command));
                (state.detours <= self.detours).then_some(())?;
                let events = state.n.decide(command, state.now).ok()?;
                state.write(&events);
            }
            Step::Begin(command) => {
                state.detours += u8::from(is_detour(&command));
                (state.detours <= self.detours).then_some(())?;
                let events = state.n.decide(command, state.now).ok()?;
                state.in_flight = Some((state.n.version(), events.into()));
            }
            Step::Write => {
                let (version, events) = state.in_flight.take()?;
                if version == state.n.version() {
                    state.write(&events);
                }
            }
            Step::Crash => state.in_flight = None,
            Step::Look => {
                let digest = state.n.digest();
                (matches!(state.n.phase, Phase::Approval { .. }) && state.seen.as_ref() != Some(&digest))
                    .then_some(())?;
                state.seen = Some(digest);
            }
            Step::Decide(decision) => {
                let digest = state.seen.clone()?;
                let act = PersonAct::Decide { decision, digest, remarks: None };
                let events = state.n.decide(Command::Person(act), state.now).ok()?;
                state.write(&events);
            }
            Step::Wait => {
                let left = state.n.next_deadline()?.at.since(state.now);
                (left.0 > 1).then_some(())?;
                state.now = state.now.plus(Span(left.0 / 2 + 1));
                // Once between two events is enough to be at some moment between them.
                (before.n.changed_at() == before.now).then_some(())?;
            }
            Step::Ring => {
                let deadline = state.n.next_deadline()?;
                state.now = state.now.max(deadline.at);
                let events = state.n.decide(Command::DeadlinePassed(deadline.timer), state.now).ok()?;
                state.write(&events);
            }
        }
        Some(state)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("accepted without the person", |_, state: &State| {
                state.n.status() != Status::Accepted || state.approved
            }),
            Property::always("both sides hold the turn", |_, state: &State| {
                let may = |side| SPEAKERS.iter().any(|who| can_speak(&state.n, side, who, state.now));
                !(may(Side::Initiator) && may(Side::Responder))
            }),
            Property::always("two agents hold one turn", |_, state: &State| {
                let may = |who: &&'static str| can_speak(&state.n, Side::Responder, who, state.now);
                ["one", "other"].iter().filter(|who| may(who)).count() <= 1
            }),
            Property::always("no way to end", |_, state: &State| ends_by_itself(state)),
            Property::always("the views contradict each other", |_, state: &State| agree(&state.n)),
            Property::always("over without saying why", |_, state: &State| {
                let over = !matches!(state.n.status(), Status::Negotiating | Status::Pending);
                over == state.n.why().is_some()
            }),
            Property::sometimes("accepted", |_, state: &State| state.n.status() == Status::Accepted),
            Property::sometimes("declined", |_, state: &State| state.n.status() == Status::Declined),
            Property::sometimes("rejected", |_, state: &State| state.n.status() == Status::Rejected),
            Property::sometimes("expired", |_, state: &State| state.n.status() == Status::Expired),
            Property::sometimes("taken back", |_, state: &State| state.n.status() == Status::Aborted),
            Property::sometimes("decided on what has changed", |table: &Self, state: &State| {
                // Where nothing waiting for approval can change, any state will do.
                if !table.opening.rulebook.reopens() {
                    return true;
                }
                let act = |digest| PersonAct::Decide { decision: Decision::Approved, digest, remarks: None };
                let seen = state.seen.clone().map(|digest| state.n.decide(Command::Person(act(digest)), state.now));
                matches!(seen, Some(Err(crate::Refusal::Changed { .. })))
            }),
        ]
    }
}

/// Who may try to speak: an agent in the process, two personal agents, a delegate, the person.
const SPEAKERS: [&str; 5] = ["", "one", "other", "delegate", "person"];

fn can_speak(n: &Negotiation, side: Side, who: &'static str, now: Timestamp) -> bool {
    n.allowed().iter().any(|action| {
        let Some(act) = moves(n).into_iter().find(|act| act.action() == action) else { return false };
        let turn = turn(act);
        let command = match who {
            "" => Command::Agent(side, AgentAct::TakeTurn(turn)),
            "delegate" => Command::Agent(side, AgentAct::TakeTurnFor(agent(who), turn)),
            "person" if side == n.opening.ours => Command::Person(PersonAct::TakeTurn(turn)),
            "person" => return false,
            _ => Command::Agent(side, AgentAct::Respond(agent(who), turn)),
        };
        n.decide(command, now).is_ok()
    })
}

/// What could come again and again, and would make the space endless.
fn is_detour(command: &Command) -> bool {
    match command {
        Command::Agent(_, act) => {
            matches!(
                act,
                AgentAct::Fail(_)
                    | AgentAct::Escalate(_)
                    | AgentAct::Draft(..)
                    | AgentAct::Delegate(_)
                    | AgentAct::Claim(_)
            )
        }
        Command::Person(act) => {
            matches!(act, PersonAct::Hold | PersonAct::TakeOver | PersonAct::Guide(_) | PersonAct::Extend(_))
        }
        Command::System(SystemAct::Verdict(..)) => true,
        Command::System(_) | Command::DeadlinePassed(_) => false,
    }
}

/// With nobody doing anything any more, the clock alone brings it to an end that binds nobody.
fn ends_by_itself(state: &State) -> bool {
    let (mut n, mut now) = (state.n.clone(), state.now);
    let accepted = n.status() == Status::Accepted;
    for _ in 0..8 {
        let Some(deadline) = n.next_deadline() else { break };
        now = now.max(deadline.at);
        let Ok(events) = n.decide(Command::DeadlinePassed(deadline.timer), now) else { return false };
        events.iter().for_each(|event| n.apply(event));
    }
    let over = !matches!(n.status(), Status::Negotiating | Status::Pending) && n.next_deadline().is_none();
    over && (accepted || n.status() != Status::Accepted)
}

impl Table {
    fn commands(&self, state: &State) -> Vec<Command> {
        let n = &state.n;
        let mut commands = Vec::new();
        for side in Side::BOTH {
            let mut add = |act| commands.push(Command::Agent(side, act));
            moves(n).into_iter().for_each(|act| add(AgentAct::TakeTurn(turn(act))));
            if self.opening.parties.get(side).agent == AgentKind::Personal {
                for who in ["one", "other"] {
                    add(AgentAct::Claim(agent(who)));
                    add(AgentAct::Release(agent(who)));
                    moves(n).into_iter().for_each(|act| add(AgentAct::Respond(agent(who), turn(act))));
                }
            }
            add(AgentAct::Fail(text("it broke")));
            add(AgentAct::Escalate(doubt()));
            add(AgentAct::Escalate(Escalation { draft: Some(Box::new(turn(Move::Accept))), ..doubt() }));
            add(AgentAct::Draft(None, turn(Move::Accept), Span::seconds(4)));
            add(AgentAct::Retract);
            add(AgentAct::Resume);
            if n.delegated.is_none() {
                let authority = crate::Authority::Full;
                add(AgentAct::Delegate(Delegation { to: agent("delegate"), scope: text("all"), authority }));
            }
            add(AgentAct::TakeTurnFor(agent("delegate"), turn(Move::Accept)));
            let sign = Signature { side, signer: text("key"), signature: text("signature") };
            commands.push(Command::System(SystemAct::Sign(sign)));
            commands.push(Command::System(SystemAct::Violation(side, Violation::Capability)));
        }
        let ruling = |approved| PersonAct::Rule(Ruling { approved, remarks: text("so be it") });
        commands.extend([
            Command::Person(ruling(true)),
            Command::Person(ruling(false)),
            Command::Person(PersonAct::Hold),
            Command::Person(PersonAct::Resume),
            Command::Person(PersonAct::TakeOver),
            Command::Person(PersonAct::HandBack),
            Command::Person(PersonAct::Send),
            Command::Person(PersonAct::Extend(Span::hours(48))),
            Command::Person(PersonAct::Withdraw(text("no longer"))),
        ]);
        if n.guidance.is_empty() {
            commands.push(Command::Person(PersonAct::Guide(text("ask for more"))));
        }
        commands.extend(moves(n).into_iter().map(|act| Command::Person(PersonAct::TakeTurn(turn(act)))));
        let asked = matches!(n.phase, Phase::Approval { .. });
        for decision in [Decision::Approved, Decision::Rejected].into_iter().filter(|_| asked) {
            let (approver, digest) = (text("policy:resource_allocation"), n.digest());
            commands.push(Command::System(SystemAct::Decide { approver, decision, digest }));
        }
        let verdict =
            |hook, ruled| Command::System(SystemAct::Verdict(Verdict { hook, ruled, because: text("rule") }, None));
        commands.extend([verdict(Hook::Resolution, Ruled::Deny), verdict(Hook::Start, Ruled::Escalate)]);
        commands
    }
}

impl State {
    fn write(&mut self, events: &[Event]) {
        for event in events {
            match &event.fact {
                Fact::Decided(approval) if approval.approver == Approver::Person => {
                    self.approved = approval.decision != Decision::Rejected && approval.digest == self.n.digest();
                }
                // Whatever was approved, this is something else.
                Fact::TurnTaken(_) | Fact::Resolved(_) => self.approved = false,
                _ => {}
            }
            self.n.apply(event);
        }
    }

    /// Everything that what can still happen depends on, with moments as the time left.
    fn essence(&self) -> String {
        let Self { n, now, seen, in_flight, detours, approved } = self;
        let ago = |at: Timestamp| at.0 - now.0;
        let mut all = match &n.phase {
            Phase::Talking(floor) => format!("T{:?}{}", floor.side, ago(floor.since)),
            Phase::Paused { why: Pause::Held, since, floor } => {
                format!("H{}{:?}{}", ago(*since), floor.side, ago(floor.since))
            }
            Phase::Paused { why: Pause::Escalated { side, escalation, stage }, since, floor } => {
                let place = (ago(*since), floor.side, ago(floor.since));
                format!("E{side:?}{stage:?}{:?}{:?}{place:?}", escalation.hook, escalation.draft.is_some())
            }
            Phase::Resolved(_) => "R".into(),
            Phase::Approval { given, since, due, .. } => {
                let given: Vec<_> = given.iter().map(|approval| &approval.approver).collect();
                format!("A{given:?}{}{}", ago(*since), ago(*due))
            }
            Phase::Closed { outcome, ending, agreement, at } => {
                let binding = agreement.binding.map(|(_, until)| ago(until));
                let signed = agreement.signatures.len();
                format!("C{:?}{ending:?}{}{signed}{binding:?}{}", outcome.result, agreement.is_over, ago(*at))
            }
        };
        if let Phase::Talking(floor) | Phase::Paused { floor, .. } = &n.phase {
            let holder = match &floor.holder {
                Holder::Agent => "a".into(),
                Holder::Fallback => "f".into(),
                Holder::Parked { first } => format!("p{}", ago(*first)),
                Holder::Drafted { turn, until, .. } => format!("d{:?}{}", turn.act.action(), ago(*until)),
                Holder::Claimed { by, since, first } => format!("c{:?}{}{}", by, ago(*since), ago(*first)),
            };
            all.push_str(&holder);
        }
        let talked: Vec<_> = n
            .turns
            .iter()
            .map(|taken| (taken.side, taken.turn.act.action(), taken.speaker == Speaker::Person))
            .collect();
        let seen = seen.as_ref().map(|digest| *digest == n.digest());
        let in_flight =
            in_flight.as_ref().map(|(version, events)| (*version == n.version, events.len(), events.first()));
        let times = (ago(n.opened_at.plus(n.stopped)), n.changed_at == *now);
        let written = write!(
            all,
            "|{talked:?}{times:?}{:?}{}{}{}{:?}{:?}{:?}{seen:?}{in_flight:?}{detours}{approved}",
            n.stopped,
            n.taken_over,
            n.delegated.is_some(),
            n.guidance.len(),
            n.suspended,
            n.counters,
            n.trouble,
        );
        debug_assert!(written.is_ok());
        all
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.essence() == other.essence()
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.essence().hash(hasher);
    }
}

/// One of each kind, with something new to say in every turn.
fn moves(n: &Negotiation) -> Vec<Move> {
    let count = i64::try_from(n.turns.len()).unwrap_or(0);
    let offer = || {
        let name = TermName::new(if n.opening.rulebook.protocol == Protocol::Index { "x" } else { "cpu" });
        let value: Option<Value> = serde_json::from_value(serde_json::json!({"integer":{"amount": count}})).ok();
        let terms = name.ok().zip(value).and_then(|term| Terms::new([term]).ok());
        Arc::new(Offer { terms: terms.unwrap_or_default(), ..Offer::default() })
    };
    let rejection = Rejection { code: RejectCode::BudgetExceeded, retryable: true, retry_after: None };
    let all = [Move::Propose(offer()), Move::Counter(offer()), Move::Accept, Move::Reject(rejection)];
    all.into_iter().filter(|act| n.allowed().contains(act.action())).collect()
}

fn turn(act: Move) -> Turn {
    let suggested_roles = Some(SuggestedRoles { own: Role::Peer, other: Role::Peer });
    Turn { act, assessment: Assessment { reasoning: text("so"), suggested_roles, confidence: None }, message: None }
}

fn doubt() -> Escalation {
    Escalation {
        reason: EscalationReason::ConfidenceLow,
        urgency: Urgency::High,
        context: text("not sure"),
        suggested_action: None,
        hook: None,
        draft: None,
    }
}

fn agent(name: &'static str) -> AgentId {
    AgentId(Text::own(name))
}

fn text(text: &'static str) -> Text {
    Text::own(text)
}

fn explore(name: &str, mut rulebook: Rulebook, agents: [AgentKind; 2], turns: u32, detours: u8) {
    rulebook.limits.turns = Some(turns);
    let [initiator, responder] =
        agents.map(|agent| Party { name: "A person".into(), agent, profile: Profile::default(), key: None });
    let seed = SeedAssessment { score: 80, reasoning: text("why not"), valency_role: Role::Peer, actors: Vec::new() };
    let opening = Opening {
        id: NegotiationId("n".into()),
        title: "A match".into(),
        rulebook,
        parties: Parties { initiator, responder },
        ours: Side::Responder,
        seed,
        sample: false,
        mandate: 0,
        frame: Frame { goal: Some(text("share")), arbiter: true, ..Frame::default() },
    };
    let checker = Table { races: agents.contains(&AgentKind::Personal), opening, detours }
        .checker()
        .threads(2)
        .spawn_bfs()
        .join();
    checker.assert_properties();
    #[expect(clippy::print_stdout, reason = "how much was explored is the result")]
    {
        println!("{name}: {} states, {} steps deep", checker.unique_state_count(), checker.max_depth());
    }
}

/// Four turns and one thing that comes between: seconds.
#[test]
fn small() {
    all(1);
}

/// Four turns and two things that come between, with racing personal agents: minutes.
#[test]
#[ignore = "minutes; `cargo xtask test` runs it"]
fn large() {
    let party = |agent| Party { name: String::new(), agent, profile: Profile::default(), key: None };
    let parties = Parties { initiator: party(AgentKind::System), responder: party(AgentKind::Personal) };
    explore("index", Rulebook::index(&parties), [AgentKind::System, AgentKind::Personal], 4, 2);
    all(2);
}

fn all(detours: u8) {
    let system = [AgentKind::System; 2];
    explore("asp", Rulebook::asp(Span::minutes(30)), system, 4, detours);
    explore("summit", Rulebook::summit(SummitKind::ResourceAllocation), system, 4, detours);
    explore("hire", Rulebook::hire(), system, 4, detours);
    explore("lcp", Rulebook::lcp(), system, 4, detours);
}
