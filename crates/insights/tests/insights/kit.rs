//! A table to negotiate at, and what its events come to.

use std::sync::Arc;

use countersign_insights::{Insights, Metrics, Period, Week};
use countersign_kernel::{
    AgentAct, AgentId, AgentKind, Assessment, Command, Decision, Escalation, EscalationReason, Event, Frame, Hook,
    Load, Move, Negotiation, NegotiationId, Objection, Offer, Opening, Parties, Party, PersonAct, Profile, Refusal,
    RejectCode, Rejection, Role, Rulebook, Ruled, SeedAssessment, Side, Span, SuggestedRoles, SummitKind, SystemAct,
    TermName, Text, Timestamp, Turn, Urgency, Verdict,
};

/// Noon of the 15th of November 2023, a Wednesday.
pub const NOON: Timestamp = Timestamp(1_700_049_600_000);
/// The midnight after it.
pub const MIDNIGHT: Timestamp = Timestamp(NOON.0 + 12 * 60 * 60 * 1000);

/// A negotiation under way.
pub struct Table {
    pub n: Negotiation,
    pub events: Vec<Event>,
    pub now: Timestamp,
}

impl Table {
    pub fn open(opening: Opening) -> Self {
        let events = Negotiation::open(opening, Load::default(), NOON).unwrap();
        Self { n: Negotiation::replay(&events).unwrap(), events, now: NOON }
    }

    /// Between two agents of these kinds. The person is the responder, and would help.
    pub fn index(initiator: AgentKind, responder: AgentKind) -> Self {
        let parties = parties(initiator, responder);
        Self::open(opening(Rulebook::index(&parties), parties))
    }

    pub fn systems() -> Self {
        Self::index(AgentKind::System, AgentKind::System)
    }

    pub fn asp() -> Self {
        Self::open(opening(Rulebook::asp(Span::minutes(30)), parties(AgentKind::System, AgentKind::System)))
    }

    pub fn summit() -> Self {
        let rulebook = Rulebook::summit(SummitKind::ResourceAllocation);
        Self::open(opening(rulebook, parties(AgentKind::System, AgentKind::System)))
    }

    /// Both agents recommend it, in two turns.
    pub fn agreed(mut self) -> Self {
        self.says(Side::Initiator, propose());
        self.says(Side::Responder, Move::Accept);
        self
    }

    /// Our agent turns it down, in two turns.
    pub fn rejected() -> Self {
        let mut table = Self::systems();
        table.says(Side::Initiator, propose());
        table.says(Side::Responder, reject(RejectCode::Unsuitable));
        table
    }

    pub fn then(mut self, decision: Decision) -> Self {
        self.decides(decision);
        self
    }

    pub fn try_ask(&mut self, command: Command) -> Result<(), Refusal> {
        let made = self.n.decide(command, self.now)?;
        made.iter().for_each(|event| self.n.apply(event));
        self.events.extend(made);
        Ok(())
    }

    pub fn ask(&mut self, command: Command) {
        self.try_ask(command).unwrap();
    }

    pub fn says(&mut self, side: Side, act: Move) {
        let turn = turn(act, &format!("reason {}", self.events.len()));
        self.agent(side, AgentAct::TakeTurn(turn));
    }

    /// The side takes its turn with a message.
    pub fn tells(&mut self, side: Side, act: Move, message: &str) {
        let turn = Turn { message: Some(text(message)), ..turn(act, "as before") };
        self.agent(side, AgentAct::TakeTurn(turn));
    }

    pub fn agent(&mut self, side: Side, act: AgentAct) {
        self.ask(Command::Agent(side, act));
    }

    pub fn person(&mut self, act: PersonAct) {
        self.ask(Command::Person(act));
    }

    pub fn system(&mut self, act: SystemAct) {
        self.ask(Command::System(act));
    }

    pub fn rules(&mut self, hook: Hook, ruled: Ruled) {
        self.system(SystemAct::Verdict(Verdict { hook, ruled, because: text("the policy says so") }, None));
    }

    pub fn decides(&mut self, decision: Decision) {
        let digest = self.n.digest();
        self.person(PersonAct::Decide { decision, digest, remarks: None });
    }

    pub fn later(&mut self, span: Span) {
        self.now = self.now.plus(span);
    }

    /// Lets the next deadline pass.
    pub fn wait(&mut self) {
        let deadline = self.n.next_deadline().unwrap();
        self.now = self.now.max(deadline.at);
        self.ask(Command::DeadlinePassed(deadline.timer));
    }

    /// Lets every deadline pass until none is left.
    pub fn wait_out(mut self) -> Self {
        while self.n.next_deadline().is_some() {
            self.wait();
        }
        self
    }
}

/// One after the other, each under an id of its own.
pub fn fold(tables: &[Table]) -> Insights {
    let mut insights = Insights::default();
    for (place, table) in tables.iter().enumerate() {
        table.events.iter().for_each(|event| insights.apply(&id(place), event));
    }
    insights
}

pub fn metrics(tables: &[Table]) -> Metrics {
    fold(tables).metrics(Period::Everything)
}

/// A week that everything here fits in.
pub fn week(tables: &[Table]) -> Week {
    fold(tables).week(MIDNIGHT.plus(Span::days(4)))
}

pub fn id(place: usize) -> NegotiationId {
    NegotiationId(format!("n-{place}"))
}

pub fn opening(rulebook: Rulebook, parties: Parties) -> Opening {
    Opening {
        id: NegotiationId("n-0".into()),
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
        frame: Frame { goal: Some(text("share")), arbiter: true, ..Frame::default() },
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

pub fn objecting(field: &str, reason: &str) -> Move {
    let field = TermName::new(field).unwrap();
    let objection = Objection { field, reason: text(reason), alternative: None, evidence: Vec::new() };
    Move::Counter(Arc::new(Offer { objections: vec![objection], ..Offer::default() }))
}

pub fn reject(code: RejectCode) -> Move {
    Move::Reject(Rejection { code, retryable: false, retry_after: None })
}

pub fn doubt(reason: EscalationReason, suggested: Option<&str>) -> AgentAct {
    AgentAct::Escalate(Escalation {
        reason,
        urgency: Urgency::High,
        context: text("not sure"),
        suggested_action: suggested.map(text),
        hook: None,
        draft: None,
    })
}

pub fn text(text: &str) -> Text {
    Text::new(text).unwrap()
}

pub fn agent_id(name: &str) -> AgentId {
    AgentId(text(name))
}
