//! What the runtime promises: turns are on the disk before they are seen, off means off, a restart goes on.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use countersign_agents::{Brief, BuiltIn, Negotiator, Thinking, sample};
use countersign_engine::{Engine, EngineError, Message, Pace, Said, SystemClock, Trouble};
use countersign_kernel::{
    Action, Decision, Fact, Folder, Mode, Move, NegotiationId, PersonAct, Refusal, Status, Timestamp, Turn,
};
use countersign_store::{Entry, Stream};

use crate::kit::{self, until};

#[tokio::test]
async fn a_sample_runs_until_it_waits_for_the_person() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path(), BuiltIn).await;
    let id = engine.open(sample).await.unwrap();
    let negotiation = until(&engine, &id, |n| n.status() != Status::Negotiating).await;
    assert_eq!(negotiation.status(), Status::Pending);
    assert_eq!(negotiation.turns().len(), 5);

    let digest = negotiation.digest();
    let decision = Decision::Approved;
    engine.decide(&id, PersonAct::Decide { decision, digest, remarks: None }).await.unwrap();
    assert_eq!(engine.negotiation(&id).await.unwrap().status(), Status::Accepted);
}

#[tokio::test]
async fn what_the_engine_holds_is_what_the_journal_and_its_lists_tell() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path(), BuiltIn).await;
    let id = engine.open(sample).await.unwrap();
    let negotiation = until(&engine, &id, |n| n.status() == Status::Pending).await;
    let overview = engine.journal().overview(10).await.unwrap();
    assert_eq!(overview.seq, negotiation.version());
    assert_eq!(overview.opportunities, [negotiation.opportunity()]);
    assert_eq!(engine.journal().rebuild().await, Ok(1));
    assert_eq!(engine.journal().overview(10).await.unwrap(), overview, "made anew, it is the same");
}

#[tokio::test]
async fn what_our_side_says_and_what_the_person_decides_is_signed_by_each() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path(), BuiltIn).await;
    let id = engine.open(sample).await.unwrap();
    let negotiation = until(&engine, &id, |n| n.status() == Status::Pending).await;
    let digest = negotiation.digest();
    engine.decide(&id, PersonAct::Decide { decision: Decision::Approved, digest, remarks: None }).await.unwrap();

    let ours = negotiation.opening().ours;
    let mut signers = std::collections::BTreeMap::new();
    for record in engine.journal().read(Stream::Negotiation(id.clone()), 0, 100).await.unwrap() {
        let Entry::Negotiation { event, signed, .. } = record.entry else { panic!("another entry") };
        let said = match &event.fact {
            Fact::TurnTaken(taken) if taken.side == ours => Some(Said::Turn(&taken.turn)),
            Fact::Decided(approval) => Some(Said::Approval(approval)),
            _ => None,
        };
        assert_eq!(said.is_some(), signed.is_some(), "{event:?}");
        let (Some(said), Some(signed)) = (said, signed) else { continue };
        let who = if matches!(said, Said::Turn(_)) { "agent" } else { "person" };
        let signer = signed.proof.signer().unwrap();
        let (nonce, sent) = (&*signed.nonce, signed.sent);
        let message = Message { negotiation_id: &id, nonce, sent, side: ours, said };
        signed.proof.verify(&message, &signer).unwrap();
        let later = Message { sent: Timestamp(sent.0 + 1), ..message };
        assert!(signed.proof.verify(&later, &signer).is_err(), "said at another time");
        assert_eq!(*signers.entry(who).or_insert_with(|| signer.clone()), signer);
    }
    assert_eq!(signers.len(), 2);
    assert_ne!(signers["agent"], signers["person"]);
}

#[tokio::test]
async fn a_restart_goes_on_in_the_middle() {
    let home = tempfile::tempdir().unwrap();
    let engine =
        start(home.path(), By(|brief: &Brief<'_>| if brief.turns.len() == 2 { panic!() } else { ordinary(brief) }))
            .await;
    let mut trouble = engine.trouble();
    let id = engine.open(sample).await.unwrap();
    trouble.wait_for(Option::is_some).await.unwrap();

    let copy = kit::copy(home.path());
    let engine = start(copy.path(), BuiltIn).await;
    assert_eq!(engine.negotiation(&id).await.unwrap().turns().len(), 2);
    let negotiation = until(&engine, &id, |n| n.status() == Status::Pending).await;
    assert_eq!(negotiation.turns().len(), 5);
}

#[tokio::test]
async fn off_means_no_turn_and_on_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = asked.clone();
    let negotiator = By(move |brief: &Brief<'_>| {
        counted.fetch_add(1, Ordering::SeqCst);
        ordinary(brief)
    });
    let engine = start(home.path(), negotiator).await;
    engine.set_mode(Mode::Off, None).await.unwrap();
    let id = engine.open(sample).await.unwrap();
    kit::settle().await;
    assert_eq!(asked.load(Ordering::SeqCst), 0);
    assert_eq!(engine.negotiation(&id).await.unwrap().turns(), []);

    engine.set_mode(Mode::On, None).await.unwrap();
    until(&engine, &id, |n| n.status() == Status::Pending).await;
}

#[tokio::test]
async fn off_survives_a_restart() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path(), BuiltIn).await;
    engine.set_mode(Mode::Off, None).await.unwrap();
    let id = engine.open(sample).await.unwrap();

    let copy = kit::copy(home.path());
    let engine = start(copy.path(), BuiltIn).await;
    kit::settle().await;
    assert_eq!(engine.settings().borrow().mode, Mode::Off);
    assert_eq!(engine.negotiation(&id).await.unwrap().turns(), []);
}

#[tokio::test]
async fn switching_to_what_it_is_writes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path(), BuiltIn).await;
    engine.set_mode(Mode::On, None).await.unwrap();
    assert_eq!(*engine.journal().head().borrow(), 0);
}

#[tokio::test]
async fn a_negotiator_that_panics_stops_one_negotiation_and_can_try_again() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path(), once(|_| panic!("out of ideas"))).await;
    let mut trouble = engine.trouble();
    let broken = engine.open(sample).await.unwrap();
    let told = trouble.wait_for(Option::is_some).await.unwrap().clone();
    assert_eq!(told, Some(Trouble::Panicked("out of ideas".into())));
    let other = engine.open(sample).await.unwrap();
    until(&engine, &other, |n| n.status() == Status::Pending).await;

    engine.resume();
    assert_eq!(*engine.trouble().borrow(), None);
    until(&engine, &broken, |n| n.status() == Status::Pending).await;
}

#[tokio::test]
async fn a_turn_against_the_rules_is_never_written() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path(), once(|brief| Turn { act: Move::Accept, ..ordinary(brief) })).await;
    let mut trouble = engine.trouble();
    let id = engine.open(sample).await.unwrap();
    let told = trouble.wait_for(Option::is_some).await.unwrap().clone();
    assert!(matches!(told, Some(Trouble::Turn(Refusal::NotAllowed { action: Action::Accept, .. }))));
    assert_eq!(engine.negotiation(&id).await.unwrap().turns(), []);
}

#[tokio::test]
async fn many_negotiations_run_at_once_and_none_loses_a_turn() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path(), BuiltIn).await;
    let mut ids = Vec::new();
    for _ in 0..50 {
        ids.push(engine.open(sample).await.unwrap());
    }
    for id in &ids {
        until(&engine, id, |n| n.status() == Status::Pending).await;
    }
    let overview = engine.journal().overview(100).await.unwrap();
    assert_eq!((overview.seq, overview.opportunities.len()), (50 * 15, 50));
    assert_eq!(overview.counts, [(Folder::NeedsYou, 50)].into());
}

#[tokio::test]
async fn who_asks_for_what_is_not_there_is_told_so() {
    let home = tempfile::tempdir().unwrap();
    let engine = start(home.path(), BuiltIn).await;
    let id = NegotiationId("nowhere".into());
    assert_eq!(engine.negotiation(&id).await.unwrap_err(), EngineError::Unknown(id));
}

async fn start(home: &Path, negotiator: impl Negotiator + 'static) -> Engine {
    kit::start(home, negotiator, SystemClock, Pace::default()).await
}

/// A negotiator made of a function.
struct By<F>(F);

impl<F: Fn(&Brief<'_>) -> Turn + Send + Sync> Negotiator for By<F> {
    fn take_turn<'a>(&'a self, brief: Brief<'a>) -> Thinking<'a> {
        let turn = self.0(&brief);
        Box::pin(async { Ok(turn) })
    }
}

fn ordinary(brief: &Brief<'_>) -> Turn {
    BuiltIn.turn(brief)
}

/// Strange the first time, ordinary from then on.
fn once(strange: impl Fn(&Brief<'_>) -> Turn + Send + Sync) -> impl Negotiator {
    let done = AtomicBool::new(false);
    By(move |brief: &Brief<'_>| if done.swap(true, Ordering::SeqCst) { ordinary(brief) } else { strange(brief) })
}
