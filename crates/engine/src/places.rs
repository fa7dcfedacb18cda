//! Negotiations in memory: each behind its own lock, read from the journal when it is needed and let go afterwards.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use countersign_kernel::{Event, Negotiation, NegotiationId};
use countersign_store::{Entry, Journal, Stream};
use tokio::sync::MutexGuard;

use crate::EngineError;

/// How many records are read at a time.
const PAGE: u32 = 1000;

/// Every negotiation that somebody has to do with.
#[derive(Default)]
pub(crate) struct Places(Mutex<HashMap<NegotiationId, Weak<Place>>>);

/// One negotiation: what is decided on it never waits for another.
pub(crate) struct Place {
    pub(crate) id: NegotiationId,
    state: tokio::sync::Mutex<Option<Arc<Negotiation>>>,
}

/// A negotiation that nobody else can change meanwhile.
pub(crate) struct Held<'a> {
    negotiation: Arc<Negotiation>,
    /// Whether it is ahead of the journal. If it stays so, it is forgotten and read anew.
    is_ahead: bool,
    guard: MutexGuard<'a, Option<Arc<Negotiation>>>,
}

impl Places {
    /// The place of a negotiation, shared by all who ask for it at the same time.
    pub(crate) fn get(&self, id: &NegotiationId) -> Arc<Place> {
        let mut places = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = places.get(id).and_then(Weak::upgrade) {
            return place;
        }
        // What nobody has to do with any more goes when the table would grow.
        if places.len() == places.capacity() {
            places.retain(|_, place| place.strong_count() > 0);
        }
        let place = Arc::new(Place { id: id.clone(), state: tokio::sync::Mutex::default() });
        places.insert(id.clone(), Arc::downgrade(&place));
        place
    }
}

impl Place {
    /// Waits for the others, then reads the negotiation if it is not in memory.
    pub(crate) async fn hold(&self, journal: &dyn Journal) -> Result<Held<'_>, EngineError> {
        let guard = self.state.lock().await;
        let negotiation = match &*guard {
            Some(negotiation) => Arc::clone(negotiation),
            None => Arc::new(read(journal, &self.id).await?.ok_or_else(|| EngineError::Unknown(self.id.clone()))?),
        };
        Ok(Held { negotiation, is_ahead: false, guard })
    }
}

impl Held<'_> {
    /// As it is now, to look at while others go on.
    pub(crate) fn share(&self) -> Arc<Negotiation> {
        Arc::clone(&self.negotiation)
    }

    /// Takes an event in that is not in the journal yet.
    pub(crate) fn apply(&mut self, event: &Event) {
        self.is_ahead = true;
        // The only other reference, unless somebody looks at it.
        *self.guard = None;
        Arc::make_mut(&mut self.negotiation).apply(event);
    }

    /// What was taken in is in the journal now.
    pub(crate) fn is_written(&mut self) {
        self.is_ahead = false;
    }
}

impl Deref for Held<'_> {
    type Target = Negotiation;

    fn deref(&self) -> &Negotiation {
        &self.negotiation
    }
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        *self.guard = (!self.is_ahead).then(|| Arc::clone(&self.negotiation));
    }
}

/// Folds one negotiation from the journal; none when it was never opened.
pub async fn read(journal: &dyn Journal, id: &NegotiationId) -> Result<Option<Negotiation>, EngineError> {
    let mut negotiation: Option<Negotiation> = None;
    loop {
        let version = negotiation.as_ref().map_or(0, Negotiation::version);
        let page = journal.read(Stream::Negotiation(id.clone()), version, PAGE).await?;
        let is_last = page.len() < PAGE as usize;
        for record in page {
            let Entry::Negotiation { event, .. } = record.entry else { continue };
            match &mut negotiation {
                Some(negotiation) => negotiation.apply(&event),
                None => negotiation = Negotiation::replay([&event]),
            }
        }
        if is_last {
            return Ok(negotiation);
        }
    }
}
