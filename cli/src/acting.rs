//! Commands that decide, switch or change something. They take the data folder for themselves.

use std::io::{IsTerminal as _, Write as _};
use std::path::Path;
use std::time::Duration;

use countersign_api::types::{Awaiting, Change, Live, Mode, NegotiationId, Problem, Text};
use countersign_api::{AgentId, Api, Mandate, Options, PersonAct, Reader};

use crate::args::{Decision, ModeArg};
use crate::looking::{print, print_json, print_line};
use crate::{Done, Failure, words};

pub(crate) async fn decide(
    home: &Path,
    id: &str,
    what: Decision,
    message: Option<String>,
    yes: bool,
    digest: Option<String>,
) -> Done {
    let api = open(home, false, Duration::ZERO).await?;
    let id = api.find(id).await?;
    let thread = api.thread(&id).await?;
    print(&words::thread(&thread))?;
    let text = |fallback: &str| {
        Text::new(message.as_deref().unwrap_or(fallback)).map_err(|error| Failure::Usage(format!("--message: {error}")))
    };
    let bound = match what {
        Decision::Accept | Decision::Decline => {
            let shown =
                thread.opportunity.digest.clone().ok_or_else(|| nothing_to_decide(&thread.opportunity.status))?;
            if let Some(given) = &digest
                && *given != shown.to_string()
            {
                return Err(Failure::Problem(changed()));
            }
            Some(shown)
        }
        Decision::Approve
        | Decision::Deny
        | Decision::Guide
        | Decision::Hold
        | Decision::Resume
        | Decision::Send
        | Decision::Withdraw => None,
    };
    confirm(&format!("{what:?} this?"), yes && (bound.is_none() || digest.is_some()))?;
    match (what, bound) {
        (Decision::Accept, Some(digest)) => api.accept(&id, digest).await?,
        (Decision::Decline, Some(digest)) => api.decline(&id, digest).await?,
        (Decision::Accept | Decision::Decline, None) => {}
        (Decision::Approve, _) => api.answer(&id, true, message.as_deref().unwrap_or_default()).await?,
        (Decision::Deny, _) => api.answer(&id, false, message.as_deref().unwrap_or_default()).await?,
        (Decision::Guide, _) => {
            let guidance = message.as_deref().ok_or_else(|| Failure::Usage("guide needs --message".into()))?;
            let guidance = Text::new(guidance).map_err(|error| Failure::Usage(format!("--message: {error}")))?;
            api.act(&id, PersonAct::Guide(guidance)).await?;
        }
        (Decision::Hold, _) => api.act(&id, PersonAct::Hold).await?,
        (Decision::Resume, _) => api.act(&id, PersonAct::Resume).await?,
        (Decision::Send, _) => api.act(&id, PersonAct::Send).await?,
        (Decision::Withdraw, _) => api.act(&id, PersonAct::Withdraw(text("taken back")?)).await?,
    }
    print(&format!("Done: it is {}.\n", api.thread(&id).await?.opportunity.status))
}

pub(crate) async fn mode(home: &Path, mode: Option<ModeArg>, agent: Option<String>, json: bool) -> Done {
    let Some(mode) = mode else {
        let mode = Reader::open(home)?.snapshot().await?.mode;
        return if json { print_json(&mode) } else { print(&format!("{}\n", shown(mode))) };
    };
    let mode = match mode {
        ModeArg::On => Mode::On,
        ModeArg::Off => Mode::Off,
        ModeArg::Stop => Mode::Stopped,
    };
    let agent = agent.map(|name| Text::new(name).map(AgentId)).transpose();
    let agent = agent.map_err(|error| Failure::Usage(format!("--agent: {error}")))?;
    open(home, false, Duration::ZERO).await?.set_mode(mode, agent).await?;
    print(&format!("{}\n", shown(mode)))
}

fn shown(mode: Mode) -> &'static str {
    match mode {
        Mode::On => "On: your agent takes its turns.",
        Mode::Off => {
            "Off: your agent takes no turn. Turns that wait go on waiting; deadlines of the protocol still pass."
        }
        Mode::Stopped => "Stopped: nothing is said and nothing is taken in until you switch it on.",
    }
}

pub(crate) async fn mandate(home: &Path, file: Option<&Path>) -> Done {
    let Some(file) = file else { return print_json(&Reader::open(home)?.mandate().await?) };
    let mandate =
        Mandate::from_json(&read(file)?).map_err(|error| Failure::Usage(format!("`{}`: {error}", file.display())))?;
    let version = open(home, false, Duration::ZERO).await?.set_mandate(mandate).await?;
    print(&format!("Mandate {version} is in force for what begins from now on. What is under way keeps its own.\n"))
}

pub(crate) async fn policies(home: &Path, file: Option<&Path>) -> Done {
    let Some(file) = file else { return print(&Reader::open(home)?.policies().await?) };
    open(home, false, Duration::ZERO).await?.set_policies(&read(file)?).await?;
    print("These policies are in force.\n")
}

pub(crate) async fn sample(home: &Path, count: u32, pace: u64, json: bool) -> Done {
    let api = open(home, true, Duration::from_millis(pace)).await?;
    let mut live = api.watch(api.snapshot().await?.seq);
    let mut waiting: Vec<NegotiationId> = Vec::new();
    for _ in 0..count {
        waiting.push(api.open_sample().await?);
    }
    while !waiting.is_empty() {
        match live.next().await {
            None => break,
            Some(Live::Trouble(Some(problem))) => return Err(problem.into()),
            Some(Live::Trouble(None)) => {}
            Some(Live::Update(update)) => {
                if json {
                    print_line(&update)?;
                }
                let Change::Opportunity { opportunity, turn, .. } = update.change else { continue };
                if let Some(turn) = turn.filter(|_| !json) {
                    print(&words::said(&turn))?;
                }
                if matches!(opportunity.awaiting, Awaiting::Person(_) | Awaiting::Nobody) {
                    waiting.retain(|id| *id != opportunity.id);
                    if !json {
                        print(&format!("\n{}\n", words::row(&opportunity)))?;
                    }
                }
            }
        }
    }
    Ok(())
}

pub(crate) fn restore(home: &Path, file: &Path, yes: bool) -> Done {
    confirm(&format!("Put {} in the place of the journal in {}?", file.display(), home.display()), yes)?;
    let verified = countersign_api::restore(home, file)?;
    print(&format!("Restored and verified: {} entries. What was there is kept beside it.\n", verified.entries))
}

pub(crate) async fn rebuild(home: &Path) -> Done {
    let count = open(home, false, Duration::ZERO).await?.rebuild().await?;
    print(&format!("Lists made anew: {count} negotiations.\n"))
}

async fn open(home: &Path, drives: bool, pace: Duration) -> Result<Api, Problem> {
    Api::open(Options { pace, drives, ..Options::new(home.into()) }).await
}

/// A person has to say so: at a terminal, or beforehand.
fn confirm(question: &str, said_beforehand: bool) -> Done {
    if said_beforehand {
        return Ok(());
    }
    if !std::io::stdin().is_terminal() {
        let how =
            "there is no terminal to ask at; give --yes, and for accept and decline the --digest that `show` prints";
        return Err(Failure::Usage(how.into()));
    }
    print(&format!("{question} [y/N] "))?;
    std::io::stdout().flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    match answer.trim() {
        "y" | "Y" | "yes" => Ok(()),
        _ => Err(Failure::Usage("nothing was done".into())),
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file).map_err(|error| Failure::File(format!("`{}`: {error}", file.display())))
}

fn nothing_to_decide(status: &impl std::fmt::Display) -> Failure {
    Failure::Problem(refused(&format!("There is nothing to accept or decline here: it is {status}.")))
}

fn changed() -> Problem {
    refused("This is not what is there now: the digest is another one.")
}

fn refused(what: &str) -> Problem {
    let (kept, todo) = ("Nothing was decided.".into(), "Look at it again: countersign show.".into());
    Problem { code: countersign_api::types::ProblemCode::Refused, what: what.into(), kept, todo }
}
