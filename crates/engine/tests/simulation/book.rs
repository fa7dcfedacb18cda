//! What was asked of the engine and what it answered, to be found again in the journal.

use std::collections::BTreeMap;
use std::sync::Mutex;

use countersign_engine::EngineError;
use countersign_kernel::{Fact, NegotiationId, Resolution, Stop};
use countersign_store::Entry;

#[derive(Default)]
pub(crate) struct Book(Mutex<Pages>);

#[derive(Default)]
pub(crate) struct Pages {
    asked: Vec<(Asked, Option<Result<(), EngineError>>)>,
    /// In which negotiation, by the place above.
    about: BTreeMap<usize, NegotiationId>,
    pub(crate) opened: Vec<NegotiationId>,
    /// Whether there was no room on the disk at some time.
    pub(crate) was_full: bool,
    /// What agents here came to, and how many turns there were then.
    pub(crate) thoughts: BTreeMap<String, usize>,
    /// What was let in and must not be.
    pub(crate) wrong: Vec<String>,
}

/// What an act leaves in the journal when it is carried out.
#[derive(Clone, Debug)]
pub(crate) enum Asked {
    /// One entry with this mark.
    Mark(String),
    /// A turn, which may also become a draft or a question.
    Turn(String),
    /// Nothing that could be told from what others leave.
    Nothing,
}

/// How often a mark has to be there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Times {
    /// What was answered with yes.
    pub(crate) least: u64,
    /// That, and what was never answered because the process died.
    pub(crate) most: u64,
}

impl Book {
    pub(crate) fn pages(&self) -> std::sync::MutexGuard<'_, Pages> {
        self.0.lock().unwrap()
    }

    pub(crate) fn ask(&self, asked: Asked) -> usize {
        let mut pages = self.pages();
        pages.asked.push((asked, None));
        pages.asked.len() - 1
    }

    pub(crate) fn about(&self, place: usize, id: NegotiationId) {
        self.pages().about.insert(place, id);
    }

    pub(crate) fn answer(&self, place: usize, answer: Result<(), EngineError>) {
        self.pages().asked[place].1 = Some(answer);
    }
}

impl Pages {
    /// How often each mark has to be in the journal.
    pub(crate) fn marks(&self) -> BTreeMap<String, Times> {
        let mut marks: BTreeMap<String, Times> = BTreeMap::new();
        for (asked, answer) in &self.asked {
            let Asked::Mark(mark) = asked else { continue };
            let times = marks.entry(mark.clone()).or_default();
            times.least += u64::from(matches!(answer, Some(Ok(()))));
            times.most += u64::from(!matches!(answer, Some(Err(_))));
        }
        marks
    }

    /// Every turn that was handed in from outside, and whether it was refused as often as that was tried.
    pub(crate) fn turns(&self) -> BTreeMap<&str, bool> {
        let mut turns = BTreeMap::new();
        for (asked, answer) in &self.asked {
            let Asked::Turn(mark) = asked else { continue };
            *turns.entry(mark.as_str()).or_insert(true) &= matches!(answer, Some(Err(_)));
        }
        turns
    }

    /// Whether something that was asked in this negotiation may have been cut short: by a death, or by a full disk.
    pub(crate) fn is_cut_short(&self, id: &NegotiationId) -> bool {
        let places = self.about.iter().filter(|(_, about)| *about == id).map(|(place, _)| *place);
        self.was_full || places.into_iter().any(|place| self.asked[place].1.is_none())
    }

    pub(crate) fn answers(&self) -> (u64, u64, u64) {
        let count = |is: fn(&Option<Result<(), EngineError>>) -> bool| {
            self.asked.iter().filter(|(_, answer)| is(answer)).count() as u64
        };
        (count(|a| matches!(a, Some(Ok(())))), count(|a| matches!(a, Some(Err(_)))), count(Option::is_none))
    }
}

/// The mark of an entry that only somebody's act can have left.
pub(crate) fn mark(entry: &Entry) -> Option<String> {
    match entry {
        Entry::Negotiation { id, event, .. } => mark_of(id, &event.fact),
        Entry::Mandate { mandate, .. } => mandate.goals.first().map(|goal| format!("mandate {}", &**goal)),
        Entry::Mode { .. } | Entry::Policies { .. } | Entry::Checkpoint(_) => None,
    }
}

fn mark_of(id: &NegotiationId, fact: &Fact) -> Option<String> {
    Some(match fact {
        Fact::Opened(opening) => format!("opened {}", opening.title),
        Fact::Claimed(agent) => format!("claimed {id} {}", &*agent.0),
        Fact::Released => format!("released {id}"),
        Fact::Ruled(ruling) => format!("ruled {}", &*ruling.remarks),
        Fact::Held => format!("held {id}"),
        Fact::Resumed => format!("resumed {id}"),
        Fact::Mandated(version) => format!("mandated {id} {version}"),
        Fact::Guided(words) => format!("guided {}", &**words),
        Fact::TakenOver => format!("taken over {id}"),
        Fact::HandedBack => format!("handed back {id}"),
        Fact::Delegated(_, delegation) => format!("delegated {}", &*delegation.scope),
        Fact::Reported(_, report) => format!("reported {}", &*report.finding),
        Fact::Resolved(outcome) if outcome.result == Resolution::Aborted(Stop::Withdrawn) => {
            format!("withdrawn {}", &*outcome.reasoning)
        }
        Fact::ApprovalExtended(_) => format!("extended {id}"),
        Fact::Decided(approval) if approval.beforehand.is_none() => {
            format!("decided {}", approval.remarks.as_deref().unwrap_or("by nobody we know"))
        }
        Fact::Promised(_, words) => format!("promised {}", &**words),
        Fact::PromiseWithdrawn(place) => format!("promise withdrawn {id} {place}"),
        Fact::PromiseAccepted(place) => format!("promise accepted {id} {place}"),
        Fact::TurnTaken(_)
        | Fact::Drafted(..)
        | Fact::Retracted
        | Fact::ClaimLapsed
        | Fact::FallbackDue
        | Fact::AgentFailed(..)
        | Fact::Escalated(..)
        | Fact::Reminded
        | Fact::EscalationLate
        | Fact::VerdictGiven(_)
        | Fact::Violated(..)
        | Fact::Resolved(_)
        | Fact::ApprovalOpened(..)
        | Fact::Decided(_)
        | Fact::Recommended(_)
        | Fact::Ended(_)
        | Fact::Signed(_)
        | Fact::Bound(..)
        | Fact::AgreementEnded => return None,
    })
}
