use std::path::{Path, PathBuf};
use std::sync::Arc;

use countersign_api_types::{Figures, Folder, KeptIn, NegotiationId, Opportunity, Problem, Snapshot, Thread};
use countersign_engine::{EngineError, Settings, SystemClock, Trouble, read_negotiation};
use countersign_insights::{Alert, Insights, Metrics, Period, Week};
use countersign_kernel::Timestamp;
use countersign_ledger::{Export, Mask};
use countersign_mandate::Mandate;
use countersign_store::{Entry, Journal, Overview, SqliteJournal, Verified};
use tokio::sync::{Mutex, watch};

use crate::live::LiveStream;
use crate::{html, problem, project};

/// How many opportunities of a folder are shown at first, and how many more at a time.
pub(crate) const PAGE: u32 = 100;

/// Looks at a journal and changes nothing: lists, threads, explanations, copies, figures.
#[derive(Clone)]
pub struct Reader {
    pub(crate) journal: SqliteJournal,
    home: PathBuf,
    /// What all events up to a place add up to.
    insights: Arc<Mutex<(u64, Insights)>>,
}

impl Reader {
    /// Looks at the journal of a data folder, also while another process works on it.
    pub fn open(home: &Path) -> Result<Self, Problem> {
        SqliteJournal::look(home).map(|journal| Self::new(journal, home.into())).map_err(problem::opening)
    }

    pub(crate) fn new(journal: SqliteJournal, home: PathBuf) -> Self {
        Self { journal, home, insights: Arc::default() }
    }

    /// Everything a view starts from.
    pub async fn snapshot(&self) -> Result<Snapshot, Problem> {
        let settings = Settings::read(&self.journal).await.map_err(problem::doing)?;
        let Overview { seq, counts, opportunities } = self.journal.overview(PAGE).await.map_err(problem::storing)?;
        let kept_in = match self.journal.kept_in() {
            countersign_store::KeptIn::Keychain => KeptIn::Keychain,
            countersign_store::KeptIn::File => KeptIn::File,
        };
        let home = self.home.display().to_string();
        Ok(Snapshot { seq, mode: settings.mode, counts, opportunities, home, kept_in, trouble: None })
    }

    /// More of a folder, after the last one of it that is known; from its beginning when none is.
    pub async fn list(&self, folder: Folder, after: Option<Opportunity>) -> Result<Vec<Opportunity>, Problem> {
        self.journal.list(folder, after, PAGE).await.map_err(problem::storing)
    }

    /// The one negotiation whose id begins or ends like this.
    pub async fn find(&self, part: &str) -> Result<NegotiationId, Problem> {
        let exact = NegotiationId(part.into());
        if read_negotiation(&self.journal, &exact).await.map_err(problem::doing)?.is_some() {
            return Ok(exact);
        }
        let mut found = Vec::new();
        for folder in Folder::ALL {
            let mut last = None;
            loop {
                let page = self.list(folder, last).await?;
                let Some(end) = page.last().cloned() else { break };
                found
                    .extend(page.into_iter().map(|o| o.id).filter(|id| id.0.starts_with(part) || id.0.ends_with(part)));
                last = Some(end);
            }
        }
        match (found.len(), found.pop()) {
            (1, Some(id)) if !part.is_empty() => Ok(id),
            (0, _) => Err(problem::doing(EngineError::Unknown(exact))),
            (many, _) => Err(problem::ambiguous(part, many)),
        }
    }

    /// One opportunity with everything that was said, and why it stands where it stands.
    pub async fn thread(&self, id: &NegotiationId) -> Result<Thread, Problem> {
        let read = read_negotiation(&self.journal, id).await.map_err(problem::doing)?;
        read.map(|n| project::thread(&n)).ok_or_else(|| problem::doing(EngineError::Unknown(id.clone())))
    }

    /// Everything that happens after `seq`, in order, once each.
    pub fn watch(&self, seq: u64) -> LiveStream {
        self.watch_with(seq, watch::Sender::new(None).subscribe())
    }

    pub(crate) fn watch_with(&self, seq: u64, trouble: watch::Receiver<Option<Trouble>>) -> LiveStream {
        LiveStream::new(Arc::new(self.journal.clone()), trouble, seq)
    }

    /// A signed copy of one negotiation that others can verify; redacted, what is sensitive or private is left out.
    pub async fn export(&self, id: &NegotiationId, is_redacted: bool) -> Result<Export, Problem> {
        let thread = self.thread(id).await?;
        let mask = if is_redacted { Some(self.mask(&thread).await?) } else { None };
        let now = countersign_engine::Clock::now(&SystemClock);
        self.journal.export(id, mask, now).await.map_err(problem::storing)
    }

    /// The same for reading: a page that needs nothing else.
    pub async fn page(&self, id: &NegotiationId, is_redacted: bool) -> Result<String, Problem> {
        let thread = self.thread(id).await?;
        let mask = if is_redacted { Some(self.mask(&thread).await?) } else { None };
        let export = self.export(id, is_redacted).await?;
        Ok(html::page(&thread, &export, mask.as_ref()))
    }

    /// The mandate in force for what begins now.
    pub async fn mandate(&self) -> Result<Mandate, Problem> {
        let settings = Settings::read(&self.journal).await.map_err(problem::doing)?;
        Ok(Mandate::clone(&settings.mandate(settings.version())))
    }

    /// The policies in force.
    pub async fn policies(&self) -> Result<String, Problem> {
        let settings = Settings::read(&self.journal).await.map_err(problem::doing)?;
        Ok(settings.policies.text().to_owned())
    }

    /// Whether everything is as it was written.
    pub async fn verify(&self) -> Result<Verified, Problem> {
        self.journal.verify().await.map_err(problem::verifying)
    }

    /// Writes a copy of the journal as it is now, verified.
    pub async fn backup(&self, to: PathBuf) -> Result<Verified, Problem> {
        self.journal.backup(to).await.map_err(problem::verifying)
    }

    /// Negotiations whose lists are not what their entries come to.
    pub async fn out_of_step(&self) -> Result<Vec<NegotiationId>, Problem> {
        self.journal.out_of_step().await.map_err(problem::storing)
    }

    /// The week that ends then.
    pub async fn week(&self, ending: Timestamp) -> Result<Week, Problem> {
        Ok(self.insights().await?.week(ending))
    }

    /// Figures over a period, and what in them calls for attention.
    pub async fn metrics(&self, period: Period) -> Result<(Metrics, Vec<Alert>), Problem> {
        let insights = self.insights().await?;
        Ok((insights.metrics(period), insights.alerts(period)))
    }

    /// What everything adds up to, for the person.
    pub async fn figures(&self) -> Result<Figures, Problem> {
        let week = self.week(countersign_engine::Clock::now(&SystemClock)).await?;
        let (_, alerts) = self.metrics(Period::Between { from: week.from, until: week.until }).await?;
        let (all, _) = self.metrics(Period::Everything).await?;
        let rates = [
            ("The agents agreed", all.success.to_string()),
            ("Turns on average", all.turns.to_string()),
            ("Out of time", all.timeouts.to_string()),
            ("Stopped", all.aborts.to_string()),
            ("Approved", all.approvals.to_string()),
            ("Not approved", all.rejections.to_string()),
        ];
        Ok(Figures {
            week: week.lines(),
            alerts: alerts.iter().map(ToString::to_string).collect(),
            rates: rates.map(|(what, rate)| (what.to_owned(), rate)).into(),
        })
    }

    async fn insights(&self) -> Result<Insights, Problem> {
        let mut folded = self.insights.lock().await;
        loop {
            let page = self.journal.after(folded.0, 1000).await.map_err(problem::storing)?;
            let Some(last) = page.last() else { return Ok(folded.1.clone()) };
            let seq = last.seq;
            for record in page {
                if let Entry::Negotiation { id, event, .. } = record.entry {
                    folded.1.apply(&id, &event);
                }
            }
            folded.0 = seq;
        }
    }

    /// The names of both people, and what the mandate marks as private.
    async fn mask(&self, thread: &Thread) -> Result<Mask, Problem> {
        let mandate = self.mandate().await?;
        let words = mandate.disclosure.iter().flat_map(|fact| &fact.words).map(ToString::to_string);
        let names = mandate.private_names.iter().map(ToString::to_string);
        // Who is called by no name of their own gives none away.
        let theirs = thread.names.iter().filter(|name| *name != "You").cloned();
        Ok(Mask { names: theirs.chain(names).collect(), private: words.collect() })
    }
}
