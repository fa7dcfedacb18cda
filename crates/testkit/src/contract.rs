//! What every journal promises, whatever it is kept in: written once, run against each.

#![allow(missing_docs, reason = "the names of the promises say what they are")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test that cannot go on should stop")]

use std::sync::Arc;

use countersign_kernel::{
    AgentAct, AgentKind, Assessment, Command, Detail, Event, Folder, Frame, Load, Mode, Move, Negotiation,
    NegotiationId, Opening, Opportunity, Parties, Party, PersonAct, Profile, RejectCode, Rejection, Role, Rulebook,
    SeedAssessment, Side, SuggestedRoles, Text, Timestamp, Turn,
};
use countersign_store::{Append, Entry, Journal, Record, Standing, StoreError, Stream};

/// Makes a test of each promise, against a fresh journal and whatever has to be kept beside it.
#[macro_export]
macro_rules! keeps_its_promises {
    ($fresh:path) => {
        $crate::keeps_its_promises! { $fresh:
            of_two_who_saw_the_same_version_one_appends
            places_and_versions_have_no_gaps
            who_watches_is_woken_by_an_append
            what_is_due_comes_in_order_and_goes_when_it_is_over
            whoever_has_to_speak_is_ready_and_nobody_else
            lists_are_in_order_and_counted_and_read_page_by_page
            lists_made_anew_are_the_same
            what_is_over_stays_as_it_is
            an_end_is_signed_once_with_everything_before_it
        }
    };
    ($fresh:path: $($promise:ident)*) => {$(
        #[tokio::test]
        async fn $promise() {
            let (journal, _kept) = $fresh();
            $crate::contract::$promise(&journal).await;
        }
    )*};
}

pub async fn of_two_who_saw_the_same_version_one_appends(journal: &dyn Journal) {
    let (first, second) = tokio::join!(journal.append(modes(0, 1)), journal.append(modes(0, 1)));
    let conflict = Err(StoreError::Conflict { expected: 0, found: 1 });
    assert!((first == Ok(1) && second == conflict) || (second == Ok(1) && first == conflict));
    assert_eq!(journal.read(Stream::Mode, 0, 10).await.unwrap().len(), 1);
}

pub async fn places_and_versions_have_no_gaps(journal: &dyn Journal) {
    assert_eq!(journal.append(modes(0, 2)).await, Ok(2));
    journal.append(modes(7, 2)).await.unwrap_err();
    assert_eq!(journal.append(modes(2, 1)).await, Ok(3));
    let place = |record: &Record| (record.seq, record.version);
    let places: Vec<_> = journal.after(0, 10).await.unwrap().iter().map(place).collect();
    assert_eq!(places, [(1, 1), (2, 2), (3, 3)]);
    let page: Vec<_> = journal.after(1, 1).await.unwrap().iter().map(place).collect();
    assert_eq!(page, [(2, 2)]);
    let page: Vec<_> = journal.read(Stream::Mode, 2, 10).await.unwrap().iter().map(place).collect();
    assert_eq!(page, [(3, 3)]);
}

pub async fn who_watches_is_woken_by_an_append(journal: &dyn Journal) {
    let mut head = journal.head();
    assert_eq!(*head.borrow(), 0);
    let (woken, appended) = tokio::join!(head.wait_for(|head| *head == 1), journal.append(modes(0, 1)));
    assert_eq!((*woken.unwrap(), appended), (1, Ok(1)));
}

pub async fn what_is_due_comes_in_order_and_goes_when_it_is_over(journal: &dyn Journal) {
    let (late, soon) = (Table::open(journal, "late", 5_000).await, Table::open(journal, "soon", 1_000).await);
    let due = journal.due(10).await.unwrap();
    assert_eq!(due, [soon.due(), late.due()]);
    assert_eq!(journal.due(1).await.unwrap(), [soon.due()]);
    let mut soon = soon;
    soon.person(PersonAct::Withdraw(text("no more"))).await;
    assert_eq!(journal.due(10).await.unwrap(), [late.due()]);
}

pub async fn whoever_has_to_speak_is_ready_and_nobody_else(journal: &dyn Journal) {
    let (a, mut b) = (Table::open(journal, "a", 1).await, Table::open(journal, "b", 2).await);
    Table::open_with(journal, "c", 3, AgentKind::Personal).await;
    assert_eq!(journal.ready(None, 10).await.unwrap(), [id("a"), id("b")]);
    assert_eq!(journal.ready(None, 1).await.unwrap(), [id("a")]);
    assert_eq!(journal.ready(Some(id("a")), 10).await.unwrap(), [id("b")]);
    b.person(PersonAct::Hold).await;
    assert_eq!(journal.ready(None, 10).await.unwrap(), [a.id]);
}

pub async fn lists_are_in_order_and_counted_and_read_page_by_page(journal: &dyn Journal) {
    let mut tables = Vec::new();
    for (name, at) in [("a", 1), ("b", 2), ("c", 3), ("d", 4)] {
        tables.push(Table::open(journal, name, at).await);
    }
    let names = |list: &[Opportunity]| list.iter().map(|o| o.id.0.clone()).collect::<Vec<_>>();
    let live = journal.list(Folder::Live, None, 3).await.unwrap();
    assert_eq!(names(&live), ["d", "c", "b"], "the newest first");
    let rest = journal.list(Folder::Live, live.last().cloned(), 3).await.unwrap();
    assert_eq!(names(&rest), ["a"]);
    assert_eq!(rest, [tables[0].negotiation.opportunity()]);

    tables[1].reject().await;
    tables[3].person(PersonAct::Hold).await;
    let overview = journal.overview(1).await.unwrap();
    assert_eq!(overview.seq, *journal.head().borrow());
    assert_eq!(overview.counts, [(Folder::NeedsYou, 1), (Folder::Live, 2), (Folder::Rejected, 1)].into());
    assert_eq!(names(&overview.opportunities), ["d", "c", "b"], "one of each folder");
}

pub async fn lists_made_anew_are_the_same(journal: &dyn Journal) {
    let mut tables = Vec::new();
    for (name, at) in [("a", 1), ("b", 2), ("c", 3)] {
        tables.push(Table::open(journal, name, at).await);
    }
    tables[0].reject().await;
    tables[1].person(PersonAct::Hold).await;
    journal.append(modes(0, 1)).await.unwrap();
    let (overview, due, ready) = (journal.overview(10).await, journal.due(10).await, journal.ready(None, 10).await);
    assert_eq!(journal.rebuild().await, Ok(3));
    assert_eq!(journal.overview(10).await, overview);
    assert_eq!((journal.due(10).await, journal.ready(None, 10).await), (due, ready));
}

pub async fn what_is_over_stays_as_it_is(journal: &dyn Journal) {
    let mut table = Table::open(journal, "a", 1).await;
    table.reject().await;
    let records = journal.after(0, 10).await.unwrap();
    // Somebody who does not ask the kernel first.
    let more = Event { at: Timestamp(9), fact: countersign_kernel::Fact::Held };
    let entries = vec![Entry::Negotiation { id: id("a"), event: more, signed: None }];
    let standing = Some(Standing::from(&table.negotiation));
    let stream = Stream::Negotiation(id("a"));
    let refused = journal.append(Append { stream, expected: table.negotiation.version(), entries, standing }).await;
    assert_eq!(refused, Err(StoreError::Over));
    assert_eq!(journal.after(0, 10).await.unwrap(), records);
}

pub async fn an_end_is_signed_once_with_everything_before_it(journal: &dyn Journal) {
    let mut table = Table::open(journal, "a", 1).await;
    assert_eq!(journal.read(Stream::Checkpoints, 0, 10).await.unwrap(), []);
    table.reject().await;
    let checkpoints = journal.read(Stream::Checkpoints, 0, 10).await.unwrap();
    let [Record { entry: Entry::Checkpoint(checkpoint), .. }] = &checkpoints[..] else {
        panic!("one checkpoint: {checkpoints:?}")
    };
    assert_eq!((&checkpoint.negotiation_id, checkpoint.entries), (&id("a"), table.negotiation.version()));
    let proof = checkpoint.proof.as_ref().unwrap();
    proof.verify(checkpoint, &proof.signer().unwrap()).unwrap();
}

/// A negotiation that is played in the journal.
pub struct Table<'a> {
    journal: &'a dyn Journal,
    pub id: NegotiationId,
    pub negotiation: Negotiation,
}

impl<'a> Table<'a> {
    pub async fn open(journal: &'a dyn Journal, name: &str, at: i64) -> Self {
        Self::open_with(journal, name, at, AgentKind::System).await
    }

    pub async fn open_with(journal: &'a dyn Journal, name: &str, at: i64, agent: AgentKind) -> Self {
        let events = Negotiation::open(opening(id(name), agent), Load::default(), Timestamp(at)).unwrap();
        let negotiation = Negotiation::replay(&events).unwrap();
        let table = Self { journal, id: id(name), negotiation };
        table.append(0, events).await;
        table
    }

    pub async fn person(&mut self, act: PersonAct) {
        self.carry_out(Command::Person(act)).await;
    }

    pub async fn reject(&mut self) {
        let side = Side::Initiator;
        let propose = turn(Move::Propose(Arc::default()));
        self.carry_out(Command::Agent(side, AgentAct::TakeTurn(propose))).await;
        let rejection = Rejection { code: RejectCode::Unsuitable, retryable: false, retry_after: None };
        let reject = turn(Move::Reject(rejection));
        self.carry_out(Command::Agent(side.other(), AgentAct::TakeTurn(reject))).await;
    }

    fn due(&self) -> (NegotiationId, Timestamp) {
        (self.id.clone(), self.negotiation.next_deadline().unwrap().at)
    }

    async fn carry_out(&mut self, command: Command) {
        let before = self.negotiation.version();
        let events = self.negotiation.decide(command, self.negotiation.changed_at()).unwrap();
        events.iter().for_each(|event| self.negotiation.apply(event));
        self.append(before, events).await;
    }

    async fn append(&self, expected: u64, events: Vec<Event>) {
        let entry = |event| Entry::Negotiation { id: self.id.clone(), event, signed: None };
        let entries = events.into_iter().map(entry).collect();
        let standing = Some(Standing::from(&self.negotiation));
        let stream = Stream::Negotiation(self.id.clone());
        self.journal.append(Append { stream, expected, entries, standing }).await.unwrap();
    }
}

pub fn modes(expected: u64, count: i64) -> Append {
    let entries = (0..count).map(|at| Entry::Mode { mode: Mode::Off, agent: None, at: Timestamp(at) }).collect();
    Append { stream: Stream::Mode, expected, entries, standing: None }
}

pub fn id(name: &str) -> NegotiationId {
    NegotiationId(name.into())
}

fn opening(id: NegotiationId, agent: AgentKind) -> Opening {
    let party = |name: &str| {
        let facts = vec![Detail { topic: "place".into(), text: format!("{name} lives in Porto.") }];
        Party { name: name.into(), agent, profile: Profile { facts, ..Profile::default() }, key: None }
    };
    let parties = Parties { initiator: party("Ada"), responder: party("Bo") };
    let seed = SeedAssessment { score: 70, reasoning: text("They fit."), valency_role: Role::Peer, actors: vec![] };
    let mut rulebook = Rulebook::index(&parties);
    rulebook.timers.total = Some(countersign_kernel::Span::hours(1));
    let (title, frame) = ("A match".into(), Frame::default());
    Opening { id, title, rulebook, parties, ours: Side::Responder, seed, sample: false, mandate: 0, frame }
}

fn turn(act: Move) -> Turn {
    let suggested_roles = Some(SuggestedRoles { own: Role::Peer, other: Role::Peer });
    let assessment = Assessment { reasoning: text("Because."), suggested_roles, confidence: None };
    Turn { act, assessment, message: None }
}

fn text(text: &str) -> Text {
    Text::new(text).unwrap()
}
