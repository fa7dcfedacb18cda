//! A table to negotiate at, seen by the responder, and short ways to say things.

use std::sync::Arc;

use countersign_kernel::{
    AgentAct, AgentKind, Assessment, Command, Frame, Load, Move, Negotiation, NegotiationId, Offer, Opening, Parties,
    Party, Percent, Profile, Role, Rulebook, SeedAssessment, Side, Span, TermName, Terms, Text, Timestamp, Turn, Value,
};
use countersign_mandate::{Finding, Mandate, Reasoning, Spent, outgoing};

pub const NOON: Timestamp = Timestamp(1_700_000_000_000);
pub const US: Side = Side::Responder;
pub const THEM: Side = Side::Initiator;

pub struct Table(pub Negotiation);

impl Table {
    pub fn new() -> Self {
        let party =
            |name: &str| Party { name: name.into(), agent: AgentKind::System, profile: Profile::default(), key: None };
        let opening = Opening {
            id: NegotiationId("n-1".into()),
            title: "A studio sells a website".into(),
            rulebook: Rulebook::asp(Span::hours(48)),
            parties: Parties { initiator: party("Bo"), responder: party("Ada") },
            ours: US,
            seed: SeedAssessment {
                score: 80,
                reasoning: text("one seeks what the other offers"),
                valency_role: Role::Patient,
                actors: Vec::new(),
            },
            sample: false,
            mandate: 0,
            frame: Frame::default(),
        };
        let events = Negotiation::open(opening, Load::default(), NOON).unwrap();
        Self(Negotiation::replay(&events).unwrap())
    }

    /// A turn is taken.
    pub fn then(mut self, side: Side, turn: Turn) -> Self {
        let at = NOON.plus(Span::minutes(self.0.version()));
        let events = self.0.decide(Command::Agent(side, AgentAct::TakeTurn(turn)), at).unwrap();
        events.iter().for_each(|event| self.0.apply(event));
        self
    }

    /// They offered a website for this price.
    pub fn offered(price: &str) -> Self {
        Self::new().then(THEM, propose(&[("price", eur(price))]))
    }

    pub fn outgoing(&self, mandate: &Mandate, turn: &Turn) -> Vec<Finding> {
        mandate.check().unwrap();
        outgoing(mandate, &self.0, US, turn, &Spent::default(), NOON.plus(Span::hours(1)), Reasoning::Private)
    }

    /// The codes of what keeps a turn from being sent.
    pub fn codes(&self, mandate: &Mandate, turn: &Turn) -> Vec<&'static str> {
        self.outgoing(mandate, turn).iter().map(Finding::code).collect()
    }
}

pub fn text(text: &str) -> Text {
    Text::new(text).unwrap()
}

pub fn name(name: &str) -> TermName {
    TermName::new(name).unwrap()
}

pub fn eur(amount: &str) -> Value {
    money(amount, "EUR")
}

pub fn money(amount: &str, currency: &str) -> Value {
    value(&format!(r#"{{"money":{{"amount":"{amount}","currency":"{currency}"}}}}"#))
}

pub fn value(json: &str) -> Value {
    serde_json::from_str(json).unwrap()
}

pub fn terms(terms: &[(&str, Value)]) -> Terms {
    Terms::new(terms.iter().map(|(name, value)| (self::name(name), value.clone()))).unwrap()
}

pub fn offer(terms: &[(&str, Value)]) -> Arc<Offer> {
    Arc::new(Offer { terms: self::terms(terms), ..Offer::default() })
}

pub fn propose(terms: &[(&str, Value)]) -> Turn {
    turn(Move::Propose(offer(terms)))
}

pub fn counter(terms: &[(&str, Value)]) -> Turn {
    turn(Move::Counter(offer(terms)))
}

pub fn turn(act: Move) -> Turn {
    let assessment =
        Assessment { reasoning: text("because"), suggested_roles: None, confidence: Some(Percent::of(90)) };
    Turn { act, assessment, message: None }
}

/// The same turn with a message.
pub fn saying(turn: Turn, message: &str) -> Turn {
    Turn { message: Some(text(message)), ..turn }
}

/// A counter-offer of 11,000 with a message.
pub fn says(message: &str) -> Turn {
    saying(counter(&[("price", eur("11000"))]), message)
}

pub fn mandate(json: &str) -> Mandate {
    Mandate::from_json(json).unwrap()
}

/// Buys for at most 12,345 EUR, and does not say so.
pub fn buyer() -> Mandate {
    limited(&eur("12345"), "less")
}

pub fn limited(walk_away: &Value, better: &str) -> Mandate {
    let walk_away = serde_json::to_string(walk_away).unwrap();
    mandate(&format!(r#"{{"terms":{{"price":{{"walk_away":{walk_away},"better":"{better}"}}}}}}"#))
}
