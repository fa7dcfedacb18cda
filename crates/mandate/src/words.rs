//! A finding in words, for the person alone: limits and private facts are named here as they are.

use countersign_kernel::{Action, Money, Span, Value};
use countersign_ledger::Sensitive;
use rust_decimal::Decimal;

use crate::{Concern, Finding, Part, Period, Sign, Whose};

impl Finding {
    /// What is the matter, as a sentence to the person.
    pub fn in_words(&self) -> String {
        match &self.concern {
            Concern::WorseThanWalkAway { term, value, walk_away } => {
                let over = value.compare(walk_away).is_ok_and(std::cmp::Ordering::is_gt);
                let side = if over { "over" } else { "under" };
                format!("The {term} {} is {side} your limit of {}.", shown(value), shown(walk_away))
            }
            Concern::Incomparable { term, value, walk_away } => {
                format!("The {term} {} cannot be compared with your limit of {}.", shown(value), shown(walk_away))
            }
            Concern::Prohibited { term, whose: Whose::Ours } => {
                format!("Your agent would agree on {term}, which you never agree to.")
            }
            Concern::Prohibited { term, whose: Whose::Theirs } => {
                format!("The other side brought up {term}, which you never agree to.")
            }
            Concern::UnknownTerm { term } => format!("You have not said what {term} may come to."),
            Concern::OverAuthority { deal, per: Period::Deal, most, .. } => {
                format!("{} is more than the {} that your agent may agree to.", money(deal), amount(*most, deal))
            }
            Concern::OverAuthority { deal, per, spent, most } => format!(
                "{} would be more than the {} that your agent may agree to in a {}: {} is agreed already.",
                money(deal),
                amount(*most, deal),
                period(*per),
                amount(*spent, deal)
            ),
            Concern::NoAuthority { deal } => {
                format!("{}: you have not said how much {} your agent may agree to.", money(deal), deal.currency)
            }
            Concern::ValueOver { deal, over } => {
                format!("{} is over the {} from which you want to be asked.", money(deal), amount(*over, deal))
            }
            Concern::AskBefore { action } => format!("You want to be asked before your agent {}.", does(*action)),
            Concern::LowConfidence { confidence: Some(confidence), least } => {
                let (confidence, least) = (u8::from(*confidence), u8::from(*least));
                format!("Your agent is {confidence}% sure; you want to be asked below {least}%.")
            }
            Concern::LowConfidence { confidence: None, least } => {
                format!("Your agent does not say how sure it is; you want to be asked below {}%.", u8::from(*least))
            }
            Concern::WalkAwayTold { term, split } => {
                format!("The message{} tells your limit for the {term}.", together(*split))
            }
            Concern::FactTold { fact, split, .. } => {
                format!("The message{} tells what you marked as private: {fact}.", together(*split))
            }
            Concern::NameTold { name, split } => {
                format!("The message{} names {name}, whom you want to keep out of it.", together(*split))
            }
            Concern::SensitiveTold { kind, .. } => format!("The message has {} in it.", sensitive(*kind)),
            Concern::TooLarge { whose: Whose::Ours, bytes, most } => {
                format!("Your agent wrote {bytes} bytes; a turn may have {most}.")
            }
            Concern::TooLarge { whose: Whose::Theirs, bytes, most } => {
                format!("The other side sent {bytes} bytes; a turn may have {most}.")
            }
            Concern::TooMany { part, count, most } => {
                format!("The other side sent {count} {}; a turn may have {most}.", parts(*part))
            }
            Concern::NotAllowed { action } => {
                format!("Your agent {}, which the protocol does not allow now.", does(*action))
            }
            Concern::Repeated { by, own, turn } => {
                let (who, other) = match by {
                    Whose::Ours => ("Your agent", "the other side"),
                    Whose::Theirs => ("The other side", "your agent"),
                };
                let whom = if *own { "it" } else { other };
                format!("{who} repeats what {whom} said in turn {turn}.")
            }
            Concern::TooOften { most } => format!("Your agent took {most} turns within an hour, as many as you allow."),
            Concern::Suspicious { sign, whose: Whose::Ours } => format!("Your agent's message {}.", tries(*sign)),
            Concern::Suspicious { sign, whose: Whose::Theirs } => {
                format!("The other side's message {}. It was not acted on.", tries(*sign))
            }
        }
    }

    /// What the person could do about it.
    pub(crate) fn suggestion(&self) -> &'static str {
        match &self.concern {
            Concern::WorseThanWalkAway { .. } => "Let your agent stay within your limit, or change the limit.",
            Concern::OverAuthority { .. } | Concern::NoAuthority { .. } | Concern::ValueOver { .. } => {
                "Allow it this once, or let your agent offer less."
            }
            Concern::WalkAwayTold { .. }
            | Concern::FactTold { .. }
            | Concern::NameTold { .. }
            | Concern::SensitiveTold { .. } => "Let your agent say it without that, or allow it this once.",
            Concern::Incomparable { .. } | Concern::UnknownTerm { .. } => "Say what this term may come to.",
            Concern::Prohibited { .. } => "Let your agent turn this term down.",
            Concern::AskBefore { .. } | Concern::LowConfidence { .. } => "Read the turn, then send it or change it.",
            Concern::TooLarge { .. }
            | Concern::NotAllowed { .. }
            | Concern::Repeated { by: Whose::Ours, .. }
            | Concern::Suspicious { whose: Whose::Ours, .. } => "Let your agent try again, or write the turn yourself.",
            Concern::TooOften { .. } => "Let it wait, or allow more turns in an hour.",
            Concern::TooMany { .. }
            | Concern::Repeated { by: Whose::Theirs, .. }
            | Concern::Suspicious { whose: Whose::Theirs, .. } => {
                "Read what they sent before you let your agent go on."
            }
        }
    }
}

/// A value as a person would write it.
fn shown(value: &Value) -> String {
    match value {
        Value::Money(sum) => money(sum),
        Value::Duration(span) => duration(*span),
        Value::Integer(_) | Value::Decimal(_) | Value::Choice(_) | Value::Text(_) | Value::Flag(_) => value.to_string(),
    }
}

fn money(sum: &Money) -> String {
    amount(sum.amount, sum)
}

/// An amount in the currency of another.
fn amount(amount: Decimal, like: &Money) -> String {
    let written = amount.to_string();
    let (sign, number) = written.strip_prefix('-').map_or(("", &*written), |number| ("-", number));
    let (whole, rest) = number.find('.').map_or((number, ""), |dot| number.split_at(dot));
    let mut grouped = String::new();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    format!("{sign}{grouped}{rest} {}", like.currency)
}

fn duration(span: Span) -> String {
    let units = [
        (Span::days(1), "days"),
        (Span::hours(1), "hours"),
        (Span::minutes(1), "minutes"),
        (Span::seconds(1), "seconds"),
    ];
    let fits = units.into_iter().find(|(unit, _)| span.0 >= unit.0 && span.0.is_multiple_of(unit.0));
    fits.map_or_else(|| span.to_string(), |(unit, name)| format!("{} {name}", span.0 / unit.0))
}

fn period(period: Period) -> &'static str {
    match period {
        Period::Deal => "deal",
        Period::Day => "day",
        Period::Week => "week",
        Period::Month => "month",
    }
}

fn together(split: bool) -> &'static str {
    if split { ", with what was said before," } else { "" }
}

fn does(action: Action) -> &'static str {
    match action {
        Action::Propose => "proposes",
        Action::Counter => "counters",
        Action::Accept => "accepts",
        Action::Reject => "rejects",
        Action::Question => "asks a question",
        Action::Answer => "answers",
        Action::Inquire => "inquires",
        Action::Describe => "describes what it could do",
    }
}

fn parts(part: Part) -> &'static str {
    match part {
        Part::Terms => "terms",
        Part::Objections => "objections",
        Part::Questions => "questions",
        Part::Answers => "answers",
        Part::Evidence => "pieces of evidence",
    }
}

fn sensitive(kind: Sensitive) -> &'static str {
    match kind {
        Sensitive::Credential => "a password, a key or a token",
        Sensitive::Email => "an email address",
        Sensitive::GovernmentId => "the number of a document, an account or a card",
        Sensitive::Private => "something private",
        Sensitive::Name => "a name",
        Sensitive::Phone => "a phone number",
    }
}

fn tries(sign: Sign) -> &'static str {
    match sign {
        Sign::Instruction => "tries to instruct an agent",
        Sign::RoleMarker => "is made to look like part of a prompt",
        Sign::ToolCall => "is made to look like a call of a tool",
        Sign::Probing => "tries to make an agent tell what is private",
        Sign::HiddenCharacters => "has characters in it that cannot be seen",
        Sign::Encoded => "has something in it that is not words",
        Sign::Markup => "has markup in it",
        Sign::Pressure => "puts pressure on you",
        Sign::Threat => "threatens you",
        Sign::Impersonation => "speaks as somebody else",
    }
}
