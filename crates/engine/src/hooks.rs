//! What the guard and the policies make of everything that is said and agreed. Limits live here, in code: whatever an
//! agent wrote, what crosses one becomes a question to the person, with the words kept, and is not said.

use countersign_kernel::{
    AgentAct, AgentId, Ask, Awaiting, Command, Escalation, EscalationReason, Folder, Hook, Negotiation, Ruled, Side,
    Speaker, Status, SystemAct, Text, Timestamp, Turn, Urgency, Value, Verdict, Violation,
};
use countersign_mandate::{
    Autonomy, Concern, Finding, Mandate, Reasoning, Spent, Weight, escalation, incoming, outgoing,
};
use countersign_policy::{Case, Said};

use crate::settings::Settings;
use crate::writing::Writing;
use crate::{Engine, EngineError};

/// Who hands a turn in.
pub(crate) enum From {
    /// An agent of this process.
    Here,
    /// The personal agent that picked it up.
    Personal(AgentId),
    /// A delegate.
    Delegate(AgentId),
    /// The person.
    Person,
}

/// How far back agreements count towards what may still be agreed to, with room for those that took long.
const SPENT_WITHIN: countersign_kernel::Span = countersign_kernel::Span::days(60);

impl Engine {
    /// Has a turn taken, or the person asked about it, or refuses it. Whatever happens is in the writing.
    pub(crate) async fn say(
        &self,
        writing: &mut Writing<'_, '_>,
        side: Side,
        from: From,
        turn: Turn,
    ) -> Result<(), EngineError> {
        // What the rulebook refuses needs no opinion.
        writing.would(command(side, &from, turn.clone()))?;
        let settings = self.0.settings.borrow().clone();
        let ours = writing.held.opening().ours;
        let mandate = settings.mandate(writing.held.mandate());
        let findings = if side == ours {
            let spent = self.spent(&mandate, writing.now).await?;
            outgoing(&mandate, writing.held, side, &turn, &spent, writing.now, Reasoning::Private)
        } else {
            incoming(&mandate, writing.held, side, &turn)
        };
        if side != ours && findings.iter().any(|finding| finding.weight() == Weight::Refuse) {
            writing.ask(Command::System(SystemAct::Violation(side, Violation::Policy)))?;
            writing.refused = Some(EngineError::Guarded(in_words(&findings)));
            return Ok(());
        }
        // Saying the same again is not asked about: whoever said it finds other words.
        if side == ours && findings.iter().any(|finding| matches!(finding.concern, Concern::Repeated { .. })) {
            writing.refused = Some(EngineError::Guarded(in_words(&findings)));
            return Ok(());
        }
        let verdict = self.verdict_on(&settings, writing, side, &from, &turn, &findings);
        match (verdict.ruled, &from) {
            // They know what they want to say; they are told why it should not be said like this.
            (Ruled::Deny | Ruled::Escalate, From::Person) => Err(EngineError::Guarded(verdict.because)),
            (Ruled::Deny, _) => {
                let because = verdict.because.clone();
                writing.ask(Command::System(SystemAct::Verdict(verdict, None)))?;
                if side == ours {
                    writing.ask(Command::Agent(ours, AgentAct::Escalate(doubt(because, None))))?;
                } else {
                    writing.refused = Some(EngineError::Guarded(because));
                }
                Ok(())
            }
            (Ruled::Escalate, _) => {
                let asked = escalation(&findings).filter(|_| side == ours);
                let asked = asked.unwrap_or_else(|| doubt(verdict.because.clone(), None));
                let asked = Escalation { draft: Some(Box::new(turn)), ..asked };
                Ok(writing.ask(Command::System(SystemAct::Verdict(verdict, Some(Box::new(asked)))))?)
            }
            (Ruled::Allow | Ruled::Warn, _) => {
                let hold = match mandate.autonomy(turn.act.action()) {
                    Autonomy::Hold(span) if side == ours => Some(span),
                    Autonomy::Hold(_) | Autonomy::Auto | Autonomy::Ask => None,
                };
                writing.ask(Command::System(SystemAct::Verdict(verdict, None)))?;
                match (hold, from) {
                    (Some(hold), From::Here) => {
                        writing.ask(Command::Agent(side, AgentAct::Draft(None, turn, hold)))?;
                    }
                    (Some(hold), From::Personal(agent)) => {
                        writing.ask(Command::Agent(side, AgentAct::Draft(Some(agent), turn, hold)))?;
                    }
                    (_, from) => writing.ask(command(side, &from, turn))?,
                }
                Ok(())
            }
        }
    }

    /// After anything that may have brought the agents to an agreement, or the person to a decision.
    pub(crate) async fn settle(&self, writing: &mut Writing<'_, '_>) -> Result<(), EngineError> {
        let settings = self.0.settings.borrow().clone();
        let asks = |writing: &Writing<'_, '_>| writing.held.awaiting() == Awaiting::Person(Ask::Approval);
        if asks(writing) && writing.was == Status::Negotiating {
            let verdict = self.verdict(&settings, writing, Hook::Resolution);
            writing.ask(Command::System(SystemAct::Verdict(verdict, None)))?;
            if asks(writing) {
                self.approve_beforehand(&settings, writing).await?;
            }
        }
        if writing.held.status() == Status::Accepted && writing.was != Status::Accepted {
            let mut verdict = self.verdict(&settings, writing, Hook::Execution);
            // The person has decided already; what they would have to be asked about cannot be carried out.
            if verdict.ruled == Ruled::Escalate {
                verdict.ruled = Ruled::Deny;
            }
            writing.ask(Command::System(SystemAct::Verdict(verdict, None)))?;
        }
        Ok(())
    }

    /// What the policies say before anyone has spoken.
    pub(crate) fn start_verdict(&self, negotiation: &Negotiation) -> Verdict {
        let settings = self.0.settings.borrow().clone();
        let now = self.0.clock.now();
        settings.policies.rule(Hook::Start, &case(negotiation, &settings, now))
    }

    /// The person approved it in their mandate, within limits that they signed.
    async fn approve_beforehand(&self, settings: &Settings, writing: &mut Writing<'_, '_>) -> Result<(), EngineError> {
        let mandate = settings.mandate(writing.held.mandate());
        if mandate.pre_authorised.is_empty() {
            return Ok(());
        }
        let spent = self.spent(&mandate, writing.now).await?;
        let opening = writing.held.opening();
        let counterpart = &opening.parties.get(opening.ours.other()).name;
        let covered = writing.held.outcome().and_then(|outcome| {
            mandate.covers(&outcome.terms, counterpart, &spent, writing.now).map(|given| given.name.clone())
        });
        if let Some(name) = covered {
            let digest = writing.held.digest();
            writing.ask(Command::System(SystemAct::PreApprove { name, digest }))?;
        }
        Ok(())
    }

    fn verdict(&self, settings: &Settings, writing: &Writing<'_, '_>, hook: Hook) -> Verdict {
        settings.policies.rule(hook, &case(writing.held, settings, writing.now))
    }

    /// What the policies say to a turn, and what the guard adds: never less than what it found.
    fn verdict_on(
        &self,
        settings: &Settings,
        writing: &Writing<'_, '_>,
        side: Side,
        from: &From,
        turn: &Turn,
        findings: &[Finding],
    ) -> Verdict {
        let codes: Vec<&str> = findings.iter().map(Finding::code).collect();
        let speaker = match from {
            From::Here if matches!(writing.held.awaiting(), Awaiting::Fallback(_)) => Speaker::Fallback,
            From::Here | From::Personal(_) => Speaker::Agent,
            From::Delegate(agent) => Speaker::Delegate(agent.clone()),
            From::Person => Speaker::Person,
        };
        let said = Some(Said { side, speaker: &speaker, turn });
        let mut verdict = settings
            .policies
            .rule(Hook::Turn, &Case { said, findings: &codes, ..case(writing.held, settings, writing.now) });
        let is_serious = side == writing.held.opening().ours && escalation(findings).is_some();
        match verdict.ruled {
            Ruled::Allow | Ruled::Warn | Ruled::Escalate if is_serious => {
                verdict.ruled = Ruled::Escalate;
                verdict.because = in_words(findings);
            }
            Ruled::Allow | Ruled::Warn if !findings.is_empty() => {
                verdict.ruled = Ruled::Warn;
                verdict.because = in_words(findings);
            }
            Ruled::Allow | Ruled::Warn | Ruled::Deny | Ruled::Escalate => {}
        }
        verdict
    }

    /// What was agreed to before, as far as the mandate asks.
    async fn spent(&self, mandate: &Mandate, now: Timestamp) -> Result<Spent, EngineError> {
        if mandate.authority.is_empty() && mandate.pre_authorised.is_empty() {
            return Ok(Spent::default());
        }
        let (mut agreed, mut last) = (Vec::new(), None);
        loop {
            let page = self.0.journal.list(Folder::Accepted, last, 256).await?;
            let Some(oldest) = page.last().cloned() else { break };
            for accepted in &page {
                let terms = accepted.conclusion.iter().flat_map(|conclusion| conclusion.terms.iter());
                agreed.extend(terms.filter_map(|(_, value)| match value {
                    Value::Money(money) => Some((accepted.changed_at, money.clone())),
                    Value::Integer(_)
                    | Value::Decimal(_)
                    | Value::Duration(_)
                    | Value::Choice(_)
                    | Value::Text(_)
                    | Value::Flag(_) => None,
                }));
            }
            if now.since(oldest.opened_at) > SPENT_WITHIN {
                break;
            }
            last = Some(oldest);
        }
        Ok(Spent::new(&agreed, now))
    }
}

fn case<'a>(negotiation: &'a Negotiation, settings: &Settings, now: Timestamp) -> Case<'a> {
    Case { negotiation, said: None, findings: &[], met: 0, mode: settings.mode, now }
}

fn command(side: Side, from: &From, turn: Turn) -> Command {
    match from {
        From::Here => Command::Agent(side, AgentAct::TakeTurn(turn)),
        From::Personal(agent) => Command::Agent(side, AgentAct::Respond(agent.clone(), turn)),
        From::Delegate(agent) => Command::Agent(side, AgentAct::TakeTurnFor(agent.clone(), turn)),
        From::Person => Command::Person(countersign_kernel::PersonAct::TakeTurn(turn)),
    }
}

/// What was found, each with the words that it is about: quoted, never followed.
fn in_words(findings: &[Finding]) -> Text {
    let told = findings.iter().map(|finding| match &finding.quote {
        Some(quote) => format!("{} “{quote}”", finding.in_words()),
        None => finding.in_words(),
    });
    Text::clipped(told.collect::<Vec<_>>().join(" "))
}

fn doubt(context: Text, draft: Option<Box<Turn>>) -> Escalation {
    Escalation {
        reason: EscalationReason::PolicyAmbiguous,
        urgency: Urgency::Medium,
        context,
        suggested_action: None,
        hook: None,
        draft,
    }
}
