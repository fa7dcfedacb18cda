//! What every front end can rely on.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop")]

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use countersign_agents::BuiltIn;
use countersign_api::types::{Change, Live, Mode, NegotiationId, Opportunity, ProblemCode, Status, Thread, Update};
use countersign_api::{Api, LiveStream, Options};

#[tokio::test]
async fn the_stream_gives_everything_once_in_order() {
    let home = tempfile::tempdir().unwrap();
    let api = open(home.path()).await;
    let mut live = api.watch(0);
    let id = api.open_sample().await.unwrap();
    let updates = until_pending(&mut live, &id).await;
    let numbers: Vec<u64> = updates.iter().map(|update| update.seq).collect();
    assert_eq!(numbers, (1..=14).collect::<Vec<_>>());
    let turns: Vec<u32> = updates.iter().filter_map(turn_number).collect();
    assert_eq!(turns, [1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn a_view_that_reconnects_gets_what_it_missed_once_each() {
    let home = tempfile::tempdir().unwrap();
    let api = open(home.path()).await;
    let id = api.open_sample().await.unwrap();
    let mut first = api.watch(0);
    let mut seen = vec![update(&mut first).await, update(&mut first).await, update(&mut first).await];
    drop(first);
    let mut whole = api.watch(0);
    let whole = until_pending(&mut whole, &id).await;

    let mut second = api.watch(seen.last().unwrap().seq);
    seen.extend(until_pending(&mut second, &id).await);
    assert_eq!(seen, whole, "the same, however often it was read");
}

#[tokio::test]
async fn a_snapshot_and_the_stream_after_it_make_a_whole() {
    let home = tempfile::tempdir().unwrap();
    let api = open(home.path()).await;
    let id = pending(&api).await.opportunity.id;
    let snapshot = api.snapshot().await.unwrap();
    let mut live = api.watch(snapshot.seq);
    let digest = snapshot.opportunities.first().unwrap().digest.clone().unwrap();
    api.accept(&id, digest).await.unwrap();
    let (decided, ended) = (update(&mut live).await, update(&mut live).await);
    assert_eq!((decided.seq, ended.seq), (snapshot.seq + 1, snapshot.seq + 2));
    assert_eq!(opportunity(&ended).unwrap().status, Status::Accepted);
}

#[tokio::test]
async fn an_accept_of_something_else_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let api = open(home.path()).await;
    let shown = pending(&api).await.opportunity;
    let other = pending(&api).await.opportunity;
    let problem = api.accept(&shown.id, other.digest.unwrap()).await.unwrap_err();
    assert_eq!(problem.code, ProblemCode::Changed);
    assert!(problem.kept.contains("not taken"));
    assert_eq!(api.thread(&shown.id).await.unwrap().opportunity.status, Status::Pending);
}

#[tokio::test]
async fn a_decision_is_made_once() {
    let home = tempfile::tempdir().unwrap();
    let api = open(home.path()).await;
    let shown = pending(&api).await.opportunity;
    let digest = shown.digest.unwrap();
    let (accepted, declined) = tokio::join!(api.accept(&shown.id, digest.clone()), api.decline(&shown.id, digest));
    assert_ne!(accepted.is_ok(), declined.is_ok());
    assert_eq!(accepted.and(declined).unwrap_err().code, ProblemCode::Refused);
}

#[tokio::test]
async fn nothing_can_be_decided_while_the_agents_talk() {
    let home = tempfile::tempdir().unwrap();
    let api = open(home.path()).await;
    let digest = pending(&api).await.opportunity.digest.unwrap();
    api.set_mode(Mode::Off, None).await.unwrap();
    let talking = api.open_sample().await.unwrap();
    assert_eq!(api.thread(&talking).await.unwrap().opportunity.digest, None);
    let problem = api.accept(&talking, digest).await.unwrap_err();
    assert_eq!(problem.code, ProblemCode::Refused);
}

#[tokio::test]
async fn the_mode_is_in_the_snapshot_and_in_the_stream() {
    let home = tempfile::tempdir().unwrap();
    let api = open(home.path()).await;
    let mut live = api.watch(0);
    api.set_mode(Mode::Off, None).await.unwrap();
    assert_eq!(api.snapshot().await.unwrap().mode, Mode::Off);
    assert_eq!(update(&mut live).await, Update { seq: 1, change: Change::Mode(Mode::Off) });
}

#[tokio::test]
async fn a_folder_that_cannot_be_used_is_told_in_words() {
    let home = tempfile::tempdir().unwrap();
    std::fs::write(home.path().join("journal.db"), "something else").unwrap();
    let Err(problem) = Api::open(options(home.path())).await else { panic!("it opened") };
    assert_eq!(problem.code, ProblemCode::NotAJournal);
    assert_eq!(problem.kept, "The file was not touched.");
}

#[tokio::test]
async fn a_journal_without_its_key_is_told_in_words() {
    let home = tempfile::tempdir().unwrap();
    drop(open(home.path()).await);
    let copy = tempfile::tempdir().unwrap();
    std::fs::copy(home.path().join("journal.db"), copy.path().join("journal.db")).unwrap();
    let Err(problem) = Api::open(options(copy.path())).await else { panic!("it opened") };
    assert!(problem.what.contains("sealed with a key"), "{}", problem.what);
    assert_eq!(problem.kept, "Nothing was changed.");
}

async fn open(home: &Path) -> Api {
    Api::open(options(home)).await.unwrap()
}

fn options(home: &Path) -> Options {
    Options { home: home.into(), pace: Duration::ZERO, negotiator: Arc::new(BuiltIn), keychain: false, drives: true }
}

/// A sample that waits for the person.
async fn pending(api: &Api) -> Thread {
    let from = api.snapshot().await.unwrap().seq;
    let id = api.open_sample().await.unwrap();
    until_pending(&mut api.watch(from), &id).await;
    api.thread(&id).await.unwrap()
}

/// Everything up to the moment when this one waits for the person.
async fn until_pending(live: &mut LiveStream, id: &NegotiationId) -> Vec<Update> {
    let mut updates = Vec::new();
    loop {
        updates.push(update(live).await);
        let last = updates.last().and_then(opportunity);
        if last.is_some_and(|last| last.id == *id && last.digest.is_some()) {
            return updates;
        }
    }
}

async fn update(live: &mut LiveStream) -> Update {
    match live.next().await {
        Some(Live::Update(update)) => update,
        other => panic!("an update was due, not {other:?}"),
    }
}

fn opportunity(update: &Update) -> Option<&Opportunity> {
    match &update.change {
        Change::Opportunity { opportunity, .. } => Some(opportunity),
        Change::Mode(_) | Change::Settings | Change::Sealed(_) => None,
    }
}

fn turn_number(update: &Update) -> Option<u32> {
    match &update.change {
        Change::Opportunity { turn, .. } => turn.as_ref().map(|turn| turn.number),
        Change::Mode(_) | Change::Settings | Change::Sealed(_) => None,
    }
}
