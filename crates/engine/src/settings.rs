//! What the person has set: whether agents negotiate, what theirs may do, and the policies that are asked. Each change
//! is an event, so that a restart finds everything as it was left.

use std::collections::BTreeSet;
use std::sync::Arc;

use countersign_kernel::{AgentId, Mode, Text, Timestamp};
use countersign_mandate::Mandate;
use countersign_policy::Policies;
use countersign_store::{Append, Entry, Journal, Stream};

use crate::{Engine, EngineError, signing};

/// What the person has set.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether agents negotiate at all.
    pub mode: Mode,
    /// Agents that do not, whatever the mode is.
    pub off: BTreeSet<AgentId>,
    /// Every mandate there was, oldest first. The last one is in force for what begins now.
    pub mandates: Vec<Arc<Mandate>>,
    /// The policies in force.
    pub policies: Policies,
}

impl Default for Settings {
    fn default() -> Self {
        Self { mode: Mode::On, off: BTreeSet::new(), mandates: Vec::new(), policies: Policies::shipped() }
    }
}

/// What the negotiator in this process is called.
pub fn built_in() -> AgentId {
    AgentId(Text::clipped("built-in"))
}

impl Settings {
    /// Folds them from the journal.
    pub async fn read(journal: &dyn Journal) -> Result<Self, EngineError> {
        let mut settings = Self::default();
        for stream in [Stream::Mode, Stream::Mandate, Stream::Policies] {
            for entry in read_all(journal, stream).await? {
                settings.apply(entry);
            }
        }
        Ok(settings)
    }

    fn apply(&mut self, entry: Entry) {
        match entry {
            Entry::Mode { mode, agent: None, .. } => self.mode = mode,
            Entry::Mode { mode: Mode::On, agent: Some(agent), .. } => {
                self.off.remove(&agent);
            }
            Entry::Mode { agent: Some(agent), .. } => {
                self.off.insert(agent);
            }
            Entry::Mandate { mandate, .. } => self.mandates.push(Arc::from(mandate)),
            Entry::Policies { text, .. } => match Policies::parse(&text) {
                Ok(policies) => self.policies = policies,
                // They were read when they were set; with a stricter reader, the last that can be read stay in force.
                Err(error) => log::error!("policies in the journal cannot be read: {error}"),
            },
            Entry::Negotiation { .. } | Entry::Checkpoint(_) => {}
        }
    }

    /// The version of the mandate in force; 0 before there was one.
    pub fn version(&self) -> u64 {
        self.mandates.len() as u64
    }

    /// A mandate by its version; before there was one, what holds without.
    pub fn mandate(&self, version: u64) -> Arc<Mandate> {
        let place = version.checked_sub(1).and_then(|place| usize::try_from(place).ok());
        place.and_then(|place| self.mandates.get(place).cloned()).unwrap_or_default()
    }

    /// Whether this agent may say anything for the person.
    pub fn lets_speak(&self, agent: &AgentId) -> Result<(), EngineError> {
        match self.mode {
            Mode::On if self.off.contains(agent) => Err(EngineError::AgentOff(agent.clone())),
            Mode::On => Ok(()),
            Mode::Off | Mode::Stopped => Err(EngineError::Off(self.mode)),
        }
    }
}

impl Engine {
    /// What the person has set, and word of it when that changes.
    pub fn settings(&self) -> tokio::sync::watch::Receiver<Arc<Settings>> {
        self.0.settings.subscribe()
    }

    /// Switches negotiation for all agents or for one.
    pub async fn set_mode(&self, mode: Mode, agent: Option<AgentId>) -> Result<(), EngineError> {
        let is_so = match &agent {
            None => self.0.settings.borrow().mode == mode,
            Some(agent) => self.0.settings.borrow().off.contains(agent) == (mode != Mode::On),
        };
        if is_so {
            return Ok(());
        }
        self.set(Stream::Mode, |at, _| Entry::Mode { mode, agent, at }).await?;
        Ok(())
    }

    /// Gives the person's agent a mandate, and says which version it is. What is under way keeps its own.
    pub async fn set_mandate(&self, mandate: Mandate) -> Result<u64, EngineError> {
        mandate.check()?;
        let keys = &self.0.keys;
        self.set(Stream::Mandate, |at, version| {
            let signed = signing::sign_mandate(keys, version, &mandate, at);
            Entry::Mandate { mandate: Box::new(mandate), at, signed }
        })
        .await
    }

    /// Puts other policies in force. Those that cannot be read change nothing.
    pub async fn set_policies(&self, text: &str) -> Result<(), EngineError> {
        Policies::parse(text)?;
        let text = text.to_owned();
        self.set(Stream::Policies, |at, _| Entry::Policies { text, at }).await?;
        Ok(())
    }

    /// Writes a change down. No turn is taken meanwhile: whatever is said afterwards is said under the new settings.
    async fn set(&self, stream: Stream, entry: impl FnOnce(Timestamp, u64) -> Entry) -> Result<u64, EngineError> {
        let _alone = self.0.turns.write().await;
        let expected = read_all(&*self.0.journal, stream.clone()).await?.len() as u64;
        let entries = vec![entry(self.0.clock.now(), expected + 1)];
        let append = Append { stream, expected, entries: entries.clone(), standing: None };
        self.0.journal.append(append).await?;
        self.0.settings.send_modify(|settings| {
            let settings = Arc::make_mut(settings);
            entries.into_iter().for_each(|entry| settings.apply(entry));
        });
        tokio::spawn(self.clone().drive_all());
        Ok(expected + 1)
    }
}

/// Everything in one stream.
pub(crate) async fn read_all(journal: &dyn Journal, stream: Stream) -> Result<Vec<Entry>, EngineError> {
    const PAGE: u32 = 1000;
    let (mut entries, mut version) = (Vec::new(), 0);
    loop {
        let page = journal.read(stream.clone(), version, PAGE).await?;
        let Some(last) = page.last() else { return Ok(entries) };
        version = last.version;
        entries.extend(page.into_iter().map(|record| record.entry));
    }
}
