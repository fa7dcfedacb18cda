//! Every example of the five protocols, as data in `spec/vectors`, replayed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use countersign_kernel::{
    Awaiting, Command, Decision, HireState, Load, Negotiation, Opening, Outcome, PersonAct, Protocol, Rulebook, Span,
    Status, SummitState, SystemAct, TaskState, Text, Timestamp,
};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::kit::Table;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    name: String,
    #[serde(rename = "source")]
    _source: String,
    #[serde(default, rename = "corrections")]
    _corrections: Vec<String>,
    at: Timestamp,
    opening: Opening,
    steps: Vec<Step>,
    outcome: Option<Outcome>,
    /// The fields of the why record that matter here.
    #[serde(default)]
    why: serde_json::Map<String, Json>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    /// How long after the step before it.
    after: Span,
    command: Option<Command>,
    /// The person's decision, or somebody else's, on what is there.
    decides: Option<Decision>,
    by: Option<Text>,
    refused: Option<String>,
    expect: Option<Expected>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    status: Status,
    task: Option<TaskState>,
    summit: Option<SummitState>,
    hire: Option<HireState>,
    awaiting: Option<String>,
}

fn replay(name: &str) {
    let text = std::fs::read_to_string(folder().join(format!("{name}.json"))).unwrap();
    let vector: Vector = serde_json::from_str(&text).unwrap();
    assert_eq!(vector.name, name);
    assert_eq!(vector.opening.rulebook, standard(&vector.opening), "the rulebook is ours");

    let events = Negotiation::open(vector.opening, Load::default(), vector.at).unwrap();
    let mut table = Table { n: Negotiation::replay(&events).unwrap(), events, now: vector.at };
    for (place, step) in (1..).zip(vector.steps) {
        table.later(step.after);
        let digest = table.n.digest();
        let command = match (step.command, step.decides, step.by) {
            (Some(command), None, None) => command,
            (None, Some(decision), None) => Command::Person(PersonAct::Decide { decision, digest, remarks: None }),
            (None, Some(decision), Some(approver)) => Command::System(SystemAct::Decide { approver, decision, digest }),
            _ => unreachable!("step {place}: either a command or a decision"),
        };
        let refused = table.ask(command).err().map(|refusal| refusal.to_string());
        assert_eq!(refused, step.refused, "step {place}");
        if let Some(expected) = step.expect {
            check(&table.n, &expected, place);
        }
    }
    if let Some(outcome) = &vector.outcome {
        assert_eq!(table.n.outcome(), Some(outcome));
    }
    if !vector.why.is_empty() {
        let why = serde_json::to_value(table.n.why().unwrap()).unwrap();
        for (field, expected) in &vector.why {
            assert_eq!(&why[field], expected, "{field}");
        }
    }
}

fn check(n: &Negotiation, expected: &Expected, place: usize) {
    assert_eq!(n.status(), expected.status, "step {place}");
    for (seen, wanted) in [
        (format!("{:?}", n.task_state()), expected.task.map(|state| format!("{state:?}"))),
        (format!("{:?}", n.summit_state()), expected.summit.map(|state| format!("{state:?}"))),
        (format!("{:?}", n.hire_state()), expected.hire.map(|state| format!("{state:?}"))),
        (awaited(n).to_owned(), expected.awaiting.clone()),
    ] {
        assert!(wanted.as_ref().is_none_or(|wanted| *wanted == seen), "step {place}: {seen}, not {wanted:?}");
    }
}

fn awaited(n: &Negotiation) -> &'static str {
    match n.awaiting() {
        Awaiting::Agent(_) => "agent",
        Awaiting::Pickup(_) => "pickup",
        Awaiting::Claimed(..) => "claimed",
        Awaiting::Fallback(_) => "fallback",
        Awaiting::Person(_) => "person",
        Awaiting::Others => "others",
        Awaiting::Signature(_) => "signature",
        Awaiting::Nobody => "nobody",
    }
}

fn standard(opening: &Opening) -> Rulebook {
    match opening.rulebook.protocol {
        Protocol::Index => Rulebook::index(&opening.parties),
        Protocol::Asp => Rulebook::asp(opening.rulebook.timers.total.unwrap()),
        Protocol::Summit(kind) => Rulebook::summit(kind),
        Protocol::Hire => Rulebook::hire(),
        Protocol::Lcp => Rulebook::lcp(),
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/vectors")
}

macro_rules! vectors {
    ($($test:ident: $file:literal,)*) => {
        $(#[test] fn $test() { replay($file); })*

        #[test]
        fn none_is_left_out() {
            let files = std::fs::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
            let tested = [$($file,)*].map(|name| format!("{name}.json"));
            assert_eq!(files.collect::<BTreeSet<_>>(), BTreeSet::from(tested));
        }
    };
}

vectors! {
    index_accept: "index-accept",
    index_reject: "index-reject",
    index_turn_cap: "index-turn-cap",
    index_turn_cap_mixed: "index-turn-cap-mixed",
    index_timeout: "index-timeout",
    index_question: "index-question",
    index_parked_turn: "index-parked-turn",
    index_skipped: "index-skipped",
    asp_simple_accept: "asp-simple-accept",
    asp_counter_loop: "asp-counter-loop",
    asp_rejection_retry: "asp-rejection-retry",
    asp_clarification: "asp-clarification",
    asp_delegation: "asp-delegation",
    asp_escalation: "asp-escalation",
    summit_gpu: "summit-gpu",
    summit_capability: "summit-capability",
    hire_logo: "hire-logo",
    lcp_stock_quotes: "lcp-stock-quotes",
    lcp_accept: "lcp-accept",
    lcp_reject: "lcp-reject",
    lcp_concessions: "lcp-concessions",
    lcp_provider_timeout: "lcp-provider-timeout",
    lcp_offer_expired: "lcp-offer-expired",
}

/// The table of rules names tests, and those must be there.
#[test]
fn every_rule_is_held_by_a_test_that_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let table = std::fs::read_to_string(root.join("spec/rules.md")).unwrap();
    let names: Vec<&str> = table.split('`').skip(1).step_by(2).filter(|name| name.contains("::")).collect();
    assert!(names.len() > 100, "{}", names.len());
    for name in names {
        let (file, test) = name.split_once("::").unwrap();
        let file = if file.starts_with("crates/") {
            root.join(file)
        } else {
            root.join(format!("crates/kernel/tests/rules/{file}.rs"))
        };
        let source = std::fs::read_to_string(&file).unwrap_or_default();
        let there = source.contains(&format!("fn {test}(")) || source.contains(&format!("    {test}: \""));
        assert!(there, "{name} in {}", file.display());
    }
}
