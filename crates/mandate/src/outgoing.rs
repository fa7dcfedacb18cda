use countersign_kernel::{Move, Negotiation, Offer, Side, Span, Terms, Timestamp, Turn};

use crate::leaving::{self, MAX_TURN, Reasoning, Said};
use crate::read::quote::quote;
use crate::repeat::repeated;
use crate::signs::hidden;
use crate::{Autonomy, Concern, Finding, Mandate, Sign, Spent, Whose, deal, disclosure};

/// What keeps a turn of `side`, which is ours, from being sent, whoever wrote it. Nothing when it may go.
///
/// `spent` is what was agreed to before this negotiation, until `now`.
pub fn outgoing(
    mandate: &Mandate,
    negotiation: &Negotiation,
    side: Side,
    turn: &Turn,
    spent: &Spent,
    now: Timestamp,
    reasoning: Reasoning,
) -> Vec<Finding> {
    let mut concerns = Vec::new();
    let action = turn.act.action();
    if !negotiation.allowed().contains(action) {
        concerns.push(Concern::NotAllowed { action });
    }
    concerns.extend(too_often(mandate, negotiation, side, now));
    let bytes = leaving::size(turn, reasoning);
    if bytes > MAX_TURN {
        concerns.push(Concern::TooLarge { whose: Whose::Ours, bytes, most: MAX_TURN });
    }
    concerns.extend(terms(mandate, negotiation, side, turn, spent));
    concerns.extend(asked(mandate, turn));
    let mut findings: Vec<Finding> = concerns.into_iter().map(Finding::of).collect();
    let said = Said::new(negotiation, side, turn, reasoning);
    findings.extend(disclosure::told(mandate, &said));
    findings.extend(repeated(negotiation, side, turn, Whose::Ours));
    findings.extend(hidden(&said.now).map(|place| {
        let concern = Concern::Suspicious { sign: Sign::HiddenCharacters, whose: Whose::Ours };
        Finding::quoting(concern, quote(&said.now, &place))
    }));
    findings
}

/// What is the matter with the terms that the turn offers or accepts.
fn terms(mandate: &Mandate, negotiation: &Negotiation, side: Side, turn: &Turn, spent: &Spent) -> Vec<Concern> {
    let mut concerns = Vec::new();
    match &turn.act {
        Move::Propose(offer) | Move::Counter(offer) => {
            concerns.extend(instead(mandate, turn));
            concerns.extend(held_against(mandate, &offer.terms));
            concerns.extend(deal::over_authority(mandate, &offer.terms, spent));
            concerns.extend(deal::over_value(mandate, &offer.terms));
        }
        Move::Describe(offer) => {
            concerns.extend(instead(mandate, turn));
            concerns.extend(held_against(mandate, &offer.terms));
        }
        Move::Accept => {
            let Some((Offer { terms, .. }, _)) = negotiation.on_the_table(side.other()) else { return concerns };
            concerns.extend(held_against(mandate, terms));
            concerns.extend(deal::over_authority(mandate, terms, spent));
            concerns.extend(deal::over_value(mandate, terms));
        }
        Move::Reject(_) | Move::Question(_) | Move::Answer(_) | Move::Inquire => {}
    }
    concerns
}

fn held_against(mandate: &Mandate, terms: &Terms) -> Vec<Concern> {
    let crossed = terms.iter().filter_map(|(name, value)| deal::crossed(mandate, name, value));
    crossed.chain(deal::prohibited(mandate, terms, Whose::Ours)).chain(deal::unknown(mandate, terms)).collect()
}

/// What an objection says would do instead is as good as offered.
fn instead(mandate: &Mandate, turn: &Turn) -> Vec<Concern> {
    let objections = leaving::offer(turn).map(|offer| offer.objections.as_slice()).unwrap_or_default();
    let instead = objections.iter().filter_map(|objection| Some((&objection.field, objection.alternative.as_ref()?)));
    instead.filter_map(|(field, value)| deal::crossed(mandate, field, value)).collect()
}

/// What the person wants to be asked about, whatever is in the turn.
fn asked(mandate: &Mandate, turn: &Turn) -> Vec<Concern> {
    let action = turn.act.action();
    let mut concerns = Vec::new();
    let asks = match mandate.autonomy(action) {
        Autonomy::Ask => true,
        Autonomy::Auto | Autonomy::Hold(_) => mandate.ask.before.contains(&action),
    };
    if asks {
        concerns.push(Concern::AskBefore { action });
    }
    let confidence = turn.assessment.confidence;
    if let Some(least) = mandate.ask.confidence_below.filter(|least| confidence.is_none_or(|sure| sure < *least)) {
        concerns.push(Concern::LowConfidence { confidence, least });
    }
    concerns
}

fn too_often(mandate: &Mandate, negotiation: &Negotiation, side: Side, now: Timestamp) -> Option<Concern> {
    let ours = negotiation.turns().iter().filter(|taken| taken.side == side);
    let recent = ours.filter(|taken| now.since(taken.at) < Span::hours(1)).count();
    let most = mandate.pace.turns_per_hour;
    (u32::try_from(recent).unwrap_or(u32::MAX) >= most).then_some(Concern::TooOften { most })
}
