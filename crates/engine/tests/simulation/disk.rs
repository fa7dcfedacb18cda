//! What a world is kept on. It outlives the process.

use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use countersign_kernel::{Folder, NegotiationId, Opportunity, Timestamp};
use countersign_ledger::Keys;
use countersign_store::{Answer, Append, DataFolder, Journal, Overview, Record, SqliteJournal, Stream};
use countersign_testkit::MemoryJournal;
use tempfile::TempDir;
use tokio::sync::watch;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Memory,
    Sqlite,
}

pub(crate) enum Disk {
    Memory(MemoryJournal),
    Sqlite(TempDir),
}

impl Disk {
    pub(crate) fn new(kind: Kind) -> Self {
        match kind {
            Kind::Memory => Self::Memory(MemoryJournal::new(Keys::new([7; 32]))),
            Kind::Sqlite => Self::Sqlite(tempfile::tempdir().unwrap()),
        }
    }

    /// As a process finds it. The one before has to be gone.
    pub(crate) fn open(&self) -> (Arc<dyn Journal>, Keys) {
        match self {
            Self::Memory(journal) => (Arc::new(journal.clone()), journal.keys().clone()),
            Self::Sqlite(home) => {
                let journal = SqliteJournal::open(folder(home)).unwrap();
                let keys = journal.keys().clone();
                (Arc::new(AtOnce(journal)), keys)
            }
        }
    }

    /// Whether it is as it was written.
    pub(crate) fn verify(&self) {
        if let Self::Sqlite(home) = self {
            countersign_store::verify(&folder(home)).unwrap();
        }
    }
}

fn folder(home: &TempDir) -> DataFolder {
    loop {
        match DataFolder::open(home.path()) {
            Ok(folder) => return folder,
            // Its threads let go of it when they find out.
            Err(_) => thread::yield_now(),
        }
    }
}

/// A journal with threads of its own, waited for on the spot: the world's clock must not run ahead of it.
struct AtOnce(SqliteJournal);

impl Journal for AtOnce {
    fn append(&self, append: Append) -> Answer<'_, u64> {
        Box::pin(async move { wait(self.0.append(append)) })
    }

    fn read(&self, stream: Stream, after: u64, limit: u32) -> Answer<'_, Vec<Record>> {
        Box::pin(async move { wait(self.0.read(stream, after, limit)) })
    }

    fn after(&self, seq: u64, limit: u32) -> Answer<'_, Vec<Record>> {
        Box::pin(async move { wait(self.0.after(seq, limit)) })
    }

    fn head(&self) -> watch::Receiver<u64> {
        self.0.head()
    }

    fn due(&self, limit: u32) -> Answer<'_, Vec<(NegotiationId, Timestamp)>> {
        Box::pin(async move { wait(self.0.due(limit)) })
    }

    fn ready(&self, after: Option<NegotiationId>, limit: u32) -> Answer<'_, Vec<NegotiationId>> {
        Box::pin(async move { wait(self.0.ready(after, limit)) })
    }

    fn list(&self, folder: Folder, after: Option<Opportunity>, limit: u32) -> Answer<'_, Vec<Opportunity>> {
        Box::pin(async move { wait(self.0.list(folder, after, limit)) })
    }

    fn overview(&self, limit: u32) -> Answer<'_, Overview> {
        Box::pin(async move { wait(self.0.overview(limit)) })
    }

    fn rebuild(&self) -> Answer<'_, u64> {
        Box::pin(async move { wait(self.0.rebuild()) })
    }
}

fn wait<T>(answer: impl Future<Output = T>) -> T {
    struct Unpark(Thread);

    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }

    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let (mut answer, mut context) = (pin!(answer), Context::from_waker(&waker));
    loop {
        match answer.as_mut().poll(&mut context) {
            Poll::Ready(answer) => return answer,
            Poll::Pending => thread::park(),
        }
    }
}
