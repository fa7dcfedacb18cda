//! What the window knows, and what each update does to it. Plain data: no signal, no DOM.

use std::collections::BTreeMap;

use countersign_api_types::{
    Awaiting, Change, Live, Mode, NegotiationId, Opportunity, Problem, Snapshot, Status, Thread, Update,
};

use crate::folder::Folder;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) seq: u64,
    pub(crate) mode: Mode,
    pub(crate) home: String,
    pub(crate) trouble: Option<Problem>,
    opportunities: BTreeMap<NegotiationId, Opportunity>,
    thread: Option<Thread>,
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
        let Snapshot { seq, mode, opportunities, home, trouble } = snapshot;
        let opportunities = opportunities.into_iter().map(|o| (o.id.clone(), o)).collect();
        Self { seq, mode, home, trouble, opportunities, thread: None }
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

    /// Shows a thread that was just read; it may be ahead of the updates or behind them.
    pub(crate) fn open(&mut self, thread: Thread) {
        self.thread = Some(thread);
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
            .filter(|o| folder.holds(o) || open == Some(&o.id))
            .filter(|o| {
                let text = format!("{} {}", o.title, o.counterpart).to_lowercase();
                words.split_whitespace().all(|word| text.contains(word))
            })
            .cloned()
            .collect();
        list.sort_by_key(|o| if folder == Folder::NeedsYou { o.changed_at.0 } else { -o.opened_at.0 });
        list
    }

    pub(crate) fn count(&self, folder: Folder) -> usize {
        self.opportunities.values().filter(|o| folder.holds(o)).count()
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &Opportunity> {
        self.opportunities.values()
    }

    pub(crate) fn activity(&self) -> Activity {
        let mut live = self.opportunities.values().filter(|o| o.status == Status::Negotiating).peekable();
        if self.mode == Mode::Off {
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
            Change::Opportunity { opportunity, turn } => {
                if let Some(thread) = self.thread.as_mut().filter(|thread| thread.opportunity.id == opportunity.id) {
                    let said = thread.turns.len();
                    thread.turns.extend(turn.filter(|turn| usize::try_from(turn.number) == Ok(said + 1)));
                    if opportunity.version > thread.opportunity.version {
                        thread.opportunity = Opportunity::clone(&opportunity);
                    }
                }
                self.opportunities.insert(opportunity.id.clone(), *opportunity);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use countersign_api_types::{Action, Side, Timestamp, Turn};

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
        state.open(Thread { opportunity: opportunity(4, Status::Negotiating), turns: vec![said(1), said(2)] });
        state.take(turn(2, 1));
        state.take(turn(3, 2));
        let thread = state.thread(&id()).unwrap();
        assert_eq!(thread.turns.len(), 2);
        assert_eq!(thread.opportunity.version, 4);
    }

    #[test]
    fn the_open_one_stays_in_the_list_when_it_moves_on() {
        let mut state = opened();
        let change = Change::Opportunity { opportunity: Box::new(opportunity(2, Status::Pending)), turn: None };
        state.take(Live::Update(Update { seq: 2, change }));
        assert_eq!(state.list(Folder::Live, "", None), []);
        assert_eq!(state.list(Folder::Live, "", Some(&id())).len(), 1);
        assert_eq!((state.count(Folder::Live), state.count(Folder::NeedsYou)), (0, 1));
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
            opportunities: vec![opportunity(1, Status::Negotiating)],
            home: "/home".into(),
            trouble: None,
        });
        state.open(Thread { opportunity: opportunity(1, Status::Negotiating), turns: vec![] });
        state
    }

    fn turn(seq: u64, number: u32) -> Live {
        let opportunity = Box::new(opportunity(u64::from(number) + 1, Status::Negotiating));
        Live::Update(Update { seq, change: Change::Opportunity { opportunity, turn: Some(said(number)) } })
    }

    fn said(number: u32) -> Turn {
        Turn {
            number,
            side: Side::Initiator,
            speaker: "Mara".into(),
            action: Action::Counter,
            reasoning: "because".into(),
            message: None,
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
            rulebook: "index".into(),
            ours: Side::Responder,
            status,
            awaiting: if status == Status::Negotiating { Awaiting::Agent(side) } else { Awaiting::Person },
            score: 80,
            seed_reasoning: String::new(),
            turn_count: 0,
            turn_cap: Some(6),
            verdict: None,
            digest: None,
            opened_at: Timestamp(0),
            changed_at: Timestamp(0),
        }
    }

    fn id() -> NegotiationId {
        NegotiationId("n".into())
    }
}
