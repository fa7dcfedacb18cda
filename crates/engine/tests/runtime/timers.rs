//! Deadlines pass, once, also those that passed while nobody was awake; agents outside of the process pick turns up.

use std::path::Path;

use countersign_agents::{BuiltIn, sample};
use countersign_engine::{Engine, EngineError, HandClock, Pace};
use countersign_kernel::{
    AgentAct, AgentId, Awaiting, Ending, Fact, PersonAct, Refusal, Side, Span, Speaker, Status, Text, Timer, Timestamp,
};
use countersign_store::{Entry, Stream};

use crate::kit::{self, until};

const NOON: Timestamp = Timestamp(1_700_000_000_000);

#[tokio::test]
async fn what_nobody_decides_expires() {
    let home = tempfile::tempdir().unwrap();
    let (engine, clock) = start(home.path()).await;
    let id = engine.open(sample).await.unwrap();
    let n = until(&engine, &id, |n| n.status() == Status::Pending).await;
    let due = n.next_deadline().unwrap();
    assert_eq!(due.timer, Timer::Approval);
    clock.set(Timestamp(due.at.0 - 1));
    assert_eq!(engine.negotiation(&id).await.unwrap().status(), Status::Pending);
    clock.set(due.at);
    let n = until(&engine, &id, |n| n.status() != Status::Pending).await;
    assert_eq!(n.ending(), Some(Ending::Expired));
}

#[tokio::test]
async fn a_decision_that_comes_too_late_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let (engine, clock) = start(home.path()).await;
    let id = engine.open(sample).await.unwrap();
    let n = until(&engine, &id, |n| n.status() == Status::Pending).await;
    clock.set(n.next_deadline().unwrap().at);
    // Whether the timer or the person comes first, it is too late.
    let decision = countersign_kernel::Decision::Approved;
    let late = engine.decide(&id, PersonAct::Decide { decision, digest: n.digest(), remarks: None }).await;
    assert_eq!(late, Err(EngineError::Refused(Refusal::NothingPending { status: Status::Expired })));
}

#[tokio::test]
async fn a_deadline_that_passed_while_nobody_was_awake_passes_once_at_the_start() {
    let home = tempfile::tempdir().unwrap();
    let (engine, _clock) = start(home.path()).await;
    let id = engine.open(sample).await.unwrap();
    until(&engine, &id, |n| n.status() == Status::Pending).await;

    let copy = kit::copy(home.path());
    let later = HandClock::new(NOON.plus(Span::days(30)));
    let engine = start_at(copy.path(), later).await;
    until(&engine, &id, |n| n.status() == Status::Expired).await;
    let records = engine.journal().read(Stream::Negotiation(id), 0, 100).await.unwrap();
    let ended =
        |entry: &Entry| matches!(entry, Entry::Negotiation { event, .. } if matches!(event.fact, Fact::Ended(_)));
    assert_eq!(records.iter().filter(|record| ended(&record.entry)).count(), 1);
}

#[tokio::test]
async fn a_personal_agent_picks_its_turn_up_and_hands_it_in() {
    let home = tempfile::tempdir().unwrap();
    let (engine, _clock) = start(home.path()).await;
    let id = engine.open(kit::personal).await.unwrap();
    until(&engine, &id, |n| n.awaiting() == Awaiting::Pickup(Side::Responder)).await;
    engine.agent(&id, Side::Responder, AgentAct::Claim(agent("claude")), None).await.unwrap();
    let other = engine.agent(&id, Side::Responder, AgentAct::Claim(agent("codex")), None).await;
    assert_eq!(other, Err(EngineError::Refused(Refusal::ClaimedBy(agent("claude")))));
    let turn = kit::ordinary(&engine.negotiation(&id).await.unwrap());
    engine.agent(&id, Side::Responder, AgentAct::Respond(agent("claude"), turn), None).await.unwrap();
    let n = until(&engine, &id, |n| n.turns().len() > 2).await;
    assert_eq!(n.turns().iter().filter(|taken| taken.side == Side::Responder).count(), 1);
}

#[tokio::test]
async fn a_claim_lapses_and_after_a_day_the_system_negotiator_speaks() {
    let home = tempfile::tempdir().unwrap();
    let (engine, clock) = start(home.path()).await;
    let id = engine.open(kit::personal).await.unwrap();
    until(&engine, &id, |n| n.awaiting() == Awaiting::Pickup(Side::Responder)).await;
    engine.agent(&id, Side::Responder, AgentAct::Claim(agent("claude")), None).await.unwrap();
    clock.set(NOON.plus(Span::hours(6)));
    until(&engine, &id, |n| n.awaiting() == Awaiting::Pickup(Side::Responder)).await;
    clock.set(NOON.plus(Span::hours(24)));
    let n = until(&engine, &id, |n| n.turns().len() > 1).await;
    assert_eq!(n.turns()[1].speaker, Speaker::Fallback);
}

#[tokio::test]
async fn a_clock_that_goes_back_lets_nothing_pass_twice() {
    let home = tempfile::tempdir().unwrap();
    let (engine, clock) = start(home.path()).await;
    let id = engine.open(kit::personal).await.unwrap();
    until(&engine, &id, |n| n.awaiting() == Awaiting::Pickup(Side::Responder)).await;
    clock.set(Timestamp(NOON.0 - 3_600_000));
    engine.agent(&id, Side::Responder, AgentAct::Claim(agent("claude")), None).await.unwrap();
    clock.set(NOON.plus(Span::hours(1)));
    let n = engine.negotiation(&id).await.unwrap();
    assert_eq!(n.awaiting(), Awaiting::Claimed(Side::Responder, agent("claude")));
}

#[tokio::test]
async fn a_held_negotiation_waits_and_goes_on_where_it_was() {
    let home = tempfile::tempdir().unwrap();
    let (engine, clock) = start(home.path()).await;
    let id = engine.open(kit::personal).await.unwrap();
    until(&engine, &id, |n| n.awaiting() == Awaiting::Pickup(Side::Responder)).await;
    engine.decide(&id, PersonAct::Hold).await.unwrap();
    clock.set(NOON.plus(Span::hours(30)));
    engine.decide(&id, PersonAct::Resume).await.unwrap();
    let n = engine.negotiation(&id).await.unwrap();
    assert_eq!(n.awaiting(), Awaiting::Pickup(Side::Responder), "nobody took the turn meanwhile");
    clock.set(NOON.plus(Span::hours(54)));
    until(&engine, &id, |n| n.turns().len() > 1).await;
}

async fn start(home: &Path) -> (Engine, HandClock) {
    let clock = HandClock::new(NOON);
    (start_at(home, clock.clone()).await, clock)
}

async fn start_at(home: &Path, clock: HandClock) -> Engine {
    kit::start(home, BuiltIn, clock, Pace::default()).await
}

fn agent(name: &str) -> AgentId {
    AgentId(text(name))
}

fn text(text: &str) -> Text {
    Text::new(text).unwrap()
}
