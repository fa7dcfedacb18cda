use countersign_kernel::{
    AgentKind, Detail, Frame, Need, NegotiationId, Opening, Parties, Party, Profile, Role, Rulebook, SeedAssessment,
    Side, Text,
};

/// An opportunity with a counterpart that does not exist, to see how a negotiation goes without an account or a key.
pub fn sample(id: NegotiationId) -> Opening {
    let mara = Party {
        name: "Mara Lindqvist (sample)".into(),
        agent: AgentKind::System,
        profile: Profile {
            intent: "I build a log pipeline and look for someone who has run Rust in production and would review \
                     our design."
                .into(),
            facts: vec![fact("time", "Two hours every second week, remote, for three months.")],
            needs: vec![need("experience", "Has your person run asynchronous Rust under load?")],
        },
        key: None,
    };
    let you = Party {
        name: "You".into(),
        agent: AgentKind::System,
        profile: Profile {
            intent: "I want to help a small team to get Rust right, without it eating my week.".into(),
            facts: vec![fact(
                "experience",
                "Four years of tokio services in production, some at 40,000 requests a second.",
            )],
            needs: vec![need("time", "How much time would it take, and for how long?")],
        },
        key: None,
    };
    let parties = Parties { initiator: mara, responder: you };
    Opening {
        id,
        title: "A founder looks for a Rust mentor".into(),
        rulebook: Rulebook::index(&parties),
        parties,
        ours: Side::Responder,
        seed: SeedAssessment {
            score: 82,
            reasoning: Text::clipped("One seeks design review for a Rust service, the other offers exactly that."),
            valency_role: Role::Patient,
            actors: Vec::new(),
        },
        sample: true,
        mandate: 0,
        frame: Frame::default(),
    }
}

fn fact(topic: &str, text: &str) -> Detail {
    Detail { topic: topic.into(), text: text.into() }
}

fn need(topic: &str, ask: &str) -> Need {
    Need { topic: topic.into(), ask: ask.into() }
}
