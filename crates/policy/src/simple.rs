use std::fmt;

use countersign_kernel::{Currency, Percent, TermName, Text};

/// A policy that a settings screen can offer without anybody having to write Cedar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Simple {
    /// Ask before our agent offers or accepts more than this.
    AskOver {
        /// In this currency.
        currency: Currency,
        /// In whole units.
        amount: u64,
    },
    /// Ask before our agent offers or accepts any other currency, which no limit would catch.
    AskUnlessIn {
        /// The one that needs no asking.
        currency: Currency,
    },
    /// Ask before negotiating with somebody new.
    AskOnFirstContact,
    /// Nothing with this counterpart.
    NeverWith {
        /// The name, exactly as it is shown.
        counterpart: Text,
    },
    /// Our agent neither offers nor accepts this term, or any below it.
    NeverTerm {
        /// Which.
        term: TermName,
    },
    /// Ask before our agent speaks between these hours, UTC. From an hour to itself is the whole day.
    QuietHours {
        /// From the beginning of this hour.
        from: u8,
        /// To the beginning of this one.
        to: u8,
    },
    /// Note when our agent is less sure than this.
    WarnBelowConfidence {
        /// In percent.
        percent: Percent,
    },
}

const ANY: &str = "principal, action, resource";
const START: &str = r#"principal, action == Action::"start", resource"#;
const OUR_TURN: &str = r#"principal == Agent::"ours", action == Action::"turn", resource"#;
/// What our agent says, and what would come of it. Not its execution: the person has decided by then.
const OUR_WORD: &str = r#"principal == Agent::"ours", action in [Action::"turn", Action::"resolution"], resource"#;
/// What our agent says, what would come of it, and its execution.
const OUR_DEED: &str = r#"principal == Agent::"ours", action, resource"#;

impl Simple {
    /// The policy as text. Whatever is put into it stays inside of its quotes.
    pub fn to_cedar(&self) -> String {
        match self {
            Self::AskOver { currency, amount } => {
                // Cedar's numbers end there, and so does what a case counts.
                let amount = i64::try_from(*amount).unwrap_or(i64::MAX);
                let code = quoted(&currency.to_string());
                write(
                    &format!("ask-over-{currency}"),
                    "escalate",
                    &format!("this is about more than {amount} {currency}"),
                    OUR_WORD,
                    &format!("context.total.hasTag({code}) && context.total.getTag({code}) > {amount}"),
                )
            }
            Self::AskUnlessIn { currency } => write(
                &format!("ask-unless-in-{currency}"),
                "escalate",
                &format!("this is about money that is not {currency}"),
                OUR_WORD,
                &format!("![{}].containsAll(context.currencies)", quoted(&currency.to_string())),
            ),
            Self::AskOnFirstContact => write(
                "ask-on-first-contact",
                "escalate",
                "you have not dealt with them before",
                START,
                "resource.met == 0",
            ),
            Self::NeverWith { counterpart } => write(
                &format!("never-with-{counterpart}"),
                "deny",
                &format!("you do not deal with {counterpart}"),
                ANY,
                &format!("resource.counterpart == {}", quoted(counterpart)),
            ),
            Self::NeverTerm { term } => write(
                &format!("never-term-{term}"),
                "deny",
                &format!("{term} is not negotiable"),
                OUR_DEED,
                &format!("context.terms.contains({})", quoted(term.as_str())),
            ),
            Self::QuietHours { from, to } => {
                let (from, to) = (from % 24, to % 24);
                let joined = if from < to { "&&" } else { "||" };
                write(
                    &format!("quiet-hours-{from}-{to}"),
                    "escalate",
                    &format!("these are your quiet hours, from {from}:00 to {to}:00 UTC"),
                    OUR_TURN,
                    &format!("context.hour >= {from} {joined} context.hour < {to}"),
                )
            }
            Self::WarnBelowConfidence { percent } => {
                let percent = u8::from(*percent);
                write(
                    &format!("warn-below-{percent}"),
                    "warn",
                    &format!("your agent is less than {percent}% sure"),
                    OUR_TURN,
                    &format!("context has confidence && context.confidence < {percent}"),
                )
            }
        }
    }
}

impl fmt::Display for Simple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_cedar())
    }
}

fn write(id: &str, verdict: &str, because: &str, scope: &str, condition: &str) -> String {
    let (id, because) = (quoted(id), quoted(because));
    format!("@id({id})\n@verdict(\"{verdict}\")\n@because({because})\nforbid ({scope})\nwhen {{ {condition} }};\n")
}

/// A Cedar string: its escapes are Rust's, and nothing unprintable is left to look like something else.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '\'' => quoted.push(c),
            c => quoted.extend(c.escape_debug()),
        }
    }
    quoted.push('"');
    quoted
}
