//! One step of a negotiation: everything that follows from what was asked, written down together or not at all.

use countersign_kernel::{Command, Event, Fact, Negotiation, Refusal, Status, Timestamp};
use countersign_store::{Append, Entry, Signed, Standing, Stream};

use crate::places::Held;
use crate::{Engine, EngineError, signing};

/// What is about to be written. Until it is, nobody else sees it; if it never is, it did not happen.
pub(crate) struct Writing<'h, 'p> {
    pub(crate) held: &'h mut Held<'p>,
    pub(crate) now: Timestamp,
    /// How it stood before.
    pub(crate) was: Status,
    /// The other side's signature under what it said.
    pub(crate) signed: Option<Box<Signed>>,
    /// What whoever asked is told although something is written down.
    pub(crate) refused: Option<EngineError>,
    before: u64,
    events: Vec<Event>,
}

impl<'h, 'p> Writing<'h, 'p> {
    pub(crate) fn new(held: &'h mut Held<'p>, now: Timestamp) -> Self {
        let (before, was) = (held.version(), held.status());
        Self { held, now, was, signed: None, refused: None, before, events: Vec::new() }
    }

    /// Decides, and goes on from there.
    pub(crate) fn ask(&mut self, command: Command) -> Result<(), Refusal> {
        for event in self.held.decide(command, self.now)? {
            self.held.apply(&event);
            self.events.push(event);
        }
        Ok(())
    }

    /// Whether it could be asked.
    pub(crate) fn would(&self, command: Command) -> Result<(), Refusal> {
        self.held.decide(command, self.now).map(drop)
    }
}

impl Engine {
    /// Writes it down, and only then lets it be so.
    pub(crate) async fn write(&self, writing: Writing<'_, '_>) -> Result<(), EngineError> {
        let Writing { held, before, events, signed, refused, .. } = writing;
        if !events.is_empty() {
            self.append(held, before, events, signed).await?;
            held.is_written();
        }
        refused.map_or(Ok(()), Err)
    }

    /// Signs what is ours to sign, and writes it down together with how things stand afterwards.
    pub(crate) async fn append(
        &self,
        after: &Negotiation,
        expected: u64,
        events: Vec<Event>,
        mut theirs: Option<Box<Signed>>,
    ) -> Result<(), EngineError> {
        let opening = after.opening();
        let entry = |(version, event): (u64, Event)| {
            let is_theirs = match &event.fact {
                Fact::TurnTaken(taken) => taken.side != opening.ours,
                // What the person is asked about first is theirs already.
                Fact::Escalated(_, escalation) => escalation.draft.is_some() && theirs.is_some(),
                _ => false,
            };
            let signed = if is_theirs { theirs.take() } else { signing::sign(&self.0.keys, opening, version, &event) };
            Entry::Negotiation { id: opening.id.clone(), event, signed }
        };
        let entries = (expected + 1..).zip(events).map(entry).collect();
        let standing = Standing::from(after);
        let due = standing.opportunity.due;
        let stream = Stream::Negotiation(opening.id.clone());
        self.0.journal.append(Append { stream, expected, entries, standing: Some(standing) }).await?;
        if let Some(due) = due {
            self.0.sooner.send_if_modified(|known| {
                let is_sooner = due.at < *known;
                *known = due.at.min(*known);
                is_sooner
            });
        }
        Ok(())
    }
}
