use std::collections::{BTreeMap, BTreeSet};

use countersign_kernel::{Action, Currency, Money, Percent, Span, TermName, Text};
use countersign_ledger::Sensitive;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::{PreAuthorisation, TermMandate};

/// What the person lets their agent do.
///
/// Whatever is left out of its JSON is as in [`Mandate::default`]: ordinary moves go out by themselves, nothing is
/// agreed to beforehand, what is marked stays private, and nobody unsigned is talked to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a mandate")]
pub struct Mandate {
    /// What the person wants from it.
    pub goals: Vec<Text>,
    /// What an agreement has to have.
    pub must_haves: Vec<Requirement>,
    /// What an agreement must not have.
    pub deal_breakers: Vec<Requirement>,
    /// What each term may come to.
    pub terms: BTreeMap<TermName, TermMandate>,
    /// How much the agent may agree to. Once there is one limit, a currency without any is not the agent's to spend.
    pub authority: Vec<AuthorityLimit>,
    /// What may be said of what the person knows.
    pub disclosure: Vec<Disclosure>,
    /// People who are not named to the other side.
    pub private_names: Vec<Text>,
    /// What may be said of what looks sensitive by itself.
    pub sensitive: BTreeMap<Sensitive, Disclose>,
    /// When the agent asks first.
    pub ask: AskWhen,
    /// How each kind of move goes out.
    pub autonomy: BTreeMap<Action, Autonomy>,
    /// What the person agreed to beforehand.
    pub pre_authorised: Vec<PreAuthorisation>,
    /// Terms that are never agreed to; a name stands for what is below it too.
    pub prohibited_terms: BTreeSet<TermName>,
    /// How much happens at a time.
    pub pace: Pace,
    /// Whether somebody who does not sign may be talked to.
    pub accept_unsigned: bool,
    /// How long the person takes to decide, when that is more than the protocol says.
    pub approval_window: Option<Span>,
}

/// Something that has to be, or must not be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a topic and a text")]
pub struct Requirement {
    /// What it is about; the name of a term when there is one.
    pub topic: Text,
    /// In the person's words.
    pub text: Text,
}

/// The most that may be agreed to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a currency, a period and an amount")]
pub struct AuthorityLimit {
    /// In which currency.
    pub currency: Currency,
    /// In which time.
    pub per: Period,
    /// How much.
    pub most: Decimal,
}

/// What a limit is counted over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// One agreement.
    Deal,
    /// The last 24 hours.
    Day,
    /// The last 7 days.
    Week,
    /// The last 30 days.
    Month,
}

/// What may be said of one fact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a fact and its rule")]
pub struct Disclosure {
    /// What it is, as the person calls it. Never looked for.
    pub fact: Text,
    /// How it could be said.
    #[serde(default)]
    pub words: Vec<Text>,
    /// The number that would give it away.
    #[serde(default)]
    pub number: Option<Decimal>,
    /// What may be done with it.
    pub rule: Disclose,
}

/// What may be done with a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disclose {
    /// It may be said.
    Freely,
    /// The person is asked first.
    Ask,
    /// It stays here.
    Never,
}

/// When the agent asks before it goes on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "when to ask")]
pub struct AskWhen {
    /// When it is less sure than this, or does not say how sure it is.
    pub confidence_below: Option<Percent>,
    /// When an agreement would be worth more than this.
    pub value_over: Vec<Money>,
    /// Before these moves.
    pub before: BTreeSet<Action>,
    /// When there is a term that the mandate says nothing about.
    pub on_unknown_term: bool,
}

/// How a move goes out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Autonomy {
    /// By itself.
    #[default]
    Auto,
    /// After this long, unless the person stops it.
    Hold(Span),
    /// When the person says so.
    Ask,
}

/// How much happens at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "three numbers")]
pub struct Pace {
    /// Turns of our own in an hour.
    pub turns_per_hour: u32,
    /// Negotiations that may open in an hour.
    pub openings_per_hour: u32,
    /// Negotiations that may be open.
    pub open_at_once: u32,
}

impl Mandate {
    /// How a kind of move goes out.
    pub fn autonomy(&self, action: Action) -> Autonomy {
        self.autonomy.get(&action).copied().unwrap_or_default()
    }

    /// Whether a term is never agreed to, by its own name or by that of what it is a part of.
    pub fn prohibits(&self, term: &TermName) -> bool {
        self.prohibited_terms.iter().any(|prohibited| {
            let below = term.as_str().strip_prefix(prohibited.as_str());
            below.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    }
}

impl Default for Mandate {
    fn default() -> Self {
        Self {
            goals: Vec::new(),
            must_haves: Vec::new(),
            deal_breakers: Vec::new(),
            terms: BTreeMap::new(),
            authority: Vec::new(),
            disclosure: Vec::new(),
            private_names: Vec::new(),
            sensitive: BTreeMap::from([
                (Sensitive::Credential, Disclose::Never),
                (Sensitive::GovernmentId, Disclose::Never),
                (Sensitive::Email, Disclose::Ask),
                (Sensitive::Phone, Disclose::Ask),
            ]),
            ask: AskWhen::default(),
            autonomy: BTreeMap::new(),
            pre_authorised: Vec::new(),
            prohibited_terms: BTreeSet::new(),
            pace: Pace::default(),
            accept_unsigned: false,
            approval_window: None,
        }
    }
}

impl Default for Pace {
    fn default() -> Self {
        Self { turns_per_hour: 60, openings_per_hour: 10, open_at_once: 20 }
    }
}
