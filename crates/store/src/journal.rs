use std::collections::BTreeMap;
use std::pin::Pin;

use countersign_kernel::{Awaiting, Folder, Negotiation, NegotiationId, Opportunity, Timestamp};
use tokio::sync::watch;

use crate::{Entry, Record, StoreError, Stream};

/// The append-only journal, and what lists and timers are read from. There is no other place where truth lives.
pub trait Journal: Send + Sync {
    /// Appends to a stream that is at the expected version, all or nothing. On the disk when this returns; gives the
    /// last place. Of two who expect the same version, one is refused.
    fn append(&self, append: Append) -> Answer<'_, u64>;

    /// At most `limit` records of one stream after a version, oldest first.
    fn read(&self, stream: Stream, after: u64, limit: u32) -> Answer<'_, Vec<Record>>;

    /// At most `limit` records of the whole journal after a place, in order.
    fn after(&self, seq: u64, limit: u32) -> Answer<'_, Vec<Record>>;

    /// The place of the last record, and word of every later one.
    fn head(&self) -> watch::Receiver<u64>;

    /// At most `limit` negotiations in which something happens by itself, what is due first before the others.
    fn due(&self, limit: u32) -> Answer<'_, Vec<(NegotiationId, Timestamp)>>;

    /// At most `limit` negotiations in which an agent in this process has to speak, after one of them.
    fn ready(&self, after: Option<NegotiationId>, limit: u32) -> Answer<'_, Vec<NegotiationId>>;

    /// At most `limit` opportunities of a folder, after one of them.
    fn list(&self, folder: Folder, after: Option<Opportunity>, limit: u32) -> Answer<'_, Vec<Opportunity>>;

    /// At most `limit` opportunities of each folder, how many there are, and the place at which all of that is so.
    fn overview(&self, limit: u32) -> Answer<'_, Overview>;

    /// Makes anew, from the records, what lists and timers are read from. Gives the number of negotiations.
    fn rebuild(&self) -> Answer<'_, u64>;
}

/// What the journal answers, in its own time.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// Where everything stands at one place in the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overview {
    /// That place.
    pub seq: u64,
    /// How many opportunities there are in each folder.
    pub counts: BTreeMap<Folder, u64>,
    /// The first of each folder.
    pub opportunities: Vec<Opportunity>,
}

/// Something to be appended.
#[derive(Clone, Debug)]
pub struct Append {
    /// To what.
    pub stream: Stream,
    /// Where that is, as far as the caller has seen.
    pub expected: u64,
    /// What happened.
    pub entries: Vec<Entry>,
    /// How the negotiation stands afterwards, when it is one.
    pub standing: Option<Standing>,
}

/// How a negotiation stands, as far as lists and timers go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What is shown of it.
    pub opportunity: Opportunity,
    /// Whether an agent in this process has to speak.
    pub is_ready: bool,
    /// Whether it is over, but for what may follow an end.
    pub is_closed: bool,
}

impl From<&Negotiation> for Standing {
    fn from(negotiation: &Negotiation) -> Self {
        let opportunity = negotiation.opportunity();
        let is_closed = opportunity.awaiting == Awaiting::Nobody && opportunity.due.is_none();
        Self { is_ready: negotiation.is_ready(), is_closed, opportunity }
    }
}
