//! Holds the events of a negotiation to the kernel: each is what somebody could have asked for, then and there.

use countersign_kernel::{
    AgentAct, Approver, Awaiting, Command, Ending, Event, Fact, Load, Negotiation, PersonAct, Resolution, Speaker,
    Stop, SystemAct, Timer,
};

/// A negotiation, and who made each of its events happen.
pub(crate) struct Replayed {
    pub(crate) negotiation: Negotiation,
    pub(crate) by: Vec<By>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    Agent,
    Person,
    Clock,
    System,
}

/// Folds the events, and says which of them the kernel would not have decided.
pub(crate) fn replay(events: &[Event]) -> Result<Replayed, String> {
    let Some(Event { at, fact: Fact::Opened(opening) }) = events.first() else { return Err("no opening".into()) };
    let opened =
        Negotiation::open(opening.as_ref().clone(), Load::default(), *at).map_err(|error| error.to_string())?;
    if !events.starts_with(&opened) {
        return Err("opened in another way".into());
    }
    let mut negotiation = Negotiation::replay(&opened).ok_or("no opening")?;
    let mut by = vec![By::System; opened.len()];
    let mut rest = &events[opened.len()..];
    while let [first, ..] = rest {
        let decided = commands(&negotiation, rest).into_iter().find_map(|command| {
            let (who, events) = (by_whom(&command), negotiation.decide(command, first.at).ok()?);
            (!events.is_empty() && rest.starts_with(&events)).then_some((who, events.len()))
        });
        let Some((who, count)) = decided else {
            let shown = serde_json::to_string(first).unwrap_or_default();
            return Err(format!("event {} would not have been decided: {shown}", by.len() + 1));
        };
        let (these, others) = rest.split_at(count);
        these.iter().for_each(|event| negotiation.apply(event));
        by.extend(std::iter::repeat_n(who, count));
        rest = others;
    }
    Ok(Replayed { negotiation, by })
}

fn by_whom(command: &Command) -> By {
    match command {
        Command::Agent(..) => By::Agent,
        Command::Person(_) => By::Person,
        Command::DeadlinePassed(_) => By::Clock,
        Command::System(_) => By::System,
    }
}

/// What could have been asked for that begins with this event.
fn commands(n: &Negotiation, events: &[Event]) -> Vec<Command> {
    let Some(Event { at, fact }) = events.first() else { return vec![] };
    let ours = n.opening().ours;
    let awaiting = n.awaiting();
    let claimed = match &awaiting {
        Awaiting::Claimed(_, agent) => Some(agent.clone()),
        _ => None,
    };
    let person = |act| vec![Command::Person(act)];
    let clock = |timer| vec![Command::DeadlinePassed(timer)];
    match fact {
        Fact::TurnTaken(taken) => {
            let (side, turn) = (taken.side, || taken.turn.clone());
            let own = match (&taken.speaker, claimed) {
                (Speaker::Person, _) => Command::Person(PersonAct::TakeTurn(turn())),
                (Speaker::Delegate(agent), _) => Command::Agent(side, AgentAct::TakeTurnFor(agent.clone(), turn())),
                (Speaker::Agent | Speaker::Fallback, Some(agent)) => {
                    Command::Agent(side, AgentAct::Respond(agent, turn()))
                }
                (Speaker::Agent | Speaker::Fallback, None) => Command::Agent(side, AgentAct::TakeTurn(turn())),
            };
            vec![own, Command::DeadlinePassed(Timer::Hold), Command::Person(PersonAct::Send)]
        }
        Fact::Drafted(side, _, turn, until) => {
            vec![Command::Agent(*side, AgentAct::Draft(claimed, turn.clone(), until.since(*at)))]
        }
        Fact::Retracted => vec![Command::Agent(ours, AgentAct::Retract), Command::DeadlinePassed(Timer::Hold)],
        Fact::Claimed(agent) => each_side(|| AgentAct::Claim(agent.clone())),
        Fact::Released => claimed.map_or(vec![], |agent| each_side(|| AgentAct::Release(agent.clone()))),
        Fact::ClaimLapsed => clock(Timer::Claim),
        Fact::FallbackDue => clock(Timer::Park),
        Fact::Reminded => clock(Timer::Reminder),
        Fact::EscalationLate => clock(Timer::Escalation),
        Fact::AgreementEnded => clock(Timer::Agreement),
        Fact::Ended(Ending::Expired) => clock(Timer::Approval),
        Fact::Ended(Ending::Unsigned) => clock(Timer::Commitment),
        Fact::Resolved(outcome) => match outcome.result {
            Resolution::Stalled(Stop::Timeout(timer)) | Resolution::Aborted(Stop::Timeout(timer)) => clock(timer),
            Resolution::Aborted(Stop::Withdrawn) => person(PersonAct::Withdraw(outcome.reasoning.clone())),
            Resolution::Agreement
            | Resolution::Direct
            | Resolution::Rejected { .. }
            | Resolution::Stalled(_)
            | Resolution::Aborted(_) => vec![],
        },
        Fact::AgentFailed(side, reason) => vec![Command::Agent(*side, AgentAct::Fail(reason.clone()))],
        Fact::Escalated(side, escalation) => vec![Command::Agent(*side, AgentAct::Escalate(escalation.clone()))],
        Fact::Ruled(ruling) => person(PersonAct::Rule(ruling.clone())),
        Fact::Held => person(PersonAct::Hold),
        Fact::Resumed => {
            vec![Command::Person(PersonAct::Resume), Command::Agent(ours.other(), AgentAct::Resume)]
        }
        Fact::Mandated(version) => person(PersonAct::Mandate(*version)),
        Fact::Guided(words) => person(PersonAct::Guide(words.clone())),
        Fact::TakenOver => person(PersonAct::TakeOver),
        Fact::HandedBack => person(PersonAct::HandBack),
        Fact::Delegated(side, delegation) => vec![Command::Agent(*side, AgentAct::Delegate(delegation.clone()))],
        Fact::Reported(side, report) => vec![Command::Agent(*side, AgentAct::Report(report.clone()))],
        Fact::VerdictGiven(verdict) => {
            let asked = match events.get(1).map(|event| &event.fact) {
                Some(Fact::Escalated(_, escalation)) => Some(Box::new(escalation.clone())),
                _ => None,
            };
            vec![Command::System(SystemAct::Verdict(verdict.clone(), asked))]
        }
        Fact::Violated(side, violation) => vec![Command::System(SystemAct::Violation(*side, *violation))],
        Fact::ApprovalExtended(until) => person(PersonAct::Extend(until.since(*at))),
        Fact::Decided(approval) => {
            let (decision, digest) = (approval.decision.clone(), approval.digest.clone());
            match (&approval.approver, &approval.beforehand) {
                (Approver::Person, None) => {
                    person(PersonAct::Decide { decision, digest, remarks: approval.remarks.clone() })
                }
                (Approver::Person, Some(name)) => {
                    vec![Command::System(SystemAct::PreApprove { name: name.clone(), digest })]
                }
                (Approver::Named(approver), _) => {
                    vec![Command::System(SystemAct::Decide { approver: approver.clone(), decision, digest })]
                }
            }
        }
        Fact::Promised(side, words) => vec![Command::Agent(*side, AgentAct::Promise(words.clone()))],
        Fact::PromiseWithdrawn(place) => each_side(|| AgentAct::WithdrawPromise(*place)),
        Fact::PromiseAccepted(place) => each_side(|| AgentAct::AcceptPromise(*place)),
        // They follow from something, or come from somebody who does not speak to an engine.
        Fact::Opened(_)
        | Fact::ApprovalOpened(..)
        | Fact::Ended(Ending::Accepted | Ending::Declined | Ending::Voided)
        | Fact::Recommended(_)
        | Fact::Signed(_)
        | Fact::Bound(..) => vec![],
    }
}

fn each_side(act: impl Fn() -> AgentAct) -> Vec<Command> {
    countersign_kernel::Side::BOTH.into_iter().map(|side| Command::Agent(side, act())).collect()
}
