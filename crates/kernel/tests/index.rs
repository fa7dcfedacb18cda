//! Index Network's bilateral negotiation, through the public API.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

use countersign_kernel::{
    Action, AgentKind, AgreedRoles, Assessment, Awaiting, Command, Decision, Digest, EndReason, Event, MAX_TEXT,
    Negotiation, NegotiationId, Opening, Parties, Party, Profile, Refusal, Role, Rulebook, SeedAssessment, Side,
    Status, SuggestedRoles, Timestamp, Turn,
};

const NOW: Timestamp = Timestamp(1_700_000_000_000);

#[test]
fn an_agents_accept_leaves_the_opportunity_pending_for_the_person() {
    let n = talk(AgentKind::System, AgentKind::System, &[Action::Propose, Action::Accept]);

    assert_eq!(n.status(), Status::Pending);
    assert_eq!(n.awaiting(), Awaiting::Person);
    let outcome = n.outcome().unwrap();
    assert!(outcome.has_opportunity);
    assert_eq!(outcome.turn_count, 2);
    assert_eq!(outcome.agreed_roles, Some(AgreedRoles { initiator: Role::Patient, responder: Role::Agent }));
}

#[test]
fn only_the_persons_decision_on_exactly_what_was_shown_makes_it_accepted() {
    let mut n = talk(AgentKind::System, AgentKind::System, &[Action::Propose, Action::Accept]);

    // What the person would have seen had the other side argued once more is another thing.
    let other = talk(AgentKind::System, AgentKind::System, &[Action::Propose, Action::Counter, Action::Accept]);
    let refusal = n.decide(Command::Accept { digest: other.digest() }, NOW).unwrap_err();
    assert_eq!(refusal, Refusal::Changed { current: n.digest() });

    settle(&mut n, Decision::Accept).unwrap();
    assert_eq!(n.status(), Status::Accepted);
    assert_eq!(n.awaiting(), Awaiting::Nobody);
}

#[test]
fn a_decision_is_made_once() {
    let mut n = talk(AgentKind::System, AgentKind::System, &[Action::Propose, Action::Accept]);
    settle(&mut n, Decision::Decline).unwrap();

    assert_eq!(n.status(), Status::Declined);
    let refusal = settle(&mut n, Decision::Accept).unwrap_err();
    assert_eq!(refusal, Refusal::NothingPending { status: Status::Declined });
}

#[test]
fn nothing_can_be_decided_while_the_agents_talk() {
    let mut n = talk(AgentKind::System, AgentKind::System, &[Action::Propose]);
    let refusal = settle(&mut n, Decision::Accept).unwrap_err();
    assert_eq!(refusal, Refusal::NothingPending { status: Status::Negotiating });
}

#[test]
fn a_reject_ends_it_without_an_opportunity() {
    let n = talk(AgentKind::System, AgentKind::System, &[Action::Propose, Action::Reject]);
    assert_eq!(n.status(), Status::Rejected);
    assert!(!n.outcome().unwrap().has_opportunity);
    assert_eq!(n.outcome().unwrap().reason, None);
}

#[test]
fn two_system_agents_have_six_turns_then_it_stalls() {
    let counters = [Action::Propose, Action::Counter, Action::Counter, Action::Counter, Action::Counter];
    let mut n = talk(AgentKind::System, AgentKind::System, &counters);
    assert_eq!(n.status(), Status::Negotiating);

    run(&mut n, take(Side::Responder, Action::Counter)).unwrap();
    assert_eq!(n.status(), Status::Stalled);
    assert_eq!(n.outcome().unwrap().reason, Some(EndReason::TurnCap));
    assert_eq!(n.outcome().unwrap().turn_count, 6);

    let refusal = run(&mut n, take(Side::Initiator, Action::Accept)).unwrap_err();
    assert_eq!(refusal, Refusal::NotTalking { status: Status::Stalled });
}

#[test]
fn the_last_turn_may_still_accept() {
    let actions = [Action::Propose, Action::Counter, Action::Counter, Action::Counter, Action::Counter, Action::Accept];
    assert_eq!(talk(AgentKind::System, AgentKind::System, &actions).status(), Status::Pending);
}

#[test]
fn the_cap_depends_on_who_speaks() {
    for (initiator, responder, cap) in [
        (AgentKind::System, AgentKind::System, Some(6)),
        (AgentKind::System, AgentKind::Personal, Some(8)),
        (AgentKind::Personal, AgentKind::System, Some(8)),
        (AgentKind::Personal, AgentKind::Personal, None),
    ] {
        assert_eq!(Rulebook::index(&parties(initiator, responder)).turn_cap, cap);
    }
}

#[test]
fn propose_comes_first_and_only_first() {
    let mut n = talk(AgentKind::System, AgentKind::System, &[]);
    let refusal = run(&mut n, take(Side::Initiator, Action::Accept)).unwrap_err();
    assert_eq!(refusal, Refusal::NotAllowed { action: Action::Accept, allowed: &[Action::Propose] });

    run(&mut n, take(Side::Initiator, Action::Propose)).unwrap();
    let refusal = run(&mut n, take(Side::Responder, Action::Propose)).unwrap_err();
    assert!(matches!(refusal, Refusal::NotAllowed { action: Action::Propose, .. }));
}

#[test]
fn only_a_personal_agent_may_ask() {
    let mut system = talk(AgentKind::System, AgentKind::System, &[Action::Propose]);
    let refusal = run(&mut system, take(Side::Responder, Action::Question)).unwrap_err();
    assert!(matches!(refusal, Refusal::NotAllowed { action: Action::Question, .. }));

    let mut personal = talk(AgentKind::System, AgentKind::Personal, &[Action::Propose]);
    run(&mut personal, take(Side::Responder, Action::Question)).unwrap();
    assert_eq!(personal.awaiting(), Awaiting::Agent(Side::Initiator));
}

#[test]
fn sides_alternate() {
    let mut n = talk(AgentKind::System, AgentKind::System, &[Action::Propose]);
    let refusal = run(&mut n, take(Side::Initiator, Action::Counter)).unwrap_err();
    assert_eq!(refusal, Refusal::NotYourTurn { side: Side::Initiator });
}

#[test]
fn a_turn_without_reasoning_or_with_too_much_text_is_refused_and_changes_nothing() {
    let mut n = talk(AgentKind::System, AgentKind::System, &[Action::Propose]);
    let before = n.clone();

    let mut blank = turn(Side::Responder, Action::Counter);
    blank.assessment.reasoning = "  \n".into();
    assert_eq!(
        run(&mut n, Command::TakeTurn { side: Side::Responder, turn: blank }).unwrap_err(),
        Refusal::NoReasoning
    );

    let mut long = turn(Side::Responder, Action::Counter);
    long.message = Some("x".repeat(MAX_TEXT + 1));
    assert_eq!(
        run(&mut n, Command::TakeTurn { side: Side::Responder, turn: long }).unwrap_err(),
        Refusal::TooLong { field: "message", length: MAX_TEXT + 1 }
    );
    assert_eq!(n, before);
}

#[test]
fn events_survive_json_and_give_the_same_state() {
    let mut events = vec![Negotiation::open(opening(AgentKind::System, AgentKind::System), NOW)];
    let mut n = Negotiation::replay(&events).unwrap();
    for (side, action) in [(Side::Initiator, Action::Propose), (Side::Responder, Action::Accept)] {
        let made = n.decide(take(side, action), NOW).unwrap();
        made.iter().for_each(|e| n.apply(e));
        events.extend(made);
    }
    let made = n.decide(Command::Accept { digest: n.digest() }, NOW).unwrap();
    made.iter().for_each(|e| n.apply(e));
    events.extend(made);

    let json = serde_json::to_string(&events).unwrap();
    let read: Vec<Event> = serde_json::from_str(&json).unwrap();
    let again = Negotiation::replay(&read).unwrap();
    assert_eq!(again, n);
    assert_eq!(again.version(), 5);
}

#[test]
fn a_history_that_does_not_begin_with_an_opening_is_no_negotiation() {
    assert_eq!(Negotiation::replay(&[]), None);
}

#[test]
fn the_digest_covers_every_word_that_was_said() {
    let digest = |message: &str| -> Digest {
        let mut n = talk(AgentKind::System, AgentKind::System, &[Action::Propose]);
        let mut last = turn(Side::Responder, Action::Accept);
        last.message = Some(message.into());
        run(&mut n, Command::TakeTurn { side: Side::Responder, turn: last }).unwrap();
        n.digest()
    };
    assert_eq!(digest("two hours a month"), digest("two hours a month"));
    assert_ne!(digest("two hours a month"), digest("two hours a week"));
}

fn talk(initiator: AgentKind, responder: AgentKind, actions: &[Action]) -> Negotiation {
    let opened = Negotiation::open(opening(initiator, responder), NOW);
    let mut n = Negotiation::replay([&opened]).unwrap();
    for (i, action) in actions.iter().enumerate() {
        let side = if i % 2 == 0 { Side::Initiator } else { Side::Responder };
        run(&mut n, take(side, *action)).unwrap();
    }
    n
}

fn run(n: &mut Negotiation, command: Command) -> Result<(), Refusal> {
    let events = n.decide(command, NOW)?;
    events.iter().for_each(|event| n.apply(event));
    Ok(())
}

/// The person decides on exactly what is there.
fn settle(n: &mut Negotiation, decision: Decision) -> Result<(), Refusal> {
    let digest = n.digest();
    run(
        n,
        match decision {
            Decision::Accept => Command::Accept { digest },
            Decision::Decline => Command::Decline { digest },
        },
    )
}

fn take(side: Side, action: Action) -> Command {
    Command::TakeTurn { side, turn: turn(side, action) }
}

fn turn(side: Side, action: Action) -> Turn {
    let (own, other) = match side {
        Side::Initiator => (Role::Patient, Role::Peer),
        Side::Responder => (Role::Agent, Role::Peer),
    };
    let suggested_roles = SuggestedRoles { own, other };
    Turn {
        action,
        assessment: Assessment { reasoning: format!("{action:?}, because"), suggested_roles },
        message: None,
    }
}

fn opening(initiator: AgentKind, responder: AgentKind) -> Opening {
    let parties = parties(initiator, responder);
    Opening {
        id: NegotiationId("n-1".into()),
        title: "A founder looks for a mentor".into(),
        rulebook: Rulebook::index(&parties),
        parties,
        ours: Side::Responder,
        seed: SeedAssessment { score: 80, reasoning: "They fit.".into(), valency_role: Role::Patient },
        sample: true,
    }
}

fn parties(initiator: AgentKind, responder: AgentKind) -> Parties {
    Parties {
        initiator: Party { name: "Mara".into(), agent: initiator, profile: Profile::default() },
        responder: Party { name: "You".into(), agent: responder, profile: Profile::default() },
    }
}
