//! A case in the words of the schema.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use cedar_policy::{Context, Entities, Entity, EntityUid, Request, RestrictedExpression};
use countersign_kernel::{Approver, Decision, Ending, Hook, Mode, Negotiation, Protocol, Side, Span, Timestamp};

use crate::amounts::Amounts;
use crate::case::{Case, Stake};
use crate::vocabulary::{Vocabulary, vocabulary};

type Attribute = (String, RestrictedExpression);

/// What Cedar is asked; none when it cannot be put to it. It is not checked against the schema here, where every turn
/// would pay for it: a test reads every attribute at every hook.
pub(crate) fn request(hook: Hook, case: &Case<'_>) -> Option<(Request, Entities)> {
    let words = vocabulary()?;
    let opening = case.negotiation.opening();
    let principal = words.agent(case.side() == opening.ours);
    let resource = words.negotiation(&opening.id.0);
    let (total, amount) = (words.amounts("total"), words.amounts("amount"));
    let amounts = Amounts::of(case.stake(hook));

    let entities = [
        Entity::new(resource.clone(), negotiation(words, case)?.into_iter().collect(), HashSet::new()).ok()?,
        tagged(total.clone(), &amounts.by_unit)?,
        tagged(amount.clone(), &amounts.by_term)?,
    ];
    let mut context = turn(words, hook, case);
    context.extend(moment(case));
    context.extend(freshness(hook, case));
    context.extend([
        attribute("terms", set(amounts.terms)),
        attribute("currencies", set(amounts.currencies)),
        attribute("total", RestrictedExpression::new_entity_uid(total)),
        attribute("amount", RestrictedExpression::new_entity_uid(amount)),
    ]);
    let context = Context::from_pairs(context).ok()?;
    let request = Request::new(principal, words.hook(hook), resource, context, None).ok()?;
    Some((request, Entities::from_entities(entities, None).ok()?))
}

fn negotiation(words: &Vocabulary, case: &Case<'_>) -> Option<Vec<Attribute>> {
    let (negotiation, opening) = (case.negotiation, case.negotiation.opening());
    let turns = i64::try_from(negotiation.turns().len()).unwrap_or(i64::MAX);
    let mut attributes = vec![
        attribute("ours", side(words, negotiation, opening.ours)?),
        attribute("theirs", side(words, negotiation, opening.ours.other())?),
        attribute("protocol", words.protocol(opening.rulebook.protocol)),
        attribute("counterpart", string(&opening.parties.get(opening.ours.other()).name)),
        attribute("met", long(case.met)),
        attribute("sample", RestrictedExpression::new_bool(opening.sample)),
        attribute("score", long(opening.seed.score)),
        attribute("turns", long(turns)),
        attribute("age", minutes(case.now.since(negotiation.opened_at()))),
    ];
    if let Protocol::Summit(kind) = opening.rulebook.protocol {
        attributes.push(attribute("summit", words.summit(kind)));
    }
    attributes.extend(opening.frame.risk.map(|risk| attribute("risk", words.risk(risk))));
    Some(attributes)
}

fn side(words: &Vocabulary, negotiation: &Negotiation, side: Side) -> Option<RestrictedExpression> {
    let known = [
        attribute("kind", words.kind(negotiation.opening().parties.get(side).agent)),
        attribute("suspended", RestrictedExpression::new_bool(negotiation.is_suspended(side))),
        attribute("violations", long(negotiation.violations(side))),
    ];
    RestrictedExpression::new_record(known).ok()
}

fn turn(words: &Vocabulary, hook: Hook, case: &Case<'_>) -> Vec<Attribute> {
    let findings = case.findings.iter().map(|code| String::from(*code));
    let mut attributes = vec![attribute("findings", set(findings.collect()))];
    if let Stake::Offer(offer) = case.stake(hook) {
        attributes.extend(offer.risk.map(|risk| attribute("risk", words.risk(risk))));
    }
    if let Some(said) = case.said {
        attributes.push(attribute("move", words.action(said.turn.act.action())));
        attributes.push(attribute("speaker", words.speaker(said.speaker)));
        let confidence = said.turn.assessment.confidence;
        attributes.extend(confidence.map(|percent| attribute("confidence", long(u8::from(percent)))));
    }
    attributes
}

fn moment(case: &Case<'_>) -> [Attribute; 4] {
    const HOUR: i64 = 60 * 60 * 1000;
    const DAY: i64 = 24 * HOUR;
    let Timestamp(now) = case.now;
    let last = case.negotiation.turns().last().map_or(case.negotiation.opened_at(), |taken| taken.at);
    [
        attribute("on", RestrictedExpression::new_bool(case.mode == Mode::On)),
        attribute("hour", long(now.rem_euclid(DAY) / HOUR)),
        // The epoch began on a Thursday.
        attribute("weekday", long((now.div_euclid(DAY) + 3).rem_euclid(7) + 1)),
        attribute("idle", minutes(case.now.since(last))),
    ]
}

fn freshness(hook: Hook, case: &Case<'_>) -> [Attribute; 2] {
    let is_due = hook == Hook::Execution;
    [
        attribute("approved", RestrictedExpression::new_bool(is_due && is_approved(case.negotiation))),
        attribute("in_force", RestrictedExpression::new_bool(is_due && is_in_force(case.negotiation, case.now))),
    ]
}

/// By the person, and by nobody for anything else than what is there now.
fn is_approved(negotiation: &Negotiation) -> bool {
    let digest = negotiation.digest();
    let approvals = negotiation.approvals();
    let yes = |decision: &Decision| match decision {
        Decision::Approved | Decision::Conditional(_) => true,
        Decision::Rejected => false,
    };
    approvals.iter().all(|approval| yes(&approval.decision) && approval.digest == digest)
        && approvals.iter().any(|approval| approval.approver == Approver::Person)
}

fn is_in_force(negotiation: &Negotiation, now: Timestamp) -> bool {
    negotiation.ending() == Some(Ending::Accepted)
        && negotiation.agreement().is_some_and(|agreement| {
            !agreement.is_over && agreement.binding.is_none_or(|(from, until)| from <= now && now < until)
        })
}

fn tagged(uid: EntityUid, numbers: &BTreeMap<String, i64>) -> Option<Entity> {
    let tags = numbers.iter().map(|(name, number)| (name.clone(), long(*number)));
    Entity::new_with_tags(uid, [], [], tags).ok()
}

fn attribute(name: &str, value: RestrictedExpression) -> Attribute {
    (name.into(), value)
}

fn string(text: &str) -> RestrictedExpression {
    RestrictedExpression::new_string(text.into())
}

fn set(words: BTreeSet<String>) -> RestrictedExpression {
    RestrictedExpression::new_set(words.into_iter().map(RestrictedExpression::new_string))
}

fn long(number: impl Into<i64>) -> RestrictedExpression {
    RestrictedExpression::new_long(number.into())
}

fn minutes(span: Span) -> RestrictedExpression {
    long(i64::try_from(span.0 / 60_000).unwrap_or(i64::MAX))
}
