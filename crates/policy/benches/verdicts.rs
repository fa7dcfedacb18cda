//! What a verdict costs, which is taken at every turn: on one core, the case put together included.
#![allow(clippy::unwrap_used, reason = "a benchmark that cannot go on should stop")]

use std::sync::Arc;

use countersign_kernel::{
    AgentKind, Assessment, Frame, Hook, Load, Mode, Money, Move, Negotiation, NegotiationId, Offer, Opening, Parties,
    Party, Percent, Profile, Role, Rulebook, SeedAssessment, Side, Span, Speaker, TermName, Terms, Text, Timestamp,
    Turn, Value,
};
use countersign_policy::{Case, Policies, Said, Simple};
use divan::Bencher;

fn main() {
    divan::main();
}

/// Of the shipped policies, on an offer of so many terms.
#[divan::bench(args = [0, 4, 64])]
fn shipped(bencher: Bencher<'_, '_>, terms: usize) {
    rule(bencher, &Policies::shipped(), terms);
}

/// Of the shipped policies and twenty limits of the person's.
#[divan::bench]
fn with_twenty_limits(bencher: Bencher<'_, '_>) {
    let limits = (0..20).map(|number| {
        let currency = format!("CUR{number}").try_into().unwrap();
        Simple::AskOver { currency, amount: 1000 }.to_cedar()
    });
    let text = format!("{}\n{}", Policies::SHIPPED, limits.collect::<String>());
    rule(bencher, &Policies::parse(&text).unwrap(), 4);
}

/// Reading and checking them, which happens when they change.
#[divan::bench]
fn reading() -> Policies {
    Policies::parse(Policies::SHIPPED).unwrap()
}

fn rule(bencher: Bencher<'_, '_>, policies: &Policies, terms: usize) {
    let events = Negotiation::open(opening(), Load::default(), Timestamp(0)).unwrap();
    let negotiation = Negotiation::replay(&events).unwrap();
    let turn = turn(terms);
    let said = Some(Said { side: Side::Responder, speaker: &Speaker::Agent, turn: &turn });
    let now = Timestamp(1_700_000_000_000);
    let case = Case { negotiation: &negotiation, said, findings: &[], met: 1, mode: Mode::On, now };
    bencher.bench_local(|| policies.rule(Hook::Turn, divan::black_box(&case)));
}

fn turn(count: usize) -> Turn {
    let terms = (0..count).map(|number| {
        let money = Money { amount: number.into(), currency: "EUR".to_owned().try_into().unwrap() };
        (TermName::new(&format!("part.{number}")).unwrap(), Value::Money(money))
    });
    let offer = Offer { terms: Terms::new(terms).unwrap(), ..Offer::default() };
    let assessment = Assessment {
        reasoning: Text::new("it is within the limit").unwrap(),
        suggested_roles: None,
        confidence: Some(Percent::of(70)),
    };
    Turn { act: Move::Propose(Arc::new(offer)), assessment, message: None }
}

fn opening() -> Opening {
    let party =
        |name: &str| Party { name: name.into(), agent: AgentKind::System, profile: Profile::default(), key: None };
    Opening {
        id: NegotiationId("n".into()),
        title: "A match".into(),
        rulebook: Rulebook::asp(Span::hours(1)),
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
