//! What has to be so, whatever happened.

use std::collections::{BTreeMap, BTreeSet};

use countersign_engine::{Engine, Message, Said, built_in};
use countersign_insights::{Insights, Period};
use countersign_kernel::{
    AgentId, AgentKind, Approver, Awaiting, Decision, Escalation, Event, Fact, Hook, Mode, Negotiation, NegotiationId,
    Opening, Party, Ruled, Side, Speaker, Status, Text, Timestamp, Violation,
};
use countersign_ledger::{Keys, PublicKey};
use countersign_mandate::{Mandate, Reasoning, Spent, escalation, outgoing};
use countersign_store::{Entry, Record, Signed};

use crate::book::{self, Pages};
use crate::replay::{By, Replayed, replay};
use crate::tally::Tally;

/// Once nothing is under way any more, and nobody was told of trouble: nothing is due, and nobody who could speak waits.
pub(crate) async fn nobody_waits(engine: &Engine, now: Timestamp) {
    if engine.trouble().borrow().is_some() {
        return;
    }
    let journal = engine.journal();
    let due = journal.due(1).await.unwrap();
    assert!(due.iter().all(|(_, at)| *at > now), "due at {due:?}, it is {now:?}, and nothing happens");
    let speaks = engine.settings().borrow().lets_speak(&built_in()).is_ok();
    if speaks {
        assert_eq!(journal.ready(None, 1000).await.unwrap(), [], "who has to speak does not wait");
    }
}

/// Once nothing is under way any more: nothing is due, nobody who could speak waits, and lists are what they would be if
/// they were made anew.
pub(crate) async fn at_rest(engine: &Engine, now: Timestamp) {
    nobody_waits(engine, now).await;
    let journal = engine.journal();
    let overview = journal.overview(1000).await.unwrap();
    for opportunity in &overview.opportunities {
        let n = engine.negotiation(&opportunity.id).await.unwrap();
        assert_eq!(n.opportunity(), *opportunity, "a list tells what the engine holds");
        let is_open = matches!(n.status(), Status::Negotiating | Status::Pending);
        assert!(!is_open || n.next_deadline().is_some(), "{}: time does not end it", n.opening().title);
    }
    let (due, ready) = (journal.due(1000).await.unwrap(), journal.ready(None, 1000).await.unwrap());
    journal.rebuild().await.unwrap();
    assert_eq!(journal.overview(1000).await.unwrap(), overview, "lists made anew are the same");
    assert_eq!((journal.due(1000).await.unwrap(), journal.ready(None, 1000).await.unwrap()), (due, ready));
}

/// Once enough time has passed, everything is over.
pub(crate) async fn at_the_end(engine: &Engine, now: Timestamp) {
    at_rest(engine, now).await;
    for opportunity in engine.journal().overview(1000).await.unwrap().opportunities {
        assert!(!matches!(opportunity.status, Status::Negotiating | Status::Pending), "{opportunity:?}");
        assert_eq!((opportunity.awaiting, opportunity.due), (Awaiting::Nobody, None), "{}", opportunity.title);
    }
}

/// The whole journal, after the last process is gone.
pub(crate) fn records(records: &[Record], keys: &Keys, pages: &Pages, tally: &mut Tally) {
    assert_eq!(pages.wrong, Vec::<String>::new());
    let mut streams: BTreeMap<String, Vec<&Record>> = BTreeMap::new();
    for (place, record) in records.iter().enumerate() {
        assert_eq!(record.seq, place as u64 + 1, "the journal has a gap");
        let stream = streams.entry(stream_of(&record.entry)).or_default();
        stream.push(record);
        assert_eq!(record.version, stream.len() as u64, "a stream has a gap");
    }
    let mut whole = Whole::new(keys);
    for stream in streams.values() {
        whole.fold(stream);
    }
    records.iter().for_each(|record| whole.walk(record, pages));
    whole.checkpoints(records);
    whole.suspended(records, pages);
    marks(records, pages);
    insights(records);
    whole.count(records, pages, tally);
}

/// Everything in the journal, taken together.
struct Whole<'a> {
    keys: &'a Keys,
    negotiations: BTreeMap<NegotiationId, Replayed>,
    /// How each negotiation stands while the journal is walked through.
    walked: BTreeMap<NegotiationId, Negotiation>,
    mode: Mode,
    off: BTreeSet<AgentId>,
    mandates: Vec<Mandate>,
    nonces: BTreeSet<(String, String)>,
    signers: BTreeMap<String, PublicKey>,
}

impl<'a> Whole<'a> {
    fn new(keys: &'a Keys) -> Self {
        Self {
            keys,
            negotiations: BTreeMap::new(),
            walked: BTreeMap::new(),
            mode: Mode::On,
            off: BTreeSet::new(),
            mandates: Vec::new(),
            nonces: BTreeSet::new(),
            signers: BTreeMap::new(),
        }
    }

    /// Each event of a negotiation is one that the kernel would decide, and nothing binds without the person.
    fn fold(&mut self, stream: &[&Record]) {
        let events: Vec<Event> = stream.iter().filter_map(|record| event(record)).cloned().collect();
        let Some(Entry::Negotiation { id, .. }) = stream.first().map(|record| &record.entry) else { return };
        let replayed = replay(&events).unwrap_or_else(|error| panic!("{id}: {error}"));
        let n = &replayed.negotiation;
        assert_eq!(n.version(), events.len() as u64);
        if events.iter().any(|event| event.fact == Fact::Ended(countersign_kernel::Ending::Accepted)) {
            let of_the_person = |fact: &Fact| {
                matches!(fact, Fact::Decided(approval) if approval.approver == Approver::Person
                    && approval.decision != Decision::Rejected && approval.digest == n.digest())
            };
            assert!(events.iter().any(|event| of_the_person(&event.fact)), "{id}: nobody decided on what binds");
        }
        for (pair, by) in events.windows(2).zip(&replayed.by[1..]) {
            let is_said = matches!(pair[1].fact, Fact::TurnTaken(_) | Fact::Drafted(..)) && *by == By::Agent;
            let is_allowed = |fact: &Fact| {
                matches!(fact, Fact::VerdictGiven(verdict) if verdict.hook == Hook::Turn
                    && matches!(verdict.ruled, Ruled::Allow | Ruled::Warn))
            };
            assert!(!is_said || is_allowed(&pair[0].fact), "{id}: said without a verdict: {:?}", pair[1]);
        }
        self.negotiations.insert(id.clone(), replayed);
    }

    fn walk(&mut self, record: &Record, pages: &Pages) {
        match &record.entry {
            Entry::Mode { mode, agent: None, .. } => self.mode = *mode,
            Entry::Mode { mode: Mode::On, agent: Some(agent), .. } => drop(self.off.remove(agent)),
            Entry::Mode { agent: Some(agent), .. } => drop(self.off.insert(agent.clone())),
            Entry::Mandate { mandate, signed, .. } => {
                assert!(signed.is_some(), "a mandate is signed");
                self.mandates.push(Mandate::clone(mandate));
            }
            Entry::Negotiation { id, event, signed } => {
                let place = usize::try_from(record.version).unwrap() - 1;
                let by = self.negotiations[id].by[place];
                match self.walked.remove(id) {
                    None => drop(self.walked.insert(id.clone(), Negotiation::replay([event]).unwrap())),
                    Some(mut before) => {
                        self.check_mode(&before, event, by);
                        self.check_words(&before, event, by, pages);
                        self.check_signature(&before, record.version, event, signed.as_deref(), by);
                        before.apply(event);
                        self.walked.insert(id.clone(), before);
                    }
                }
            }
            Entry::Policies { .. } | Entry::Checkpoint(_) => {}
        }
    }

    /// Off means off: nothing that follows the switch in the journal is said but by the person, or with their yes.
    fn check_mode(&self, before: &Negotiation, event: &Event, by: By) {
        let opening = before.opening();
        let (title, mode) = (&opening.title, self.mode);
        match &event.fact {
            Fact::TurnTaken(taken) if by != By::Person => {
                let party = opening.parties.get(taken.side);
                let is_here = match taken.speaker {
                    Speaker::Agent => party.agent == AgentKind::System,
                    Speaker::Fallback => true,
                    Speaker::Delegate(_) | Speaker::Person => false,
                };
                let is_ours = taken.side == opening.ours;
                match mode {
                    Mode::On => {}
                    Mode::Off => assert!(!is_here && !is_ours, "{title}: said by {by:?} while off: {taken:?}"),
                    Mode::Stopped => panic!("{title}: said by {by:?} while stopped: {taken:?}"),
                }
                if is_here {
                    assert!(!self.off.contains(&built_in()), "{title}: said by an agent that is off: {taken:?}");
                }
                if !is_ours && party.agent == AgentKind::Remote && taken.speaker == Speaker::Agent {
                    assert!(!self.off.contains(&agent_of(party)), "{title}: said by an agent that is off: {taken:?}");
                }
            }
            Fact::Claimed(agent) => {
                let Awaiting::Pickup(side) = before.awaiting() else { panic!("{title}: claimed from nobody") };
                assert!(
                    mode == Mode::On || mode == Mode::Off && side != opening.ours,
                    "{title}: claimed while {mode:?}"
                );
                assert!(!self.off.contains(agent), "{title}: claimed by an agent that is off");
            }
            Fact::Delegated(..) | Fact::Promised(..) => assert_ne!(mode, Mode::Stopped, "{title}: {event:?}"),
            _ => {}
        }
    }

    /// What our agents say without the person is within their mandate, and about what was there when they thought of it.
    fn check_words(&self, before: &Negotiation, event: &Event, by: By, pages: &Pages) {
        let (side, turn) = match &event.fact {
            Fact::TurnTaken(taken) => (taken.side, &taken.turn),
            Fact::Drafted(side, _, turn, _) => (*side, turn),
            _ => return,
        };
        let seen = pages.thoughts.get(&*turn.assessment.reasoning);
        assert!(seen.is_none_or(|turns| *turns == before.turns().len()), "a thought from before: {event:?}");
        if side == before.opening().ours && by == By::Agent {
            let place = usize::try_from(before.mandate()).unwrap().checked_sub(1);
            let mandate = place.map(|place| self.mandates[place].clone()).unwrap_or_default();
            // None of the mandates here counts what was spent.
            let spent = Spent::default();
            let findings = outgoing(&mandate, before, side, turn, &spent, event.at, Reasoning::Private);
            assert_eq!(escalation(&findings), None, "said without asking: {event:?}");
        }
    }

    /// What is ours to sign is signed by whose word it was, what is theirs by them, each once, and nothing else is.
    fn check_signature(&mut self, before: &Negotiation, version: u64, event: &Event, signed: Option<&Signed>, by: By) {
        let opening = before.opening();
        let (said, side, signer) = match &event.fact {
            Fact::TurnTaken(taken) if taken.side == opening.ours => {
                let is_person = taken.speaker == Speaker::Person;
                let signer = if is_person { &self.keys.person } else { &self.keys.agent };
                (Said::Turn(&taken.turn), taken.side, signer.public().clone())
            }
            Fact::Decided(approval) if approval.approver == Approver::Person && approval.beforehand.is_none() => {
                (Said::Approval(approval), opening.ours, self.keys.person.public().clone())
            }
            Fact::TurnTaken(taken) => {
                let party = opening.parties.get(taken.side);
                let Some(signed) = signed else {
                    let place = usize::try_from(before.mandate()).unwrap().checked_sub(1);
                    let mandate = place.map(|place| &self.mandates[place]);
                    let may = mandate.is_some_and(|mandate| mandate.accept_unsigned);
                    let is_elsewhere = party.agent == AgentKind::Remote && taken.speaker != Speaker::Fallback;
                    // What the person let through is in the journal with their word.
                    assert!(may || !is_elsewhere || by == By::Person, "{}: unsigned {taken:?}", opening.title);
                    return;
                };
                let signer = self.heard(opening, taken.side, signed);
                (Said::Turn(&taken.turn), taken.side, signer)
            }
            // Theirs, and the person is asked about it first.
            Fact::Escalated(_, Escalation { draft: Some(draft), .. }) if signed.is_some() => {
                let side = opening.ours.other();
                (Said::Turn(draft), side, self.heard(opening, side, signed.unwrap()))
            }
            _ => return assert_eq!(signed, None, "{event:?}"),
        };
        let Some(Signed { nonce, sent, proof }) = signed else { panic!("{}: not signed: {event:?}", opening.title) };
        if side == opening.ours {
            assert_eq!((nonce.as_str(), *sent), (version.to_string().as_str(), event.at));
        }
        let message = Message { negotiation_id: &opening.id, nonce, sent: *sent, side, said };
        proof.verify(&message, &signer).unwrap_or_else(|error| panic!("{}: {error}", opening.title));
    }

    /// Who signed a message that others sent: whoever is known to speak for them, and each message once.
    fn heard(&mut self, opening: &Opening, side: Side, signed: &Signed) -> PublicKey {
        let known = opening.parties.get(side).key.as_ref().map(ToString::to_string);
        let who = known.unwrap_or_else(|| signed.proof.signer().unwrap().to_string());
        assert!(self.nonces.insert((who.clone(), signed.nonce.clone())), "{}: heard twice", opening.title);
        self.signers.entry(who.clone()).or_insert_with(|| PublicKey::try_from(who).unwrap()).clone()
    }

    /// The end of each negotiation is signed with everything before it, and nothing else is.
    fn checkpoints(&self, records: &[Record]) {
        let mut signed: BTreeMap<&NegotiationId, u64> = BTreeMap::new();
        for record in records {
            let Entry::Checkpoint(checkpoint) = &record.entry else { continue };
            let before = signed.insert(&checkpoint.negotiation_id, checkpoint.entries);
            // What may follow an end is signed too.
            assert!(before.is_none_or(|before| before < checkpoint.entries), "an end was signed twice");
        }
        for (id, replayed) in &self.negotiations {
            assert_eq!(signed.get(id), Some(&replayed.negotiation.version()), "{id}: its end is not signed");
        }
    }

    /// Who reached for a capability is off from then on, until the person says otherwise.
    fn suspended(&self, records: &[Record], pages: &Pages) {
        for record in records {
            let Entry::Negotiation { id, event, .. } = &record.entry else { continue };
            let Fact::Violated(side, Violation::Capability) = event.fact else { continue };
            let opening = self.negotiations[id].negotiation.opening();
            let party = opening.parties.get(side);
            // Whoever is in this process is not let in. And it takes two writes: between them it is only kept from this one.
            if side == opening.ours || party.agent == AgentKind::System || pages.is_cut_short(id) {
                continue;
            }
            let agent = agent_of(party);
            let is_off = records.iter().any(|other| {
                matches!(&other.entry, Entry::Mode { mode: Mode::Off | Mode::Stopped, agent: Some(off), .. } if *off == agent)
            });
            assert!(is_off, "{}: reached for a capability and is let in again", opening.title);
        }
    }

    fn count(&self, records: &[Record], pages: &Pages, tally: &mut Tally) {
        tally.negotiations += self.negotiations.len() as u64;
        tally.events += records.len() as u64;
        self.negotiations.values().for_each(|replayed| tally.ended(replayed.negotiation.status()));
        for event in records.iter().filter_map(event) {
            let shown = format!("{:?}", event.fact);
            let name = shown.split(['(', ' ']).next().unwrap_or_default().to_owned();
            *tally.facts.entry(name).or_default() += 1;
        }
        let (done, refused, unheard) = pages.answers();
        *tally.happened.entry("asked and done").or_default() += done;
        *tally.happened.entry("asked and refused").or_default() += refused;
        *tally.happened.entry("asked and never answered").or_default() += unheard;
    }
}

/// What was answered with yes is in the journal once, what was refused is not, and nothing is that nobody asked for.
fn marks(records: &[Record], pages: &Pages) {
    let mut found: BTreeMap<String, u64> = BTreeMap::new();
    for mark in records.iter().filter_map(|record| book::mark(&record.entry)) {
        *found.entry(mark).or_default() += 1;
    }
    let asked = pages.marks();
    for (mark, times) in &asked {
        let count = found.remove(mark).unwrap_or_default();
        assert!((times.least..=times.most).contains(&count), "`{mark}` is there {count} times instead of {times:?}");
    }
    assert_eq!(found, BTreeMap::new(), "nobody asked for this");

    let mut turns: BTreeMap<(&str, &str), u64> = BTreeMap::new();
    for event in records.iter().filter_map(event) {
        let (what, turn) = match &event.fact {
            Fact::TurnTaken(taken) => ("said", &taken.turn),
            Fact::Drafted(_, _, turn, _) => ("drafted", turn),
            Fact::Escalated(_, escalation) => match &escalation.draft {
                Some(draft) => ("asked about", &**draft),
                None => continue,
            },
            _ => continue,
        };
        // What the kernel says for the person has no mark.
        if turn.assessment.reasoning.starts_with("the person agrees") {
            continue;
        }
        *turns.entry((what, &turn.assessment.reasoning)).or_default() += 1;
    }
    for ((what, mark), count) in &turns {
        assert!(*count == 1, "`{mark}` was {what} {count} times");
    }
    for (mark, is_refused) in pages.turns() {
        let kept = ["said", "drafted", "asked about"].iter().any(|what| turns.contains_key(&(what, mark)));
        assert!(!(is_refused && kept), "`{mark}` was refused and is in the journal");
    }
}

/// What the journal adds up to adds up.
fn insights(records: &[Record]) {
    let mut insights = Insights::default();
    for record in records {
        if let Entry::Negotiation { id, event, .. } = &record.entry {
            insights.apply(id, event);
        }
    }
    let metrics = insights.metrics(Period::Everything);
    let opened = records.iter().filter(|record| matches!(event(record), Some(Event { fact: Fact::Opened(_), .. })));
    assert_eq!(metrics.opened, opened.count() as u64);
    assert_eq!((metrics.ended, insights.under_way()), (metrics.opened, 0), "all of them are over");
}

/// Who speaks for somebody else: by key when it is known, by name otherwise.
fn agent_of(party: &Party) -> AgentId {
    AgentId(party.key.clone().unwrap_or_else(|| Text::clipped(&party.name)))
}

fn event(record: &Record) -> Option<&Event> {
    match &record.entry {
        Entry::Negotiation { event, .. } => Some(event),
        Entry::Mode { .. } | Entry::Mandate { .. } | Entry::Policies { .. } | Entry::Checkpoint(_) => None,
    }
}

fn stream_of(entry: &Entry) -> String {
    match entry {
        Entry::Negotiation { id, .. } => id.to_string(),
        Entry::Mode { .. } => "mode".into(),
        Entry::Mandate { .. } => "mandate".into(),
        Entry::Policies { .. } => "policies".into(),
        Entry::Checkpoint(_) => "checkpoints".into(),
    }
}
