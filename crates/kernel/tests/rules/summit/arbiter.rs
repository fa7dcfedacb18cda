//! Scores, ties, and a recommendation that decides nothing.

use countersign_kernel::SummitKind::{ResourceAllocation, TaskPrioritization};
use countersign_kernel::{Candidate, Refusal, RiskLevel, Span, Status, SystemAct, Weights, rank};

use super::{agreed, capped, framed, governed, iterate, only, recommend};
use crate::kit::{NOON, Table};

#[test]
fn five_criteria_are_weighted() {
    let weights = Weights::default();
    let each: Vec<u32> = (0..5).map(|place| only(place).total(&weights)).collect();
    assert_eq!(each, [2500, 3000, 2000, 1500, 1000]);
    let read = |json: &str| serde_json::from_str::<Weights>(json);
    let other =
        r#"{"feasibility":20,"compliance":20,"cost_benefit":20,"risk_mitigation":20,"stakeholder_alignment":20}"#;
    assert_eq!(only(4).total(&read(other).unwrap()), 2000);
    assert!(read(&other.replacen("20", "21", 1)).is_err(), "they add up to 100");
}

#[test]
fn ties_are_broken_in_order_and_what_is_left_is_the_persons() {
    let candidate =
        |turn, at| Candidate { turn, scores: only(0), changes: 2, risk: RiskLevel::Medium, at: NOON.plus(Span(at)) };
    let first = |a: Candidate, b: Candidate| {
        let said = rank(&[a, b], &Weights::default());
        (said.ranking[0].0, said.tied)
    };
    let (a, b) = (candidate(1, 0), candidate(3, 5));
    assert_eq!(first(a, Candidate { scores: only(1), changes: 9, ..b }), (3, false), "the score comes first");
    assert_eq!(first(a, Candidate { changes: 1, risk: RiskLevel::High, ..b }), (3, false), "then fewest changes");
    assert_eq!(first(a, Candidate { risk: RiskLevel::Low, ..b }), (3, false), "then the lowest risk");
    assert_eq!(first(b, a), (1, false), "then the earliest");
    assert_eq!(first(a, candidate(3, 0)), (1, true), "then a person");
    assert!(!rank(&[a], &Weights::default()).tied);
}

#[test]
fn the_arbiter_ranks_what_was_offered_once_it_is_over() {
    let mut open = governed(ResourceAllocation);
    iterate(&mut open, 3);
    assert!(recommend(&mut open, &[1]).is_err(), "not while they talk");
    let mut done = capped();
    assert_eq!(recommend(&mut done, &[99]), Err(Refusal::NotAnOffer { turn: 99 }));
    assert_eq!(recommend(&mut done, &[0]), Err(Refusal::NotAnOffer { turn: 0 }));
    assert_eq!(recommend(&mut done, &[9]), Err(Refusal::NotAnOffer { turn: 9 }), "an answer is not an offer");
    let at = NOON.plus(Span(1));
    let moved = Candidate { turn: 1, scores: only(0), changes: 1, risk: RiskLevel::Low, at };
    let recommend_moved = SystemAct::Recommend { candidates: vec![moved], weights: Weights::default() };
    assert_eq!(done.system(recommend_moved), Err(Refusal::NotAnOffer { turn: 1 }), "nor is one at another time");
    assert!(recommend(&mut done, &[]).is_err());
    recommend(&mut done, &[1, 3]).unwrap();
    assert!(recommend(&mut done, &[1]).is_err(), "once");
    assert_eq!(done.n.status(), Status::Aborted, "advisory: it decides nothing");
    let mut accepted = agreed(TaskPrioritization);
    assert!(recommend(&mut accepted, &[1]).is_err());
    let mut opening = framed(ResourceAllocation);
    opening.frame.arbiter = false;
    let mut without = Table::open(opening);
    without.wait();
    assert!(recommend(&mut without, &[1]).is_err());
}
