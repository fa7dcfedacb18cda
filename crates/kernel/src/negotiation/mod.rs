//! One negotiation: the fold of its events.

mod agent;
mod apply;
mod clock;
#[cfg(test)]
mod model;
mod person;
mod projection;
mod system;
mod turn;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{
    Actions, AgentId, AgentKind, Agreement, Approval, Approver, Command, Delegated, Digest, Ending, Escalation, Event,
    Fact, Load, Offer, Opening, Outcome, Position, Protocol, Recommendation, Refusal, Resolution, RiskLevel, Side,
    Span, Speaker, TakenTurn, Text, Timestamp, Turn, Verdict,
};

pub use projection::{HireState, Status, SummitState, TaskState};

/// How long a person may let everything wait: to decide, and in all their pauses together.
const LONGEST_WAIT: Span = Span::days(7);

/// One negotiation, as its events made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Negotiation {
    opening: Arc<Opening>,
    opened_at: Timestamp,
    changed_at: Timestamp,
    version: u64,
    turns: Vec<TakenTurn>,
    phase: Phase,
    /// What each side has on the table.
    standing: BySide<Option<Standing>>,
    counters: BySide<u32>,
    /// Challenges to the proposal on the table.
    challenges: u32,
    /// How long the clock stood still while everything waited for a person.
    stopped: Span,
    taken_over: bool,
    mandate: u64,
    guidance: Vec<Text>,
    suspended: BySide<bool>,
    delegated: Option<Delegated>,
    verdicts: Vec<Verdict>,
    violations: BySide<u32>,
    recommendation: Option<Recommendation>,
    /// What went wrong since the last turn.
    trouble: Option<Trouble>,
}

/// What went wrong on the way to a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// An agent could not produce one.
    AgentFailed(Side),
    /// Whoever picked it up did not hand it in.
    ClaimLapsed(Side),
    /// An agent suspected bad faith across the table.
    Adversarial(Side),
}

/// Where it is. What a phase needs to know is in the phase.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    /// Somebody has the floor.
    Talking(Floor),
    /// Everything waits for a person; then the floor is as it was.
    Paused { why: Pause, since: Timestamp, floor: Floor },
    /// The agents are done, and it is about to be decided who has to approve.
    Resolved(Outcome),
    /// It waits for approvals.
    Approval { outcome: Outcome, required: Vec<Approver>, given: Vec<Approval>, since: Timestamp, due: Timestamp },
    /// Everybody decided, or it never came to that.
    Closed { outcome: Outcome, ending: Option<Ending>, agreement: Agreement, at: Timestamp },
}

/// Who has to speak.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Floor {
    side: Side,
    since: Timestamp,
    holder: Holder,
}

/// Who holds the turn of the side that has the floor. There is one, always.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Holder {
    /// The side's agent.
    Agent,
    /// Nobody yet: it waits to be picked up.
    Parked { first: Timestamp },
    /// Whoever picked it up.
    Claimed { by: AgentId, since: Timestamp, first: Timestamp },
    /// The in-process negotiator, because nobody came.
    Fallback,
    /// Nobody any more: this is said at that moment, unless the person stops it.
    Drafted { turn: Arc<Turn>, speaker: Speaker, until: Timestamp },
}

/// Why everything waits.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Pause {
    Escalated { side: Side, escalation: Escalation, stage: Stage },
    Held,
}

/// How far an escalation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Asked,
    Reminded,
    Late,
}

/// An offer on the table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Standing {
    offer: Arc<Offer>,
    /// Its turn, from 0.
    turn: usize,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct BySide<T> {
    initiator: T,
    responder: T,
}

/// Who has to act next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Awaiting {
    /// The agent of one side.
    Agent(Side),
    /// A personal agent of one side, which has not come yet.
    Pickup(Side),
    /// The personal agent that picked the turn up.
    Claimed(Side, AgentId),
    /// The in-process negotiator, in place of an agent that did not come.
    Fallback(Side),
    /// Our person.
    Person(Ask),
    /// The other side's person, or somebody else who has to approve.
    Others,
    /// A side's signature.
    Signature(Side),
    /// It is over.
    Nobody,
}

/// What our person is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// To answer an escalation.
    Escalation,
    /// To decide on what the agents recommend.
    Approval,
    /// To let it go on.
    Hold,
    /// To take the turn.
    Turn,
    /// To stop what their agent is about to say, or to let it go.
    Draft,
}

impl Negotiation {
    /// What happens when a negotiation opens.
    pub fn open(opening: Opening, load: Load, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        check_opening(&opening, load)?;
        let seed = &opening.seed;
        let direct = opening.frame.direct.then(|| Outcome {
            result: Resolution::Direct,
            agreed_roles: Some(crate::AgreedRoles {
                initiator: seed.valency_role,
                responder: seed.valency_role.across(),
            }),
            terms: crate::Terms::NONE,
            reasoning: seed.reasoning.clone(),
            turn_count: 0,
        });
        let opened = Event { at: now, fact: Fact::Opened(Arc::new(opening)) };
        let mut events = vec![opened];
        if let Some(outcome) = direct
            && let Some(negotiation) = Self::replay(&events)
        {
            events.extend(negotiation.resolve(outcome, None, now).into_iter().map(|fact| Event { at: now, fact }));
        }
        Ok(events)
    }

    /// The state after these events; none when they do not begin with an opening.
    pub fn replay<'a>(events: impl IntoIterator<Item = &'a Event>) -> Option<Self> {
        let mut events = events.into_iter();
        let Some(Event { at, fact: Fact::Opened(opening) }) = events.next() else { return None };
        let mut negotiation = Self::opened(Arc::clone(opening), *at);
        events.for_each(|event| negotiation.apply(event));
        Some(negotiation)
    }

    /// What the command would make happen. Changes nothing.
    pub fn decide(&self, command: Command, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        let facts = match command {
            Command::Agent(side, act) => self.agent(side, act, now),
            Command::Person(act) => self.person(act, now),
            Command::DeadlinePassed(timer) => self.deadline_passed(timer, now),
            Command::System(act) => self.system(act, now),
        }?;
        Ok(facts.into_iter().map(|fact| Event { at: now, fact }).collect())
    }

    /// Everything fixed at the start.
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// When it began.
    pub fn opened_at(&self) -> Timestamp {
        self.opened_at
    }

    /// When anything last happened.
    pub fn changed_at(&self) -> Timestamp {
        self.changed_at
    }

    /// Every turn, oldest first.
    pub fn turns(&self) -> &[TakenTurn] {
        &self.turns
    }

    /// How many events made this state. An append at this version is the compare-and-set of every transition.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// How the dialogue ended, once it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.phase {
            Phase::Talking(_) | Phase::Paused { .. } => None,
            Phase::Resolved(outcome) | Phase::Approval { outcome, .. } | Phase::Closed { outcome, .. } => Some(outcome),
        }
    }

    /// How it ended after the dialogue, once it has.
    pub fn ending(&self) -> Option<Ending> {
        match &self.phase {
            Phase::Closed { ending, .. } => *ending,
            Phase::Talking(_) | Phase::Paused { .. } | Phase::Resolved(_) | Phase::Approval { .. } => None,
        }
    }

    /// What came of the approval, once there was one.
    pub fn agreement(&self) -> Option<&Agreement> {
        match &self.phase {
            Phase::Closed { ending: Some(_), agreement, .. } => Some(agreement),
            Phase::Talking(_)
            | Phase::Paused { .. }
            | Phase::Resolved(_)
            | Phase::Approval { .. }
            | Phase::Closed { .. } => None,
        }
    }

    /// Who decided what so far, with their conditions.
    pub fn approvals(&self) -> &[Approval] {
        match &self.phase {
            Phase::Approval { given, .. } => given,
            Phase::Closed { agreement, .. } => &agreement.approvals,
            Phase::Talking(_) | Phase::Paused { .. } | Phase::Resolved(_) => &[],
        }
    }

    /// The escalation that everything waits for.
    pub fn escalation(&self) -> Option<(Side, &Escalation)> {
        match &self.phase {
            Phase::Paused { why: Pause::Escalated { side, escalation, .. }, .. } => Some((*side, escalation)),
            Phase::Paused { .. }
            | Phase::Talking(_)
            | Phase::Resolved(_)
            | Phase::Approval { .. }
            | Phase::Closed { .. } => None,
        }
    }

    /// What a side has on the table, and since which turn (from 1).
    pub fn on_the_table(&self, side: Side) -> Option<(&Offer, usize)> {
        self.standing.get(side).as_ref().map(|standing| (&*standing.offer, standing.turn + 1))
    }

    /// What policies said, oldest first.
    pub fn verdicts(&self) -> &[Verdict] {
        &self.verdicts
    }

    /// How often a side did what it must not.
    pub fn violations(&self, side: Side) -> u32 {
        *self.violations.get(side)
    }

    /// Whether a side's agent may no longer act.
    pub fn is_suspended(&self, side: Side) -> bool {
        *self.suspended.get(side)
    }

    /// What a side is about to say, and when.
    pub fn draft(&self) -> Option<(&Turn, Timestamp)> {
        match &self.phase {
            Phase::Talking(Floor { holder: Holder::Drafted { turn, until, .. }, .. }) => Some((turn, *until)),
            Phase::Talking(_)
            | Phase::Paused { .. }
            | Phase::Resolved(_)
            | Phase::Approval { .. }
            | Phase::Closed { .. } => None,
        }
    }

    /// Who is about to say it.
    pub fn drafted_by(&self) -> Option<&Speaker> {
        match &self.phase {
            Phase::Talking(Floor { holder: Holder::Drafted { speaker, .. }, .. }) => Some(speaker),
            Phase::Talking(_)
            | Phase::Paused { .. }
            | Phase::Resolved(_)
            | Phase::Approval { .. }
            | Phase::Closed { .. } => None,
        }
    }

    /// Which version of the person's mandate it is under.
    pub fn mandate(&self) -> u64 {
        self.mandate
    }

    /// What our person told their agent, oldest first.
    pub fn guidance(&self) -> &[Text] {
        &self.guidance
    }

    /// What the arbiter said.
    pub fn recommendation(&self) -> Option<&Recommendation> {
        self.recommendation.as_ref()
    }

    /// What is out with a delegate.
    pub fn delegated(&self) -> Option<&Delegated> {
        self.delegated.as_ref()
    }

    /// Whether this side's agent has failed since the last turn.
    pub fn has_failed(&self, side: Side) -> bool {
        self.trouble == Some(Trouble::AgentFailed(side))
    }

    pub(crate) fn trouble(&self) -> Option<Trouble> {
        self.trouble
    }

    /// The moves open to whoever is next; none when nobody is.
    pub fn allowed(&self) -> Actions {
        if self.draft().is_some() { Actions::NONE } else { self.open_moves() }
    }

    /// The moves open to the side that has the floor.
    fn open_moves(&self) -> Actions {
        match &self.phase {
            Phase::Talking(floor) => self.opening.rulebook.allowed(&self.position(floor.side)),
            Phase::Paused { .. } | Phase::Resolved(_) | Phase::Approval { .. } | Phase::Closed { .. } => Actions::NONE,
        }
    }

    /// What the person's decision has to be bound to: everything they decide on, and how it came about.
    pub fn digest(&self) -> Digest {
        Digest::of(&(&self.opening, &self.turns, self.outcome()))
    }

    fn position(&self, side: Side) -> Position {
        let theirs = self.standing.get(side.other()).as_ref();
        Position {
            side,
            agent: self.opening.parties.get(side).agent,
            last: self.turns.last().map(|taken| taken.turn.act.action()),
            is_final: theirs.is_some_and(|standing| standing.offer.is_final),
            // Where nobody haggles over terms, the match itself is what can be accepted.
            can_accept: self.opening.rulebook.protocol == Protocol::Index || theirs.is_some(),
        }
    }

    /// What the dialogue's end, by this side's word, makes happen: who has to approve, if anybody.
    fn resolve(&self, outcome: Outcome, side: Option<Side>, now: Timestamp) -> Vec<Fact> {
        let window = now.plus(self.opening.rulebook.timers.approval);
        let due = self.accepted_until(side).map_or(window, |until| window.min(until));
        let approval = outcome.has_opportunity().then(|| Fact::ApprovalOpened(self.approvers(), due));
        std::iter::once(Fact::Resolved(outcome)).chain(approval).collect()
    }

    /// Until when what this side accepted stands, if that is for the other side to say.
    fn accepted_until(&self, accepted_by: Option<Side>) -> Option<Timestamp> {
        let ours = self.opening.ours;
        accepted_by.filter(|side| *side == ours)?;
        self.standing.get(ours.other()).as_ref()?.offer.valid_until
    }

    /// The person, always; then whoever the protocol and the frame name.
    fn approvers(&self) -> Vec<Approver> {
        let named = match self.opening.rulebook.protocol {
            Protocol::Summit(kind) => kind.approver().and_then(|name| Text::new(name).ok()),
            Protocol::Index | Protocol::Asp | Protocol::Hire | Protocol::Lcp => None,
        };
        let others = self.opening.frame.approvers.iter().cloned().chain(named).map(Approver::Named);
        let mut approvers: Vec<Approver> = std::iter::once(Approver::Person).chain(others).collect();
        approvers.sort();
        approvers.dedup();
        approvers
    }

    pub(crate) fn turn_count(&self) -> u32 {
        u32::try_from(self.turns.len()).unwrap_or(u32::MAX)
    }
}

fn check_opening(opening: &Opening, load: Load) -> Result<(), Refusal> {
    let frame = &opening.frame;
    if let Some(limit) = opening.rulebook.limits.concurrent {
        for (side, count) in [(Side::Initiator, load.initiator), (Side::Responder, load.responder)] {
            if count >= limit {
                return Err(Refusal::TooManyAtOnce { side, limit });
            }
        }
    }
    if opening.seed.score > 100 {
        return Err(Refusal::CannotOpen("a score is at most 100"));
    }
    if matches!(opening.rulebook.protocol, Protocol::Summit(_)) {
        if frame.goal.is_none() {
            return Err(Refusal::CannotOpen("a governed negotiation declares its goal beforehand"));
        }
        if frame.risk == Some(RiskLevel::Critical) && !frame.arbiter {
            return Err(Refusal::CannotOpen("a critical risk is not negotiated without an arbiter"));
        }
    }
    Ok(())
}

impl Floor {
    /// The floor goes to a side: to its agent, or to whoever picks the turn up.
    fn given_to(side: Side, agent: AgentKind, now: Timestamp) -> Self {
        let holder = match agent {
            AgentKind::System | AgentKind::Remote => Holder::Agent,
            AgentKind::Personal => Holder::Parked { first: now },
        };
        Self { side, since: now, holder }
    }
}

impl<T> BySide<T> {
    fn get(&self, side: Side) -> &T {
        match side {
            Side::Initiator => &self.initiator,
            Side::Responder => &self.responder,
        }
    }

    fn get_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::Initiator => &mut self.initiator,
            Side::Responder => &mut self.responder,
        }
    }
}
