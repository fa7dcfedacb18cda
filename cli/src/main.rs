//! `countersign`: the same facade as the app's, without a window.
//!
//! Whatever only looks can be run while the app is open. Whatever decides or switches takes the data folder for itself.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the terminal is the screen")]

mod acting;
mod args;
mod looking;
mod words;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser as _};
use countersign_api::types::{Problem, ProblemCode};
use directories::ProjectDirs;

use args::{Args, Command};

/// What a command came to.
type Done = Result<(), Failure>;

/// Why a command did not do what was asked.
pub(crate) enum Failure {
    /// The core said so.
    Problem(Problem),
    /// The command line was not enough.
    Usage(String),
    /// It is not as it was written.
    Forged(String),
    /// A file could not be read or written, or the terminal went away.
    File(String),
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::File(error.to_string())
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Args::parse()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            let (code, text) = told(&failure);
            eprintln!("countersign: {text}");
            ExitCode::from(code)
        }
    }
}

async fn run(args: Args) -> Done {
    let Args { home, json, command } = args;
    if let Command::Completions { shell } = command {
        clap_complete::generate(shell, &mut Args::command(), "countersign", &mut std::io::stdout());
        return Ok(());
    }
    let home = match home {
        Some(home) => std::path::absolute(home)?,
        None => platform_home().ok_or_else(|| {
            Failure::Usage("this account has no home folder; say where your data is: --home DIR".into())
        })?,
    };
    match command {
        Command::List { folder, all } => looking::list(&home, folder.as_deref(), all, json).await,
        Command::Show { id } => looking::show(&home, &id, json).await,
        Command::Why { id } => looking::why(&home, &id, json).await,
        Command::Watch { after } => looking::watch(&home, after, json).await,
        Command::Verify { what } => looking::verify(&home, what.as_deref(), json).await,
        Command::Export { id, redacted, format, output } => {
            looking::export(&home, &id, redacted, format, output.as_deref()).await
        }
        Command::Digest => looking::digest(&home, json).await,
        Command::Backup { file } => looking::backup(&home, file, json).await,
        Command::Doctor => looking::doctor(&home, json).await,
        Command::Decide { id, what, message, yes, digest } => {
            acting::decide(&home, &id, what, message, yes, digest).await
        }
        Command::Mode { mode, agent } => acting::mode(&home, mode, agent, json).await,
        Command::Mandate { file } => acting::mandate(&home, file.as_deref()).await,
        Command::Policies { file } => acting::policies(&home, file.as_deref()).await,
        Command::Sample { count, pace } => acting::sample(&home, count, pace, json).await,
        Command::Restore { file, yes } => acting::restore(&home, &file, yes),
        Command::Rebuild => acting::rebuild(&home).await,
        Command::Completions { .. } => Ok(()),
    }
}

/// The code to end with, and what to say.
fn told(failure: &Failure) -> (u8, String) {
    match failure {
        Failure::Problem(problem) => {
            let code = match problem.code {
                ProblemCode::Unknown => 3,
                ProblemCode::Damaged => 4,
                ProblemCode::Changed | ProblemCode::Refused => 5,
                ProblemCode::InUse => 6,
                ProblemCode::Unwritable
                | ProblemCode::Full
                | ProblemCode::Newer
                | ProblemCode::NotAJournal
                | ProblemCode::Stopped => 1,
            };
            (code, problem.to_string())
        }
        Failure::Usage(text) => (2, text.clone()),
        Failure::Forged(text) => (4, text.clone()),
        Failure::File(text) => (1, text.clone()),
    }
}

/// The app's own folder.
fn platform_home() -> Option<PathBuf> {
    ProjectDirs::from("app", "Countersign", "countersign").map(|dirs| dirs.data_dir().to_owned())
}
