use countersign_kernel::{Hook, Mode, Move, Negotiation, Offer, Side, Speaker, Terms, Timestamp, Turn};

/// What policies are asked about.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    /// As it is now. Before execution: with the approval in it.
    pub negotiation: &'a Negotiation,
    /// The turn, when it is about one.
    pub said: Option<Said<'a>>,
    /// Codes that the guard raised on it.
    pub findings: &'a [&'a str],
    /// How many negotiations with this counterpart there were before.
    pub met: u32,
    /// Whether the person lets agents negotiate.
    pub mode: Mode,
    /// The time.
    pub now: Timestamp,
}

/// A turn that is about to be taken.
#[derive(Clone, Copy, Debug)]
pub struct Said<'a> {
    /// Whose.
    pub side: Side,
    /// Who produced it.
    pub speaker: &'a Speaker,
    /// What.
    pub turn: &'a Turn,
}

/// What a case is worth: an offer with all that comes with it, or terms alone.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stake<'a> {
    Nothing,
    Terms(&'a Terms),
    Offer(&'a Offer),
}

impl<'a> Case<'a> {
    /// The side that acts; ours where nobody speaks.
    pub(crate) fn side(&self) -> Side {
        self.said.map_or(self.negotiation.opening().ours, |said| said.side)
    }

    /// What is on the table at this point. An accept is worth what it accepts.
    pub(crate) fn stake(&self, hook: Hook) -> Stake<'a> {
        let agreed = self.negotiation.outcome().map(|outcome| Stake::Terms(&outcome.terms));
        let said = self.said.map(|said| match &said.turn.act {
            Move::Propose(offer) | Move::Counter(offer) | Move::Describe(offer) => Stake::Offer(offer),
            Move::Accept => {
                let accepted = self.negotiation.on_the_table(said.side.other());
                accepted.map_or(Stake::Nothing, |(offer, _)| Stake::Terms(&offer.terms))
            }
            Move::Reject(_) | Move::Question(_) | Move::Answer(_) | Move::Inquire => Stake::Nothing,
        });
        let found = match hook {
            Hook::Start | Hook::Turn => said.or(agreed),
            // The outcome is there unless policies are asked before it is written.
            Hook::Resolution | Hook::Execution => agreed.or(said),
        };
        found.unwrap_or(Stake::Nothing)
    }
}
