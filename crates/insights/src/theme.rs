//! What agents object to, sorted into a closed list.
//!
//! A list that is closed keeps the counts small whatever a counterpart writes, and keeps its words out of the person's
//! digest. It is sorted by words, and the words are English: what has none of them is [`Theme::Other`] when an agent
//! named a field, and nothing when it only talked.

use std::collections::BTreeSet;

use countersign_kernel::{Move, Objection, RejectCode, Text, Turn};
use serde::{Deserialize, Serialize};

/// What an objection is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// How much can be had at all.
    Capacity,
    /// It is under consideration already.
    Duplicate,
    /// What somebody has done and can do.
    Experience,
    /// Whether it serves the person.
    Fit,
    /// The form in which it is written.
    Form,
    /// Where.
    Place,
    /// What it costs.
    Price,
    /// What is told to whom.
    Privacy,
    /// How good it is.
    Quality,
    /// What is allowed.
    Rules,
    /// How much is to be done.
    Scope,
    /// When, and for how long.
    Time,
    /// Whether the other side can be relied on.
    Trust,
    /// Something else.
    Other,
}

impl Theme {
    /// In a word or two, for a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Capacity => "capacity",
            Self::Duplicate => "duplicates",
            Self::Experience => "experience",
            Self::Fit => "fit",
            Self::Form => "form",
            Self::Place => "place",
            Self::Price => "price",
            Self::Privacy => "privacy",
            Self::Quality => "quality",
            Self::Rules => "rules",
            Self::Scope => "scope",
            Self::Time => "time",
            Self::Trust => "trust",
            Self::Other => "something else",
        }
    }

    /// What this turn objects to: a rejection by its code, a counter by the fields it names or else by what it says.
    pub(crate) fn raised(turn: &Turn) -> BTreeSet<Self> {
        match &turn.act {
            Move::Reject(rejection) => Self::of_code(rejection.code).map_or_else(
                || {
                    let said = Self::said(turn, |_| true);
                    if said.is_empty() { BTreeSet::from([Self::Fit]) } else { said }
                },
                |theme| BTreeSet::from([theme]),
            ),
            Move::Counter(offer) if offer.objections.is_empty() => Self::said(turn, objects),
            Move::Counter(offer) | Move::Propose(offer) => offer.objections.iter().map(Self::of_objection).collect(),
            Move::Accept | Move::Question(_) | Move::Answer(_) | Move::Inquire | Move::Describe(_) => BTreeSet::new(),
        }
    }

    /// None when the code leaves the reason to the words.
    fn of_code(code: RejectCode) -> Option<Self> {
        match code {
            RejectCode::Unsuitable => None,
            RejectCode::UtilityGap => Some(Self::Fit),
            RejectCode::BudgetExceeded => Some(Self::Price),
            RejectCode::CapacityUnavailable => Some(Self::Capacity),
            RejectCode::InsufficientTrustScore => Some(Self::Trust),
            RejectCode::Timeout => Some(Self::Time),
            RejectCode::SchemaUnsupported => Some(Self::Form),
            RejectCode::Duplicate => Some(Self::Duplicate),
            RejectCode::Unauthorized | RejectCode::PolicyViolation | RejectCode::EscalationRequired => {
                Some(Self::Rules)
            }
        }
    }

    /// The field says it; a field that says nothing leaves it to the reason.
    fn of_objection(objection: &Objection) -> Self {
        let field = words(objection.field.as_str()).find_map(|word| Self::of_word(&word));
        field.or_else(|| words(&objection.reason).find_map(|word| Self::of_word(&word))).unwrap_or(Self::Other)
    }

    /// The themes of those sentences of the message, or of the reasoning where there is none, that count.
    fn said(turn: &Turn, counts: impl Fn(&str) -> bool) -> BTreeSet<Self> {
        let said: &Text = turn.message.as_ref().unwrap_or(&turn.assessment.reasoning);
        let sentences = said.split_inclusive(['.', '?', '!', ';', '\n']).filter(|sentence| counts(sentence));
        sentences.flat_map(words).filter_map(|word| Self::of_word(&word)).collect()
    }

    fn of_word(word: &str) -> Option<Self> {
        let singular = word.strip_suffix('s').filter(|rest| rest.len() > 2).unwrap_or(word);
        Some(match singular {
            "capacity" | "cpu" | "gpu" | "memory" | "token" | "resource" | "slot" | "bandwidth" => Self::Capacity,
            "experience" | "experienced" | "skill" | "expertise" | "background" | "portfolio" | "seniority"
            | "senior" | "qualification" => Self::Experience,
            "fit" | "goal" | "intent" | "interest" | "match" | "benefit" | "vague" | "relevant" | "alignment" => {
                Self::Fit
            }
            "form" | "format" | "schema" => Self::Form,
            "place" | "location" | "remote" | "onsite" | "city" | "country" | "region" | "travel" | "timezone" => {
                Self::Place
            }
            "price" | "cost" | "budget" | "fee" | "rate" | "pay" | "payment" | "paid" | "money" | "salary"
            | "amount" | "compensation" | "equity" | "expensive" | "discount" => Self::Price,
            "privacy" | "private" | "confidential" | "confidentiality" | "nda" | "secret" | "security" => Self::Privacy,
            "quality" | "accuracy" | "sla" | "uptime" | "latency" | "warranty" | "reliability" | "error" => {
                Self::Quality
            }
            "policy" | "policie" | "legal" | "compliance" | "licence" | "license" | "permission" | "law" | "rule" => {
                Self::Rules
            }
            "scope" | "deliverable" | "feature" | "quantity" | "volume" | "revision" | "work" | "task" => Self::Scope,
            "time" | "deadline" | "date" | "duration" | "schedule" | "hour" | "day" | "week" | "month"
            | "availability" | "available" | "delivery" | "calendar" | "priority" => Self::Time,
            "trust" | "reference" | "reputation" | "verified" | "verification" | "identity" => Self::Trust,
            _ => return None,
        })
    }
}

/// A counter also answers and agrees. What it objects to, it asks for or sets against something.
fn objects(sentence: &str) -> bool {
    let contrasts = |word: String| {
        matches!(
            word.as_str(),
            "but"
                | "however"
                | "too"
                | "not"
                | "no"
                | "without"
                | "missing"
                | "lacks"
                | "unclear"
                | "weak"
                | "cannot"
                | "unless"
                | "above"
                | "below"
                | "over"
                | "instead"
                | "only"
                | "nothing"
        )
    };
    sentence.trim_end().ends_with('?') || words(sentence).any(contrasts)
}

/// The words of a text or of a term's name, in lower case: `maxPrice` and `max_price` have the same two.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).flat_map(|run| {
        let mut words = vec![String::new()];
        let mut after_lower = false;
        for c in run.chars() {
            if after_lower && c.is_uppercase() {
                words.push(String::new());
            }
            after_lower = c.is_lowercase();
            if let Some(word) = words.last_mut() {
                word.extend(c.to_lowercase());
            }
        }
        words
    })
}
