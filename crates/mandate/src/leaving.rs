//! What a turn says: every word of it that the other side gets to read.

use std::collections::BTreeSet;

use countersign_kernel::{Move, Negotiation, Objection, Offer, Side, Terms, Turn, Value};
use rust_decimal::Decimal;

use crate::read::quote::{head, tail};
use crate::read::{number, token};

/// How many bytes of text a turn may have.
pub const MAX_TURN: usize = 64 * 1024;

/// Whether the reasons of a turn go to the other side with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reasoning {
    /// They stay with the person.
    Private,
    /// The wire format has them in it.
    Sent,
}

/// What our side says now, what it said before, and which numbers both sides know anyway.
pub(crate) struct Said {
    /// This turn, no longer than a turn may be.
    pub(crate) now: String,
    /// Earlier turns, then this one.
    pub(crate) all: String,
    /// Where this one begins in all.
    pub(crate) begins: usize,
    /// Numbers that stand in an offer of either side, this turn's too.
    pub(crate) offered: BTreeSet<Decimal>,
    /// Numbers that the other side said.
    pub(crate) theirs: BTreeSet<Decimal>,
}

impl Said {
    pub(crate) fn new(negotiation: &Negotiation, side: Side, turn: &Turn, reasoning: Reasoning) -> Self {
        let turns = || negotiation.turns().iter();
        let before = |whose: Side| {
            let texts = turns().filter(|taken| taken.side == whose).map(|taken| {
                // The message last, so that what it leaves open meets what this turn begins with.
                let mut texts = texts(&taken.turn, reasoning);
                texts.reverse();
                texts.join("\n")
            });
            texts.collect::<Vec<String>>().join(" ")
        };
        let now = head(&texts(turn, reasoning).join("\n"), MAX_TURN).to_owned();
        let (ours, theirs) = (before(side), before(side.other()));
        let mut all = tail(&ours, MAX_TURN).to_owned();
        if !all.is_empty() {
            all.push(' ');
        }
        let begins = all.len();
        all.push_str(&now);
        let theirs = number::stated(&token::tokens(tail(&theirs, MAX_TURN)));
        Self {
            now,
            all,
            begins,
            offered: turns().map(|taken| &taken.turn).chain([turn]).flat_map(numbers).collect(),
            theirs: theirs.into_iter().flat_map(|stated| stated.values).collect(),
        }
    }

    /// What was said before this turn.
    pub(crate) fn earlier(&self) -> &str {
        self.all.get(..self.begins).unwrap_or_default()
    }
}

/// Every text that leaves with a turn, the message first.
pub(crate) fn texts(turn: &Turn, reasoning: Reasoning) -> Vec<&str> {
    let mut texts: Vec<&str> = turn.message.as_deref().into_iter().collect();
    match &turn.act {
        Move::Propose(offer) | Move::Counter(offer) | Move::Describe(offer) => of_offer(offer, &mut texts),
        Move::Question(questions) => {
            for question in questions {
                texts.extend(question.field.as_ref().map(|field| field.as_str()));
                texts.push(&question.question);
                texts.extend(question.options.iter().map(|option| &**option));
            }
        }
        Move::Answer(answers) => {
            for answer in answers {
                texts.extend(answer.field.as_ref().map(|field| field.as_str()));
                texts.push(&answer.answer);
            }
        }
        Move::Accept | Move::Reject(_) | Move::Inquire => {}
    }
    match reasoning {
        Reasoning::Private => {}
        Reasoning::Sent => texts.push(&turn.assessment.reasoning),
    }
    texts
}

/// How many bytes of text leave with a turn.
pub(crate) fn size(turn: &Turn, reasoning: Reasoning) -> usize {
    texts(turn, reasoning).into_iter().map(str::len).fold(0, usize::saturating_add)
}

/// What a turn puts on the table, whether or not it can be accepted.
pub(crate) fn offer(turn: &Turn) -> Option<&Offer> {
    match &turn.act {
        Move::Propose(offer) | Move::Counter(offer) | Move::Describe(offer) => Some(offer),
        Move::Accept | Move::Reject(_) | Move::Question(_) | Move::Answer(_) | Move::Inquire => None,
    }
}

fn of_offer<'a>(offer: &'a Offer, texts: &mut Vec<&'a str>) {
    texts.extend(offer.justification.as_deref());
    texts.extend(offer.evidence.iter().chain(&offer.tradeoffs).map(|text| &**text));
    for Objection { field, reason, alternative, evidence } in &offer.objections {
        texts.extend([field.as_str(), reason]);
        texts.extend(alternative.as_ref().and_then(of_value));
        texts.extend(evidence.iter().map(|text| &**text));
    }
    of_terms(&offer.terms, texts);
    of_terms(&offer.cost_breakdown, texts);
}

fn of_terms<'a>(terms: &'a Terms, texts: &mut Vec<&'a str>) {
    for (name, value) in terms.iter() {
        texts.push(name.as_str());
        texts.extend(of_value(value));
    }
}

fn of_value(value: &Value) -> Option<&str> {
    match value {
        Value::Choice(text) | Value::Text(text) => Some(text),
        Value::Integer(quantity) => quantity.unit.as_deref(),
        Value::Decimal(quantity) => quantity.unit.as_deref(),
        Value::Money(_) | Value::Duration(_) | Value::Flag(_) => None,
    }
}

/// The numbers that a turn puts on the table.
fn numbers(turn: &Turn) -> Vec<Decimal> {
    let Some(offer) = offer(turn) else { return Vec::new() };
    let terms = offer.terms.iter().chain(offer.cost_breakdown.iter()).map(|(_, value)| value);
    let instead = offer.objections.iter().filter_map(|objection| objection.alternative.as_ref());
    terms.chain(instead).filter_map(Value::number).collect()
}
