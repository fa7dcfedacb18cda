//! The policies that a settings screen writes.

use countersign_kernel::{Hook, Move, Opening, Party, Percent, Ruled, Span, TermName, Text, Value};
use countersign_policy::{Policies, Simple};
use proptest::prelude::*;

use crate::kit::{OURS, THEIRS, Table, currency, money, opening, propose, text};

/// The shipped policies and this one.
fn with(simple: &Simple) -> Policies {
    Policies::parse(&format!("{}\n{}", Policies::SHIPPED, simple.to_cedar())).unwrap()
}

fn offers(terms: &[(&str, Value)]) -> Table {
    Table::new().says(OURS, propose(terms))
}

fn against(name: &str) -> Opening {
    let mut opening = opening();
    opening.parties.initiator = Party { name: name.into(), ..opening.parties.initiator };
    opening
}

fn all() -> Vec<Simple> {
    vec![
        Simple::AskOver { currency: currency("EUR"), amount: 1000 },
        Simple::AskUnlessIn { currency: currency("EUR") },
        Simple::AskOnFirstContact,
        Simple::NeverWith { counterpart: text("Ada") },
        Simple::NeverTerm { term: TermName::new("exclusivity").unwrap() },
        Simple::QuietHours { from: 22, to: 7 },
        Simple::WarnBelowConfidence { percent: Percent::of(60) },
    ]
}

#[test]
fn all_of_them_go_together_with_the_shipped_ones() {
    let written: String = all().iter().map(Simple::to_cedar).collect();
    let policies = Policies::parse(&format!("{}\n{written}", Policies::SHIPPED)).unwrap();
    let names: Vec<&str> = policies.names().iter().rev().take(7).rev().map(|named| &*named.id).collect();
    assert_eq!(
        names,
        [
            "ask-over-EUR",
            "ask-unless-in-EUR",
            "ask-on-first-contact",
            "never-with-Ada",
            "never-term-exclusivity",
            "quiet-hours-22-7",
            "warn-below-60",
        ]
    );
}

#[test]
fn more_than_the_limit_is_asked_about() {
    let policies = with(&Simple::AskOver { currency: currency("EUR"), amount: 1000 });
    let ruled = |table: &Table| table.verdict(&policies, Hook::Turn).ruled;
    assert_eq!(ruled(&offers(&[("price", money("1000", "EUR"))])), Ruled::Allow);
    assert_eq!(ruled(&offers(&[("price", money("1000.01", "EUR"))])), Ruled::Escalate);
    assert_eq!(ruled(&offers(&[("a", money("600", "EUR")), ("b", money("600", "EUR"))])), Ruled::Escalate);
    assert_eq!(ruled(&offers(&[("price", money("5000", "USD"))])), Ruled::Allow);
    let theirs = Table::new().says(THEIRS, propose(&[("price", money("5000", "EUR"))]));
    assert_eq!(ruled(&theirs), Ruled::Allow, "what they ask for binds nobody");
}

#[test]
fn accepting_more_than_the_limit_is_asked_about() {
    let policies = with(&Simple::AskOver { currency: currency("EUR"), amount: 1000 });
    let mut table = Table::new();
    table.take(THEIRS, propose(&[("price", money("5000", "EUR"))]));
    let verdict = table.says(OURS, Move::Accept).verdict(&policies, Hook::Turn);
    assert_eq!(verdict.ruled, Ruled::Escalate);
    assert_eq!(&*verdict.because, "this is about more than 1000 EUR (policy `ask-over-EUR`)");
}

#[test]
fn a_limit_beyond_all_numbers_is_still_a_policy() {
    let policies = with(&Simple::AskOver { currency: currency("EUR"), amount: u64::MAX });
    let table = offers(&[("price", money("79228162514264337593543950335", "EUR"))]);
    assert_eq!(table.verdict(&policies, Hook::Turn).ruled, Ruled::Allow);
}

#[test]
fn money_in_another_currency_is_asked_about() {
    let policies = with(&Simple::AskUnlessIn { currency: currency("EUR") });
    let ruled = |table: &Table| table.verdict(&policies, Hook::Turn).ruled;
    assert_eq!(ruled(&offers(&[("price", money("1", "EUR"))])), Ruled::Allow);
    assert_eq!(ruled(&offers(&[])), Ruled::Allow);
    assert_eq!(ruled(&offers(&[("price", money("1", "EUR")), ("tip", money("1", "USD"))])), Ruled::Escalate);
}

#[test]
fn somebody_new_is_asked_about_at_the_start() {
    let policies = with(&Simple::AskOnFirstContact);
    let mut table = Table::new();
    assert_eq!(table.verdict(&policies, Hook::Start).ruled, Ruled::Allow);
    table.met = 0;
    assert_eq!(table.verdict(&policies, Hook::Start).ruled, Ruled::Escalate);
    assert_eq!(table.verdict(&policies, Hook::Resolution).ruled, Ruled::Allow);
}

#[test]
fn nothing_is_done_with_somebody_who_is_shut_out() {
    let policies = with(&Simple::NeverWith { counterpart: text("Ada") });
    assert_eq!(Table::new().verdict(&policies, Hook::Start).ruled, Ruled::Deny);
    assert_eq!(Table::approved(&[]).verdict(&policies, Hook::Execution).ruled, Ruled::Deny);
    assert_eq!(Table::open(against("Adam")).verdict(&policies, Hook::Start).ruled, Ruled::Allow);
}

#[test]
fn a_term_that_is_shut_out_is_neither_offered_nor_accepted() {
    let policies = with(&Simple::NeverTerm { term: TermName::new("exclusivity").unwrap() });
    let terms = [("exclusivity.years", Value::Flag(true))];
    assert_eq!(offers(&terms).verdict(&policies, Hook::Turn).ruled, Ruled::Deny);
    assert_eq!(Table::pending(&terms).verdict(&policies, Hook::Resolution).ruled, Ruled::Deny);
    assert_eq!(Table::approved(&terms).verdict(&policies, Hook::Execution).ruled, Ruled::Deny);
    let theirs = Table::new().says(THEIRS, propose(&terms));
    assert_eq!(theirs.verdict(&policies, Hook::Turn).ruled, Ruled::Allow);
}

#[test]
fn quiet_hours_may_go_past_midnight() {
    let at = |simple: &Simple, hours| offers(&[]).after(Span::hours(hours)).verdict(&with(simple), Hook::Turn).ruled;
    let night = Simple::QuietHours { from: 22, to: 7 };
    assert_eq!(at(&night, 0), Ruled::Escalate, "22:13");
    assert_eq!(at(&night, 8), Ruled::Escalate, "06:13");
    assert_eq!(at(&night, 9), Ruled::Allow, "07:13");
    let day = Simple::QuietHours { from: 7, to: 22 };
    assert_eq!(at(&day, 0), Ruled::Allow, "22:13");
    assert_eq!(at(&day, 9), Ruled::Escalate, "07:13");
    assert_eq!(at(&Simple::QuietHours { from: 9, to: 9 }, 0), Ruled::Escalate, "all day");
}

#[test]
fn a_turn_below_the_wanted_confidence_is_noted() {
    let policies = with(&Simple::WarnBelowConfidence { percent: Percent::of(60) });
    let ruled = |percent| offers(&[]).sure(percent).verdict(&policies, Hook::Turn).ruled;
    assert_eq!((ruled(59), ruled(60)), (Ruled::Warn, Ruled::Allow));
}

#[test]
fn the_same_limit_twice_is_refused() {
    let simple = Simple::AskOver { currency: currency("EUR"), amount: 1 };
    let text = format!("{}{simple}{simple}", Policies::SHIPPED);
    assert!(Policies::parse(&text).unwrap_err().reason.contains("`ask-over-EUR` already"));
}

#[track_caller]
fn stays_a_name(name: &str) {
    let Ok(counterpart) = Text::new(name) else { return };
    let simple = Simple::NeverWith { counterpart };
    let policies = with(&simple);
    assert_eq!(policies.names().len(), Policies::shipped().names().len() + 1, "{simple}");
    assert_eq!(policies.names().last().unwrap().id, format!("never-with-{name}"));
    assert_eq!(Table::open(against(name)).verdict(&policies, Hook::Start).ruled, Ruled::Deny, "{simple}");
    assert_eq!(Table::open(against("somebody else")).verdict(&policies, Hook::Start).ruled, Ruled::Allow, "{simple}");
}

#[test]
fn a_hostile_name_stays_a_name() {
    for name in [
        "\" }; permit (principal, action, resource); //",
        "x\") permit (principal, action, resource); @id(\"y",
        "\\",
        "\\\" || true || \"",
        "\\u{22}",
        "a\nb\r\n// c",
        "*",
        "'; --",
        "{}{{}}",
        "\u{0}\u{7f}\u{202e}\u{200b}",
        "Ångström 東京 🦀 e\u{301}",
        "\u{1b}[31mred",
    ] {
        stays_a_name(name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_name_stays_a_name(name in "\\PC{1,40}|[\"\\\\;@{}()/\\n ]{1,20}") {
        stays_a_name(&name);
    }
}
