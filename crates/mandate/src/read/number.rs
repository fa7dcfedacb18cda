//! The numbers that a text states: amounts, not dates, times or versions.

use rust_decimal::Decimal;

use super::spelled;
use super::token::{Kind, Token};

/// A number in a text.
#[derive(Clone, Debug)]
pub(crate) struct Stated {
    /// What it can be read as: `12.500` is two numbers.
    pub(crate) values: Vec<Decimal>,
    /// Its first token, and the one after its last.
    pub(crate) tokens: (usize, usize),
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) sentence: usize,
    pub(crate) percent: bool,
    /// A currency stands beside it.
    pub(crate) money: bool,
    /// The word after it, or after its currency.
    pub(crate) after: Option<String>,
}

const MONTHS: [&str; 24] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "jan",
    "feb",
    "mar",
    "apr",
    "jun",
    "jul",
    "aug",
    "sep",
    "sept",
    "oct",
    "nov",
    "dec",
];
const BEFORE_YEARS: [&str; 14] =
    ["in", "since", "by", "until", "till", "year", "from", "of", "before", "after", "during", "fy", "spring", "autumn"];
const CURRENCIES: [&str; 26] = [
    "eur", "euro", "euros", "usd", "dollar", "dollars", "gbp", "pound", "pounds", "sterling", "chf", "franc", "francs",
    "jpy", "yen", "usdc", "usdt", "btc", "eth", "inr", "rupees", "cad", "aud", "sek", "bucks", "quid",
];

/// Every number that a text states.
pub(crate) fn stated(tokens: &[Token]) -> Vec<Stated> {
    let mut all = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if let Some((number, end)) = spelled::digit_by_digit(tokens, at) {
            all.extend(describe(tokens, at, end, vec![number]));
            at = end;
        } else if let Some(end) = not_an_amount(tokens, at) {
            at = end;
        } else if let Some((values, end)) = spelled::number(tokens, at) {
            all.extend(describe(tokens, at, end, values));
            at = end;
        } else {
            at += 1;
        }
    }
    all
}

/// What figures with separators can mean; nothing when they are no number.
pub(crate) fn figures(written: &str) -> Vec<Decimal> {
    let parts: Vec<&str> = written.split(|c: char| !c.is_ascii_digit()).collect();
    let separators: Vec<char> = written.chars().filter(|c| !c.is_ascii_digit()).collect();
    let whole = |parts: &[&str]| Decimal::from_str_exact(&parts.concat()).ok();
    let Some((fraction, before)) = parts.split_last() else { return Vec::new() };
    let with_fraction = || Decimal::from_str_exact(&format!("{}.{fraction}", before.concat())).ok();
    match separators.as_slice() {
        [] => whole(&parts).into_iter().collect(),
        ['.' | ','] if is_grouped(&parts) => whole(&parts).into_iter().chain(with_fraction()).collect(),
        ['.' | ','] => with_fraction().into_iter().collect(),
        [first, .., last] if first != last && matches!(last, '.' | ',') && is_grouped(before) => {
            with_fraction().into_iter().collect()
        }
        [first, others @ ..] if others.iter().all(|other| other == first) && is_grouped(&parts) => {
            whole(&parts).into_iter().collect()
        }
        _ if parts.len() > 2 && parts.iter().all(|part| part.len() == 1) => whole(&parts).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// Groups of three, or of two before the last three.
fn is_grouped(parts: &[&str]) -> bool {
    let [first, middle @ .., last] = parts else { return parts.len() == 1 };
    let alike = |length: usize| middle.iter().all(|part| part.len() == length);
    (1..=3).contains(&first.len()) && last.len() == 3 && (alike(3) || alike(2))
}

fn describe(tokens: &[Token], from: usize, to: usize, values: Vec<Decimal>) -> Option<Stated> {
    let (first, last) = (tokens.get(from)?, tokens.get(to.checked_sub(1)?)?);
    let next = tokens.get(to).filter(|next| next.sentence == first.sentence);
    let per_cent = |word: &str| matches!(word, "%" | "percent" | "pct" | "prozent" | "per");
    let second = tokens.get(to + 1).map(|token| token.text.as_str());
    let percent = next.is_some_and(|next| per_cent(&next.text) && (next.text != "per" || second == Some("cent")));
    let paid = next.is_some_and(is_currency);
    let word = if paid { tokens.get(to + 1) } else { next };
    Some(Stated {
        values,
        tokens: (from, to),
        start: first.start,
        end: last.end,
        sentence: first.sentence,
        percent,
        money: paid || from.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(is_currency),
        after: word.filter(|word| word.kind == Kind::Word).map(|word| word.text.clone()),
    })
}

fn is_currency(token: &Token) -> bool {
    match token.kind {
        Kind::Mark => matches!(token.text.as_str(), "$" | "€" | "£" | "¥" | "₹" | "₿"),
        Kind::Word => CURRENCIES.contains(&token.text.as_str()),
        Kind::Number => false,
    }
}

/// Where a date, a time, a version or an ordinal ends that begins here.
fn not_an_amount(tokens: &[Token], at: usize) -> Option<usize> {
    let token = tokens.get(at).filter(|token| token.kind == Kind::Number)?;
    let mut end = at + 1;
    let (mut timed, mut count) = (false, 1);
    while let (Some(mark), Some(next)) = (tokens.get(end), tokens.get(end + 1))
        && (mark.is('-') || mark.is('/') || mark.is(':'))
        && (mark.glued && next.glued && next.kind == Kind::Number)
    {
        timed = timed || !mark.is('-');
        count += 1;
        end += 2;
    }
    if timed || count > 2 {
        return Some(end);
    }
    let word = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map_or("", |token| token.text.as_str());
    let (before, next) = (word(at.checked_sub(1)), word(Some(at + 1)));
    let ordinal = tokens.get(at + 1).is_some_and(|next| next.glued && matches!(&*next.text, "st" | "nd" | "rd" | "th"));
    let number: u32 = token.text.parse().unwrap_or(0);
    let day = (1..=31).contains(&number) && token.text.len() <= 2;
    let year = (1900..=2100).contains(&number);
    // A year may follow a day: `May 12, 2026`.
    let after_day = before == "," && at.checked_sub(3).is_some_and(|far| MONTHS.contains(&word(Some(far))));
    let near_month = MONTHS.contains(&before) || MONTHS.contains(&next) || after_day;
    let dated = (day || year) && near_month || year && BEFORE_YEARS.contains(&before) && !money_near(tokens, at);
    let nothing = figures(&token.text).is_empty();
    (ordinal || dated || nothing).then_some(at + 1)
}

fn money_near(tokens: &[Token], at: usize) -> bool {
    [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| tokens.get(at)).any(is_currency)
}
