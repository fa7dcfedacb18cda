//! The person's week.

use Side::{Initiator, Responder};
use countersign_insights::{Came, MANY_TURNS, MatchType, Scenario, TurnCount, Week};
use countersign_kernel::{
    AgentAct, AgentKind, Decision, Move, RejectCode, Role, Rulebook, Side, Span, SummitKind, Timestamp,
};

use crate::kit::{MIDNIGHT, NOON, Table, agent_id, counter, fold, opening, parties, propose, reject, turn, week};

#[test]
fn a_week_is_seven_whole_days_and_the_last_is_under_way_at_its_end() {
    let insights = fold(&[Table::rejected()]);
    let ends = |ending| (insights.week(ending).from, insights.week(ending).until, insights.week(ending).ended);
    let days = |count: i64| Timestamp(MIDNIGHT.0 + count * 24 * 60 * 60 * 1000);
    assert_eq!(ends(NOON), (days(-7), MIDNIGHT, 1));
    assert_eq!(ends(MIDNIGHT), (days(-7), MIDNIGHT, 1), "at midnight the day has ended");
    assert_eq!(ends(Timestamp(MIDNIGHT.0 + 1)), (days(-6), days(1), 1));
    assert_eq!(ends(days(6)).2, 1, "on the seventh day still");
    assert_eq!(ends(days(7)).2, 0);
    assert_eq!(ends(days(-1)).2, 0, "and not the day before");
}

#[test]
fn the_match_type_is_the_persons_own_part() {
    let with = |rulebook: Option<Rulebook>, ours, valency_role| {
        let parties = parties(AgentKind::System, AgentKind::System);
        let mut opening = opening(rulebook.unwrap_or_else(|| Rulebook::index(&parties)), parties);
        (opening.ours, opening.seed.valency_role) = (ours, valency_role);
        MatchType::of(&opening)
    };
    assert_eq!(with(None, Initiator, Role::Patient), MatchType::Seeker);
    assert_eq!(with(None, Responder, Role::Patient), MatchType::Helper);
    assert_eq!(with(None, Initiator, Role::Agent), MatchType::Helper);
    assert_eq!(with(None, Responder, Role::Peer), MatchType::Peer);
    assert_eq!(with(Some(Rulebook::hire()), Initiator, Role::Agent), MatchType::Seeker, "whoever hires seeks");
    assert_eq!(with(Some(Rulebook::lcp()), Responder, Role::Agent), MatchType::Helper);
    let governed = Rulebook::summit(SummitKind::RiskMitigation);
    assert_eq!(with(Some(governed), Initiator, Role::Agent), MatchType::Governed);
}

#[test]
fn accept_stands_against_reject_by_match_type() {
    let tables = [
        Table::systems().agreed().then(Decision::Rejected),
        Table::systems().agreed().then(Decision::Approved),
        Table::rejected(),
        Table::systems().wait_out(),
        Table::summit().wait_out(),
        Table::systems().agreed(),
    ];
    let matches: Vec<_> = week(&tables).matches.iter().map(|one| (one.match_type, one.came)).collect();
    let helper = Came { agreed: 2, rejected: 1, neither: 1 };
    assert_eq!(matches, [(MatchType::Helper, helper), (MatchType::Governed, Came { neither: 1, ..Came::default() })]);
}

#[test]
fn turns_are_counted_by_who_talked_to_whom() {
    let agreed = |one, other| {
        let parties = parties(one, other);
        let asp = Rulebook::asp(Span::minutes(30));
        let mut table = Table::open(opening(asp, parties));
        for (side, act) in [(Initiator, propose()), (Responder, Move::Accept)] {
            speak(&mut table, side, act);
        }
        table.then(Decision::Approved)
    };
    let tables = [
        agreed(AgentKind::System, AgentKind::System),
        agreed(AgentKind::System, AgentKind::System),
        Table::systems().wait_out(),
        agreed(AgentKind::Personal, AgentKind::System),
        agreed(AgentKind::System, AgentKind::Remote),
        agreed(AgentKind::Remote, AgentKind::Personal),
    ];
    let count = |turns, negotiations| TurnCount { turns, negotiations };
    let turns: Vec<_> = week(&tables).turns.into_iter().map(|one| (one.scenario, one.counts)).collect();
    let expected = [
        (Scenario::SystemSystem, vec![count(0, 1), count(2, 2)]),
        (Scenario::Mixed, vec![count(2, 2)]),
        (Scenario::PersonalPersonal, vec![count(2, 1)]),
    ];
    assert_eq!(turns, expected);
}

#[test]
fn very_many_turns_are_counted_together() {
    let long = |turns: u32| {
        let mut table = Table::index(AgentKind::Remote, AgentKind::Remote);
        table.says(Initiator, propose());
        for turn in 2..turns {
            let side = if turn % 2 == 0 { Responder } else { Initiator };
            table.tells(side, counter(), &format!("turn {turn}"));
        }
        table.says(if turns.is_multiple_of(2) { Responder } else { Initiator }, reject(RejectCode::Unsuitable));
        table
    };
    let week = week(&[long(20), long(21), long(30), long(31)]);
    let counts = [TurnCount { turns: 20, negotiations: 1 }, TurnCount { turns: MANY_TURNS, negotiations: 3 }];
    assert_eq!(week.turns[0].counts, counts);
    let line = "Between two personal agents it took 20 to 21 or more turns, most often 21 or more.";
    assert!(week.lines().iter().any(|one| one == line), "{:?}", week.lines());
}

#[test]
fn a_week_without_anything_says_so() {
    assert_eq!(week(&[]).lines(), ["Nothing happened this week."]);
}

#[test]
fn the_week_is_told_in_sentences() {
    let mut haggled = Table::systems();
    haggled.says(Initiator, propose());
    haggled.tells(Responder, counter(), "What is the budget, and how many hours a week?");
    haggled.tells(Initiator, counter(), "Is the price not flexible?");
    haggled.says(Responder, Move::Accept);
    let tables = [
        haggled.then(Decision::Approved),
        Table::systems().agreed().then(Decision::Rejected),
        Table::rejected(),
        Table::systems().wait_out(),
    ];
    let expected = [
        "4 negotiations opened and 4 ended this week.",
        "Your agent recommended 2 matches; you accepted 1 and declined 1.",
        "Where you would help: the agents agreed on 2 and rejected 1, 1 came to neither.",
        "What agents objected to most: price (once by your agent, once by theirs), fit (1) and time (1).",
        "Between two built-in agents it took 0 to 4 turns, most often 2.",
        "You went against your agent in 1 of 2 cases: you declined 1.",
        "1 negotiation ended without a word from the other side.",
    ];
    assert_eq!(week(&tables).lines(), expected);
}

#[test]
fn a_week_survives_json_and_has_no_score() {
    let week = week(&[Table::rejected(), Table::systems().agreed().then(Decision::Approved)]);
    let json = serde_json::to_string(&week).unwrap();
    assert_eq!(serde_json::from_str::<Week>(&json).unwrap(), week);
    assert!(!json.contains("score") && !json.contains("80"), "{json}");
}

/// The side speaks, whatever speaks for it.
fn speak(table: &mut Table, side: Side, act: Move) {
    match table.n.opening().parties.get(side).agent {
        AgentKind::Personal => {
            table.agent(side, AgentAct::Claim(agent_id("claude")));
            table.agent(side, AgentAct::Respond(agent_id("claude"), turn(act, "because")));
        }
        AgentKind::System | AgentKind::Remote => table.says(side, act),
    }
}
