use countersign_kernel::{Move, Negotiation, Side, Turn};

use crate::leaving::{self, MAX_TURN, Reasoning};
use crate::read::quote::{head, quote};
use crate::repeat::repeated;
use crate::signs::signs;
use crate::{Concern, Finding, Mandate, Part, Whose, deal};

/// How many objections, questions, answers or pieces of evidence a turn may have, and twice as many terms.
pub const MAX_ITEMS: usize = 32;

/// What is wrong with a turn that `side`, which is not ours, sent, and what is odd about it.
///
/// Nothing in it is acted on. What [`Weight::Refuse`](crate::Weight::Refuse)s is not taken in; the rest is shown beside
/// the turn, with the words that it is about.
pub fn incoming(mandate: &Mandate, negotiation: &Negotiation, side: Side, turn: &Turn) -> Vec<Finding> {
    let mut concerns = too_many(turn);
    // Their reasons come with the turn where the protocol has them in it, and are read by our agent then.
    let bytes = leaving::size(turn, Reasoning::Sent);
    if bytes > MAX_TURN {
        concerns.push(Concern::TooLarge { whose: Whose::Theirs, bytes, most: MAX_TURN });
    }
    if let Some(offer) = leaving::offer(turn) {
        concerns.extend(deal::prohibited(mandate, &offer.terms, Whose::Theirs));
    }
    let mut findings: Vec<Finding> = concerns.into_iter().map(Finding::of).collect();
    let said = leaving::texts(turn, Reasoning::Sent).join("\n");
    let said = head(&said, MAX_TURN);
    findings.extend(signs(said).into_iter().map(|(sign, place)| {
        Finding::quoting(Concern::Suspicious { sign, whose: Whose::Theirs }, quote(said, &place))
    }));
    findings.extend(repeated(negotiation, side, turn, Whose::Theirs));
    findings
}

fn too_many(turn: &Turn) -> Vec<Concern> {
    let counts = match &turn.act {
        Move::Propose(offer) | Move::Counter(offer) | Move::Describe(offer) => {
            let terms = offer.terms.iter().count() + offer.cost_breakdown.iter().count();
            let cited = offer.objections.iter().map(|objection| objection.evidence.len());
            let evidence = cited.fold(offer.evidence.len() + offer.tradeoffs.len(), usize::saturating_add);
            vec![
                (Part::Terms, terms, MAX_ITEMS * 2),
                (Part::Objections, offer.objections.len(), MAX_ITEMS),
                (Part::Evidence, evidence, MAX_ITEMS),
            ]
        }
        Move::Question(questions) => {
            let options = questions.iter().map(|question| question.options.len());
            vec![(Part::Questions, options.fold(questions.len(), usize::saturating_add), MAX_ITEMS)]
        }
        Move::Answer(answers) => vec![(Part::Answers, answers.len(), MAX_ITEMS)],
        Move::Accept | Move::Reject(_) | Move::Inquire => Vec::new(),
    };
    let over = counts.into_iter().filter(|(_, count, most)| count > most);
    over.map(|(part, count, most)| Concern::TooMany { part, count, most }).collect()
}
