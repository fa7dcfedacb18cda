//! A negotiation under ASP to ask policies about, seen by the responder.

use std::sync::Arc;

use countersign_kernel::{
    AgentAct, AgentKind, Assessment, Command, Decision, Event, Fact, Frame, Hook, Load, Mode, Move, Negotiation,
    NegotiationId, Offer, Opening, Parties, Party, Percent, PersonAct, Profile, Role, Rulebook, Ruled, SeedAssessment,
    Side, Span, Speaker, TermName, Terms, Text, Timestamp, Turn, Value, Verdict,
};
use countersign_policy::{Case, Policies, Said};

/// A Tuesday, at 22:13 UTC.
pub(crate) const NOW: Timestamp = Timestamp(1_700_000_000_000);
pub(crate) const OURS: Side = Side::Responder;
pub(crate) const THEIRS: Side = Side::Initiator;
pub(crate) const HOOKS: [Hook; 4] = [Hook::Start, Hook::Turn, Hook::Resolution, Hook::Execution];
pub(crate) const ALLOW: &str = "permit (principal, action, resource);";

/// Everything a case borrows.
pub(crate) struct Table {
    pub(crate) n: Negotiation,
    pub(crate) said: Option<(Side, Speaker, Turn)>,
    pub(crate) findings: Vec<&'static str>,
    pub(crate) met: u32,
    pub(crate) mode: Mode,
    pub(crate) now: Timestamp,
}

impl Table {
    pub(crate) fn new() -> Self {
        Self::open(opening())
    }

    pub(crate) fn open(opening: Opening) -> Self {
        let n = Negotiation::replay(&Negotiation::open(opening, Load::default(), NOW).unwrap()).unwrap();
        Self { n, said: None, findings: Vec::new(), met: 1, mode: Mode::On, now: NOW }
    }

    /// Both agents recommend these terms; it is the person's to decide.
    pub(crate) fn pending(terms: &[(&str, Value)]) -> Self {
        let mut table = Self::new();
        table.take(THEIRS, propose(terms));
        table.take(OURS, Move::Accept);
        table
    }

    /// The person has approved these terms.
    pub(crate) fn approved(terms: &[(&str, Value)]) -> Self {
        let mut table = Self::pending(terms);
        let digest = table.n.digest();
        let decide = PersonAct::Decide { decision: Decision::Approved, digest, remarks: None };
        table.ask(Command::Person(decide));
        table
    }

    pub(crate) fn take(&mut self, side: Side, act: Move) {
        self.ask(Command::Agent(side, AgentAct::TakeTurn(turn(act))));
    }

    pub(crate) fn ask(&mut self, command: Command) {
        let events = self.n.decide(command, self.now).unwrap();
        events.iter().for_each(|event| self.n.apply(event));
    }

    pub(crate) fn happens(&mut self, fact: Fact) {
        self.n.apply(&Event { at: self.now, fact });
    }

    /// This turn is about to be taken.
    pub(crate) fn says(mut self, side: Side, act: Move) -> Self {
        self.said = Some((side, Speaker::Agent, turn(act)));
        self
    }

    pub(crate) fn by(mut self, speaker: Speaker) -> Self {
        self.said.as_mut().unwrap().1 = speaker;
        self
    }

    pub(crate) fn sure(mut self, percent: u8) -> Self {
        self.said.as_mut().unwrap().2.assessment.confidence = Some(Percent::of(percent));
        self
    }

    pub(crate) fn found(mut self, findings: &[&'static str]) -> Self {
        self.findings = findings.to_vec();
        self
    }

    pub(crate) fn after(mut self, span: Span) -> Self {
        self.now = self.now.plus(span);
        self
    }

    pub(crate) fn off(mut self) -> Self {
        self.mode = Mode::Off;
        self
    }

    pub(crate) fn verdict(&self, policies: &Policies, hook: Hook) -> Verdict {
        let said = self.said.as_ref().map(|(side, speaker, turn)| Said { side: *side, speaker, turn });
        let Self { n, findings, met, mode, now, .. } = self;
        policies.rule(hook, &Case { negotiation: n, said, findings, met: *met, mode: *mode, now: *now })
    }

    /// What is ruled, under the shipped policies.
    pub(crate) fn shipped(&self, hook: Hook) -> Ruled {
        self.verdict(&Policies::shipped(), hook).ruled
    }

    /// Whether this condition holds.
    #[track_caller]
    pub(crate) fn holds(&self, hook: Hook, condition: &str) -> bool {
        let text = format!("{ALLOW} forbid (principal, action, resource) when {{ {condition} }};");
        let verdict = self.verdict(&Policies::parse(&text).unwrap(), hook);
        assert_ne!(verdict.ruled, Ruled::Escalate, "`{condition}` cannot be asked: {}", verdict.because);
        verdict.ruled == Ruled::Deny
    }
}

pub(crate) fn opening() -> Opening {
    let party = |name: &str, agent| Party { name: name.into(), agent, profile: Profile::default(), key: None };
    Opening {
        id: NegotiationId("n-1".into()),
        title: "A match".into(),
        rulebook: Rulebook::asp(Span::hours(1)),
        parties: Parties { initiator: party("Ada", AgentKind::Remote), responder: party("Bo", AgentKind::System) },
        ours: OURS,
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

pub(crate) fn turn(act: Move) -> Turn {
    let assessment = Assessment { reasoning: text("it fits"), suggested_roles: None, confidence: None };
    Turn { act, assessment, message: None }
}

pub(crate) fn propose(terms: &[(&str, Value)]) -> Move {
    Move::Propose(Arc::new(offer(terms)))
}

pub(crate) fn offer(terms: &[(&str, Value)]) -> Offer {
    Offer { terms: self::terms(terms), ..Offer::default() }
}

pub(crate) fn terms(terms: &[(&str, Value)]) -> Terms {
    Terms::new(terms.iter().map(|(name, value)| (TermName::new(name).unwrap(), value.clone()))).unwrap()
}

pub(crate) fn text(text: &str) -> Text {
    Text::new(text).unwrap()
}

pub(crate) fn money(amount: &str, currency: &str) -> Value {
    Value::Money(countersign_kernel::Money { amount: amount.parse().unwrap(), currency: self::currency(currency) })
}

pub(crate) fn currency(code: &str) -> countersign_kernel::Currency {
    code.to_owned().try_into().unwrap()
}
