use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use countersign_kernel::{Folder, NegotiationId, Opportunity, Timestamp};
use countersign_store::{Answer, Append, Journal, Overview, Record, StoreError, Stream};
use tokio::sync::watch;

use crate::Chance;

/// A journal that breaks when it is told to: its disk is full, or its process dies between two writes. It answers in its
/// own time, so that who asks first is not always answered first.
#[derive(Clone)]
pub struct FaultyJournal {
    inner: Arc<dyn Journal>,
    faults: Arc<Mutex<Faults>>,
    dead: watch::Sender<bool>,
}

/// On which side of a write the process dies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Death {
    /// Nothing is written.
    Before,
    /// It is written, and nobody hears of it.
    After,
}

struct Faults {
    chance: Chance,
    is_full: bool,
    /// How many more appends there are until the process dies.
    fuse: Option<(u64, Death)>,
    /// How often the journal was asked for anything, and how often it answers.
    asked: u64,
    most: u64,
    refused: u64,
}

/// In how many steps the journal answers at most.
const SLOWEST: u64 = 4;

impl FaultyJournal {
    /// Around a journal that works.
    pub fn new(inner: Arc<dyn Journal>, chance: Chance) -> Self {
        let faults = Faults { chance, is_full: false, fuse: None, asked: 0, most: u64::MAX, refused: 0 };
        Self { inner, faults: Arc::new(Mutex::new(faults)), dead: watch::Sender::new(false) }
    }

    /// Fills its disk, or makes room.
    pub fn fill(&self, is_full: bool) {
        self.faults().is_full = is_full;
    }

    /// Lets the process die at one of the next appends.
    pub fn light(&self, appends: u64, death: Death) {
        self.faults().fuse = Some((appends, death));
    }

    /// Lets the process die when it has asked so often: whoever goes round in circles comes to an end.
    pub fn wear_out(&self, most: u64) {
        self.faults().most = most;
    }

    /// Nobody is answered any more.
    pub fn die(&self) {
        self.dead.send_replace(true);
    }

    /// Whether it did, and word of it.
    pub fn dead(&self) -> watch::Receiver<bool> {
        self.dead.subscribe()
    }

    /// How often it was asked for anything.
    pub fn asked(&self) -> u64 {
        self.faults().asked
    }

    /// How many appends it refused because it was full.
    pub fn refused(&self) -> u64 {
        self.faults().refused
    }

    fn faults(&self) -> MutexGuard<'_, Faults> {
        self.faults.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn dawdle(&self) {
        let steps = {
            let mut faults = self.faults();
            faults.asked += 1;
            if faults.asked > faults.most {
                self.die();
            }
            faults.chance.below(SLOWEST)
        };
        for _ in 0..steps {
            tokio::task::yield_now().await;
        }
        self.unless_dead().await;
    }

    /// Whom a dead process should answer waits for ever.
    async fn unless_dead(&self) {
        if *self.dead.borrow() {
            std::future::pending::<()>().await;
        }
    }

    fn slowly<'a, T: Send + 'a>(&'a self, answer: Answer<'a, T>) -> Answer<'a, T> {
        Box::pin(async move {
            self.dawdle().await;
            let answer = answer.await;
            self.dawdle().await;
            answer
        })
    }

    fn next_append(&self) -> Result<Option<Death>, StoreError> {
        let mut faults = self.faults();
        if faults.is_full {
            faults.refused += 1;
            return Err(StoreError::Full);
        }
        match &mut faults.fuse {
            Some((0, death)) => Ok(Some(*death)),
            Some((left, _)) => {
                *left -= 1;
                Ok(None)
            }
            None => Ok(None),
        }
    }
}

impl Journal for FaultyJournal {
    fn append(&self, append: Append) -> Answer<'_, u64> {
        Box::pin(async move {
            self.dawdle().await;
            let death = self.next_append()?;
            if death == Some(Death::Before) {
                self.die();
            }
            self.unless_dead().await;
            let answer = self.inner.append(append).await;
            if death == Some(Death::After) {
                self.die();
            }
            self.dawdle().await;
            answer
        })
    }

    fn read(&self, stream: Stream, after: u64, limit: u32) -> Answer<'_, Vec<Record>> {
        self.slowly(self.inner.read(stream, after, limit))
    }

    fn after(&self, seq: u64, limit: u32) -> Answer<'_, Vec<Record>> {
        self.slowly(self.inner.after(seq, limit))
    }

    fn head(&self) -> watch::Receiver<u64> {
        self.inner.head()
    }

    fn due(&self, limit: u32) -> Answer<'_, Vec<(NegotiationId, Timestamp)>> {
        self.slowly(self.inner.due(limit))
    }

    fn ready(&self, after: Option<NegotiationId>, limit: u32) -> Answer<'_, Vec<NegotiationId>> {
        self.slowly(self.inner.ready(after, limit))
    }

    fn list(&self, folder: Folder, after: Option<Opportunity>, limit: u32) -> Answer<'_, Vec<Opportunity>> {
        self.slowly(self.inner.list(folder, after, limit))
    }

    fn overview(&self, limit: u32) -> Answer<'_, Overview> {
        self.slowly(self.inner.overview(limit))
    }

    fn rebuild(&self) -> Answer<'_, u64> {
        self.slowly(self.inner.rebuild())
    }
}
