use countersign_kernel::{Action, Money, Percent, TermName, Text, Value};
use countersign_ledger::Sensitive;
use rust_decimal::Decimal;

use crate::{Disclose, Period};

/// Something that the guard found in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// What.
    pub concern: Concern,
    /// Where, in the words of the turn. What cannot be seen in them is written out.
    pub quote: Option<Text>,
}

/// What the guard minds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Concern {
    /// A term is worse than the person's walk-away.
    WorseThanWalkAway {
        /// Which.
        term: TermName,
        /// What it would be.
        value: Value,
        /// The worst that is acceptable.
        walk_away: Value,
    },
    /// A term cannot be held against the person's walk-away.
    Incomparable {
        /// Which.
        term: TermName,
        /// What it would be.
        value: Value,
        /// The worst that is acceptable.
        walk_away: Value,
    },
    /// A term that is never agreed to.
    Prohibited {
        /// Which.
        term: TermName,
        /// Who brings it up.
        whose: Whose,
    },
    /// A term that the mandate says nothing about.
    UnknownTerm {
        /// Which.
        term: TermName,
    },
    /// More than the agent may agree to.
    OverAuthority {
        /// What this agreement is worth.
        deal: Money,
        /// Which limit.
        per: Period,
        /// What was agreed to in that time already.
        spent: Decimal,
        /// The limit.
        most: Decimal,
    },
    /// An amount in a currency that the agent has no authority over.
    NoAuthority {
        /// What this agreement is worth.
        deal: Money,
    },
    /// Worth more than the person wants to hear of first.
    ValueOver {
        /// What this agreement is worth.
        deal: Money,
        /// From where on the person is asked.
        over: Decimal,
    },
    /// The person wants to see such a move before it goes out.
    AskBefore {
        /// Which.
        action: Action,
    },
    /// The agent is not sure enough, or does not say.
    LowConfidence {
        /// How sure it is.
        confidence: Option<Percent>,
        /// How sure it has to be.
        least: Percent,
    },
    /// The person's walk-away can be read from the words.
    WalkAwayTold {
        /// Of which term.
        term: TermName,
        /// Only together with what was said before.
        split: bool,
    },
    /// A private fact can be read from the words.
    FactTold {
        /// Which, as the person calls it.
        fact: Text,
        /// What the person said about it.
        rule: Disclose,
        /// Only together with what was said before.
        split: bool,
    },
    /// Somebody is named who is not to be.
    NameTold {
        /// Who.
        name: Text,
        /// Only together with what was said before.
        split: bool,
    },
    /// Something that looks sensitive by itself.
    SensitiveTold {
        /// What.
        kind: Sensitive,
        /// What the person said about it.
        rule: Disclose,
    },
    /// More words than a turn may have.
    TooLarge {
        /// Whose turn.
        whose: Whose,
        /// How many bytes.
        bytes: usize,
        /// How many there may be.
        most: usize,
    },
    /// More of something than a turn may have.
    TooMany {
        /// Of what.
        part: Part,
        /// How many.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// A move that the protocol does not allow now.
    NotAllowed {
        /// Which.
        action: Action,
    },
    /// A message that was sent before, word for word.
    Repeated {
        /// Who says it again.
        by: Whose,
        /// Whether they were the first to say it too.
        own: bool,
        /// In which turn, from 1.
        turn: usize,
    },
    /// More turns in an hour than the person allows.
    TooOften {
        /// How many they allow.
        most: u32,
    },
    /// Words that are not an argument.
    Suspicious {
        /// What they try.
        sign: Sign,
        /// Whose words.
        whose: Whose,
    },
}

/// Which side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    /// The person's.
    Ours,
    /// The other's.
    Theirs,
}

/// What a turn is made of, besides its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// Terms and what their price is made of.
    Terms,
    /// Objections.
    Objections,
    /// Questions, and answers to choose from.
    Questions,
    /// Answers.
    Answers,
    /// Evidence and trade-offs.
    Evidence,
}

/// What suspicious words try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sign {
    /// To give an agent instructions.
    Instruction,
    /// To look like part of a prompt.
    RoleMarker,
    /// To look like a call of a tool.
    ToolCall,
    /// To make an agent tell what is private.
    Probing,
    /// To be read by a program and not by a person.
    HiddenCharacters,
    /// To be something else than words.
    Encoded,
    /// To be shown as a page, or to run in one.
    Markup,
    /// To hurry.
    Pressure,
    /// To frighten.
    Threat,
    /// To speak as somebody who is not across the table.
    Impersonation,
}

/// What a finding does to the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Weight {
    /// It is shown, and the turn goes on.
    Note,
    /// The person is asked.
    Ask,
    /// The turn does not go on as it is.
    Refuse,
}

impl Finding {
    pub(crate) fn of(concern: Concern) -> Self {
        Self { concern, quote: None }
    }

    pub(crate) fn quoting(concern: Concern, quote: Text) -> Self {
        Self { concern, quote: Some(quote) }
    }
}
