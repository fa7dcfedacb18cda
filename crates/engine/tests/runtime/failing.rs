//! Agents that break or dawdle: not a turn, one more chance, then the person; and nobody else waits.

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use countersign_agents::{AgentError, Brief, BuiltIn, Negotiator, Thinking, sample};
use countersign_engine::{Engine, Pace, SystemClock};
use countersign_kernel::{Ask, Awaiting, EscalationReason, Mode, PersonAct, Ruling, Status, Text};

use crate::kit::{self, until};

#[tokio::test]
async fn an_agent_that_failed_once_is_asked_once_more() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path(), Faulty::first(1, Fault::Fails)).await;
    let id = engine.open(sample).await.unwrap();
    let n = until(&engine, &id, |n| n.status() == Status::Pending).await;
    assert_eq!(n.turns().len(), 5, "a failed call is not a turn");
}

#[tokio::test]
async fn the_second_failure_is_for_the_person_and_then_it_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path(), Faulty::first(2, Fault::Fails)).await;
    let id = engine.open(sample).await.unwrap();
    let n = until(&engine, &id, |n| n.awaiting() == Awaiting::Person(Ask::Escalation)).await;
    let (_, escalation) = n.escalation().unwrap();
    assert_eq!((escalation.reason, &*escalation.context), (EscalationReason::AgentError, "no route"));
    let ruling = Ruling { approved: true, remarks: Text::new("try again").unwrap() };
    engine.decide(&id, PersonAct::Rule(ruling)).await.unwrap();
    until(&engine, &id, |n| n.status() == Status::Pending).await;
}

#[tokio::test]
async fn an_agent_that_says_nothing_is_not_waited_for() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path(), Faulty::first(2, Fault::Dawdles)).await;
    let id = engine.open(sample).await.unwrap();
    let n = until(&engine, &id, |n| n.awaiting() == Awaiting::Person(Ask::Escalation)).await;
    assert!(n.escalation().unwrap().1.context.contains("said nothing"));
}

#[tokio::test]
async fn while_an_agent_thinks_nobody_waits_and_what_happened_meanwhile_counts() {
    let home = tempfile::tempdir().unwrap();
    let pace = Pace { patience: Duration::from_secs(600), ..quick() };
    let engine = start_with(home.path(), Faulty::first(1, Fault::Dawdles), pace).await;
    let slow = engine.open(sample).await.unwrap();
    let other = engine.open(sample).await.unwrap();
    until(&engine, &other, |n| n.status() == Status::Pending).await;
    engine.set_mode(Mode::Off, None).await.unwrap();
    let why = Text::new("too slow").unwrap();
    engine.decide(&slow, PersonAct::Withdraw(why)).await.unwrap();
    assert_eq!(engine.negotiation(&slow).await.unwrap().status(), Status::Aborted);
}

#[derive(Clone, Copy)]
enum Fault {
    Fails,
    Dawdles,
}

/// The built-in negotiator, after so many calls that go wrong.
struct Faulty {
    left: AtomicUsize,
    fault: Fault,
}

impl Faulty {
    fn first(count: usize, fault: Fault) -> Self {
        Self { left: AtomicUsize::new(count), fault }
    }
}

impl Negotiator for Faulty {
    fn take_turn<'a>(&'a self, brief: Brief<'a>) -> Thinking<'a> {
        let faulty = self.left.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1)).is_ok();
        match self.fault {
            _ if !faulty => BuiltIn.take_turn(brief),
            Fault::Fails => Box::pin(async { Err(AgentError(Text::new("no route").unwrap())) }),
            Fault::Dawdles => Box::pin(std::future::pending()),
        }
    }
}

fn quick() -> Pace {
    Pace { between: Duration::ZERO, patience: Duration::from_millis(50), recovery: Duration::from_millis(5) }
}

async fn start(home: &Path, negotiator: Faulty) -> Engine {
    start_with(home, negotiator, quick()).await
}

async fn start_with(home: &Path, negotiator: Faulty, pace: Pace) -> Engine {
    kit::start(home, negotiator, SystemClock, pace).await
}
