//! Numbers in English words, in figures, and in both: `twelve thousand`, `12.5k`, `half a million`.

use rust_decimal::Decimal;

use super::number::figures;
use super::token::{Kind, Token};

const DIGITS: [&str; 10] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const TEENS: [&str; 10] =
    ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"];
const TENS: [&str; 8] = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// As many digits as a number has that can be told exactly.
const LONGEST: usize = 28;

/// What a token adds to a number.
#[derive(Clone, Debug, PartialEq)]
enum Piece {
    Figures(Vec<Decimal>),
    /// Below twenty.
    Unit(u8),
    Ten(u8),
    Hundred,
    Thousands(Decimal),
    And,
    Half,
    A,
    Point,
    Hyphen,
    Other,
}

/// The number that begins at a token, in each way it can be read, and the token after it.
pub(crate) fn number(tokens: &[Token], at: usize) -> Option<(Vec<Decimal>, usize)> {
    let (value, end) = read(tokens, at, 0)?;
    let mut values = vec![value];
    values.extend(read(tokens, at, 1).map(|(other, _)| other).filter(|other| *other != value));
    Some((values, end))
}

/// At least three digits one by one, as figures or words, read as one number.
pub(crate) fn digit_by_digit(tokens: &[Token], at: usize) -> Option<(Decimal, usize)> {
    let mut said = String::new();
    let mut end = at;
    for (place, token) in tokens.iter().enumerate().skip(at) {
        match digit(token) {
            Some(digit) if said.len() < LONGEST => {
                said.push(digit);
                end = place + 1;
            }
            None if end == place && !said.is_empty() && (token.is('-') || token.is(',')) => {}
            Some(_) | None => break,
        }
    }
    let number = Decimal::from_str_exact(&said).ok()?;
    (said.len() >= 3).then_some((number, end))
}

fn digit(token: &Token) -> Option<char> {
    let text = token.text.as_str();
    let place = DIGITS.iter().position(|word| *word == text).or_else(|| (text == "oh").then_some(0));
    let spelled = place.and_then(|place| u32::try_from(place).ok()).and_then(|place| char::from_digit(place, 10));
    let figure = || text.chars().next().filter(|c| token.kind == Kind::Number && text.len() == 1 && c.is_ascii_digit());
    spelled.or_else(figure)
}

fn piece(tokens: &[Token], at: usize) -> Piece {
    let Some(token) = tokens.get(at) else { return Piece::Other };
    let text = token.text.as_str();
    let below = |words: &[&str]| words.iter().position(|word| *word == text).and_then(|place| u8::try_from(place).ok());
    if token.kind == Kind::Number {
        return Piece::Figures(figures(text));
    }
    if let Some(unit) = below(&DIGITS) {
        return Piece::Unit(unit);
    }
    if let Some(teen) = below(&TEENS) {
        return Piece::Unit(teen + 10);
    }
    if let Some(ten) = below(&TENS) {
        return Piece::Ten((ten + 2) * 10);
    }
    let scale = |power: u32| 10_i64.checked_pow(power).map_or(Piece::Other, |scale| Piece::Thousands(scale.into()));
    match text {
        "hundred" | "hundreds" => Piece::Hundred,
        "thousand" | "thousands" | "k" | "grand" | "tsd" | "tausend" | "mille" | "mil" => scale(3),
        "million" | "millions" | "mn" | "mio" | "millionen" | "millones" => scale(6),
        // A metre has a space before it.
        "m" if token.glued => scale(6),
        "billion" | "billions" | "bn" | "mrd" | "milliarden" | "milliards" => scale(9),
        "b" if token.glued => scale(9),
        "and" => Piece::And,
        "half" => Piece::Half,
        "a" | "an" => Piece::A,
        "point" => Piece::Point,
        "-" => Piece::Hyphen,
        _ => Piece::Other,
    }
}

/// Adds up what follows, with the given reading of figures that can be read in two ways.
fn read(tokens: &[Token], from: usize, reading: usize) -> Option<(Decimal, usize)> {
    let half = Decimal::new(5, 1);
    let mut total = Decimal::ZERO;
    let mut current: Option<Decimal> = None;
    let mut scale = Decimal::MAX;
    let (mut at, mut end) = (from, from);
    loop {
        let next = |ahead: usize| piece(tokens, at + ahead);
        match next(0) {
            Piece::Figures(values) if current.is_none() => {
                let value = values
                    .get(reading)
                    .or(values.first())
                    .copied()
                    .filter(|value| at == from || *value < Decimal::ONE_THOUSAND);
                let Some(value) = value else { break };
                current = Some(value);
            }
            Piece::Figures(values) if at > from && piece(tokens, at - 1) == Piece::Hundred => {
                let value = values.first().copied().filter(|value| *value < Decimal::ONE_HUNDRED);
                let Some(value) = value else { break };
                current = current.map(|current| current.saturating_add(value));
            }
            Piece::Unit(unit) if fits(current, unit) => {
                current = Some(current.unwrap_or_default().saturating_add(unit.into()))
            }
            Piece::Ten(ten) if current.is_none_or(|current| is_multiple(current, 100)) => {
                current = Some(current.unwrap_or_default().saturating_add(ten.into()));
            }
            Piece::Hundred if current.is_none_or(|current| current < Decimal::ONE_HUNDRED) => {
                current = Some(current.unwrap_or(Decimal::ONE) * Decimal::ONE_HUNDRED);
            }
            Piece::Thousands(thousands) if thousands < scale && (current.is_some() || is_spelled(tokens, at)) => {
                let added = current.take().unwrap_or(Decimal::ONE).checked_mul(thousands)?;
                total = total.checked_add(added)?;
                scale = thousands;
            }
            Piece::And if current.is_some() && next(1) == Piece::A && next(2) == Piece::Half => {
                current = current.map(|current| current.saturating_add(half));
                at += 2;
            }
            Piece::And | Piece::Hyphen if end > from && matches!(next(1), Piece::Unit(_) | Piece::Ten(_)) => {
                at += 1;
                continue;
            }
            Piece::A if end == from && matches!(next(1), Piece::Hundred | Piece::Thousands(_)) => {
                current = Some(Decimal::ONE);
            }
            Piece::Half if end == from && next(1) == Piece::A && matches!(next(2), Piece::Thousands(_)) => {
                current = Some(half);
                at += 1;
            }
            Piece::Point => {
                let Some(whole) = current else { break };
                let digits: String = (at + 1..).map_while(|at| tokens.get(at).and_then(digit)).take(9).collect();
                let Ok(fraction) = Decimal::from_str_exact(&format!("0.{digits}")) else { break };
                current = whole.checked_add(fraction);
                at += digits.len();
            }
            Piece::Figures(_)
            | Piece::Unit(_)
            | Piece::Ten(_)
            | Piece::Hundred
            | Piece::Thousands(_)
            | Piece::And
            | Piece::Half
            | Piece::A
            | Piece::Hyphen
            | Piece::Other => break,
        }
        at += 1;
        end = at;
    }
    let value = total.checked_add(current.unwrap_or_default())?;
    (end > from).then_some((value, end))
}

/// Whether a number below twenty goes on from here: `twenty` takes `one`, `two hundred` takes `twelve`.
fn fits(current: Option<Decimal>, unit: u8) -> bool {
    current.is_none_or(|current| {
        is_multiple(current, 100) || (unit < 10 && is_multiple(current, 10) && current > Decimal::TEN)
    })
}

fn is_multiple(number: Decimal, of: u8) -> bool {
    !number.is_zero() && number.checked_rem(Decimal::from(of)).is_some_and(|rest| rest.is_zero())
}

/// `thousand` is a number by itself; `k` is not.
fn is_spelled(tokens: &[Token], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| token.text.len() > 3)
}
