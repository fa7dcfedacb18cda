//! A table to negotiate at: both sides, the person and the clock, through the public API.
//!
//! Whatever is asked here is checked on the way: a refusal changes nothing, replaying the events gives the same state,
//! and events survive JSON.

use std::sync::Arc;

use countersign_kernel::{
    AgentAct, AgentId, AgentKind, Assessment, Command, Decision, Event, Frame, Load, Move, Negotiation, NegotiationId,
    Offer, Opening, Parties, Party, PersonAct, Profile, Refusal, RejectCode, Rejection, Role, Rulebook, SeedAssessment,
    Side, Span, SuggestedRoles, SystemAct, TermName, Terms, Text, Timer, Timestamp, Turn, Value,
};

pub const NOON: Timestamp = Timestamp(1_700_000_000_000);

/// A negotiation under test.
pub struct Table {
    pub n: Negotiation,
    pub events: Vec<Event>,
    pub now: Timestamp,
}

impl Table {
    pub fn open(opening: Opening) -> Self {
        Self::try_open(opening, Load::default()).unwrap()
    }

    pub fn try_open(opening: Opening, load: Load) -> Result<Self, Refusal> {
        let events = Negotiation::open(opening, load, NOON)?;
        Ok(Self { n: Negotiation::replay(&events).unwrap(), events, now: NOON })
    }

    /// Between two agents of these kinds, seen by the responder.
    pub fn index(initiator: AgentKind, responder: AgentKind) -> Self {
        let parties = parties(initiator, responder);
        Self::open(opening(Rulebook::index(&parties), parties))
    }

    /// Between two agents in this process.
    pub fn under(rulebook: Rulebook) -> Self {
        Self::open(opening(rulebook, parties(AgentKind::System, AgentKind::System)))
    }

    /// Asks for something.
    pub fn ask(&mut self, command: Command) -> Result<(), Refusal> {
        let before = self.n.clone();
        let made = match self.n.decide(command, self.now) {
            Ok(made) => made,
            Err(refusal) => {
                assert_eq!(self.n, before, "a refusal changes nothing");
                return Err(refusal);
            }
        };
        assert!(!made.is_empty(), "what is not refused makes something happen");
        assert_eq!(self.n, before, "deciding changes nothing");
        made.iter().for_each(|event| self.n.apply(event));
        self.events.extend(made);
        let json = serde_json::to_string(&self.events).unwrap();
        let read: Vec<Event> = serde_json::from_str(&json).unwrap();
        assert_eq!(Negotiation::replay(&read).as_ref(), Some(&self.n), "the events tell everything");
        Ok(())
    }

    /// The side takes its turn.
    pub fn says(&mut self, side: Side, act: Move) -> Result<(), Refusal> {
        let turn = turn(act, &format!("reason {}", self.events.len()));
        self.ask(Command::Agent(side, AgentAct::TakeTurn(turn)))
    }

    pub fn agent(&mut self, side: Side, act: AgentAct) -> Result<(), Refusal> {
        self.ask(Command::Agent(side, act))
    }

    pub fn person(&mut self, act: PersonAct) -> Result<(), Refusal> {
        self.ask(Command::Person(act))
    }

    pub fn system(&mut self, act: SystemAct) -> Result<(), Refusal> {
        self.ask(Command::System(act))
    }

    /// The person decides on what is there.
    pub fn decides(&mut self, decision: Decision) -> Result<(), Refusal> {
        let digest = self.n.digest();
        self.person(PersonAct::Decide { decision, digest, remarks: None })
    }

    pub fn later(&mut self, span: Span) {
        self.now = self.now.plus(span);
    }

    pub fn passes(&mut self, timer: Timer) -> Result<(), Refusal> {
        self.ask(Command::DeadlinePassed(timer))
    }

    /// Which timer is next, and how long from now.
    pub fn next(&self) -> Option<(Timer, Span)> {
        self.n.next_deadline().map(|deadline| (deadline.timer, deadline.at.since(self.now)))
    }

    /// Goes to the next deadline and lets it pass.
    pub fn wait(&mut self) -> Timer {
        let deadline = self.n.next_deadline().unwrap();
        self.now = self.now.max(deadline.at);
        self.passes(deadline.timer).unwrap();
        deadline.timer
    }
}

pub fn opening(rulebook: Rulebook, parties: Parties) -> Opening {
    Opening {
        id: NegotiationId("n-1".into()),
        title: "A founder looks for a mentor".into(),
        rulebook,
        parties,
        ours: Side::Responder,
        seed: SeedAssessment {
            score: 80,
            reasoning: text("one seeks what the other offers"),
            valency_role: Role::Patient,
            actors: Vec::new(),
        },
        sample: false,
        mandate: 0,
        frame: Frame::default(),
    }
}

pub fn parties(initiator: AgentKind, responder: AgentKind) -> Parties {
    let party = |name: &str, agent| Party { name: name.into(), agent, profile: Profile::default(), key: None };
    Parties { initiator: party("Ada", initiator), responder: party("Bo", responder) }
}

pub fn turn(act: Move, reasoning: &str) -> Turn {
    let suggested_roles = Some(SuggestedRoles { own: Role::Peer, other: Role::Peer });
    Turn {
        act,
        assessment: Assessment { reasoning: text(reasoning), suggested_roles, confidence: None },
        message: None,
    }
}

pub fn propose() -> Move {
    Move::Propose(Arc::default())
}

pub fn counter() -> Move {
    Move::Counter(Arc::default())
}

pub fn propose_terms(terms: &[(&str, Value)]) -> Move {
    Move::Propose(Arc::new(Offer { terms: self::terms(terms), ..Offer::default() }))
}

pub fn counter_terms(terms: &[(&str, Value)]) -> Move {
    Move::Counter(Arc::new(Offer { terms: self::terms(terms), ..Offer::default() }))
}

pub fn reject(code: RejectCode, retryable: bool) -> Move {
    Move::Reject(Rejection { code, retryable, retry_after: None })
}

pub fn terms(terms: &[(&str, Value)]) -> Terms {
    Terms::new(terms.iter().map(|(name, value)| (self::name(name), value.clone()))).unwrap()
}

/// A value from its JSON, as it stands in a vector.
pub fn value(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

pub fn usdc(amount: &str) -> Value {
    value(&format!(r#"{{"money":{{"amount":"{amount}","currency":"USDC"}}}}"#))
}

pub fn whole(amount: i64) -> Value {
    value(&format!(r#"{{"integer":{{"amount":{amount}}}}}"#))
}

pub fn name(name: &str) -> TermName {
    TermName::new(name).unwrap()
}

pub fn text(text: &str) -> Text {
    Text::new(text).unwrap()
}

pub fn agent_id(name: &str) -> AgentId {
    AgentId(text(name))
}

pub fn flag(flag: bool) -> Value {
    Value::Flag(flag)
}
