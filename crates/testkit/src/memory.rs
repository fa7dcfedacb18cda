use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use countersign_kernel::{Event, Folder, Negotiation, NegotiationId, Opportunity, Timestamp};
use countersign_ledger::{Hash, Keys, canonical, chain, commit};
use countersign_store::{Answer, Append, Checkpoint, Entry, Journal, Overview, Record, Standing, StoreError, Stream};
use tokio::sync::watch;

/// A journal in memory. Clones share it, so that what a process wrote is there for the next one.
#[derive(Clone, Debug)]
pub struct MemoryJournal(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    keys: Keys,
    kept: Mutex<Kept>,
    head: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct Kept {
    records: Vec<Record>,
    /// Where in there the records of each stream are.
    streams: BTreeMap<String, Vec<usize>>,
    standings: BTreeMap<NegotiationId, Standing>,
    due: BTreeSet<(Timestamp, NegotiationId)>,
}

impl MemoryJournal {
    /// An empty one, sealed with these keys.
    pub fn new(keys: Keys) -> Self {
        Self(Arc::new(Inner { keys, kept: Mutex::default(), head: watch::Sender::new(0) }))
    }

    /// Who seals and signs here.
    pub fn keys(&self) -> &Keys {
        &self.0.keys
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, append: Append) -> Result<u64, StoreError> {
        let Append { stream, expected, entries, standing } = append;
        let mut kept = self.kept();
        let found = kept.version(&stream);
        if found != expected {
            return Err(StoreError::Conflict { expected, found });
        }
        if let Some(standing) = &standing {
            let is_closed = kept.standings.get(&standing.opportunity.id).is_some_and(|before| before.is_closed);
            if is_closed && !entries.iter().all(follows_an_end) {
                return Err(StoreError::Over);
            }
        }
        entries.into_iter().for_each(|entry| kept.push(&stream, entry));
        let last = kept.records.len() as u64;
        if let Some(standing) = standing {
            if standing.is_closed
                && let Stream::Negotiation(id) = &stream
            {
                let checkpoint = kept.checkpoint(&self.0.keys, id, standing.opportunity.changed_at)?;
                kept.push(&Stream::Checkpoints, Entry::Checkpoint(checkpoint));
            }
            kept.stand(standing);
        }
        let head = kept.records.len() as u64;
        drop(kept);
        self.0.head.send_replace(head);
        Ok(last)
    }
}

impl Kept {
    fn version(&self, stream: &Stream) -> u64 {
        self.streams.get(&stream.to_string()).map_or(0, |places| places.len() as u64)
    }

    fn push(&mut self, stream: &Stream, entry: Entry) {
        let places = self.streams.entry(stream.to_string()).or_default();
        places.push(self.records.len());
        let (seq, version) = (self.records.len() as u64 + 1, places.len() as u64);
        self.records.push(Record { seq, version, entry });
    }

    fn of<'a>(&'a self, stream: &str) -> impl Iterator<Item = &'a Record> {
        let places = self.streams.get(stream).into_iter().flatten();
        places.filter_map(|place| self.records.get(*place))
    }

    fn stand(&mut self, standing: Standing) {
        let id = standing.opportunity.id.clone();
        if let Some(due) = standing.opportunity.due {
            self.due.insert((due.at, id.clone()));
        }
        let now_due = standing.opportunity.due;
        if let Some(before) = self.standings.insert(id.clone(), standing)
            && let Some(was_due) = before.opportunity.due
            && now_due.is_none_or(|due| due.at != was_due.at)
        {
            self.due.remove(&(was_due.at, id));
        }
    }

    /// Signs where a negotiation stands, with everything before it.
    fn checkpoint(&self, keys: &Keys, id: &NegotiationId, at: Timestamp) -> Result<Checkpoint, StoreError> {
        let (mut hash, mut entries) = (Hash::NONE, 0);
        for record in self.of(&id.0) {
            let body = canonical(&record.entry).map_err(|error| StoreError::Unwritable(error.to_string()))?;
            hash = chain(hash, commit(&body, &keys.seal.salt(record.seq)));
            entries += 1;
        }
        let mut checkpoint = Checkpoint { negotiation_id: id.clone(), entries, hash, proof: None };
        let proof = keys.agent.sign(&checkpoint, &at.rfc3339());
        checkpoint.proof = Some(proof.map_err(|error| StoreError::Unwritable(error.to_string()))?);
        Ok(checkpoint)
    }

    fn list(&self, folder: Folder, after: Option<&Opportunity>, limit: u32) -> Vec<Opportunity> {
        fn place(opportunity: &Opportunity) -> (i64, &str) {
            (opportunity.place(), opportunity.id.0.as_str())
        }
        let all = self.standings.values().map(|standing| &standing.opportunity);
        let mut listed: Vec<&Opportunity> =
            all.filter(|one| one.folder() == folder && after.is_none_or(|after| place(one) > place(after))).collect();
        listed.sort_by(|one, other| place(one).cmp(&place(other)));
        listed.into_iter().take(limit as usize).cloned().collect()
    }

    fn overview(&self, limit: u32) -> Overview {
        let mut overview = Overview { seq: self.records.len() as u64, ..Overview::default() };
        for standing in self.standings.values() {
            *overview.counts.entry(standing.opportunity.folder()).or_default() += 1;
        }
        if limit > 0 {
            overview.opportunities =
                Folder::ALL.into_iter().flat_map(|folder| self.list(folder, None, limit)).collect();
        }
        overview
    }

    fn rebuild(&mut self) -> u64 {
        self.standings.clear();
        self.due.clear();
        let folded: Vec<Standing> = self
            .streams
            .keys()
            .filter_map(|stream| Negotiation::replay(self.of(stream).map_while(event)))
            .map(|negotiation| Standing::from(&negotiation))
            .collect();
        folded.into_iter().for_each(|standing| self.stand(standing));
        self.standings.len() as u64
    }
}

impl Journal for MemoryJournal {
    fn append(&self, append: Append) -> Answer<'_, u64> {
        Box::pin(async move { self.put(append) })
    }

    fn read(&self, stream: Stream, after: u64, limit: u32) -> Answer<'_, Vec<Record>> {
        Box::pin(async move {
            let kept = self.kept();
            let name = stream.to_string();
            let skipped = usize::try_from(after).unwrap_or(usize::MAX);
            Ok(kept.of(&name).skip(skipped).take(limit as usize).cloned().collect())
        })
    }

    fn after(&self, seq: u64, limit: u32) -> Answer<'_, Vec<Record>> {
        Box::pin(async move {
            let skipped = usize::try_from(seq).unwrap_or(usize::MAX);
            Ok(self.kept().records.iter().skip(skipped).take(limit as usize).cloned().collect())
        })
    }

    fn head(&self) -> watch::Receiver<u64> {
        self.0.head.subscribe()
    }

    fn due(&self, limit: u32) -> Answer<'_, Vec<(NegotiationId, Timestamp)>> {
        Box::pin(async move {
            let kept = self.kept();
            Ok(kept.due.iter().take(limit as usize).map(|(at, id)| (id.clone(), *at)).collect())
        })
    }

    fn ready(&self, after: Option<NegotiationId>, limit: u32) -> Answer<'_, Vec<NegotiationId>> {
        Box::pin(async move {
            let kept = self.kept();
            let ready = kept.standings.iter().filter(|(_, standing)| standing.is_ready).map(|(id, _)| id);
            let rest = ready.filter(|id| after.as_ref().is_none_or(|after| *id > after));
            Ok(rest.take(limit as usize).cloned().collect())
        })
    }

    fn list(&self, folder: Folder, after: Option<Opportunity>, limit: u32) -> Answer<'_, Vec<Opportunity>> {
        Box::pin(async move { Ok(self.kept().list(folder, after.as_ref(), limit)) })
    }

    fn overview(&self, limit: u32) -> Answer<'_, Overview> {
        Box::pin(async move { Ok(self.kept().overview(limit)) })
    }

    fn rebuild(&self) -> Answer<'_, u64> {
        Box::pin(async move { Ok(self.kept().rebuild()) })
    }
}

fn event(record: &Record) -> Option<&Event> {
    match &record.entry {
        Entry::Negotiation { event, .. } => Some(event),
        Entry::Mode { .. } | Entry::Mandate { .. } | Entry::Policies { .. } | Entry::Checkpoint(_) => None,
    }
}

fn follows_an_end(entry: &Entry) -> bool {
    match entry {
        Entry::Negotiation { event, .. } => event.fact.follows_an_end(),
        Entry::Mode { .. } | Entry::Mandate { .. } | Entry::Policies { .. } | Entry::Checkpoint(_) => false,
    }
}
