use countersign_kernel::{Action, Assessment, Fact, Need, Profile, Role, Side, SuggestedRoles, Turn};

use crate::{Brief, Negotiator};

/// Argues from the two profiles: asks for what its person must know, answers from its person's facts, accepts when
/// nothing is open, rejects when an answer does not come. Deterministic, offline, instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltIn;

impl Negotiator for BuiltIn {
    fn take_turn(&self, brief: &Brief<'_>) -> Turn {
        if brief.allowed.contains(&Action::Propose) {
            return propose(brief);
        }
        let answers = answers(brief);
        match open_need(brief) {
            Some(need) if asked(brief, need) => reject(brief, need),
            Some(need) => counter(brief, &answers, Some(need)),
            None if !answers.is_empty() => counter(brief, &answers, None),
            None => accept(brief),
        }
    }
}

fn propose(brief: &Brief<'_>) -> Turn {
    let own = own(brief);
    let reasoning = format!(
        "The match looks worth a conversation: {} What they still have to tell us: {}.",
        brief.opening.seed.reasoning,
        topics(&own.needs),
    );
    turn(brief, Action::Propose, reasoning, Some(own.intent.clone()))
}

fn counter(brief: &Brief<'_>, answers: &[&Fact], open: Option<&Need>) -> Turn {
    let mut reasons = Vec::new();
    if !answers.is_empty() {
        let given: Vec<&str> = answers.iter().map(|fact| fact.topic.as_str()).collect();
        reasons.push(format!("They asked about {}; the profile answers it.", given.join(" and ")));
    }
    match open {
        Some(need) => reasons.push(format!("Nothing was said about {} yet, and it must be known.", need.topic)),
        None => reasons.push("Nothing is open on our side.".into()),
    }
    let said = answers.iter().map(|fact| fact.text.as_str()).chain(open.map(|need| need.ask.as_str()));
    let message = said.collect::<Vec<_>>().join(" ");
    turn(brief, Action::Counter, reasons.join(" "), Some(message))
}

fn accept(brief: &Brief<'_>) -> Turn {
    let met = match own(brief).needs.as_slice() {
        [] => "There was nothing we had to know first.".to_owned(),
        needs => format!("They answered what had to be known: {}.", topics(needs)),
    };
    let reasoning = format!("{met} It serves what was asked for.");
    turn(brief, Action::Accept, reasoning, Some("That answers it. I will recommend it to my person.".into()))
}

fn reject(brief: &Brief<'_>, need: &Need) -> Turn {
    let reasoning = format!("We asked about {} and got no answer. Without it the match cannot be judged.", need.topic);
    turn(brief, Action::Reject, reasoning, Some(format!("We would have to know: {}", need.ask)))
}

fn turn(brief: &Brief<'_>, action: Action, reasoning: String, message: Option<String>) -> Turn {
    let initiator = brief.opening.seed.valency_role;
    let (own, other) = match brief.side {
        Side::Initiator => (initiator, across(initiator)),
        Side::Responder => (across(initiator), initiator),
    };
    Turn { action, assessment: Assessment { reasoning, suggested_roles: SuggestedRoles { own, other } }, message }
}

/// The role that goes with this one.
fn across(role: Role) -> Role {
    match role {
        Role::Agent => Role::Patient,
        Role::Patient => Role::Agent,
        Role::Peer => Role::Peer,
    }
}

/// The first thing our person must know that the other side has not said.
fn open_need<'a>(brief: &Brief<'a>) -> Option<&'a Need> {
    let theirs = &brief.opening.parties.get(brief.side.other()).profile;
    own(brief).needs.iter().find(|need| {
        let answer = theirs.facts.iter().find(|fact| fact.topic == need.topic);
        !answer.is_some_and(|fact| said(brief, brief.side.other(), &fact.text))
    })
}

/// What we can say to what the other side asked in its last turn.
fn answers<'a>(brief: &Brief<'a>) -> Vec<&'a Fact> {
    let theirs = &brief.opening.parties.get(brief.side.other()).profile;
    let last = brief.turns.last().and_then(|taken| taken.turn.message.as_deref()).unwrap_or_default();
    let asked = theirs.needs.iter().filter(|need| last.contains(&need.ask));
    asked.filter_map(|need| own(brief).facts.iter().find(|fact| fact.topic == need.topic)).collect()
}

fn asked(brief: &Brief<'_>, need: &Need) -> bool {
    said(brief, brief.side, &need.ask)
}

fn said(brief: &Brief<'_>, side: Side, text: &str) -> bool {
    let messages =
        brief.turns.iter().filter(|taken| taken.side == side).filter_map(|taken| taken.turn.message.as_ref());
    messages.into_iter().any(|message| message.contains(text))
}

fn own<'a>(brief: &Brief<'a>) -> &'a Profile {
    &brief.opening.parties.get(brief.side).profile
}

fn topics(needs: &[Need]) -> String {
    match needs {
        [] => "nothing".into(),
        needs => needs.iter().map(|need| need.topic.as_str()).collect::<Vec<_>>().join(", "),
    }
}
