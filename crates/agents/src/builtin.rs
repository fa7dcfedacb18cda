use std::sync::Arc;

use countersign_kernel::{
    Action, Assessment, Detail, Move, Need, Offer, Profile, RejectCode, Rejection, Side, SuggestedRoles, Text, Turn,
};

use crate::{Brief, Negotiator, Thinking};

/// Argues from the two profiles: asks for what its person must know, answers from its person's facts, accepts when
/// nothing is open, rejects when an answer does not come. Deterministic, offline, instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct BuiltIn;

impl Negotiator for BuiltIn {
    fn take_turn<'a>(&'a self, brief: Brief<'a>) -> Thinking<'a> {
        Box::pin(std::future::ready(Ok(self.turn(&brief))))
    }
}

impl BuiltIn {
    /// Its move, at once.
    pub fn turn(&self, brief: &Brief<'_>) -> Turn {
        if brief.allowed.contains(Action::Propose) {
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
    turn(brief, Move::Propose(Arc::new(Offer::default())), reasoning, Some(own.intent.clone()))
}

fn counter(brief: &Brief<'_>, answers: &[&Detail], open: Option<&Need>) -> Turn {
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
    turn(brief, Move::Counter(Arc::new(Offer::default())), reasons.join(" "), Some(message))
}

fn accept(brief: &Brief<'_>) -> Turn {
    let met = match own(brief).needs.as_slice() {
        [] => "There was nothing we had to know first.".to_owned(),
        needs => format!("They answered what had to be known: {}.", topics(needs)),
    };
    let reasoning = format!("{met} It serves what was asked for.");
    turn(brief, Move::Accept, reasoning, Some("That answers it. I will recommend it to my person.".into()))
}

fn reject(brief: &Brief<'_>, need: &Need) -> Turn {
    let reasoning = format!("We asked about {} and got no answer. Without it the match cannot be judged.", need.topic);
    turn(
        brief,
        Move::Reject(Rejection { code: RejectCode::Unsuitable, retryable: false, retry_after: None }),
        reasoning,
        Some(format!("We would have to know: {}", need.ask)),
    )
}

fn turn(brief: &Brief<'_>, act: Move, reasoning: String, message: Option<String>) -> Turn {
    let initiator = brief.opening.seed.valency_role;
    let (own, other) = match brief.side {
        Side::Initiator => (initiator, initiator.across()),
        Side::Responder => (initiator.across(), initiator),
    };
    let assessment = Assessment {
        reasoning: Text::clipped(reasoning),
        suggested_roles: Some(SuggestedRoles { own, other }),
        confidence: None,
    };
    Turn { act, assessment, message: message.map(Text::clipped) }
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
fn answers<'a>(brief: &Brief<'a>) -> Vec<&'a Detail> {
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
