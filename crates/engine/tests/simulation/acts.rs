//! What people and agents outside of the process do: mostly what is theirs to do, sometimes anything.

use std::collections::BTreeMap;

use countersign_engine::{Clock as _, HandClock, Message, Said};
use countersign_kernel::{
    AgentAct, AgentId, AgentKind, Ask, Authority, Awaiting, Decision, Delegation, Digest, Escalation, EscalationReason,
    Negotiation, NegotiationId, PersonAct, Report, Ruling, Side, Span, Status, Text, Timestamp, Turn, Urgency,
};
use countersign_ledger::Identity;
use countersign_store::Signed;
use countersign_testkit::Chance;

use crate::book::Asked;
use crate::openings::{self, Marks, text};

/// Something that somebody tries.
#[derive(Clone, Debug)]
pub(crate) struct Act {
    pub(crate) what: What,
    pub(crate) asked: Asked,
    /// What kind of mischief it is, if it is.
    pub(crate) mischief: Option<&'static str>,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    Person(PersonAct),
    Agent(Side, AgentAct, Option<Box<Signed>>),
}

/// Everybody but the agents of this process.
pub(crate) struct Cast {
    pub(crate) chance: Chance,
    pub(crate) marks: Marks,
    pub(crate) clock: HandClock,
    /// Who signs for others; the last one for nobody.
    others: Vec<Identity>,
    /// What others sent, for whoever wants to send it again.
    sent: Vec<(NegotiationId, Side, Turn, Signed)>,
    /// What the person looked at, some time ago.
    seen: BTreeMap<NegotiationId, Digest>,
}

impl Cast {
    pub(crate) fn new(chance: Chance, marks: Marks, clock: HandClock) -> Self {
        let others = (1..=4).map(|secret| Identity::new([secret; 32])).collect();
        Self { chance, marks, clock, others, sent: vec![], seen: BTreeMap::new() }
    }

    /// The keys that others are known by.
    pub(crate) fn keys(&self) -> Vec<Text> {
        self.others.iter().take(3).map(|identity| text(&identity.public().to_string())).collect()
    }

    /// Whoever is next does something, or somebody does anything.
    pub(crate) fn act(&mut self, n: &Negotiation) -> Act {
        if n.awaiting() == Awaiting::Person(Ask::Approval) && self.chance.percent(40) {
            self.seen.insert(n.opening().id.clone(), n.digest());
        }
        if self.chance.percent(75) { self.next(n) } else { self.anything(n) }
    }

    fn next(&mut self, n: &Negotiation) -> Act {
        match n.awaiting() {
            Awaiting::Agent(side)
                if side != n.opening().ours && n.opening().parties.get(side).agent == AgentKind::Remote =>
            {
                self.remote(n, side)
            }
            Awaiting::Pickup(side) => self.claim(n, side),
            Awaiting::Claimed(side, agent) if self.chance.percent(80) => {
                let turn = self.turn(n);
                let asked = Asked::Turn(turn.assessment.reasoning.to_string());
                act(What::Agent(side, AgentAct::Respond(agent, turn), None), asked)
            }
            Awaiting::Claimed(side, agent) => release(n, side, agent),
            Awaiting::Person(Ask::Approval) => self.decide(n),
            Awaiting::Person(Ask::Escalation) => self.rule(),
            Awaiting::Person(Ask::Hold) => mark(PersonAct::Resume, format!("resumed {}", n.opening().id)),
            Awaiting::Person(Ask::Turn) if self.chance.percent(80) => {
                let turn = self.turn(n);
                let asked = Asked::Turn(turn.assessment.reasoning.to_string());
                act(What::Person(PersonAct::TakeTurn(turn)), asked)
            }
            Awaiting::Person(Ask::Turn) => mark(PersonAct::HandBack, format!("handed back {}", n.opening().id)),
            Awaiting::Person(Ask::Draft) => match self.chance.below(4) {
                0 => act(What::Person(PersonAct::Send), Asked::Nothing),
                1 => act(What::Agent(n.opening().ours, AgentAct::Retract, None), Asked::Nothing),
                _ => self.anything(n),
            },
            Awaiting::Others => {
                let resumed = Asked::Mark(format!("resumed {}", n.opening().id));
                act(What::Agent(n.opening().ours.other(), AgentAct::Resume, None), resumed)
            }
            Awaiting::Nobody if n.status() == Status::Accepted => self.promise(n),
            Awaiting::Agent(_) | Awaiting::Fallback(_) | Awaiting::Signature(_) | Awaiting::Nobody => self.anything(n),
        }
    }

    /// After an agreement.
    fn promise(&mut self, n: &Negotiation) -> Act {
        let (id, side) = (&n.opening().id, self.side());
        let (asked, what) = match self.chance.below(3) {
            0 => {
                let words = self.marks.next("promise");
                (format!("promised {}", &*words), AgentAct::Promise(words))
            }
            1 => (format!("promise withdrawn {id} 0"), AgentAct::WithdrawPromise(0)),
            _ => (format!("promise accepted {id} 0"), AgentAct::AcceptPromise(0)),
        };
        act(What::Agent(side, what, None), Asked::Mark(asked))
    }

    fn anything(&mut self, n: &Negotiation) -> Act {
        let id = &n.opening().id;
        let (mut side, mut agent) = (self.side(), self.agent());
        if let Some(out) = n.delegated().filter(|_| self.chance.percent(70)) {
            (side, agent) = (out.side, out.delegation.to.clone());
        }
        match self.chance.below(29) {
            0 => mark(PersonAct::Hold, format!("held {id}")),
            1 => mark(PersonAct::Resume, format!("resumed {id}")),
            2 => {
                let words = self.marks.next("mind");
                let guided = format!("guided {}", &*words);
                mark(PersonAct::Guide(words), guided)
            }
            3 => mark(PersonAct::TakeOver, format!("taken over {id}")),
            4 => mark(PersonAct::HandBack, format!("handed back {id}")),
            5 if self.chance.percent(40) => {
                let words = self.marks.next("enough");
                let withdrawn = format!("withdrawn {}", &*words);
                mark(PersonAct::Withdraw(words), withdrawn)
            }
            6 => {
                let version = self.chance.below(4);
                mark(PersonAct::Mandate(version), format!("mandated {id} {version}"))
            }
            7 => mark(PersonAct::Extend(Span::minutes(self.chance.below(15_000))), format!("extended {id}")),
            8 => self.decide(n),
            9 => self.rule(),
            10 => act(What::Person(PersonAct::Send), Asked::Nothing),
            11 => {
                let turn = self.turn(n);
                let asked = Asked::Turn(turn.assessment.reasoning.to_string());
                act(What::Person(PersonAct::TakeTurn(turn)), asked)
            }
            12 => self.claim(n, side),
            13 => release(n, side, agent),
            14 => self.stray(n, side, |turn| AgentAct::Respond(agent, turn)),
            15 => self.stray(n, side, AgentAct::TakeTurn),
            16 => self.stray(n, side, |turn| AgentAct::TakeTurnFor(agent, turn)),
            17 => self.remote(n, n.opening().ours.other()),
            18 => self.again(n),
            19 => act(What::Agent(side, AgentAct::Fail(self.marks.next("fault")), None), Asked::Nothing),
            20 => {
                let urgencies = [Urgency::Low, Urgency::Medium, Urgency::High, Urgency::Critical];
                let escalation = Escalation {
                    reason: EscalationReason::ConfidenceLow,
                    urgency: *self.chance.one_of(&urgencies).unwrap(),
                    context: self.marks.next("unsure"),
                    suggested_action: None,
                    hook: None,
                    draft: None,
                };
                act(What::Agent(side, AgentAct::Escalate(escalation), None), Asked::Nothing)
            }
            21 => act(What::Agent(side, AgentAct::Resume, None), Asked::Mark(format!("resumed {id}"))),
            22 => {
                let authorities = [Authority::Full, Authority::Limited, Authority::Advisory];
                let authority = *self.chance.one_of(&authorities).unwrap();
                let scope = self.marks.next("scope");
                let asked = Asked::Mark(format!("delegated {}", &*scope));
                let delegation = Delegation { to: agent, scope, authority };
                act(What::Agent(side, AgentAct::Delegate(delegation), None), asked)
            }
            23 => {
                let finding = self.marks.next("finding");
                let asked = Asked::Mark(format!("reported {}", &*finding));
                let report = Report { from: agent, finding, conditions: vec![] };
                act(What::Agent(side, AgentAct::Report(report), None), asked)
            }
            24..=26 => self.promise(n),
            27 => {
                let (by, hold) = (self.chance.percent(50).then_some(agent), Span::seconds(self.chance.below(100)));
                self.stray(n, side, |turn| AgentAct::Draft(by, turn, hold))
            }
            _ => act(What::Agent(side, AgentAct::Retract, None), Asked::Nothing),
        }
    }

    /// On what is there, or on what was there when they looked.
    fn decide(&mut self, n: &Negotiation) -> Act {
        let decision = match self.chance.below(10) {
            0..=5 => Decision::Approved,
            6..=7 => Decision::Rejected,
            _ => Decision::Conditional(vec![self.marks.next("only if")]),
        };
        let stale = self.seen.get(&n.opening().id).filter(|_| self.chance.below(3) == 0);
        let digest = stale.cloned().unwrap_or_else(|| n.digest());
        let remarks = self.marks.next("word");
        let decided = format!("decided {}", &*remarks);
        mark(PersonAct::Decide { decision, digest, remarks: Some(remarks) }, decided)
    }

    fn rule(&mut self) -> Act {
        let remarks = self.marks.next("answer");
        let ruled = format!("ruled {}", &*remarks);
        mark(PersonAct::Rule(Ruling { approved: self.chance.percent(70), remarks }), ruled)
    }

    fn claim(&mut self, n: &Negotiation, side: Side) -> Act {
        let agent = self.agent();
        let asked = Asked::Mark(format!("claimed {} {}", n.opening().id, &*agent.0));
        act(What::Agent(side, AgentAct::Claim(agent), None), asked)
    }

    fn stray(&mut self, n: &Negotiation, side: Side, act_of: impl FnOnce(Turn) -> AgentAct) -> Act {
        let mark = self.marks.next("stray");
        let turn = openings::stray(&mut self.chance, n.opening(), self.clock.now(), &mark);
        act(What::Agent(side, act_of(turn), None), Asked::Turn(mark.to_string()))
    }

    /// Somebody elsewhere sends a turn: signed by who they are, or by somebody else, or not, or late, or again.
    fn remote(&mut self, n: &Negotiation, side: Side) -> Act {
        let turn = self.turn(n);
        let asked = Asked::Turn(turn.assessment.reasoning.to_string());
        let now = self.clock.now();
        let key = n.opening().parties.get(side).key.as_ref();
        let known = key.and_then(|key| self.others.iter().position(|one| one.public().to_string() == **key));
        let (sent, by, mischief) = match self.chance.below(12) {
            0 => {
                return Act {
                    mischief: Some("unsigned"),
                    ..act(What::Agent(side, AgentAct::TakeTurn(turn), None), asked)
                };
            }
            1 => (now, 3, Some("forged")),
            2 => (Timestamp(now.0 - 600_000), known.unwrap_or(0), Some("late")),
            3..=4 => return self.again(n),
            _ => (now, known.unwrap_or(0), None),
        };
        let nonce = self.marks.next("nonce").to_string();
        let id = &n.opening().id;
        let message = Message { negotiation_id: id, nonce: &nonce, sent, side, said: Said::Turn(&turn) };
        let proof = self.others[by].sign(&message, &sent.rfc3339()).unwrap();
        let signed = Signed { nonce, sent, proof };
        self.sent.push((id.clone(), side, turn.clone(), signed.clone()));
        Act { mischief, ..act(What::Agent(side, AgentAct::TakeTurn(turn), Some(Box::new(signed))), asked) }
    }

    /// What was sent before in this negotiation is sent once more.
    fn again(&mut self, n: &Negotiation) -> Act {
        let before: Vec<_> = self.sent.iter().filter(|(id, ..)| *id == n.opening().id).collect();
        match self.chance.one_of(&before) {
            Some((_, side, turn, signed)) => {
                let what = What::Agent(*side, AgentAct::TakeTurn(turn.clone()), Some(Box::new(signed.clone())));
                // If it was refused the first time, it may be taken now; never twice.
                let asked = Asked::Turn(turn.assessment.reasoning.to_string());
                Act { mischief: Some("replayed"), ..act(what, asked) }
            }
            None => self.rule(),
        }
    }

    fn turn(&mut self, n: &Negotiation) -> Turn {
        let mark = self.marks.next("turn");
        let now = self.clock.now();
        if self.chance.percent(5) {
            return openings::stray(&mut self.chance, n.opening(), now, &mark);
        }
        openings::turn(&mut self.chance, n.opening(), n.allowed(), now, &mark)
    }

    fn side(&mut self) -> Side {
        if self.chance.percent(50) { Side::Initiator } else { Side::Responder }
    }

    fn agent(&mut self) -> AgentId {
        AgentId(text(self.chance.one_of(&["one", "other"]).unwrap()))
    }
}

fn release(n: &Negotiation, side: Side, agent: AgentId) -> Act {
    act(What::Agent(side, AgentAct::Release(agent), None), Asked::Mark(format!("released {}", n.opening().id)))
}

fn mark(what: PersonAct, mark: String) -> Act {
    act(What::Person(what), Asked::Mark(mark))
}

fn act(what: What, asked: Asked) -> Act {
    Act { what, asked, mischief: None }
}
