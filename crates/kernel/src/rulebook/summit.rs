//! A governed negotiation between a proposer (the initiator) and a challenger (the responder), under an arbiter.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use super::{Commitment, Limits, OnRepeat, OutOfBounds, Position, Protocol, REPLIES, Rulebook, Timers};
use crate::{Action, Actions, Incomparable, Offer, Side, Span, TermName, Terms, Value};

impl Rulebook {
    /// Ten turns in ten minutes, three counter-proposals a side, two challenges a proposal, one at a time.
    pub fn summit(kind: SummitKind) -> Self {
        Self {
            protocol: Protocol::Summit(kind),
            limits: Limits { turns: Some(10), counters: Some(3), challenges: Some(2), concurrent: Some(1) },
            timers: Timers {
                first_response: Some(Span::seconds(60)),
                turn: Some(Span::seconds(60)),
                total: Some(Span::minutes(10)),
                approval: Span::hours(24),
                ..Timers::default()
            },
            out_of_bounds: OutOfBounds::Aborts,
            on_repeat: OnRepeat::Ends,
            commitment: Commitment::None,
        }
    }
}

pub(super) fn moves(position: &Position) -> Actions {
    match (position.last, position.side) {
        (None, _) => Actions::of(&[Action::Propose]),
        (Some(Action::Question), _) => Actions::of(&[Action::Answer, Action::Counter, Action::Reject]),
        // A challenge is answered in words or with other terms.
        (Some(_), Side::Initiator) => REPLIES.with(Action::Answer),
        (Some(_), Side::Responder) => REPLIES.with(Action::Question),
    }
}

/// What a governed negotiation is about. Each has terms of its own, terms it must not touch, and rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SummitKind {
    /// Who gets how much of what is scarce.
    ResourceAllocation,
    /// What is done first.
    TaskPrioritization,
    /// Which of two contradicting rules counts.
    PolicyConflict,
    /// Who does what, and how they work together.
    CollaborativePlanning,
    /// What is done about a risk.
    RiskMitigation,
}

/// What is wrong with a set of terms.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TermProblem {
    /// An agent would give itself, or the other, a capability.
    #[error("`{0}` grants a capability, and no agent may")]
    Capability(TermName),
    /// This type must not touch it.
    #[error("`{0}` is prohibited here")]
    Prohibited(TermName),
    /// This type does not know it.
    #[error("`{0}` is not a term of this type of negotiation")]
    NotATerm(TermName),
    /// It takes what is not there, or the reserve.
    #[error("`{name}` takes more than {limit}, which is all there is less the reserve")]
    Reserve {
        /// Which term.
        name: TermName,
        /// The most it may take.
        limit: Decimal,
    },
    /// It is not of the kind that it is measured against.
    #[error("`{name}`: {why}")]
    Unlike {
        /// Which term.
        name: String,
        /// Why they cannot be compared.
        why: Incomparable,
    },
    /// Tasks would wait for each other in a circle.
    #[error("the dependencies of `{0}` go in a circle")]
    Cycle(String),
    /// A critical task would come too late.
    #[error("the critical task `{task}` must not rank below {floor}")]
    BelowFloor {
        /// Which task.
        task: String,
        /// The latest it may come.
        floor: Decimal,
    },
    /// A framework that must be kept would be given up.
    #[error("compliance with `{0}` must be kept")]
    Framework(String),
    /// A budget that was not allocated beforehand.
    #[error("the budget of `{0}` is more than was allocated")]
    NotAllocated(String),
    /// Nobody would do it.
    #[error("the task `{0}` is planned, and no role is assigned to it")]
    Infeasible(String),
    /// Nobody could tell whether it works.
    #[error("the control `{0}` has no test")]
    Untestable(String),
}

/// In every type: whoever tries, oversteps.
const CAPABILITY: &[&str] = &["grant_capability", "grantCapability", "capability", "permission"];

impl SummitKind {
    /// Every type.
    pub const ALL: [Self; 5] = [
        Self::ResourceAllocation,
        Self::TaskPrioritization,
        Self::PolicyConflict,
        Self::CollaborativePlanning,
        Self::RiskMitigation,
    ];

    /// What its terms may be about: the first part of a term's name.
    fn allowed(self) -> &'static [&'static str] {
        match self {
            Self::ResourceAllocation => &["cpu", "memory", "gpu", "tokens", "time", "duration", "slots", "priority"],
            Self::TaskPrioritization => &["rank", "dependency", "deadline"],
            Self::PolicyConflict => &["precedence", "scope", "exception", "framework"],
            Self::CollaborativePlanning => &["role", "parallel", "channel", "budget"],
            Self::RiskMitigation => &["control", "test", "threshold", "escalation"],
        }
    }

    /// What they must not touch.
    fn prohibited(self) -> &'static [&'static str] {
        match self {
            Self::ResourceAllocation => &["policy_override", "cross_tenant"],
            Self::TaskPrioritization => &["cancel", "remove_dependency"],
            Self::PolicyConflict => &["delete", "blanket_override", "retroactive"],
            Self::CollaborativePlanning => &["spawn"],
            Self::RiskMitigation => &["accept_risk", "disable"],
        }
    }

    /// Who has to approve besides the person.
    pub fn approver(self) -> Option<&'static str> {
        match self {
            Self::ResourceAllocation => Some("policy:resource_allocation"),
            Self::PolicyConflict => Some("policy_admin"),
            Self::TaskPrioritization | Self::CollaborativePlanning | Self::RiskMitigation => None,
        }
    }

    /// Whether this may be offered. The pool says what there is, what is critical and what was allocated.
    pub(super) fn check(self, offer: &Offer, pool: &Terms) -> Result<(), TermProblem> {
        let Offer { terms, objections, .. } = offer;
        let asked = objections.iter().filter(|objection| objection.alternative.is_some());
        let mut named = terms.iter().map(|(name, _)| name).chain(asked.map(|objection| &objection.field));
        if let Some(name) = named.find(|name| name.parts().any(|part| CAPABILITY.contains(&part))) {
            return Err(TermProblem::Capability(name.clone()));
        }
        for (name, _) in terms.iter() {
            if self.prohibited().contains(&name.head()) {
                return Err(TermProblem::Prohibited(name.clone()));
            }
            if !self.allowed().contains(&name.head()) {
                return Err(TermProblem::NotATerm(name.clone()));
            }
        }
        match self {
            Self::ResourceAllocation => keeps_reserve(terms, pool),
            Self::TaskPrioritization => keeps_order(terms, pool),
            Self::PolicyConflict => keeps_frameworks(terms),
            Self::CollaborativePlanning => is_feasible(terms).and_then(|()| keeps_budgets(terms, pool)),
            Self::RiskMitigation => is_testable(terms),
        }
    }
}

/// A tenth of everything stays free.
fn keeps_reserve(terms: &Terms, pool: &Terms) -> Result<(), TermProblem> {
    for (name, there) in pool.iter() {
        let limit = there.number().unwrap_or_default() * Decimal::new(9, 1);
        let taken = terms.get(name).into_iter().chain(terms.under(name.as_str()).map(|(_, value)| value));
        let mut sum = Decimal::ZERO;
        for value in taken {
            alike(name.as_str(), value, there)?;
            // What is given back in one part is not there for another.
            sum = sum.saturating_add(value.number().unwrap_or_default().max(Decimal::ZERO));
        }
        if sum > limit {
            return Err(TermProblem::Reserve { name: name.clone(), limit });
        }
    }
    Ok(())
}

/// `rank.TASK` is no later than the pool's `floor.TASK`, and `dependency.TASK.ON` makes no circle.
fn keeps_order(terms: &Terms, pool: &Terms) -> Result<(), TermProblem> {
    for (task, floor) in pool.under("floor") {
        let ranked = terms.under("rank").find(|(ranked, _)| *ranked == task);
        if let Some((_, rank)) = ranked
            && alike(task, rank, floor)?.is_gt()
        {
            return Err(TermProblem::BelowFloor { task: task.into(), floor: floor.number().unwrap_or_default() });
        }
    }
    let mut waits: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (pair, on) in terms.under("dependency").chain(pool.under("dependency")) {
        if let (Some((task, other)), Value::Flag(true)) = (pair.split_once('.'), on) {
            waits.entry(task).or_default().insert(other);
        }
    }
    // Take away whatever waits for nothing; what is left then waits for itself.
    loop {
        let tasks: BTreeSet<&str> = waits.keys().copied().collect();
        waits.retain(|_, on| !on.is_disjoint(&tasks));
        if waits.len() == tasks.len() {
            break;
        }
    }
    waits.keys().next().map_or(Ok(()), |task| Err(TermProblem::Cycle((*task).into())))
}

/// Compares, or says why that cannot be done.
fn alike(name: &str, value: &Value, with: &Value) -> Result<Ordering, TermProblem> {
    value.compare(with).map_err(|why| TermProblem::Unlike { name: name.into(), why })
}

fn keeps_frameworks(terms: &Terms) -> Result<(), TermProblem> {
    let given_up = terms.under("framework").find(|(_, kept)| **kept == Value::Flag(false));
    given_up.map_or(Ok(()), |(name, _)| Err(TermProblem::Framework(name.into())))
}

/// Whatever runs in parallel has somebody who does it.
fn is_feasible(terms: &Terms) -> Result<(), TermProblem> {
    let undone = terms.under("parallel").find(|(task, _)| !terms.under("role").any(|(done, _)| done == *task));
    undone.map_or(Ok(()), |(task, _)| Err(TermProblem::Infeasible(task.into())))
}

fn keeps_budgets(terms: &Terms, pool: &Terms) -> Result<(), TermProblem> {
    for (name, asked) in terms.under("budget") {
        let allocated = pool.under("budget").find(|(other, _)| *other == name);
        let Some((_, allocated)) = allocated else { return Err(TermProblem::NotAllocated(name.into())) };
        if alike(name, asked, allocated)?.is_gt() {
            return Err(TermProblem::NotAllocated(name.into()));
        }
    }
    Ok(())
}

fn is_testable(terms: &Terms) -> Result<(), TermProblem> {
    let untested = terms.under("control").find(|(name, _)| !terms.under("test").any(|(tested, _)| tested == *name));
    untested.map_or(Ok(()), |(name, _)| Err(TermProblem::Untestable(name.into())))
}
