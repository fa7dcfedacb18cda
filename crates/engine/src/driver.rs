//! Agents in this process take their turns.

use std::any::Any;
use std::sync::Arc;

use countersign_agents::{AgentError, Brief};
use countersign_kernel::{
    AgentAct, Awaiting, Command, Escalation, EscalationReason, Negotiation, NegotiationId, Side, Text, Turn, Urgency,
};
use tokio::sync::OwnedSemaphorePermit;

use crate::engine::lock;
use crate::hooks::From;
use crate::places::Place;
use crate::settings::built_in;
use crate::writing::Writing;
use crate::{Engine, EngineError, Trouble};

/// How many are looked at together.
const PAGE: u32 = 256;

impl Engine {
    /// Drives every negotiation in which an agent in this process has to speak, so many at once.
    pub(crate) async fn drive_all(self) {
        let mut last = None;
        while self.0.settings.borrow().lets_speak(&built_in()).is_ok() {
            let page = match self.0.journal.ready(last, PAGE).await {
                Ok(page) => page,
                Err(error) => return self.report(Trouble::Journal(error)),
            };
            let Some(id) = page.last() else { return };
            last = Some(id.clone());
            for id in page {
                let Ok(permit) = Arc::clone(&self.0.drivers).acquire_owned().await else { return };
                self.drive(id, Some(permit));
            }
        }
    }

    /// Sees to one negotiation as long as agents in this process have to speak, and reports it when that cannot go on.
    pub(crate) fn drive(&self, id: NegotiationId, permit: Option<OwnedSemaphorePermit>) {
        if !self.0.drives {
            return;
        }
        {
            let mut driven = lock(&self.0.driven);
            if let Some(again) = driven.get_mut(&id) {
                *again = true;
                return;
            }
            driven.insert(id.clone(), false);
        }
        let engine = self.clone();
        tokio::spawn(async move {
            let _permit = permit;
            loop {
                // In a task of its own, so that a panic ends this negotiation's turns and nothing else.
                let turns = tokio::spawn({
                    let (engine, id) = (engine.clone(), id.clone());
                    async move { engine.take_turns(&id).await }
                });
                let trouble = match turns.await {
                    Ok(Ok(()) | Err(EngineError::Unknown(_))) => None,
                    Ok(Err(error)) => Some(Trouble::of(error)),
                    Err(failed) => failed.try_into_panic().ok().map(|panic| Trouble::Panicked(panic_message(&*panic))),
                };
                let mut driven = lock(&engine.0.driven);
                match (trouble, driven.get_mut(&id)) {
                    (None, Some(again)) if *again => *again = false,
                    (trouble, _) => {
                        driven.remove(&id);
                        drop(driven);
                        if let Some(trouble) = trouble {
                            engine.stand_still(id, trouble);
                        }
                        return;
                    }
                }
            }
        });
    }

    async fn take_turns(&self, id: &NegotiationId) -> Result<(), EngineError> {
        let place = self.place(id);
        loop {
            {
                let _shared = self.0.turns.read().await;
                let mut held = self.hold(&place).await?;
                self.ring(&mut held).await?;
                if !held.is_ready() || self.0.settings.borrow().lets_speak(&built_in()).is_err() {
                    return Ok(());
                }
            }
            // Even sleeping for no time at all takes a millisecond.
            if !self.0.pace.between.is_zero() {
                tokio::time::sleep(self.0.pace.between).await;
            }
            self.take_turn(&place).await?;
        }
    }

    /// An agent in this process speaks. It thinks on a copy: nobody waits for it, and what happened meanwhile counts.
    async fn take_turn(&self, place: &Place) -> Result<(), EngineError> {
        let seen = self.hold(place).await?.share();
        // Meanwhile it may have become the turn of somebody who is not here, and nobody speaks for them.
        let (Awaiting::Agent(side) | Awaiting::Fallback(side)) = seen.awaiting() else { return Ok(()) };
        if !seen.is_ready() {
            return Ok(());
        }
        let (version, has_failed, ours) = (seen.version(), seen.has_failed(side), seen.opening().ours);
        let thought = self.think(seen, side).await;
        {
            let _shared = self.0.turns.read().await;
            let mut held = self.hold(place).await?;
            self.ring(&mut held).await?;
            if self.0.settings.borrow().lets_speak(&built_in()).is_err() || held.version() != version {
                return Ok(());
            }
            let mut writing = Writing::new(&mut held, self.0.clock.now());
            let failed = match thought {
                Ok(turn) => {
                    self.say(&mut writing, side, From::Here, turn).await?;
                    // What is not taken in from an agent of this process is as good as nothing.
                    writing.refused.take().map(|refused| Text::clipped(refused.to_string()))
                }
                Err(AgentError(reason)) => Some(reason),
            };
            match failed {
                None => return self.finish(writing).await,
                Some(reason) if has_failed => {
                    writing.ask(give_up(ours, reason))?;
                    return self.finish(writing).await;
                }
                Some(reason) => {
                    log::warn!("an agent of negotiation {} failed: {}", place.id, &*reason);
                    writing.ask(Command::Agent(side, AgentAct::Fail(reason)))?;
                    self.finish(writing).await?;
                }
            }
        }
        tokio::time::sleep(self.0.pace.recovery).await;
        Ok(())
    }

    /// The agent's move, if it comes to one in time. A panic goes on to whoever drives the negotiation.
    async fn think(&self, seen: Arc<Negotiation>, side: Side) -> Result<Turn, AgentError> {
        let negotiator = Arc::clone(&self.0.negotiator);
        let mut thinking = tokio::spawn(async move {
            let (opening, turns, allowed) = (seen.opening(), seen.turns(), seen.allowed());
            negotiator.take_turn(Brief { opening, side, turns, allowed }).await
        });
        match tokio::time::timeout(self.0.pace.patience, &mut thinking).await {
            Ok(Ok(thought)) => thought,
            Ok(Err(failed)) => match failed.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_cancelled) => Err(AgentError(Text::clipped("it was stopped"))),
            },
            Err(_elapsed) => {
                thinking.abort();
                let seconds = self.0.pace.patience.as_secs();
                Err(AgentError(Text::clipped(format!("it said nothing for {seconds} seconds"))))
            }
        }
    }
}

/// The second failure in a row is for the person to see.
fn give_up(ours: Side, reason: Text) -> Command {
    let escalation = Escalation {
        reason: EscalationReason::AgentError,
        urgency: Urgency::Medium,
        context: reason,
        suggested_action: None,
        hook: None,
        draft: None,
    };
    Command::Agent(ours, AgentAct::Escalate(escalation))
}

fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}
