use std::collections::BTreeSet;

use countersign_kernel::{Incomparable, Span};
use countersign_ledger::Sensitive;
use rust_decimal::Decimal;

use crate::{Autonomy, Disclose, Disclosure, Mandate};

/// As long as a person may let anything wait.
const LONGEST_WAIT: Span = Span::days(7);

/// Why something is not a mandate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MandateError {
    /// It cannot be read.
    #[error("line {line}, column {column}: {problem}")]
    Json {
        /// Where.
        line: usize,
        /// Where in the line.
        column: usize,
        /// What is wrong there.
        problem: String,
    },
    /// It can be read, and makes no sense.
    #[error("`{field}`: {problem}")]
    Field {
        /// Where, as in `terms.price.target`.
        field: String,
        /// What is wrong there.
        problem: Problem,
    },
}

/// What is wrong with a field of a mandate.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// A walk-away that is not a number of something.
    #[error("a limit must be an amount, a number or a duration")]
    NoOrder,
    /// A target and a walk-away of different kinds.
    #[error(transparent)]
    Unlike(#[from] Incomparable),
    /// A walk-away without anything that says which side of it is fine.
    #[error("say whether more or less is better")]
    NoDirection,
    /// A target that is worse than the walk-away.
    #[error("the target is worse than the walk-away")]
    BeyondWalkAway,
    /// Less than nothing.
    #[error("`{0}` is less than nothing")]
    Negative(Decimal),
    /// A limit that lets nothing happen.
    #[error("this must be more than nothing")]
    Zero,
    /// Over what a person may let wait.
    #[error("this is longer than 7 days")]
    TooLong,
    /// The same said twice.
    #[error("this is said twice")]
    Twice,
    /// Nothing to recognise a fact or a name by.
    #[error("there is nothing to recognise it by")]
    Unrecognisable,
    /// Both wanted and never agreed to.
    #[error("this term is prohibited, and has a mandate")]
    Contradiction,
    /// A kind of private thing that has a field of its own.
    #[error("names and private facts have fields of their own")]
    Elsewhere,
}

impl Mandate {
    /// Reads and checks one.
    pub fn from_json(json: &str) -> Result<Self, MandateError> {
        let mandate: Self = serde_json::from_str(json).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let said = error.to_string();
            let problem = said.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&said).to_owned();
            MandateError::Json { line, column, problem }
        })?;
        mandate.check()?;
        Ok(mandate)
    }

    /// Whether it makes sense; if not, the first field that does not.
    pub fn check(&self) -> Result<(), MandateError> {
        self.check_terms()?;
        self.check_money()?;
        self.check_privacy()?;
        self.check_waits()
    }

    fn check_terms(&self) -> Result<(), MandateError> {
        for (name, term) in &self.terms {
            term.check().map_err(|(field, problem)| wrong(format!("terms.{name}.{field}"), problem))?;
            ensure(!self.prohibits(name), || format!("terms.{name}"), Problem::Contradiction)?;
        }
        Ok(())
    }

    fn check_money(&self) -> Result<(), MandateError> {
        let mut seen = BTreeSet::new();
        for (at, limit) in self.authority.iter().enumerate() {
            not_negative(limit.most, || format!("authority[{at}].most"))?;
            ensure(seen.insert((&limit.currency, limit.per)), || format!("authority[{at}]"), Problem::Twice)?;
        }
        let mut seen = BTreeSet::new();
        for (at, money) in self.ask.value_over.iter().enumerate() {
            not_negative(money.amount, || format!("ask.value_over[{at}].amount"))?;
            ensure(seen.insert(&money.currency), || format!("ask.value_over[{at}]"), Problem::Twice)?;
        }
        let mut seen = BTreeSet::new();
        for (at, given) in self.pre_authorised.iter().enumerate() {
            not_negative(given.most.amount, || format!("pre_authorised[{at}].most.amount"))?;
            let some = !given.most.amount.is_zero() || given.without_value;
            ensure(some, || format!("pre_authorised[{at}].most.amount"), Problem::Zero)?;
            ensure(seen.insert(&given.name), || format!("pre_authorised[{at}].name"), Problem::Twice)?;
        }
        Ok(())
    }

    fn check_privacy(&self) -> Result<(), MandateError> {
        for (at, fact) in self.disclosure.iter().enumerate() {
            let Disclosure { words, number, rule, .. } = fact;
            let known = *rule == Disclose::Freely || !words.is_empty() || number.is_some();
            ensure(known, || format!("disclosure[{at}].words"), Problem::Unrecognisable)?;
        }
        for (at, name) in self.private_names.iter().enumerate() {
            let letters = name.chars().any(char::is_alphabetic);
            ensure(letters, || format!("private_names[{at}]"), Problem::Unrecognisable)?;
        }
        let elsewhere = self.sensitive.keys().any(|kind| matches!(kind, Sensitive::Name | Sensitive::Private));
        ensure(!elsewhere, || "sensitive".into(), Problem::Elsewhere)
    }

    fn check_waits(&self) -> Result<(), MandateError> {
        for (action, autonomy) in &self.autonomy {
            match autonomy {
                Autonomy::Hold(span) => bounded(*span, || format!("autonomy.{action}.hold"))?,
                Autonomy::Auto | Autonomy::Ask => {}
            }
        }
        if let Some(window) = self.approval_window {
            bounded(window, || "approval_window".into())?;
        }
        let pace = [
            ("turns_per_hour", self.pace.turns_per_hour),
            ("openings_per_hour", self.pace.openings_per_hour),
            ("open_at_once", self.pace.open_at_once),
        ];
        pace.into_iter().try_for_each(|(name, number)| ensure(number > 0, || format!("pace.{name}"), Problem::Zero))
    }
}

fn not_negative(amount: Decimal, field: impl FnOnce() -> String) -> Result<(), MandateError> {
    ensure(amount >= Decimal::ZERO, field, Problem::Negative(amount))
}

fn bounded(span: Span, field: impl Fn() -> String) -> Result<(), MandateError> {
    ensure(span > Span(0), &field, Problem::Zero)?;
    ensure(span <= LONGEST_WAIT, &field, Problem::TooLong)
}

fn ensure(holds: bool, field: impl FnOnce() -> String, problem: Problem) -> Result<(), MandateError> {
    if holds { Ok(()) } else { Err(wrong(field(), problem)) }
}

fn wrong(field: String, problem: Problem) -> MandateError {
    MandateError::Field { field, problem }
}
