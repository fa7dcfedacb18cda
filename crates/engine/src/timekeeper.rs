//! Lets what is due happen. What is due when is in the journal, so that a restart forgets none of it.

use std::collections::BTreeSet;

use countersign_kernel::{NegotiationId, Timestamp};
use tokio::task::JoinSet;

use crate::engine::lock;
use crate::{Engine, EngineError, Trouble};

/// How many are looked at together.
const PAGE: u32 = 256;

impl Engine {
    /// Sleeps until something is due, or until something is due sooner.
    pub(crate) async fn keep_time(self) {
        let mut sooner = self.0.sooner.subscribe();
        let mut trouble = self.trouble();
        loop {
            // What is written from here on says so; what was written before is found. So it is with who says to go on.
            self.0.sooner.send_replace(Timestamp(i64::MAX));
            trouble.borrow_and_update();
            match self.ring_all().await {
                Ok(next) => self.0.sooner.send_modify(|known| *known = next.min(*known)),
                Err(error) => {
                    self.report(Trouble::of(error));
                    // Until the person says to go on.
                    if trouble.wait_for(Option::is_none).await.is_err() {
                        return;
                    }
                    continue;
                }
            }
            let next = *sooner.borrow_and_update();
            tokio::select! {
                () = self.0.clock.sleep_until(next) => {}
                changed = sooner.changed() => if changed.is_err() { return },
                changed = trouble.changed() => if changed.is_err() { return },
            }
        }
    }

    /// Lets everything happen that is due, and says when the next thing is.
    async fn ring_all(&self) -> Result<Timestamp, EngineError> {
        let mut limit = PAGE;
        // What was listed as due and was not, when it was looked at.
        let mut idle = BTreeSet::new();
        loop {
            let page = self.0.journal.due(limit).await?;
            let (is_full, now) = (page.len() >= limit as usize, self.0.clock.now());
            let next = page.iter().map(|(_, at)| *at).find(|at| *at > now);
            let mut due: Vec<(NegotiationId, Timestamp)> = page.into_iter().filter(|(_, at)| *at <= now).collect();
            {
                let mut stopped = lock(&self.0.stopped);
                for listed in due.iter().filter(|listed| idle.contains(*listed)) {
                    log::warn!("negotiation {} is listed as due and is not: its list is to be made anew", listed.0);
                    stopped.insert(listed.0.clone());
                }
                due.retain(|(id, _)| !stopped.contains(id));
            }
            if due.is_empty() && next.is_none() && is_full {
                limit = limit.saturating_mul(2);
                continue;
            }
            if due.is_empty() {
                return Ok(next.unwrap_or(Timestamp(i64::MAX)));
            }
            let mut ringing = JoinSet::new();
            for (id, at) in due {
                let engine = self.clone();
                ringing.spawn(async move { engine.ring_one(&id, at).await.then_some((id, at)) });
            }
            while let Some(rung) = ringing.join_next().await {
                idle.extend(rung.ok().flatten());
            }
        }
    }

    /// Says whether nothing was to happen then. Somebody may have been faster; if it is listed once more, the list is wrong.
    async fn ring_one(&self, id: &NegotiationId, at: Timestamp) -> bool {
        let rung = async {
            let _shared = self.0.turns.read().await;
            let place = self.place(id);
            let mut held = self.hold(&place).await?;
            // With a clock that went back meanwhile, it will be due again.
            let is_listed = held.next_deadline().is_some_and(|deadline| deadline.at == at);
            let rang = self.ring(&mut held).await?;
            Ok::<_, EngineError>(!rang && !is_listed)
        };
        rung.await.unwrap_or_else(|error| {
            self.stand_still(id.clone(), Trouble::of(error));
            false
        })
    }
}
