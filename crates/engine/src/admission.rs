//! Who may come in: agents that are on, not too much at a time, signed by who they say they are, and each word once.

use countersign_kernel::{
    AgentAct, AgentId, AgentKind, Command, Event, Fact, Folder, Mode, NegotiationId, Opening, Refusal, Side, Span,
    SystemAct, Text, Timestamp, Violation,
};
use countersign_ledger::{Nonces, PublicKey, Replay};
use countersign_store::{Entry, Journal, Signed, Stream};

use crate::engine::lock;
use crate::places::Place;
use crate::rates::Rates;
use crate::settings::{Settings, read_all};
use crate::signing::{Message, Said};
use crate::writing::Writing;
use crate::{Engine, EngineError, Trouble};

/// How far the clocks of two machines may be apart.
const CLOCKS_APART: Span = Span::minutes(5);

impl Engine {
    /// Whether a negotiation may begin: not with somebody who was suspended, and not too many.
    pub(crate) async fn check_opening(
        &self,
        settings: &Settings,
        opening: &Opening,
        now: Timestamp,
    ) -> Result<(), EngineError> {
        let other = agent_of(opening, opening.ours.other());
        if settings.off.contains(&other) {
            return Err(EngineError::AgentOff(other));
        }
        let pace = settings.mandate(settings.version()).pace;
        let counts = self.0.journal.overview(0).await?.counts;
        let open = [Folder::NeedsYou, Folder::Live].iter().filter_map(|folder| counts.get(folder)).sum::<u64>();
        if open >= u64::from(pace.open_at_once) {
            return Err(EngineError::TooManyOpen { limit: pace.open_at_once });
        }
        let taken = lock(&self.0.rates).take(OPENINGS, pace.openings_per_hour, now);
        taken.map_err(|until| EngineError::TooOften { until })
    }

    /// Whether an agent outside of this process may do what it asks for.
    pub(crate) fn check_agent(
        &self,
        settings: &Settings,
        writing: &mut Writing<'_, '_>,
        side: Side,
        act: &AgentAct,
        signed: Option<Signed>,
    ) -> Result<(), EngineError> {
        let opening = writing.held.opening();
        let is_ours = side == opening.ours;
        let who = match act {
            AgentAct::Respond(agent, _)
            | AgentAct::TakeTurnFor(agent, _)
            | AgentAct::Claim(agent)
            | AgentAct::Release(agent) => agent.clone(),
            // Nobody outside speaks in the place of an agent of this process, or of one that picks its turns up.
            AgentAct::TakeTurn(_) if is_ours || opening.parties.get(side).agent != AgentKind::Remote => {
                return Err(Refusal::NotClaimed.into());
            }
            // Whether a move waits for a countdown is the mandate's to say, once the guard has seen it.
            AgentAct::Draft(..) => return Err(Refusal::NotNow { awaiting: writing.held.awaiting() }.into()),
            AgentAct::TakeTurn(_)
            | AgentAct::Retract
            | AgentAct::Fail(_)
            | AgentAct::Escalate(_)
            | AgentAct::Resume
            | AgentAct::Delegate(_)
            | AgentAct::Report(_)
            | AgentAct::Promise(_)
            | AgentAct::WithdrawPromise(_)
            | AgentAct::AcceptPromise(_) => agent_of(opening, side),
        };
        match settings.mode {
            Mode::Stopped => return Err(EngineError::Off(Mode::Stopped)),
            Mode::On | Mode::Off if is_ours && !matches!(act, AgentAct::Release(_)) => settings.lets_speak(&who)?,
            Mode::On | Mode::Off if settings.off.contains(&who) => return Err(EngineError::AgentOff(who)),
            Mode::On | Mode::Off => {}
        }
        if !is_ours && opening.parties.get(side).agent == AgentKind::Remote {
            let allows_unsigned = settings.mandate(writing.held.mandate()).accept_unsigned;
            writing.signed = self.check_signature(opening, side, act, signed, allows_unsigned, writing.now)?;
        }
        let most = settings.mandate(writing.held.mandate()).pace.turns_per_hour;
        if let Err(until) = lock(&self.0.rates).take(&who.0, most, writing.now) {
            // A message that is refused counts against whoever sent it. After an agreement there is nothing to count.
            let _ = writing.ask(Command::System(SystemAct::Violation(side, Violation::Policy)));
            writing.refused = Some(EngineError::TooOften { until });
        }
        Ok(())
    }

    /// Whether the other side's own key signed this message, for this negotiation, lately and once.
    fn check_signature(
        &self,
        opening: &Opening,
        side: Side,
        act: &AgentAct,
        signed: Option<Signed>,
        allows_unsigned: bool,
        now: Timestamp,
    ) -> Result<Option<Box<Signed>>, EngineError> {
        let (AgentAct::TakeTurn(turn) | AgentAct::TakeTurnFor(_, turn)) = act else { return Ok(None) };
        let Some(signed) = signed else {
            return if allows_unsigned { Ok(None) } else { Err(EngineError::Unsigned) };
        };
        let known = opening.parties.get(side).key.as_ref();
        let signer = match known {
            Some(key) => PublicKey::try_from(key.to_string())?,
            None => signed.proof.signer()?,
        };
        let Signed { nonce, sent, proof } = &signed;
        let message = Message { negotiation_id: &opening.id, nonce, sent: *sent, side, said: Said::Turn(turn) };
        proof.verify(&message, &signer)?;
        lock(&self.0.nonces).take(&signer.to_string(), nonce, sent.0, now.0)?;
        Ok(Some(Box::new(signed)))
    }

    /// Whether this very message was taken in before. Nonces are kept for some minutes of a clock that can be set back; what
    /// is in the journal stays there. In another negotiation the signature would not hold.
    pub(crate) async fn check_unheard(&self, id: &NegotiationId, signed: &Signed) -> Result<(), EngineError> {
        let signer = signed.proof.signer()?;
        let stream = read_all(&*self.0.journal, Stream::Negotiation(id.clone())).await?;
        let is_heard = stream.iter().any(|entry| {
            matches!(entry, Entry::Negotiation { signed: Some(before), .. }
                if before.nonce == signed.nonce && before.proof.signer().is_ok_and(|by| by == signer))
        });
        if is_heard { Err(Replay::Seen.into()) } else { Ok(()) }
    }

    /// An agent that reached for a capability is not let in again until the person says so. What it did is done and written
    /// down: if this cannot be, that is trouble and no answer to whoever asked.
    pub(crate) async fn suspend(&self, place: &Place, side: Side) {
        let suspended = async {
            let seen = self.hold(place).await?.share();
            let opening = seen.opening();
            if side == opening.ours || opening.sample {
                return Ok(());
            }
            self.set_mode(Mode::Off, Some(agent_of(opening, side))).await
        };
        if let Err(error) = suspended.await {
            self.report(Trouble::of(error));
        }
    }
}

const OPENINGS: &str = "opened";

/// Who speaks for a side: by key when it is known, by the person's name otherwise.
pub(crate) fn agent_of(opening: &Opening, side: Side) -> AgentId {
    let party = opening.parties.get(side);
    AgentId(party.key.clone().unwrap_or_else(|| Text::clipped(&party.name)))
}

/// What was done in the last hour, and what was said in the last minutes, before a restart.
pub(crate) async fn read_recent(journal: &dyn Journal, now: Timestamp) -> Result<(Rates, Nonces), EngineError> {
    const PAGE: u64 = 1000;
    let (mut rates, mut nonces) = (Rates::default(), Nonces::new(CLOCKS_APART.0));
    let mut end = *journal.head().borrow();
    while end > 0 {
        let begin = end.saturating_sub(PAGE);
        let page = journal.after(begin, u32::try_from(end - begin).unwrap_or(u32::MAX)).await?;
        let mut is_recent = false;
        for record in page {
            let Entry::Negotiation { event: Event { at, fact }, signed, .. } = record.entry else { continue };
            if now.since(at) >= Span::hours(1) {
                continue;
            }
            is_recent = true;
            if matches!(&fact, Fact::Opened(opening) if !opening.sample) {
                rates.remember(OPENINGS, at);
            }
            if let Some(signed) = signed
                && let Ok(signer) = signed.proof.signer()
            {
                // Its own time was fine when it came.
                let _ = nonces.take(&signer.to_string(), &signed.nonce, signed.sent.0, now.0);
            }
        }
        if !is_recent {
            break;
        }
        end = begin;
    }
    Ok((rates, nonces))
}
