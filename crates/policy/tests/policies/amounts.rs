//! What a case says of a negotiation: every attribute there is, and how amounts are counted.

use std::sync::Arc;

use countersign_kernel::{
    Frame, Hook, Integer, Move, Objection, Offer, Opening, Quantity, RiskLevel, Rulebook, Span, Speaker, SummitKind,
    TermName, Timestamp, Value,
};

use crate::kit::{HOOKS, OURS, THEIRS, Table, money, offer, opening, propose, terms, text};

fn ours(terms: &[(&str, Value)]) -> Table {
    Table::new().says(OURS, propose(terms))
}

#[track_caller]
fn check(table: &Table, currency: &str, amount: i64) {
    let tag = format!("context.total.hasTag(\"{currency}\") && context.total.getTag(\"{currency}\")");
    assert!(table.holds(Hook::Turn, &format!("{tag} == {amount}")), "not {amount} {currency}");
}

#[test]
fn every_attribute_can_be_read_at_every_hook() {
    let frame = Frame { risk: Some(RiskLevel::High), goal: Some(text("a fair share")), ..Frame::default() };
    let summit = Rulebook::summit(SummitKind::ResourceAllocation);
    let mut table = Table::open(Opening { rulebook: summit, frame, ..opening() });
    table = table.says(OURS, propose(&[])).sure(70).found(&["odd"]).after(Span::minutes(5));
    for hook in HOOKS {
        for condition in [
            "resource.ours.kind == Kind::\"system\" && resource.theirs.kind == Kind::\"remote\"",
            "!resource.ours.suspended && !resource.theirs.suspended",
            "resource.ours.violations == 0 && resource.theirs.violations == 0",
            "resource.protocol == Protocol::\"summit\"",
            "resource has summit && resource.summit == Summit::\"resource_allocation\"",
            "resource.counterpart == \"Ada\"",
            "resource.met == 1 && !resource.sample && resource.score == 80 && resource.turns == 0",
            "resource has risk && resource.risk == Risk::\"high\"",
            "resource.age == 5 && context.idle == 5",
            "context has move && context.move == Move::\"propose\"",
            "context has speaker && context.speaker == Speaker::\"agent\"",
            "context has confidence && context.confidence == 70",
            "!(context has risk)",
            "context.terms.isEmpty() && context.currencies.isEmpty()",
            "!context.total.hasTag(\"EUR\") && !context.amount.hasTag(\"price\")",
            "context.findings == [\"odd\"]",
            "context.on && context.hour == 22 && context.weekday == 2",
            "!context.approved && !context.in_force",
        ] {
            assert!(table.holds(hook, condition), "`{condition}` at {hook:?}");
        }
    }
}

#[test]
fn without_a_turn_nothing_is_said_of_one() {
    let silent = "!(context has move) && !(context has speaker) && !(context has confidence) && !(context has risk)";
    assert!(Table::new().holds(Hook::Start, silent));
}

#[test]
fn every_move_has_its_word() {
    let moves = [(propose(&[]), "propose"), (Move::Accept, "accept"), (Move::Inquire, "inquire")];
    for (act, word) in moves {
        let table = Table::new().says(OURS, act).by(Speaker::Fallback);
        let condition = format!("context has move && context.move == Move::\"{word}\"");
        assert!(table.holds(Hook::Turn, &condition));
        assert!(table.holds(Hook::Turn, "context has speaker && context.speaker == Speaker::\"fallback\""));
    }
}

#[test]
fn a_fraction_counts_as_a_whole() {
    check(&ours(&[("price", money("12000.01", "EUR"))]), "EUR", 12001);
    check(&ours(&[("price", money("12000.00", "EUR"))]), "EUR", 12000);
    check(&ours(&[("price", money("0.000000000000000001", "ETH"))]), "ETH", 1);
}

#[test]
fn fractions_are_added_before_they_are_rounded() {
    check(&ours(&[("a", money("0.4", "EUR")), ("b", money("0.4", "EUR"))]), "EUR", 1);
}

#[test]
fn each_currency_has_its_own_total() {
    let table = ours(&[("a", money("1", "EUR")), ("b", money("2", "USD")), ("c", money("4", "EUR"))]);
    check(&table, "EUR", 5);
    check(&table, "USD", 2);
    assert!(table.holds(Hook::Turn, "context.currencies == [\"EUR\", \"USD\"]"));
}

#[test]
fn what_comes_back_does_not_hide_what_is_paid() {
    check(&ours(&[("price", money("20000", "EUR")), ("refund", money("-19000", "EUR"))]), "EUR", 39000);
}

#[test]
fn an_amount_that_is_too_large_counts_as_the_largest() {
    let huge = "79228162514264337593543950335";
    let table = ours(&[("a", money(huge, "EUR")), ("b", money(huge, "EUR"))]);
    check(&table, "EUR", i64::MAX);
    assert!(table.holds(Hook::Turn, "context.amount.hasTag(\"a\") && context.amount.getTag(\"a\") > 1000"));
    let owed = ours(&[("a", money(&format!("-{huge}"), "EUR"))]);
    check(&owed, "EUR", i64::MAX);
    assert!(owed.holds(Hook::Turn, "context.amount.hasTag(\"a\") && context.amount.getTag(\"a\") < -1000"));
}

#[test]
fn a_number_that_counts_euros_is_euros() {
    let amount = Integer::try_from(500).unwrap();
    let quantity = Value::Integer(Quantity { amount, unit: Some(text("EUR")) });
    check(&ours(&[("price", money("1", "EUR")), ("extra", quantity)]), "EUR", 501);
}

#[test]
fn a_duration_counts_in_minutes() {
    let table = ours(&[("notice", Value::Duration(Span::seconds(90)))]);
    assert!(table.holds(Hook::Turn, "context.amount.hasTag(\"notice\") && context.amount.getTag(\"notice\") == 2"));
}

#[test]
fn a_term_stands_with_every_part_above_it() {
    let table = ours(&[("rank.backup.night", Value::Flag(true))]);
    assert!(table.holds(Hook::Turn, "context.terms == [\"rank\", \"rank.backup\", \"rank.backup.night\"]"));
}

#[test]
fn an_alternative_counts_like_a_term_and_not_beside_it() {
    let objection = Objection {
        field: TermName::new("price").unwrap(),
        reason: text("too much"),
        alternative: Some(money("70", "EUR")),
        evidence: Vec::new(),
    };
    let alone = Offer { objections: vec![objection.clone()], ..Offer::default() };
    check(&Table::new().says(OURS, Move::Counter(Arc::new(alone))), "EUR", 70);
    let both = Offer { objections: vec![objection], ..offer(&[("price", money("60", "EUR"))]) };
    check(&Table::new().says(OURS, Move::Counter(Arc::new(both))), "EUR", 70);
}

#[test]
fn a_breakdown_counts_where_it_says_more() {
    let offer = |parts: &str| Offer {
        cost_breakdown: terms(&[("work", money(parts, "EUR"))]),
        ..offer(&[("price", money("60", "EUR"))])
    };
    check(&Table::new().says(OURS, Move::Counter(Arc::new(offer("50")))), "EUR", 60);
    let more = Table::new().says(OURS, Move::Counter(Arc::new(offer("90"))));
    check(&more, "EUR", 90);
    assert!(more.holds(Hook::Turn, "context.terms.contains(\"work\")"));
}

#[test]
fn an_accept_is_worth_what_it_accepts() {
    let mut table = Table::new();
    table.take(THEIRS, propose(&[("price", money("100", "EUR"))]));
    check(&table.says(OURS, Move::Accept), "EUR", 100);
}

#[test]
fn a_question_is_worth_nothing() {
    let mut table = Table::new();
    table.take(THEIRS, propose(&[("price", money("100", "EUR"))]));
    assert!(table.says(OURS, Move::Question(Vec::new())).holds(Hook::Turn, "!context.total.hasTag(\"EUR\")"));
}

#[test]
fn what_was_agreed_counts_before_and_after_the_person_approves() {
    let pending = Table::pending(&[("price", money("100", "EUR"))]);
    let agreed = "context.total.hasTag(\"EUR\") && context.total.getTag(\"EUR\") == 100";
    assert!(pending.holds(Hook::Resolution, agreed));
    let approved = Table::approved(&[("price", money("100", "EUR"))]);
    assert!(approved.holds(Hook::Execution, &format!("{agreed} && context.approved && context.in_force")));
}

#[test]
fn a_moment_before_the_epoch_has_an_hour_too() {
    let mut table = Table::new();
    table.now = Timestamp(-1);
    assert!(table.holds(Hook::Start, "context.hour == 23 && context.weekday == 3 && context.idle == 0"));
}
