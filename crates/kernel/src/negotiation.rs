use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Action, Digest, MAX_TEXT, Parties, Role, Rulebook, SeedAssessment, Side, TakenTurn, Timestamp, Turn};

/// Names one negotiation, everywhere.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NegotiationId(pub String);

impl fmt::Display for NegotiationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Everything that is fixed when a negotiation opens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// Which negotiation.
    pub id: NegotiationId,
    /// The match in one line, as shown.
    pub title: String,
    /// The protocol it runs under.
    pub rulebook: Rulebook,
    /// Who is at the table.
    pub parties: Parties,
    /// The side of the person this journal belongs to.
    pub ours: Side,
    /// What the evaluator thought.
    pub seed: SeedAssessment,
    /// Made for trying the app out, with a counterpart that does not exist.
    pub sample: bool,
}

/// What may be asked of a negotiation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// An agent takes its side's turn.
    TakeTurn {
        /// Who speaks.
        side: Side,
        /// What they do.
        turn: Turn,
    },
    /// The person accepts exactly what the digest stands for.
    Accept {
        /// Of what was on the screen.
        digest: Digest,
    },
    /// The person declines exactly what the digest stands for.
    Decline {
        /// Of what was on the screen.
        digest: Digest,
    },
}

/// What happened. The journal holds these and nothing else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// The negotiation began.
    Opened {
        /// Everything fixed.
        opening: Box<Opening>,
        /// When.
        at: Timestamp,
    },
    /// A side moved.
    TurnTaken {
        /// The move.
        #[serde(flatten)]
        taken: TakenTurn,
    },
    /// The dialogue is over.
    Resolved {
        /// How.
        outcome: Outcome,
        /// When.
        at: Timestamp,
    },
    /// The person decided.
    Decided {
        /// What.
        decision: Decision,
        /// Bound to this and nothing else.
        digest: Digest,
        /// When.
        at: Timestamp,
    },
}

/// The person's word on a pending opportunity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Decision {
    /// Yes.
    Accept,
    /// No.
    Decline,
}

/// How the dialogue ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcome {
    /// Whether both agents recommend the match.
    pub has_opportunity: bool,
    /// Each side's own last suggestion for itself, when there is an opportunity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreed_roles: Option<AgreedRoles>,
    /// The last word's reasoning.
    pub reasoning: String,
    /// How many turns it took.
    pub turn_count: u32,
    /// Why it ended without a last word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<EndReason>,
}

/// The part each person would play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreedRoles {
    /// The initiator's.
    pub initiator: Role,
    /// The responder's.
    pub responder: Role,
}

impl AgreedRoles {
    /// The role on one side.
    pub fn get(&self, side: Side) -> Role {
        match side {
            Side::Initiator => self.initiator,
            Side::Responder => self.responder,
        }
    }
}

/// Why a dialogue ended without accept or reject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// All turns were used.
    TurnCap,
}

/// Where an opportunity stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The agents are talking.
    Negotiating,
    /// Both agents recommend it; it waits for the person.
    Pending,
    /// The person accepted.
    Accepted,
    /// The person declined.
    Declined,
    /// An agent rejected.
    Rejected,
    /// The turns ran out.
    Stalled,
}

/// Who has to act next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Awaiting {
    /// The agent of one side.
    Agent(Side),
    /// The person.
    Person,
    /// It is over.
    Nobody,
}

/// Why a command was not carried out. Nothing has changed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The dialogue is over.
    #[error("the negotiation is no longer open for turns: it is {status:?}")]
    NotTalking {
        /// Where it stands.
        status: Status,
    },
    /// Somebody spoke out of turn.
    #[error("it is not the {side:?}'s turn")]
    NotYourTurn {
        /// Who spoke.
        side: Side,
    },
    /// The rulebook does not allow the move here.
    #[error("`{action:?}` is not allowed here, only {allowed:?}")]
    NotAllowed {
        /// What was tried.
        action: Action,
        /// What is open.
        allowed: &'static [Action],
    },
    /// A turn without a why.
    #[error("a turn needs its reasoning")]
    NoReasoning,
    /// A text over the limit.
    #[error("the {field} has {length} bytes, more than {MAX_TEXT}")]
    TooLong {
        /// Which text.
        field: &'static str,
        /// How long it is.
        length: usize,
    },
    /// Nothing waits for the person.
    #[error("there is nothing to decide: it is {status:?}")]
    NothingPending {
        /// Where it stands.
        status: Status,
    },
    /// The person saw something else.
    #[error("what was shown is not what is there now")]
    Changed {
        /// What is there now.
        current: Digest,
    },
}

/// One negotiation: the fold of its events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Negotiation {
    opening: Opening,
    opened_at: Timestamp,
    changed_at: Timestamp,
    turns: Vec<TakenTurn>,
    phase: Phase,
    version: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Phase {
    Talking,
    Resolved { outcome: Outcome, decision: Option<Decision> },
}

impl Negotiation {
    /// The event that begins a negotiation.
    pub fn open(opening: Opening, now: Timestamp) -> Event {
        Event::Opened { opening: Box::new(opening), at: now }
    }

    /// The state after these events; none when they do not begin with an opening.
    pub fn replay<'a>(events: impl IntoIterator<Item = &'a Event>) -> Option<Self> {
        let mut events = events.into_iter();
        let Some(Event::Opened { opening, at }) = events.next() else { return None };
        let mut negotiation = Self {
            opening: Opening::clone(opening),
            opened_at: *at,
            changed_at: *at,
            turns: Vec::new(),
            phase: Phase::Talking,
            version: 1,
        };
        events.for_each(|event| negotiation.apply(event));
        Some(negotiation)
    }

    /// What the command would make happen. Changes nothing.
    pub fn decide(&self, command: Command, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        match command {
            Command::TakeTurn { side, turn } => self.take_turn(side, turn, now),
            Command::Accept { digest } => self.settle(Decision::Accept, digest, now),
            Command::Decline { digest } => self.settle(Decision::Decline, digest, now),
        }
    }

    /// Takes an event in. The only way state changes.
    pub fn apply(&mut self, event: &Event) {
        self.version += 1;
        match event {
            // INVARIANT: only `replay` meets an opening, and only as the first event; `decide` makes none.
            Event::Opened { .. } => {}
            Event::TurnTaken { taken } => {
                self.changed_at = taken.at;
                self.turns.push(taken.clone());
            }
            Event::Resolved { outcome, at } => {
                self.changed_at = *at;
                self.phase = Phase::Resolved { outcome: outcome.clone(), decision: None };
            }
            Event::Decided { decision: made, at, .. } => {
                self.changed_at = *at;
                if let Phase::Resolved { decision, .. } = &mut self.phase {
                    *decision = Some(*made);
                }
            }
        }
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

    /// How many events made this state.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// How the dialogue ended, once it has.
    pub fn outcome(&self) -> Option<&Outcome> {
        match &self.phase {
            Phase::Talking => None,
            Phase::Resolved { outcome, .. } => Some(outcome),
        }
    }

    /// Where it stands.
    pub fn status(&self) -> Status {
        match &self.phase {
            Phase::Talking => Status::Negotiating,
            Phase::Resolved { decision: Some(Decision::Accept), .. } => Status::Accepted,
            Phase::Resolved { decision: Some(Decision::Decline), .. } => Status::Declined,
            Phase::Resolved { outcome, .. } if outcome.has_opportunity => Status::Pending,
            Phase::Resolved { outcome, .. } if outcome.reason.is_some() => Status::Stalled,
            Phase::Resolved { .. } => Status::Rejected,
        }
    }

    /// Who has to act next.
    pub fn awaiting(&self) -> Awaiting {
        match self.status() {
            Status::Negotiating => Awaiting::Agent(self.next_side()),
            Status::Pending => Awaiting::Person,
            Status::Accepted | Status::Declined | Status::Rejected | Status::Stalled => Awaiting::Nobody,
        }
    }

    /// The moves open to whoever is next.
    pub fn allowed(&self) -> &'static [Action] {
        let agent = self.opening.parties.get(self.next_side()).agent;
        self.opening.rulebook.allowed(agent, self.turns.len())
    }

    /// What the person's decision has to be bound to: everything they decide on, and how it came about.
    pub fn digest(&self) -> Digest {
        Digest::of(&(&self.opening, &self.turns, self.outcome()))
    }

    fn next_side(&self) -> Side {
        self.turns.last().map_or(Side::Initiator, |last| last.side.other())
    }

    fn take_turn(&self, side: Side, turn: Turn, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        let status = self.status();
        if status != Status::Negotiating {
            return Err(Refusal::NotTalking { status });
        }
        if side != self.next_side() {
            return Err(Refusal::NotYourTurn { side });
        }
        let allowed = self.allowed();
        if !allowed.contains(&turn.action) {
            return Err(Refusal::NotAllowed { action: turn.action, allowed });
        }
        check_text(&turn)?;

        let outcome = self.outcome_of(side, &turn);
        let taken = TakenTurn { side, turn, at: now };
        let mut events = vec![Event::TurnTaken { taken }];
        events.extend(outcome.map(|outcome| Event::Resolved { outcome, at: now }));
        Ok(events)
    }

    /// What this turn makes of the dialogue, if it ends it.
    fn outcome_of(&self, side: Side, turn: &Turn) -> Option<Outcome> {
        let turn_count = u32::try_from(self.turns.len()).unwrap_or(u32::MAX).saturating_add(1);
        let capped = self.opening.rulebook.turn_cap.is_some_and(|cap| turn_count >= cap);
        let (agreed_roles, reason) = match turn.action {
            Action::Accept => (Some(self.agreed_roles(side, turn)), None),
            Action::Reject => (None, None),
            Action::Propose | Action::Counter | Action::Question if capped => (None, Some(EndReason::TurnCap)),
            Action::Propose | Action::Counter | Action::Question => return None,
        };
        let reasoning = turn.assessment.reasoning.clone();
        Some(Outcome { has_opportunity: agreed_roles.is_some(), agreed_roles, reasoning, turn_count, reason })
    }

    /// Each side's own last word on its own role: the accepting turn, and the one before it.
    fn agreed_roles(&self, side: Side, accept: &Turn) -> AgreedRoles {
        let own = accept.assessment.suggested_roles.own;
        // An accept is never the first turn, so there is one before it; were there none, the accepting side's view stands.
        let other = self
            .turns
            .last()
            .map_or(accept.assessment.suggested_roles.other, |before| before.turn.assessment.suggested_roles.own);
        match side {
            Side::Initiator => AgreedRoles { initiator: own, responder: other },
            Side::Responder => AgreedRoles { initiator: other, responder: own },
        }
    }

    fn settle(&self, decision: Decision, digest: Digest, now: Timestamp) -> Result<Vec<Event>, Refusal> {
        let status = self.status();
        if status != Status::Pending {
            return Err(Refusal::NothingPending { status });
        }
        let current = self.digest();
        if digest != current {
            return Err(Refusal::Changed { current });
        }
        Ok(vec![Event::Decided { decision, digest, at: now }])
    }
}

fn check_text(turn: &Turn) -> Result<(), Refusal> {
    let reasoning = &turn.assessment.reasoning;
    if reasoning.trim().is_empty() {
        return Err(Refusal::NoReasoning);
    }
    let message = turn.message.as_deref().unwrap_or_default();
    for (field, text) in [("reasoning", reasoning.as_str()), ("message", message)] {
        if text.len() > MAX_TEXT {
            return Err(Refusal::TooLong { field, length: text.len() });
        }
    }
    Ok(())
}
