//! A negotiation ends, and is counted.

use std::ops::ControlFlow;

use countersign_kernel::{Ending, Outcome, Resolution, Stop};

use super::{By, Course, Stage};
use crate::counts::Add;
use crate::tally::{MANY_TURNS, Tally};
use crate::{Came, End, Silent};

/// An end, and what the rates need to know of it.
struct Over {
    end: End,
    talked: bool,
    came: Came,
    timed_out: bool,
    aborted: bool,
}

impl Course {
    pub(super) fn resolved(&mut self, outcome: &Outcome, tally: &mut Tally) -> ControlFlow<()> {
        let neither = Came { neither: 1, ..Came::default() };
        let stopped = |stop: Stop, aborted| Over {
            end: End::stopped(stop, self.trouble),
            talked: true,
            came: neither,
            timed_out: matches!(stop, Stop::Timeout(_)),
            aborted,
        };
        let over = match &outcome.result {
            Resolution::Agreement => {
                let by = if self.person_spoke { By::Person } else { By::Agent };
                self.stage = Stage::Pending { by, decided: false };
                return ControlFlow::Continue(());
            }
            Resolution::Direct => {
                self.stage = Stage::Pending { by: By::Evaluator, decided: false };
                return ControlFlow::Continue(());
            }
            Resolution::Rejected { .. } => {
                let came = Came { rejected: 1, ..Came::default() };
                Over { end: End::Rejected, talked: true, came, timed_out: false, aborted: false }
            }
            Resolution::Stalled(stop) => stopped(*stop, false),
            Resolution::Aborted(stop) => stopped(*stop, true),
        };
        self.over(&over, tally)
    }

    pub(super) fn ended(&self, ending: Ending, tally: &mut Tally) -> ControlFlow<()> {
        if let Stage::Pending { by: By::Agent, decided: false } = self.stage {
            tally.recommended.lapsed += u64::from(ending == Ending::Expired);
        }
        let talked = !matches!(self.stage, Stage::Pending { by: By::Evaluator, .. });
        let over = Over {
            end: End::after_approval(ending, self.suspended),
            talked,
            came: Came { agreed: u64::from(talked), ..Came::default() },
            timed_out: false,
            aborted: ending == Ending::Voided,
        };
        self.over(&over, tally)
    }

    fn over(&self, over: &Over, tally: &mut Tally) -> ControlFlow<()> {
        *tally.ends.entry(over.end).or_default() += 1;
        tally.samples += u64::from(self.sample);
        if over.end.is_silent() {
            *tally.silent.entry(self.silent()).or_default() += 1;
        }
        if over.talked {
            tally.talks.ended += 1;
            tally.talks.agreed += over.came.agreed;
            tally.talks.timed_out += u64::from(over.timed_out);
            tally.talks.aborted += u64::from(over.aborted);
            tally.talks.turns += u64::from(self.turns);
            tally.matches.entry(self.match_type).or_default().add(&over.came);
            let turns = tally.turns.entry(self.scenario).or_default();
            *turns.entry(self.turns.min(MANY_TURNS)).or_default() += 1;
        }
        ControlFlow::Break(())
    }

    /// Who everything waited for.
    fn silent(&self) -> Silent {
        match self.stage {
            Stage::Pending { decided: true, .. } => Silent::Approver,
            Stage::Pending { decided: false, .. } | Stage::Held => Silent::You,
            Stage::Escalated { side, .. } if side == self.ours => Silent::You,
            Stage::Talking if self.floor == self.ours && self.taken_over => Silent::You,
            Stage::Talking if self.floor == self.ours => Silent::YourAgent,
            Stage::Escalated { .. } | Stage::Talking => Silent::Theirs,
        }
    }
}
