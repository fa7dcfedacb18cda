//! The agents of this process: mostly sensible, sometimes not, by chance.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use countersign_agents::{AgentError, Brief, Negotiator, Thinking};
use countersign_engine::{Clock as _, HandClock};
use countersign_testkit::Chance;

use crate::book::Book;
use crate::openings::{self, Marks};
use crate::tally::Tally;

pub(crate) struct Scripted {
    pub(crate) chance: Mutex<Chance>,
    pub(crate) clock: HandClock,
    pub(crate) marks: Marks,
    /// Nothing goes wrong any more.
    pub(crate) is_calm: AtomicBool,
    pub(crate) tally: Arc<Mutex<Tally>>,
    pub(crate) book: Arc<Book>,
}

impl Negotiator for Scripted {
    fn take_turn<'a>(&'a self, brief: Brief<'a>) -> Thinking<'a> {
        let (mark, now) = (self.marks.next("thought"), self.clock.now());
        self.book.pages().thoughts.insert(mark.to_string(), brief.turns.len());
        if self.is_calm.load(Ordering::Relaxed) {
            return Box::pin(async move { Ok(openings::calm(brief.opening, brief.allowed, now, &mark)) });
        }
        let mut chance = self.chance.lock().unwrap();
        let count = |what| self.tally.lock().unwrap().count(what);
        match chance.below(100) {
            0..=3 => {
                count("agent failed");
                Box::pin(async move { Err(AgentError(mark)) })
            }
            4..=6 => {
                count("agent dawdled");
                Box::pin(std::future::pending())
            }
            7 => {
                count("agent panicked");
                // Without the hook that prints it.
                Box::pin(async { std::panic::resume_unwind(Box::new("no idea")) })
            }
            8..=9 => {
                count("agent broke a rule");
                let turn = openings::stray(&mut chance, brief.opening, now, &mark);
                Box::pin(async { Ok(turn) })
            }
            rest => {
                let seconds = if rest < 30 { chance.below(60) } else { 0 };
                let turn = openings::turn(&mut chance, brief.opening, brief.allowed, now, &mark);
                Box::pin(async move {
                    tokio::time::sleep(Duration::from_secs(seconds)).await;
                    Ok(turn)
                })
            }
        }
    }
}
