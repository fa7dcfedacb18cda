//! What the window knows, and what each update does to it. Plain data: no signal, no DOM.

use std::collections::BTreeMap;

use countersign_api_types::{
    Awaiting, Change, Folder, KeptIn, Live, Mode, NegotiationId, Opportunity, Problem, Snapshot, Status, Thread, Update,
};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) seq: u64,
    pub(crate) mode: Mode,
    pub(crate) home: String,
    pub(crate) kept_in: Option<KeptIn>,
    pub(crate) trouble: Option<Problem>,
    /// How many there are in each folder, whether they were read or not.
    counts: BTreeMap<Folder, u64>,
    opportunities: BTreeMap<NegotiationId, Opportunity>,
    thread: Option<Thread>,
    /// The open thread has moved on to where more than its turns matters.
    stale: bool,
}

/// What to do after an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// It is taken in.
    GoOn,
    /// Something between is missing: ask again from the last number.
    AskAgain,
}

/// What the person's agent is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Activity {
    Off,
    Stopped,
    Thinking,
    Listening,
    Idle,
}

impl State {
    pub(crate) fn begin(snapshot: Snapshot) -> Self {
        let Snapshot { seq, mode, counts, opportunities, home, kept_in, trouble } = snapshot;
        let opportunities = opportunities.into_iter().map(|o| (o.id.clone(), o)).collect();
        Self { seq, mode, home, kept_in: Some(kept_in), trouble, counts, opportunities, thread: None, stale: false }
    }

    /// Takes one message of the live stream in, each number once and in order.
    pub(crate) fn take(&mut self, live: Live) -> Next {
        match live {
            Live::Trouble(trouble) => self.trouble = trouble,
            Live::Update(update) if update.seq <= self.seq => {}
            Live::Update(update) if update.seq > self.seq + 1 => return Next::AskAgain,
            Live::Update(update) => self.update(update),
        }
        Next::GoOn
    }

    /// Takes in more of a folder that was just read.
    pub(crate) fn extend(&mut self, more: Vec<Opportunity>) {
        more.into_iter().for_each(|opportunity| self.put(opportunity));
    }

    /// Shows a thread that was just read; it may be ahead of the updates or behind them.
    pub(crate) fn open(&mut self, thread: Thread) {
        self.thread = Some(thread);
        self.stale = false;
    }

    /// The open thread, when it has to be read again: what is asked, and why it ended, comes with it.
    pub(crate) fn stale(&self) -> Option<NegotiationId> {
        self.thread.as_ref().filter(|_| self.stale).map(|thread| thread.opportunity.id.clone())
    }

    pub(crate) fn thread(&self, id: &NegotiationId) -> Option<&Thread> {
        self.thread.as_ref().filter(|thread| thread.opportunity.id == *id)
    }

    /// What is in a folder, by the words in it, newest first; for what needs the person, what waits longest first. The
    /// one that is open stays in sight although it has moved on.
    pub(crate) fn list(&self, folder: Folder, search: &str, open: Option<&NegotiationId>) -> Vec<Opportunity> {
        let words = search.to_lowercase();
        let mut list: Vec<_> = self
            .opportunities
            .values()
            .filter(|o| o.folder() == folder || open == Some(&o.id))
            .filter(|o| {
                let text = format!("{} {}", o.title, o.counterpart).to_lowercase();
                words.split_whitespace().all(|word| text.contains(word))
            })
            .cloned()
            .collect();
        list.sort_by(|a, b| (a.place(), &a.id).cmp(&(b.place(), &b.id)));
        list
    }

    pub(crate) fn count(&self, folder: Folder) -> u64 {
        self.counts.get(&folder).copied().unwrap_or(0)
    }

    /// Whether a folder holds more than was read of it.
    pub(crate) fn has_more(&self, folder: Folder) -> bool {
        (self.all().filter(|o| o.folder() == folder).count() as u64) < self.count(folder)
    }

    /// The last of a folder, as far as it was read.
    pub(crate) fn last(&self, folder: Folder) -> Option<Opportunity> {
        self.all().filter(|o| o.folder() == folder).max_by_key(|o| (o.place(), &o.id)).cloned()
    }

    fn all(&self) -> impl Iterator<Item = &Opportunity> {
        self.opportunities.values()
    }

    pub(crate) fn activity(&self) -> Activity {
        let mut live = self.opportunities.values().filter(|o| o.status == Status::Negotiating).peekable();
        if self.mode != Mode::On {
            Activity::Off
        } else if self.trouble.is_some() {
            Activity::Stopped
        } else if live.peek().is_none() {
            Activity::Idle
        } else if live.any(|o| o.awaiting == Awaiting::Agent(o.ours)) {
            Activity::Thinking
        } else {
            Activity::Listening
        }
    }

    fn update(&mut self, update: Update) {
        self.seq = update.seq;
        match update.change {
            Change::Mode(mode) => self.mode = mode,
            Change::Sealed(_) | Change::Settings => {}
            Change::Opportunity { opportunity, moved_from, turn } => {
                if let Some(count) = moved_from.and_then(|folder| self.counts.get_mut(&folder)) {
                    *count = count.saturating_sub(1);
                }
                *self.counts.entry(opportunity.folder()).or_default() += 1;
                if let Some(thread) = self.thread.as_mut().filter(|thread| thread.opportunity.id == opportunity.id) {
                    let said = thread.turns.len();
                    thread.turns.extend(turn.filter(|turn| usize::try_from(turn.number) == Ok(said + 1)));
                    if opportunity.version > thread.opportunity.version {
                        thread.opportunity = Opportunity::clone(&opportunity);
                        self.stale |= matches!(opportunity.awaiting, Awaiting::Person(_) | Awaiting::Nobody);
                    }
                }
                self.put(*opportunity);
            }
        }
    }

    /// What was read ahead of the updates stays.
    fn put(&mut self, opportunity: Opportunity) {
        let known = self.opportunities.get(&opportunity.id);
        if known.is_none_or(|known| known.version <= opportunity.version) {
            self.opportunities.insert(opportunity.id.clone(), opportunity);
        }
    }
}

#[cfg(test)]
mod tests {
    use countersign_api_types::{Action, Ask, Protocol, Side, Text, Timestamp, Turn};

    use super::*;

    #[test]
    fn an_update_that_was_seen_is_not_taken_twice() {
        let mut state = opened();
        assert_eq!(state.take(turn(2, 1)), Next::GoOn);
        assert_eq!(state.take(turn(2, 1)), Next::GoOn);
        assert_eq!(state.thread(&id()).unwrap().turns.len(), 1);
    }

    #[test]
    fn a_gap_asks_again_and_changes_nothing() {
        let mut state = opened();
        let before = state.clone();
        assert_eq!(state.take(turn(4, 2)), Next::AskAgain);
        assert_eq!(state, before);
    }

    #[test]
    fn a_thread_read_ahead_of_the_updates_is_not_doubled_by_them() {
        let mut state = opened();
        state.open(thread(4, vec![said(1), said(2)]));
        state.take(turn(2, 1));
        state.take(turn(3, 2));
        let thread = state.thread(&id()).unwrap();
        assert_eq!(thread.turns.len(), 2);
        assert_eq!(thread.opportunity.version, 4);
    }

    #[test]
    fn a_thread_that_waits_for_the_person_is_read_again() {
        let mut state = opened();
        state.take(turn(2, 1));
        assert_eq!(state.stale(), None, "while the agents talk, their turns are all there is");
        let opportunity = Box::new(opportunity(3, Status::Pending));
        let change = Change::Opportunity { opportunity, moved_from: Some(Folder::Live), turn: None };
        state.take(Live::Update(Update { seq: 3, change }));
        assert_eq!(state.stale(), Some(id()));
        state.open(thread(3, vec![said(1)]));
        assert_eq!(state.stale(), None);
    }

    #[test]
    fn the_open_one_stays_in_the_list_when_it_moves_on() {
        let mut state = opened();
        let opportunity = Box::new(opportunity(2, Status::Pending));
        let change = Change::Opportunity { opportunity, moved_from: Some(Folder::Live), turn: None };
        state.take(Live::Update(Update { seq: 2, change }));
        assert_eq!(state.list(Folder::Live, "", None), []);
        assert_eq!(state.list(Folder::Live, "", Some(&id())).len(), 1);
        assert_eq!((state.count(Folder::Live), state.count(Folder::NeedsYou)), (0, 1));
    }

    #[test]
    fn a_folder_counts_what_was_not_read_and_shows_more_of_it() {
        let mut state = opened();
        state.counts.insert(Folder::Live, 2);
        assert!(state.has_more(Folder::Live));
        let older = Opportunity { id: NegotiationId("m".into()), ..opportunity(1, Status::Negotiating) };
        assert_eq!(state.last(Folder::Live).unwrap().id, id());
        state.extend(vec![older, opportunity(0, Status::Pending)]);
        assert!(!state.has_more(Folder::Live));
        assert_eq!(state.list(Folder::Live, "", None).len(), 2, "what was known better stays");
    }

    #[test]
    fn search_looks_for_every_word_in_title_and_name() {
        let state = opened();
        assert_eq!(state.list(Folder::Live, "mentor mara", None).len(), 1);
        assert_eq!(state.list(Folder::Live, "mentor bob", None).len(), 0);
    }

    #[test]
    fn the_header_says_what_the_agent_is_doing() {
        let mut state = opened();
        assert_eq!(state.activity(), Activity::Listening);
        state.take(turn(2, 1));
        assert_eq!(state.activity(), Activity::Thinking);
        state.take(Live::Update(Update { seq: 3, change: Change::Mode(Mode::Off) }));
        assert_eq!(state.activity(), Activity::Off);
        assert_eq!(State::default().activity(), Activity::Idle);
    }

    fn opened() -> State {
        let mut state = State::begin(Snapshot {
            seq: 1,
            mode: Mode::On,
            counts: BTreeMap::from([(Folder::Live, 1)]),
            opportunities: vec![opportunity(1, Status::Negotiating)],
            home: "/home".into(),
            kept_in: KeptIn::File,
            trouble: None,
        });
        state.open(thread(1, vec![]));
        state
    }

    fn thread(version: u64, turns: Vec<Turn>) -> Thread {
        let opportunity = opportunity(version, Status::Negotiating);
        let (names, why) = (vec![], vec![]);
        Thread { opportunity, turns, names, why, question: None, draft: None, otherwise: None }
    }

    fn turn(seq: u64, number: u32) -> Live {
        let opportunity = Box::new(opportunity(u64::from(number) + 1, Status::Negotiating));
        Live::Update(Update {
            seq,
            change: Change::Opportunity { opportunity, moved_from: Some(Folder::Live), turn: Some(said(number)) },
        })
    }

    fn said(number: u32) -> Turn {
        Turn {
            number,
            side: Side::Initiator,
            speaker: "Mara".into(),
            action: Action::Counter,
            reasoning: "because".into(),
            message: None,
            terms: vec![],
            roles: None,
            at: Timestamp(0),
        }
    }

    fn opportunity(version: u64, status: Status) -> Opportunity {
        let side = if version % 2 == 1 { Side::Initiator } else { Side::Responder };
        Opportunity {
            id: id(),
            version,
            title: "A mentor".into(),
            counterpart: "Mara".into(),
            sample: true,
            protocol: Protocol::Index,
            ours: Side::Responder,
            status,
            awaiting: if status == Status::Negotiating {
                Awaiting::Agent(side)
            } else {
                Awaiting::Person(Ask::Approval)
            },
            due: None,
            score: 80,
            seed_reasoning: Text::new("they fit").unwrap(),
            turn_count: 0,
            turn_cap: Some(6),
            conclusion: None,
            digest: None,
            opened_at: Timestamp(0),
            changed_at: Timestamp(0),
        }
    }

    fn id() -> NegotiationId {
        NegotiationId("n".into())
    }
}
