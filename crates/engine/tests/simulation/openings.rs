//! Matches of all kinds, and what could be said in them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use countersign_agents::sample;
use countersign_kernel::{
    Action, Actions, AgentKind, Answer, Assessment, Frame, Move, NegotiationId, Objection, Offer, Opening, Parties,
    Party, Percent, Profile, Protocol, Question, RejectCode, Rejection, Role, Rulebook, SeedAssessment, Side, Span,
    SuggestedRoles, SummitKind, TermName, Terms, Text, Timestamp, Turn, Value,
};
use countersign_testkit::Chance;

/// Numbers that are given out once, so that whatever was asked for is known again in the journal.
#[derive(Clone, Debug, Default)]
pub(crate) struct Marks(Arc<AtomicU64>);

impl Marks {
    pub(crate) fn next(&self, what: &str) -> Text {
        text(&format!("{what} {}", self.0.fetch_add(1, Ordering::Relaxed)))
    }
}

/// A match under one of the five rulebooks, between agents of any kind.
pub(crate) fn opening(chance: &mut Chance, id: NegotiationId, title: &str, keys: &[Text]) -> Opening {
    if chance.percent(15) {
        return Opening { title: title.into(), ..sample(id) };
    }
    let ours = if chance.percent(50) { Side::Initiator } else { Side::Responder };
    let mut party = |side: Side| {
        let agent = match chance.below(20) {
            0..=8 => AgentKind::System,
            9..=13 => AgentKind::Personal,
            // Nobody speaks for us from elsewhere; if it was set up like this, time has to end it.
            14..=18 if side == ours => AgentKind::System,
            _ => AgentKind::Remote,
        };
        let place = chance.below(keys.len() as u64);
        let is_known = side != ours && agent == AgentKind::Remote && chance.percent(80);
        let key = is_known.then(|| keys[usize::try_from(place).unwrap()].clone());
        let name = if side == ours { "You".into() } else { format!("Other {place}") };
        Party { name, agent, profile: Profile::default(), key }
    };
    let parties = Parties { initiator: party(Side::Initiator), responder: party(Side::Responder) };
    let rulebook = match chance.below(10) {
        0..=2 => Rulebook::index(&parties),
        3..=4 => Rulebook::asp(Span::minutes(1 + chance.below(600))),
        5..=6 => Rulebook::summit(*chance.one_of(&SummitKind::ALL).unwrap()),
        7..=8 => Rulebook::hire(),
        _ => Rulebook::lcp(),
    };
    let frame = Frame { goal: Some(text("share")), direct: chance.percent(5), ..Frame::default() };
    let seed = SeedAssessment { score: 70, reasoning: text("They fit."), valency_role: Role::Peer, actors: vec![] };
    Opening { id, title: title.into(), rulebook, parties, ours, seed, sample: false, mandate: 0, frame }
}

/// A turn that is open to whoever is next, as far as that can be told without the kernel.
pub(crate) fn turn(chance: &mut Chance, opening: &Opening, allowed: Actions, now: Timestamp, mark: &Text) -> Turn {
    let open: Vec<Action> = allowed.iter().collect();
    // Who only makes offers comes to no end.
    let wanted = if chance.percent(25) { Action::Accept } else { *chance.one_of(&open).unwrap_or(&Action::Accept) };
    let action = if allowed.contains(wanted) { wanted } else { *chance.one_of(&open).unwrap_or(&wanted) };
    said(chance, opening, action, now, mark)
}

/// Any turn at all.
pub(crate) fn stray(chance: &mut Chance, opening: &Opening, now: Timestamp, mark: &Text) -> Turn {
    let action = *chance.one_of(&Action::ALL).unwrap();
    let mut turn = said(chance, opening, action, now, mark);
    if chance.percent(10) {
        turn.assessment.suggested_roles = None;
    }
    if chance.percent(5) {
        turn.act = Move::Propose(greedy());
    }
    turn
}

/// Asks for what nobody may ask for.
fn greedy() -> Arc<Offer> {
    let terms = Terms::new([(TermName::new("capability.admin").unwrap(), Value::Flag(true))]).unwrap();
    Arc::new(Offer { terms, ..Offer::default() })
}

/// The shortest way to an end that the rules leave open.
pub(crate) fn calm(opening: &Opening, allowed: Actions, now: Timestamp, mark: &Text) -> Turn {
    let wanted = [Action::Accept, Action::Reject, Action::Propose, Action::Answer, Action::Describe];
    let action = wanted.into_iter().find(|action| allowed.contains(*action)).unwrap_or(Action::Inquire);
    said(&mut Chance::new(0), opening, action, now, mark)
}

fn said(chance: &mut Chance, opening: &Opening, action: Action, now: Timestamp, mark: &Text) -> Turn {
    let act = match action {
        Action::Propose => Move::Propose(offer(chance, opening, now)),
        Action::Counter => Move::Counter(offer(chance, opening, now)),
        Action::Accept => Move::Accept,
        Action::Reject => {
            let code = *chance.one_of(&[RejectCode::BudgetExceeded, RejectCode::Unsuitable]).unwrap();
            Move::Reject(Rejection { code, retryable: chance.percent(60), retry_after: None })
        }
        Action::Question => Move::Question(vec![Question { field: None, question: mark.clone(), options: vec![] }]),
        Action::Answer => Move::Answer(vec![Answer { field: None, answer: mark.clone() }]),
        Action::Inquire => Move::Inquire,
        Action::Describe => Move::Describe(offer(chance, opening, now)),
    };
    let assessment = Assessment {
        reasoning: mark.clone(),
        suggested_roles: Some(SuggestedRoles { own: Role::Peer, other: Role::Peer }),
        confidence: chance.percent(50).then(|| Percent::of(u8::try_from(chance.below(101)).unwrap())),
    };
    let message = chance.percent(70).then(|| text(&format!("Here is what we think of it: {}.", &**mark)));
    Turn { act, assessment, message }
}

fn offer(chance: &mut Chance, opening: &Opening, now: Timestamp) -> Arc<Offer> {
    let (term, value) = match opening.rulebook.protocol {
        Protocol::Summit(_) if chance.percent(2) => return greedy(),
        Protocol::Summit(kind) => {
            let term = match kind {
                SummitKind::ResourceAllocation => "cpu",
                SummitKind::TaskPrioritization => "rank.build",
                SummitKind::PolicyConflict => "scope",
                SummitKind::CollaborativePlanning => "channel",
                SummitKind::RiskMitigation => "threshold",
            };
            (term, format!(r#"{{"integer":{{"amount":{}}}}}"#, chance.below(30)))
        }
        Protocol::Index | Protocol::Asp | Protocol::Hire | Protocol::Lcp => {
            ("price", format!(r#"{{"money":{{"amount":"{}","currency":"EUR"}}}}"#, 30 + chance.below(120)))
        }
    };
    let (name, value) = (TermName::new(term).unwrap(), serde_json::from_str::<Value>(&value).unwrap());
    let is_bare = chance.percent(if opening.rulebook.protocol == Protocol::Index { 60 } else { 5 });
    let objection = Objection { field: name.clone(), reason: text("too much"), alternative: None, evidence: vec![] };
    Arc::new(Offer {
        terms: if is_bare { Terms::NONE } else { Terms::new([(name, value)]).unwrap() },
        objections: if chance.percent(10) { vec![objection] } else { vec![] },
        is_final: chance.percent(5),
        valid_until: chance.percent(10).then(|| now.plus(Span::seconds(chance.below(7200)))),
        ..Offer::default()
    })
}

pub(crate) fn text(words: &str) -> Text {
    Text::new(words).unwrap()
}
