use std::sync::Arc;

use countersign_kernel::{
    AgentAct, AgentKind, Assessment, Command, Event, Frame, Load, Move, Negotiation, NegotiationId, Offer, Opening,
    Opportunity, Parties, Party, Profile, Role, Rulebook, SeedAssessment, Side, Span, Status, SuggestedRoles,
    SummitKind, TermName, Terms, Text, Timestamp, Turn, Why,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) const NOON: Timestamp = Timestamp(1_700_000_000_000);

/// A negotiation and everything that happened in it.
#[derive(Clone)]
pub(crate) struct Table {
    pub(crate) n: Negotiation,
    pub(crate) events: Vec<Event>,
}

impl Table {
    /// One that is allowed to open.
    pub(crate) fn open(opening: Opening) -> Self {
        let events = Negotiation::open(opening, Load::default(), NOON).expect("it opens");
        Self { n: Negotiation::replay(&events).expect("it begins with an opening"), events }
    }

    /// Asks for something, and checks that a refusal changes nothing. Says whether it was done.
    pub(crate) fn ask(&mut self, command: Command, now: Timestamp) -> bool {
        let before = self.n.clone();
        let decided = self.n.decide(command, now);
        assert_eq!(self.n, before, "deciding changes nothing");
        let Ok(made) = decided else { return false };
        assert!(!made.is_empty(), "what is not refused makes something happen");
        made.iter().for_each(|event| self.n.apply(event));
        self.events.extend(made);
        assert_eq!(self.n.version(), self.events.len() as u64);
        true
    }

    /// Whatever was asked: the events tell everything, on paper too.
    pub(crate) fn check(&self) {
        look_at(&self.n);
        let written = serde_json::to_vec(&self.events).expect("events are written");
        let read: Vec<Event> = serde_json::from_slice(&written).expect("what was written is read");
        assert_eq!(read, self.events);
        assert_eq!(Negotiation::replay(&read).as_ref(), Some(&self.n), "the events tell everything");
    }
}

/// Looks at a state in every way there is.
pub(crate) fn look_at(n: &Negotiation) {
    let status = n.status();
    let is_over = !matches!(status, Status::Negotiating | Status::Pending);
    let why: Option<Why> = n.why();
    assert_eq!(is_over, why.is_some(), "every end has its reason");
    why.iter().for_each(survives_json);
    let opportunity: Opportunity = n.opportunity();
    survives_json(&opportunity);
    assert_eq!(opportunity.folder(), n.folder());
    assert_eq!(opportunity.due, n.next_deadline());
    assert_eq!(n.digest(), n.digest());
    let _ = (opportunity.place(), n.summit_state(), n.task_state(), n.hire_state(), n.is_ready(), n.objections());
    let _ = (n.allowed().iter().count(), n.changed_at().rfc3339(), n.opened_at().rfc3339());
}

/// Written and read again it is the same, and is written the same.
pub(crate) fn survives_json<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let written = serde_json::to_vec(value).expect("it is written");
    let read: T = serde_json::from_slice(&written).expect("what was written is read");
    assert_eq!(read, *value);
    assert_eq!(serde_json::to_vec(&read).expect("it is written"), written);
}

/// An opening under each protocol, Summit's five types among them, from each side.
pub(crate) fn openings() -> impl Iterator<Item = Opening> {
    let parties = parties(AgentKind::System, AgentKind::System);
    let plain = [Rulebook::index(&parties), Rulebook::asp(Span::minutes(30)), Rulebook::hire(), Rulebook::lcp()];
    let rulebooks = plain.into_iter().chain(SummitKind::ALL.map(Rulebook::summit));
    rulebooks.flat_map(move |rulebook| Side::BOTH.map(|ours| opening(rulebook.clone(), parties.clone(), ours)))
}

pub(crate) fn opening(rulebook: Rulebook, parties: Parties, ours: Side) -> Opening {
    Opening {
        id: NegotiationId("n-1".into()),
        title: "A founder looks for a mentor".into(),
        rulebook,
        parties,
        ours,
        seed: SeedAssessment {
            score: 80,
            reasoning: text("one seeks what the other offers"),
            valency_role: Role::Patient,
            actors: Vec::new(),
        },
        sample: false,
        mandate: 0,
        frame: Frame { goal: Some(text("share")), pool: pool(), arbiter: true, ..Frame::default() },
    }
}

pub(crate) fn parties(initiator: AgentKind, responder: AgentKind) -> Parties {
    let party = |name: &str, agent| Party { name: name.into(), agent, profile: Profile::default(), key: None };
    Parties { initiator: party("Ada", initiator), responder: party("Bo", responder) }
}

pub(crate) fn propose() -> Turn {
    turn(Move::Propose(Arc::new(Offer { justification: Some(text("it fits both")), ..Offer::default() })))
}

pub(crate) fn turn(act: Move) -> Turn {
    let suggested_roles = Some(SuggestedRoles { own: Role::Peer, other: Role::Peer });
    let assessment = Assessment { reasoning: text("because"), suggested_roles, confidence: None };
    Turn { act, assessment, message: None }
}

pub(crate) fn take(side: Side, turn: Turn) -> Command {
    Command::Agent(side, AgentAct::TakeTurn(turn))
}

pub(crate) fn text(text: &str) -> Text {
    Text::new(text).expect("it is a text")
}

/// What there is to share, for each of Summit's types.
fn pool() -> Terms {
    let pool = [
        ("cpu", r#"{"integer":{"amount":10}}"#),
        ("memory", r#"{"decimal":{"amount":"79228162514264337593543950335","unit":"GB"}}"#),
        ("floor.backup", r#"{"integer":{"amount":3}}"#),
        ("budget.logo", r#"{"money":{"amount":"5","currency":"USDC"}}"#),
    ];
    let term = |(name, value): (&str, &str)| (TermName::new(name).expect("a name"), serde_json::from_str(value));
    Terms::new(pool.map(term).map(|(name, value)| (name, value.expect("a value")))).expect("few enough")
}
