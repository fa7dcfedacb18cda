//! Two things at the same moment, and a clock that is set back. Found by the simulation, kept small here.

use std::sync::Arc;
use std::time::Duration;

use countersign_agents::{BuiltIn, sample};
use countersign_engine::{Engine, EngineError, HandClock, Message, Pace, Parts, Said, built_in};
use countersign_kernel::{
    AgentAct, AgentId, AgentKind, Authority, Awaiting, Delegation, Fact, Frame, Mode, Move, NegotiationId, Offer,
    Opening, PersonAct, Refusal, Rulebook, Ruling, Side, Span, SummitKind, TermName, Terms, Text, Timestamp, Turn,
    Value,
};
use countersign_ledger::{Identity, Keys};
use countersign_mandate::Mandate;
use countersign_store::{Entry, Journal, Signed};
use countersign_testkit::{Chance, FaultyJournal, MemoryJournal};

use crate::kit::{self, until};

const NOON: Timestamp = Timestamp(1_700_000_000_000);

/// Every turn is asked about first.
const ASK: &str = "permit (principal, action, resource);\n@verdict(\"escalate\") @because(\"my rule\")\n\
                   forbid (principal, action == Action::\"turn\", resource);";

#[tokio::test(start_paused = true)]
async fn a_deadline_that_somebody_else_let_pass_keeps_no_later_one_from_passing() {
    let (engine, clock) = start(&memory(), Duration::ZERO).await;
    let id = engine.open(kit::personal).await.unwrap();
    until(&engine, &id, |n| n.awaiting() == Awaiting::Pickup(Side::Responder)).await;
    claim(&engine, &id, "claude").await.unwrap();
    // It lapses by the hand of whoever asks for it just then, while the timekeeper is on its way.
    clock.set(NOON.plus(Span::hours(6)));
    let asking = tokio::spawn({
        let (engine, id) = (engine.clone(), id.clone());
        async move { claim(&engine, &id, "codex").await }
    });
    asking.await.unwrap().unwrap();
    clock.set(NOON.plus(Span::hours(30)));
    soon(until(&engine, &id, |n| n.turns().len() > 1)).await;
}

#[tokio::test(start_paused = true)]
async fn who_has_to_speak_since_a_deadline_speaks_also_when_what_was_asked_for_is_refused() {
    let (engine, clock) = start(&memory(), Duration::ZERO).await;
    let id = engine.open(kit::personal).await.unwrap();
    until(&engine, &id, |n| n.awaiting() == Awaiting::Pickup(Side::Responder)).await;
    clock.set(NOON.plus(Span::hours(24)));
    assert!(matches!(claim(&engine, &id, "claude").await, Err(EngineError::Refused(Refusal::NotNow { .. }))));
    soon(until(&engine, &id, |n| n.turns().len() > 1)).await;
}

#[tokio::test(start_paused = true)]
async fn nobody_here_speaks_for_who_is_elsewhere() {
    let (engine, _clock) = start(&memory(), Duration::from_secs(1)).await;
    engine.set_mandate(Mandate { accept_unsigned: true, ..Mandate::default() }).await.unwrap();
    let id = engine.open(remote).await.unwrap();
    engine.agent(&id, Side::Initiator, AgentAct::TakeTurn(ordinary(&engine, &id).await), None).await.unwrap();
    // Our agent is about to think; its person is quicker, and then it is the other side's turn.
    tokio::time::sleep(Duration::from_millis(500)).await;
    engine.decide(&id, PersonAct::TakeOver).await.unwrap();
    engine.decide(&id, PersonAct::TakeTurn(ordinary(&engine, &id).await)).await.unwrap();
    tokio::time::sleep(Duration::from_secs(60)).await;
    let n = engine.negotiation(&id).await.unwrap();
    assert_eq!((n.turns().len(), n.awaiting()), (2, Awaiting::Agent(Side::Initiator)));
}

#[tokio::test(start_paused = true)]
async fn nobody_elsewhere_speaks_for_who_is_here_or_says_it_past_the_guard() {
    let (engine, _clock) = start(&memory(), Duration::from_secs(1)).await;
    let id = engine.open(sample).await.unwrap();
    let turn = ordinary(&engine, &id).await;
    let refused = engine.agent(&id, Side::Initiator, AgentAct::TakeTurn(turn), None).await;
    assert_eq!(refused, Err(EngineError::Refused(Refusal::NotClaimed)));

    let id = engine.open(kit::personal).await.unwrap();
    until(&engine, &id, |n| n.awaiting() == Awaiting::Pickup(Side::Responder)).await;
    claim(&engine, &id, "claude").await.unwrap();
    let draft = AgentAct::Draft(Some(agent("claude")), ordinary(&engine, &id).await, Span(0));
    let refused = engine.agent(&id, Side::Responder, draft, None).await;
    assert!(matches!(refused, Err(EngineError::Refused(Refusal::NotNow { .. }))), "{refused:?}");
}

#[tokio::test(start_paused = true)]
async fn what_was_about_to_be_said_is_not_said_after_off() {
    for seed in 0..200 {
        let memory = memory();
        let journal = FaultyJournal::new(Arc::new(memory.clone()), Chance::new(seed));
        let (engine, clock) = start(&journal, Duration::ZERO).await;
        engine.set_mandate(held()).await.unwrap();
        let id = engine.open(ours_first).await.unwrap();
        until(&engine, &id, |n| n.draft().is_some()).await;
        clock.set(NOON.plus(Span::seconds(10)));
        for _ in 0..seed % 10 {
            tokio::task::yield_now().await;
        }
        engine.set_mode(Mode::Off, None).await.unwrap();
        tokio::time::sleep(Duration::from_secs(1)).await;
        let records = memory.after(0, 100).await.unwrap();
        let off = records.iter().position(|record| matches!(record.entry, Entry::Mode { .. })).unwrap();
        let said = |entry: &Entry| matches!(entry, Entry::Negotiation { event, .. } if matches!(event.fact, Fact::TurnTaken(_)));
        let after: Vec<_> = records[off..].iter().filter(|record| said(&record.entry)).collect();
        assert!(after.is_empty(), "with seed {seed}: {after:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_an_agent_was_about_to_say_is_not_said_when_it_is_off() {
    let (engine, clock) = start(&memory(), Duration::ZERO).await;
    engine.set_mandate(held()).await.unwrap();
    let id = engine.open(ours_first).await.unwrap();
    until(&engine, &id, |n| n.draft().is_some()).await;
    engine.set_mode(Mode::Off, Some(built_in())).await.unwrap();
    clock.set(NOON.plus(Span::seconds(10)));
    let n = until(&engine, &id, |n| n.draft().is_none()).await;
    assert_eq!(n.turns(), []);
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_was_set_back_locks_nobody_out() {
    let (engine, clock) = start(&memory(), Duration::ZERO).await;
    let pace = countersign_mandate::Pace { openings_per_hour: 1, ..countersign_mandate::Pace::default() };
    engine.set_mandate(Mandate { pace, ..Mandate::default() }).await.unwrap();
    clock.set(NOON.plus(Span::days(1)));
    engine.open(remote).await.unwrap();
    clock.set(NOON);
    assert_eq!(engine.open(remote).await, Err(EngineError::TooOften { until: NOON.plus(Span::hours(1)) }));
    clock.set(NOON.plus(Span::hours(1)));
    engine.open(remote).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_message_counts_once_also_when_the_clock_was_ahead_in_between() {
    // Taken at once, or asked about first.
    for policies in [None, Some(ASK)] {
        let (engine, clock) = start(&memory(), Duration::from_secs(600)).await;
        if let Some(policies) = policies {
            engine.set_policies(policies).await.unwrap();
        }
        let theirs = Identity::new([1; 32]);
        let id = engine.open(remote).await.unwrap();
        let turn = ordinary(&engine, &id).await;
        let (nonce, sent, side) = ("1", NOON, Side::Initiator);
        let message = Message { negotiation_id: &id, nonce, sent, side, said: Said::Turn(&turn) };
        let signed = Signed { nonce: nonce.into(), sent, proof: theirs.sign(&message, &sent.rfc3339()).unwrap() };
        let act = || AgentAct::TakeTurn(turn.clone());
        engine.agent(&id, side, act(), Some(signed.clone())).await.unwrap();
        // Nothing that old is remembered then.
        clock.set(NOON.plus(Span::hours(2)));
        engine.agent(&id, side, act(), Some(signed.clone())).await.unwrap_err();
        clock.set(NOON.plus(Span::minutes(1)));
        let again = engine.agent(&id, side, act(), Some(signed)).await;
        assert!(matches!(again, Err(EngineError::Replayed(_))), "{again:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn what_a_delegate_elsewhere_says_is_signed_too() {
    let (engine, _clock) = start(&memory(), Duration::ZERO).await;
    let id = engine.open(remote).await.unwrap();
    let delegation = Delegation { to: agent("friend"), scope: Text::new("all").unwrap(), authority: Authority::Full };
    engine.agent(&id, Side::Initiator, AgentAct::Delegate(delegation), None).await.unwrap();
    let turn = ordinary(&engine, &id).await;
    let said = engine.agent(&id, Side::Initiator, AgentAct::TakeTurnFor(agent("friend"), turn), None).await;
    assert_eq!(said, Err(EngineError::Unsigned));
}

#[tokio::test(start_paused = true)]
async fn who_reaches_for_a_capability_is_off_also_when_the_person_let_it_through() {
    let (engine, _clock) = start(&memory(), Duration::ZERO).await;
    engine.set_policies(ASK).await.unwrap();
    engine.set_mandate(Mandate { accept_unsigned: true, ..Mandate::default() }).await.unwrap();
    let id = engine
        .open(|id| {
            let frame = Frame { goal: Some(Text::new("share").unwrap()), ..Frame::default() };
            let rulebook = Rulebook::summit(SummitKind::ResourceAllocation);
            Opening { rulebook, frame, ..remote(id) }
        })
        .await
        .unwrap();
    let terms = Terms::new([(TermName::new("capability.admin").unwrap(), Value::Flag(true))]).unwrap();
    let act = Move::Propose(Arc::new(Offer { terms, ..Offer::default() }));
    let turn = Turn { act, ..ordinary(&engine, &id).await };
    engine.agent(&id, Side::Initiator, AgentAct::TakeTurn(turn), None).await.unwrap();
    let name = AgentId(Text::clipped(&engine.negotiation(&id).await.unwrap().opening().parties.initiator.name));
    assert!(!engine.settings().borrow().off.contains(&name));
    let ruling = Ruling { approved: true, remarks: Text::new("fine").unwrap() };
    engine.decide(&id, PersonAct::Rule(ruling)).await.unwrap();
    assert!(engine.settings().borrow().off.contains(&name));
}

fn memory() -> MemoryJournal {
    MemoryJournal::new(Keys::new([7; 32]))
}

async fn start(journal: &(impl Journal + Clone + 'static), between: Duration) -> (Engine, HandClock) {
    let clock = HandClock::new(NOON);
    let parts = Parts {
        journal: Arc::new(journal.clone()),
        keys: Keys::new([7; 32]),
        negotiator: Arc::new(BuiltIn),
        clock: Arc::new(clock.clone()),
        pace: Pace { between, ..Pace::default() },
        drives: true,
    };
    (Engine::start(parts).await.unwrap(), clock)
}

/// Whatever does not come within a minute does not come.
async fn soon<T>(what: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_secs(60), what).await.unwrap()
}

async fn claim(engine: &Engine, id: &NegotiationId, who: &str) -> Result<(), EngineError> {
    engine.agent(id, Side::Responder, AgentAct::Claim(agent(who)), None).await
}

async fn ordinary(engine: &Engine, id: &NegotiationId) -> Turn {
    let n = engine.negotiation(id).await.unwrap();
    let side = if n.turns().len().is_multiple_of(2) { Side::Initiator } else { Side::Responder };
    let brief = countersign_agents::Brief { opening: n.opening(), side, turns: n.turns(), allowed: n.allowed() };
    BuiltIn.turn(&brief)
}

/// Everything our agent says waits for ten seconds.
fn held() -> Mandate {
    Mandate::from_json(r#"{"autonomy":{"propose":{"hold":10000},"counter":{"hold":10000}}}"#).unwrap()
}

/// The other side, the initiator's, is elsewhere.
fn remote(id: NegotiationId) -> Opening {
    let mut opening = sample(id);
    opening.sample = false;
    opening.parties.initiator.agent = AgentKind::Remote;
    opening.rulebook = Rulebook::index(&opening.parties);
    opening
}

fn ours_first(id: NegotiationId) -> Opening {
    Opening { ours: Side::Initiator, ..sample(id) }
}

fn agent(name: &str) -> AgentId {
    AgentId(Text::new(name).unwrap())
}
