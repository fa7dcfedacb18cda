//! Days, and what falls on them.

use countersign_insights::{Insights, Offset, Period};
use countersign_kernel::{Decision, Span, Timestamp};

use crate::kit::{MIDNIGHT, NOON, Table, fold, id};

#[test]
fn a_negotiation_counts_on_the_day_on_which_it_ended() {
    let mut table = Table::systems().agreed();
    table.later(Span::hours(13));
    let insights = fold(&[table.then(Decision::Approved)]);
    let day = |from: Timestamp| insights.metrics(Period::Between { from, until: from.plus(Span::days(1)) });
    let yesterday = Timestamp(MIDNIGHT.0 - 24 * 60 * 60 * 1000);
    assert_eq!((day(yesterday).opened, day(yesterday).ended), (1, 0));
    assert_eq!((day(MIDNIGHT).opened, day(MIDNIGHT).ended), (0, 1));
}

#[test]
fn a_period_has_the_days_that_begin_in_it() {
    let insights = fold(&[Table::rejected()]);
    let midnight = Timestamp(MIDNIGHT.0 - 24 * 60 * 60 * 1000);
    let ended = |from, until| insights.metrics(Period::Between { from, until }).ended;
    assert_eq!(ended(midnight, Timestamp(midnight.0 + 1)), 1);
    assert_eq!(ended(Timestamp(midnight.0 + 1), MIDNIGHT), 0);
    assert_eq!(ended(Timestamp(0), midnight), 0, "its end is not in it");
    assert_eq!(ended(MIDNIGHT, midnight), 0, "nothing is between later and earlier");
}

#[test]
fn days_are_those_of_the_persons_clock() {
    let mut table = Table::rejected();
    table.events.iter_mut().for_each(|event| event.at = Timestamp(MIDNIGHT.0 - 60 * 60 * 1000));
    let ended = |offset| {
        let mut insights = Insights::at(Offset(offset));
        table.events.iter().for_each(|event| insights.apply(&id(0), event));
        let begins = Timestamp(MIDNIGHT.0 - i64::from(offset) * 60 * 1000);
        insights.metrics(Period::Between { from: begins, until: begins.plus(Span::days(1)) }).ended
    };
    assert_eq!(ended(0), 0, "an hour before midnight in UTC");
    assert_eq!(ended(120), 1, "and an hour after it two hours further east");
    assert_eq!(ended(-300), 0);
}

#[test]
fn moments_before_1970_have_days_too() {
    let mut table = Table::rejected();
    table.events.iter_mut().for_each(|event| event.at = Timestamp(event.at.0 - NOON.0 - 1));
    let insights = fold(&[table]);
    let day = Span::days(1);
    let before = Timestamp(-24 * 60 * 60 * 1000);
    assert_eq!(insights.metrics(Period::Between { from: before, until: before.plus(day) }).ended, 1);
}
