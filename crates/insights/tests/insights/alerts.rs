//! Four alerts, each over its bound and not at it.

use Side::{Initiator, Responder};
use countersign_insights::{Alert, Average, Period, Rate, Violations};
use countersign_kernel::{Decision, Move, PersonAct, RejectCode, Rulebook, Side, Span, SystemAct, Violation};

use crate::kit::{Table, counter, fold, opening, parties, propose, reject, text};

#[test]
fn an_empty_sample_raises_nothing() {
    assert_eq!(alerts(&[]), []);
    assert_eq!(alerts(&[Table::systems(), Table::systems().agreed()]), [], "nothing has ended");
}

#[test]
fn aborts_are_an_alert_above_a_fifth() {
    let tables = |others: usize| -> Vec<Table> {
        let mut withdrawn = Table::systems();
        withdrawn.person(PersonAct::Withdraw(text("no")));
        std::iter::once(withdrawn).chain((0..others).map(|_| accepted())).collect()
    };
    assert_eq!(alerts(&tables(4)), [], "one of five is a fifth");
    assert_eq!(alerts(&tables(3)), [Alert::Aborts(Rate { count: 1, of: 4 })]);
}

#[test]
fn turns_are_an_alert_above_fifteen_on_average() {
    assert_eq!(alerts(&[long(15)]), []);
    assert_eq!(alerts(&[long(15), long(16)]), [Alert::Turns(Average { sum: 31, of: 2 })]);
    assert_eq!(alerts(&[long(14), long(16)]), []);
}

#[test]
fn rejections_are_an_alert_above_a_half() {
    let declined = || Table::systems().agreed().then(Decision::Rejected);
    assert_eq!(alerts(&[declined(), accepted()]), [], "a half is not more than a half");
    let raised = alerts(&[declined(), accepted(), declined()]);
    assert_eq!(raised, [Alert::Rejections(Rate { count: 2, of: 3 })]);
}

#[test]
fn any_violation_is_an_alert_also_while_it_is_under_way() {
    let mut table = Table::asp();
    table.system(SystemAct::Violation(Initiator, Violation::Policy));
    assert_eq!(alerts(&[table]), [Alert::Violations(Violations { policy: 1, ..Violations::default() })]);
}

#[test]
fn several_are_told_together_each_with_its_figures() {
    let table = Table::systems().agreed().then(Decision::Rejected);
    let mut stopped = Table::asp();
    stopped.system(SystemAct::Violation(Initiator, Violation::Capability));
    let raised: Vec<String> = alerts(&[table, stopped]).iter().map(Alert::to_string).collect();
    let expected = [
        "1 of 2 negotiations were aborted, more than 20 %",
        "1 of 1 decisions were rejections, more than 50 %",
        "violations by agents: 1 of capabilities, 0 of schemas, 0 of rules; denied by policies: 0",
    ];
    assert_eq!(raised, expected);
}

#[test]
fn alerts_are_of_the_period_that_is_asked_for() {
    let insights = fold(&[Table::systems().agreed().then(Decision::Rejected)]);
    let from = crate::kit::MIDNIGHT;
    assert_eq!(insights.alerts(Period::Between { from, until: from.plus(Span::days(7)) }), []);
    assert_eq!(insights.alerts(Period::Everything).len(), 1);
}

fn alerts(tables: &[Table]) -> Vec<Alert> {
    fold(tables).alerts(Period::Everything)
}

fn accepted() -> Table {
    Table::systems().agreed().then(Decision::Approved)
}

/// Rejected in this many turns.
fn long(turns: u32) -> Table {
    use countersign_kernel::AgentKind::System;
    let rulebook = Rulebook::asp(Span::minutes(30)).with(countersign_kernel::Setting::Turns, 20).unwrap();
    let mut table = Table::open(opening(rulebook, parties(System, System)));
    table.says(Initiator, propose());
    for turn in 2..turns {
        let side = if turn % 2 == 0 { Responder } else { Initiator };
        table.tells(side, counter(), &format!("turn {turn}"));
    }
    let last = if turns.is_multiple_of(2) { Responder } else { Initiator };
    let act: Move = reject(RejectCode::Unsuitable);
    table.says(last, act);
    table
}
