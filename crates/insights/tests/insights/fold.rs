//! The fold itself: what it keeps, and for how long.

use Side::{Initiator, Responder};
use countersign_insights::{Insights, Period};
use countersign_kernel::{Decision, Event, Hook, Move, Ruled, Side, Timestamp};

use crate::kit::{NOON, Table, counter, fold, id, propose};

#[test]
fn only_what_is_open_is_kept() {
    let mut table = Table::systems();
    assert_eq!(fold(&[Table::systems(), Table::systems().agreed()]).under_way(), 2);
    table.says(Initiator, propose());
    assert_eq!(fold(&[table, Table::systems().agreed().then(Decision::Approved)]).under_way(), 1);
}

#[test]
fn a_fold_that_was_kept_goes_on_where_it_stopped() {
    let mut table = Table::systems();
    table.says(Initiator, propose());
    table.tells(Responder, counter(), "What is the price?");
    table.says(Initiator, Move::Accept);
    table.decides(Decision::Approved);
    table.rules(Hook::Execution, Ruled::Deny);
    let whole = fold(std::slice::from_ref(&table));
    for cut in 0..=table.events.len() {
        let (before, after) = table.events.split_at(cut);
        let mut first = Insights::default();
        before.iter().for_each(|event| first.apply(&id(0), event));
        let kept = serde_json::to_string(&first).unwrap();
        let mut second: Insights = serde_json::from_str(&kept).unwrap();
        assert_eq!(second, first);
        after.iter().for_each(|event| second.apply(&id(0), event));
        assert_eq!(second, whole, "cut before event {cut}");
    }
}

#[test]
fn what_never_opened_counts_nothing() {
    let table = Table::systems().agreed().then(Decision::Approved);
    let mut insights = Insights::default();
    table.events.iter().skip(1).for_each(|event| insights.apply(&id(0), event));
    assert_eq!(insights.under_way(), 0);
    assert_eq!(insights.metrics(Period::Everything), Insights::default().metrics(Period::Everything));
}

#[test]
fn a_million_events_leave_only_the_days_behind() {
    const AT_ONCE: usize = 50;
    let mut table = Table::systems();
    table.says(Initiator, propose());
    table.tells(Responder, counter(), "What is the price?");
    table.tells(Initiator, counter(), "How many hours a week?");
    table.says(Responder, counter());
    table.says(Initiator, Move::Accept);
    let template = table.then(Decision::Approved).events;
    let rounds = 1_000_000_usize.div_ceil(AT_ONCE * template.len());

    let (mut insights, mut folded, mut widest) = (Insights::default(), 0_usize, 0);
    for round in 0..rounds {
        // A month goes by, an hour or so a round.
        let at =
            Timestamp(NOON.0 + i64::try_from(round).unwrap() * 30 * 24 * 3_600_000 / i64::try_from(rounds).unwrap());
        for event in &template {
            let event = Event { at, fact: event.fact.clone() };
            for place in 0..AT_ONCE {
                insights.apply(&id(round * AT_ONCE + place), &event);
                folded += 1;
            }
            widest = widest.max(insights.under_way());
        }
    }
    assert!(folded >= 1_000_000, "{folded}");
    assert_eq!((widest, insights.under_way()), (AT_ONCE, 0));
    assert_eq!(insights.metrics(Period::Everything).ended, u64::try_from(rounds * AT_ONCE).unwrap());
    let kept = serde_json::to_string(&insights).unwrap().len();
    assert!(kept < 31 * 1500, "{kept} bytes for 31 days");
}
