//! Why a negotiation stands where it stands: made from its events by rules, never by a model, the same everywhere.

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::negotiation::Trouble;
use crate::{
    Ending, Move, Negotiation, Objection, RejectCode, Remedy, Resolution, Retry, Side, Span, Stop, TermName, Terms,
    Text, Timer, Value, Violation,
};

/// The explanation of how a negotiation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Why {
    /// In one word.
    pub code: WhyCode,
    /// Who or what brought it about.
    pub caused_by: Cause,
    /// Whether to try again.
    pub retryable: Retry,
    /// How long to wait before that, when the other side said so.
    pub retry_after: Option<Span>,
    /// What was still open.
    pub blocking: Vec<Blocking>,
    /// The best that was on the table.
    pub closest: Option<Closest>,
    /// The last turn, from 1, in which a side moved on terms.
    pub last_movement: Option<usize>,
    /// The smallest change to one side's last offer that meets what the other side said.
    pub would_have_closed: Option<Change>,
    /// What the person can do now.
    pub next: Vec<Next>,
}

/// How it ended, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WhyCode {
    /// The person accepted.
    Accepted,
    /// An agent turned it down.
    Rejected(RejectCode),
    /// All turns were used.
    TurnCap,
    /// The time ran out.
    Timeout,
    /// Whoever picked a turn up never handed it in, until the time ran out.
    ClaimLapsed,
    /// A side said the same again.
    Stalemate,
    /// A policy said no.
    PolicyDenied,
    /// An agent reached for a capability.
    CapabilityViolation,
    /// A side sent what could not be read.
    SchemaViolation,
    /// It ended under suspicion of bad faith.
    Adversarial,
    /// An agent could not produce a turn, until the time ran out.
    AgentError,
    /// The person declined.
    Declined,
    /// Nobody decided in time.
    Expired,
    /// It was approved and not signed in time.
    Unsigned,
    /// The person took it back.
    Withdrawn,
}

/// Who or what brought the end about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Our agent.
    Us,
    /// Theirs.
    Them,
    /// Both agents.
    Both,
    /// A rule or a policy.
    Rule,
    /// Time.
    Clock,
    /// Something broke.
    Fault,
    /// The person.
    Person,
}

/// Something that was still open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Blocking {
    /// A term on which the last offers differ.
    Term(TermName),
    /// An objection that was not met.
    Objection(Raised),
    /// A question that was not answered.
    Question(Side, Text),
}

/// An objection and what became of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Raised {
    /// Whose.
    pub by: Side,
    /// In which turn, from 1.
    pub turn: usize,
    /// What.
    pub objection: Objection,
    /// The turn, from 1, in which the other side dealt with it.
    pub answered: Option<usize>,
}

/// The best that was on the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closest {
    /// Whose.
    pub by: Side,
    /// In which turn, from 1.
    pub turn: usize,
    /// What.
    pub terms: Terms,
}

/// What one side would have had to change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// Whose offer.
    pub by: Side,
    /// To what, term by term.
    pub to: Terms,
}

/// What the person can do now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Next {
    /// Open it again, with guidance for the agent.
    Reopen,
    /// Change what the agent may do.
    ChangeMandate,
    /// Answer what was left open.
    Answer,
    /// Try later.
    Wait,
    /// See what went wrong.
    LookIntoFault,
    /// Let it go.
    LetGo,
}

/// What an agent may try by itself before it asks the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Recovery {
    /// The same counterpart again with adjusted terms, no sooner than this.
    Retry {
        /// How long to wait.
        after: Span,
    },
    /// Somebody else.
    NextCounterpart,
    /// Nothing is left to try.
    AskPerson,
}

impl Why {
    /// What to try next, with so many retries and so many other counterparts left. Nothing where the person decided.
    pub fn recovery(&self, retries: u32, counterparts: u32) -> Option<Recovery> {
        if self.caused_by == Cause::Person {
            return None;
        }
        // Who did not answer is not asked again while there are others.
        let answered = !matches!(self.caused_by, Cause::Clock | Cause::Fault);
        Some(if answered && self.retryable != Retry::No && retries > 0 {
            Recovery::Retry { after: self.retry_after.unwrap_or_default() }
        } else if counterparts > 0 {
            Recovery::NextCounterpart
        } else {
            Recovery::AskPerson
        })
    }
}

impl Negotiation {
    /// Why it ended; none while it has not.
    pub fn why(&self) -> Option<Why> {
        let (code, caused_by) = self.cause()?;
        let retryable = retry(code);
        let settled = code == WhyCode::Accepted;
        let blocking = if settled { Vec::new() } else { self.blocking() };
        let next = if settled { Vec::new() } else { next(code, caused_by, retryable, &blocking) };
        Some(Why {
            code,
            caused_by,
            retryable,
            retry_after: self.retry_after(),
            blocking,
            closest: self.closest(),
            last_movement: self.last_movement(),
            would_have_closed: if settled { None } else { self.smallest_change() },
            next,
        })
    }

    /// Every objection, oldest first, with what became of it.
    pub fn objections(&self) -> Vec<Raised> {
        let mut raised = Vec::new();
        for (turn, taken) in (1..).zip(self.turns()) {
            let offer = match &taken.turn.act {
                Move::Propose(offer) | Move::Counter(offer) => offer,
                Move::Answer(answers) => {
                    let answers = answers.iter().filter_map(|answer| answer.field.as_ref());
                    answers.for_each(|field| meet(&mut raised, taken.side, turn, |one| one.field == *field));
                    continue;
                }
                Move::Accept => {
                    meet(&mut raised, taken.side.other(), turn, |_| true);
                    meet(&mut raised, taken.side, turn, |_| true);
                    continue;
                }
                Move::Reject(_) | Move::Question(_) | Move::Inquire | Move::Describe(_) => continue,
            };
            meet(&mut raised, taken.side, turn, |one| match (offer.terms.get(&one.field), &one.alternative) {
                (Some(value), Some(wanted)) => value == wanted,
                (Some(_), None) => true,
                (None, _) => false,
            });
            raised.extend(offer.objections.iter().map(|objection| Raised {
                by: taken.side,
                turn,
                objection: objection.clone(),
                answered: None,
            }));
        }
        raised
    }

    fn retry_after(&self) -> Option<Span> {
        match &self.outcome()?.result {
            Resolution::Rejected { rejection, .. } => rejection.retry_after,
            Resolution::Agreement | Resolution::Direct | Resolution::Stalled(_) | Resolution::Aborted(_) => None,
        }
    }

    fn cause(&self) -> Option<(WhyCode, Cause)> {
        let agent_of = |side| if side == self.opening().ours { Cause::Us } else { Cause::Them };
        Some(match (self.ending(), &self.outcome()?.result) {
            (Some(Ending::Accepted), _) => (WhyCode::Accepted, Cause::Person),
            (Some(Ending::Declined), _) => (WhyCode::Declined, Cause::Person),
            (Some(Ending::Expired), _) => (WhyCode::Expired, Cause::Clock),
            (Some(Ending::Unsigned), _) => (WhyCode::Unsigned, Cause::Clock),
            (Some(Ending::Voided), _) => match Side::BOTH.into_iter().find(|side| self.is_suspended(*side)) {
                Some(side) => (WhyCode::CapabilityViolation, agent_of(side)),
                None => (WhyCode::PolicyDenied, Cause::Rule),
            },
            (None, Resolution::Agreement | Resolution::Direct) => return None,
            (None, Resolution::Rejected { by, rejection }) => (WhyCode::Rejected(rejection.code), agent_of(*by)),
            (None, Resolution::Stalled(stop) | Resolution::Aborted(stop)) => match stop {
                Stop::TurnCap => (WhyCode::TurnCap, Cause::Both),
                Stop::Stalemate(side) => (WhyCode::Stalemate, agent_of(*side)),
                Stop::PolicyDenied => (WhyCode::PolicyDenied, Cause::Rule),
                Stop::Violation(side, Violation::Capability) => (WhyCode::CapabilityViolation, agent_of(*side)),
                Stop::Violation(side, Violation::Schema) => (WhyCode::SchemaViolation, agent_of(*side)),
                Stop::Violation(_, Violation::Policy) => (WhyCode::PolicyDenied, Cause::Rule),
                Stop::Withdrawn => match self.trouble() {
                    Some(Trouble::Adversarial(_)) => (WhyCode::Adversarial, Cause::Person),
                    Some(Trouble::AgentFailed(_) | Trouble::ClaimLapsed(_)) | None => {
                        (WhyCode::Withdrawn, Cause::Person)
                    }
                },
                Stop::Timeout(timer) => match (self.trouble(), timer) {
                    (Some(Trouble::Adversarial(_)), _) => (WhyCode::Adversarial, Cause::Clock),
                    (Some(Trouble::AgentFailed(_)), _) => (WhyCode::AgentError, Cause::Fault),
                    (Some(Trouble::ClaimLapsed(_)), _) => (WhyCode::ClaimLapsed, Cause::Clock),
                    (None, Timer::Pause) => (WhyCode::Expired, Cause::Clock),
                    (None, _) => (WhyCode::Timeout, Cause::Clock),
                },
            },
        })
    }

    fn blocking(&self) -> Vec<Blocking> {
        let mut blocking: Vec<Blocking> =
            self.gap(Side::Initiator).iter().map(|(name, _)| Blocking::Term(name.clone())).collect();
        let open = self.objections().into_iter().filter(|raised| raised.answered.is_none());
        blocking.extend(open.map(Blocking::Objection));
        if let Some(last) = self.turns().last()
            && let Move::Question(questions) = &last.turn.act
        {
            blocking.extend(questions.iter().map(|asked| Blocking::Question(last.side, asked.question.clone())));
        }
        blocking
    }

    /// The terms in which this side's last offer is not what the other side said it wants, and what it wants.
    fn gap(&self, side: Side) -> Vec<(TermName, Value)> {
        let Some((own, _)) = self.on_the_table(side) else { return Vec::new() };
        let wanted = self.position_of(side.other());
        wanted.into_iter().filter(|(name, value)| own.terms.get(name) != Some(value)).collect()
    }

    /// What a side said it wants: its last offer, and what it last asked for instead of the other's.
    fn position_of(&self, side: Side) -> Vec<(TermName, Value)> {
        let offered = self.on_the_table(side).map(|(offer, _)| offer.terms.clone()).unwrap_or_default();
        let last = self.turns().iter().rfind(|taken| taken.side == side).and_then(|taken| taken.turn.act.offer());
        let asked = last.into_iter().flat_map(|offer| &offer.objections);
        let asked = asked.filter_map(|objection| Some((objection.field.clone(), objection.alternative.clone()?)));
        let mut position: std::collections::BTreeMap<_, _> = offered.into();
        position.extend(asked);
        position.into_iter().collect()
    }

    /// Of the two ways to close the gap, the one with fewer terms; then the one that moves less.
    fn smallest_change(&self) -> Option<Change> {
        let changes = Side::BOTH.into_iter().filter_map(|side| {
            let to = self.gap(side);
            let way = self.distance(side, &to);
            (!to.is_empty()).then_some((to.len(), way, side, to))
        });
        let (_, _, by, to) = changes.min_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)))?;
        Some(Change { by, to: Terms::new(to).ok()? })
    }

    /// How far the changed terms are from the offered ones, each in proportion to itself.
    fn distance(&self, side: Side, to: &[(TermName, Value)]) -> Decimal {
        let offered = self.on_the_table(side).map(|(offer, _)| &offer.terms);
        let apart = |(name, value): &(TermName, Value)| -> Option<Decimal> {
            let (from, to) = (offered?.get(name)?.number()?, value.number()?);
            from.checked_sub(to)?.abs().checked_div(from.abs().max(to.abs()))
        };
        to.iter().map(|change| apart(change).unwrap_or(Decimal::ONE)).sum()
    }

    fn closest(&self) -> Option<Closest> {
        let offers = Side::BOTH.into_iter().filter_map(|by| {
            let (offer, turn) = self.on_the_table(by)?;
            Some((self.gap(by).len(), std::cmp::Reverse(turn), by, &offer.terms))
        });
        let (_, turn, by, terms) = offers.min_by_key(|(gap, turn, ..)| (*gap, *turn))?;
        Some(Closest { by, turn: turn.0, terms: terms.clone() })
    }

    fn last_movement(&self) -> Option<usize> {
        let mut before: [Option<&Terms>; 2] = [None; 2];
        let mut moved = None;
        for (turn, taken) in (1..).zip(self.turns()) {
            let Some(terms) = taken.turn.act.offer().map(|offer| &offer.terms).filter(|terms| !terms.is_empty()) else {
                continue;
            };
            let [initiator, responder] = &mut before;
            let before = match taken.side {
                Side::Initiator => initiator,
                Side::Responder => responder,
            };
            if before.replace(terms).is_some_and(|earlier| earlier != terms) {
                moved = Some(turn);
            }
        }
        moved
    }
}

/// Marks the open objections to this side's offers that it has dealt with.
fn meet(raised: &mut [Raised], side: Side, turn: usize, deals: impl Fn(&Objection) -> bool) {
    let open = raised.iter_mut().filter(|one| one.answered.is_none() && one.by != side);
    open.filter(|one| deals(&one.objection)).for_each(|one| one.answered = Some(turn));
}

fn retry(code: WhyCode) -> Retry {
    match code {
        WhyCode::Rejected(code) => code.retry(),
        WhyCode::TurnCap | WhyCode::Stalemate | WhyCode::Withdrawn | WhyCode::Declined => Retry::Yes,
        WhyCode::Timeout | WhyCode::ClaimLapsed | WhyCode::AgentError | WhyCode::Unsigned => Retry::After(Remedy::Time),
        WhyCode::Expired => Retry::After(Remedy::Approval),
        WhyCode::SchemaViolation => Retry::After(Remedy::OtherSchema),
        WhyCode::Accepted | WhyCode::PolicyDenied | WhyCode::CapabilityViolation | WhyCode::Adversarial => Retry::No,
    }
}

fn next(code: WhyCode, caused_by: Cause, retryable: Retry, blocking: &[Blocking]) -> Vec<Next> {
    let mut next = Vec::new();
    if blocking.iter().any(|one| matches!(one, Blocking::Question(..))) {
        next.push(Next::Answer);
    }
    if matches!(retryable, Retry::Yes) {
        next.push(Next::Reopen);
    }
    let about_limits =
        matches!(code, WhyCode::Rejected(RejectCode::BudgetExceeded | RejectCode::UtilityGap) | WhyCode::TurnCap);
    if about_limits || caused_by == Cause::Us {
        next.push(Next::ChangeMandate);
    }
    if matches!(retryable, Retry::After(_)) {
        next.push(Next::Wait);
    }
    if caused_by == Cause::Fault {
        next.push(Next::LookIntoFault);
    }
    next.push(Next::LetGo);
    next
}
