//! What a turn costs: deciding it and taking it in, one after the other, on one core.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on should stop")]

use std::sync::Arc;

use countersign_kernel::{
    AgentAct, AgentKind, Assessment, Command, Frame, Load, Move, Negotiation, NegotiationId, Offer, Opening, Parties,
    Party, Profile, Role, Rulebook, SeedAssessment, Side, Span, TermName, Terms, Text, Timestamp, Turn, Value,
};
use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher};

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// A whole negotiation of so many turns, the memory for them included.
#[divan::bench(args = [100, 10_000], sample_count = 50)]
fn all(bencher: Bencher<'_, '_>, count: usize) {
    let counter = ItemsCount::new(count);
    bencher.counter(counter).with_inputs(|| (opened(), said(count))).bench_local_values(|(n, said)| talk(n, said));
}

/// A hundred more turns after so many: flat when the rate is the same for every length.
#[divan::bench(args = [150, 1_200, 10_000], sample_count = 50)]
fn a_hundred_after(bencher: Bencher<'_, '_>, count: usize) {
    let input = || {
        let mut said = said(count + 100);
        let more = said.split_off(count);
        (talk(opened(), said), more)
    };
    bencher.counter(ItemsCount::new(100_u32)).with_inputs(input).bench_local_values(|(n, said)| talk(n, said));
}

/// Reading a negotiation back from its events.
#[divan::bench(args = [100, 10_000], sample_count = 50)]
fn replay(bencher: Bencher<'_, '_>, count: usize) {
    let mut events = Negotiation::open(opening(), Load::default(), Timestamp(0)).unwrap();
    let mut n = opened();
    for (side, turn) in said(count) {
        let made = n.decide(Command::Agent(side, AgentAct::TakeTurn(turn)), Timestamp(1)).unwrap();
        made.iter().for_each(|event| n.apply(event));
        events.extend(made);
    }
    bencher.counter(ItemsCount::new(count)).bench_local(|| Negotiation::replay(&events));
}

/// Decides each turn and takes it in.
fn talk(mut n: Negotiation, said: Vec<(Side, Turn)>) -> Negotiation {
    for (side, turn) in said {
        let events = n.decide(Command::Agent(side, AgentAct::TakeTurn(turn)), Timestamp(1)).unwrap();
        events.iter().for_each(|event| n.apply(event));
    }
    n
}

fn opened() -> Negotiation {
    Negotiation::replay(&Negotiation::open(opening(), Load::default(), Timestamp(0)).unwrap()).unwrap()
}

/// What the agents hand in: they exist before the kernel sees them.
fn said(count: usize) -> Vec<(Side, Turn)> {
    let name = TermName::new("price").unwrap();
    let terms: Vec<Arc<Offer>> = (0..2)
        .map(|amount| {
            let value: Value = serde_json::from_str(&format!(r#"{{"integer":{{"amount":{amount}}}}}"#)).unwrap();
            Arc::new(Offer { terms: Terms::new([(name.clone(), value)]).unwrap(), ..Offer::default() })
        })
        .collect();
    let (reasoning, message) = (Text::new("it is within the limit").unwrap(), Text::new("how about this?").unwrap());
    let sides = [Side::Initiator, Side::Responder].into_iter().cycle();
    // Each side changes its offer from turn to turn.
    let offers = [0, 0, 1, 1].into_iter().cycle().filter_map(|place| terms.get(place));
    sides
        .zip(offers)
        .take(count)
        .enumerate()
        .map(|(place, (side, offer))| {
            let act = if place == 0 { Move::Propose(offer.clone()) } else { Move::Counter(offer.clone()) };
            let assessment = Assessment { reasoning: reasoning.clone(), suggested_roles: None, confidence: None };
            (side, Turn { act, assessment, message: Some(message.clone()) })
        })
        .collect()
}

fn opening() -> Opening {
    let party =
        |name: &str| Party { name: name.into(), agent: AgentKind::System, profile: Profile::default(), key: None };
    let mut rulebook = Rulebook::asp(Span::hours(1));
    rulebook.limits.turns = None;
    Opening {
        id: NegotiationId("n".into()),
        title: "A match".into(),
        rulebook,
        parties: Parties { initiator: party("Ada"), responder: party("Bo") },
        ours: Side::Responder,
        seed: SeedAssessment {
            score: 80,
            reasoning: Text::new("one seeks what the other offers").unwrap(),
            valency_role: Role::Patient,
            actors: Vec::new(),
        },
        sample: false,
        mandate: 0,
        frame: Frame::default(),
    }
}
