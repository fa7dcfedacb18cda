//! What the person reads when something goes wrong: what happened, what was kept, what to do.

use std::path::Path;

use countersign_api_types::{Problem, ProblemCode};
use countersign_engine::{EngineError, Trouble};
use countersign_kernel::Refusal;
use countersign_store::{OpenError, StoreError, VerifyError};

pub(crate) fn opening(error: OpenError) -> Problem {
    let (code, what, kept, todo) = match &error {
        OpenError::Unwritable { path, reason } => (
            ProblemCode::Unwritable,
            format!("Countersign cannot write to {}: {reason}.", shown(path)),
            "Nothing was changed.",
            "Make the folder writable, or start with another one: --home FOLDER.".into(),
        ),
        OpenError::Full { path } => (
            ProblemCode::Full,
            format!("The disk that holds {} is full.", shown(path)),
            "Nothing was changed. Everything recorded so far is kept.",
            "Free some space, then try again.".into(),
        ),
        OpenError::InUse { path } => (
            ProblemCode::InUse,
            format!("Another Countersign is using {}.", shown(path)),
            "Nothing was changed.",
            "Go on in the other window or close it, then try again.".into(),
        ),
        OpenError::Nothing { path } => (
            ProblemCode::Unknown,
            format!("There is no journal in {}.", shown(path)),
            "Nothing was changed.",
            "Start Countersign once, or say where the data is: --home FOLDER.".into(),
        ),
        OpenError::Older { path } => (
            ProblemCode::Refused,
            format!("{} was written by an earlier version.", shown(path)),
            "Nothing was changed.",
            "Open it in the app once; it is brought up to date then, after a copy.".into(),
        ),
        OpenError::Newer { path, found, known } => (
            ProblemCode::Newer,
            format!("{} was written by a newer Countersign (format {found}; this one knows {known}).", shown(path)),
            "The file was not touched.",
            "Install the newer version, or start with another folder: --home FOLDER.".into(),
        ),
        OpenError::NotAJournal { path } => (
            ProblemCode::NotAJournal,
            format!("{} is not a Countersign journal.", shown(path)),
            "The file was not touched.",
            "Move it elsewhere, or start with another folder: --home FOLDER.".into(),
        ),
        OpenError::NoKey { path } | OpenError::BadKey { path } => (
            ProblemCode::Damaged,
            format!("The journal is sealed with a key that should be in {}, and it is not there.", shown(path)),
            "Nothing was changed.",
            "Put the key back from a backup, or start with another folder: --home FOLDER.".into(),
        ),
        OpenError::Keychain { reason } => (
            ProblemCode::Unwritable,
            format!("The journal's key is in the system's keychain, which does not give it: {reason}."),
            "Nothing was changed.",
            "Unlock the keychain, then try again.".into(),
        ),
        OpenError::Damaged { path, reason } => (
            ProblemCode::Damaged,
            format!("The journal {} is damaged: {reason}.", shown(path)),
            "Nothing was overwritten.",
            "Put a backup in its place, or start with another folder: --home FOLDER.".into(),
        ),
    };
    Problem { code, what, kept: kept.into(), todo }
}

pub(crate) fn doing(error: EngineError) -> Problem {
    match error {
        EngineError::Unknown(_) => problem(
            ProblemCode::Unknown,
            "This opportunity does not exist.",
            "Nothing was changed.",
            "Go back to the list.",
        ),
        EngineError::Refused(Refusal::Changed { .. }) => problem(
            ProblemCode::Changed,
            "This opportunity changed since it was shown to you.",
            "Your decision was not taken.",
            "Read it again as it is now, then decide.",
        ),
        EngineError::Refused(Refusal::NothingPending { .. }) => problem(
            ProblemCode::Refused,
            "There is nothing to decide here any more.",
            "Your earlier decision stands.",
            "Go back to the list.",
        ),
        error @ (EngineError::Off(_)
        | EngineError::AgentOff(_)
        | EngineError::Guarded(_)
        | EngineError::TooOften { .. }
        | EngineError::TooManyOpen { .. }
        | EngineError::Unsigned
        | EngineError::Forged(_)
        | EngineError::Replayed(_)
        | EngineError::NoMandate(_)
        | EngineError::BadMandate(_)
        | EngineError::BadPolicies(_)) => {
            problem(ProblemCode::Refused, &sentence(&error.to_string()), "Nothing of it was done.", "")
        }
        EngineError::Refused(refusal) => {
            problem(ProblemCode::Refused, &sentence(&refusal.to_string()), "Nothing was changed.", "")
        }
        EngineError::Store(error) => store(&error),
    }
}

pub(crate) fn verifying(error: VerifyError) -> Problem {
    match error {
        VerifyError::NotACopy(error) => opening(error),
        VerifyError::Store(error) => store(&error),
        VerifyError::Damaged { seq, damage } => problem(
            ProblemCode::Damaged,
            &format!("The journal is not as it was written: entry {seq}, {damage}."),
            "Nothing was changed.",
            "Put a backup in its place, and find out who had access to the file.",
        ),
        VerifyError::File { path, reason } => problem(
            ProblemCode::Unwritable,
            &format!("“{path}” could not be written: {reason}."),
            "Nothing was overwritten.",
            "Check the place, then try again.",
        ),
    }
}

pub(crate) fn refused(why: &str) -> Problem {
    problem(ProblemCode::Refused, &sentence(why), "Nothing was changed.", "")
}

pub(crate) fn ambiguous(part: &str, count: usize) -> Problem {
    problem(
        ProblemCode::Unknown,
        &format!("“{part}” could be any of {count} negotiations."),
        "Nothing was changed.",
        "Give more of the id.",
    )
}

pub(crate) fn storing(error: StoreError) -> Problem {
    store(&error)
}

pub(crate) fn trouble(trouble: &Trouble) -> Problem {
    match trouble {
        Trouble::Journal(error) => store(error),
        Trouble::Turn(refusal) => problem(
            ProblemCode::Stopped,
            &format!("Your agent handed in a turn that the rules refuse: {refusal}."),
            "The turn was not taken. Every turn you see is kept.",
            "Try again to let the agent take it anew.",
        ),
        Trouble::Panicked(message) => problem(
            ProblemCode::Stopped,
            &format!("A negotiation stopped because of a fault in Countersign: {message}."),
            "Every turn you see is kept. Other negotiations go on.",
            "Try again. If it stops again, the file in the data folder's crashes folder says where.",
        ),
    }
}

fn store(error: &StoreError) -> Problem {
    match error {
        StoreError::Full => problem(
            ProblemCode::Full,
            "The disk is full, so the last step could not be recorded.",
            "It did not happen. Everything you see is kept.",
            "Free some space, then try again.",
        ),
        StoreError::Conflict { .. } => problem(
            ProblemCode::Changed,
            "Something else happened to this opportunity first.",
            "Nothing of yours was recorded.",
            "Read it again as it is now, then decide.",
        ),
        StoreError::Over => {
            problem(ProblemCode::Refused, "This negotiation is over.", "Nothing was changed.", "Go back to the list.")
        }
        StoreError::Unreadable { .. } | StoreError::Damaged(_) => problem(
            ProblemCode::Damaged,
            &format!("Part of the journal cannot be read: {error}."),
            "Nothing was overwritten.",
            "Put a backup in its place, or update Countersign.",
        ),
        StoreError::Sqlite(reason) | StoreError::Unwritable(reason) => problem(
            ProblemCode::Unwritable,
            &format!("The last step could not be recorded: {reason}."),
            "It did not happen. Everything you see is kept.",
            "Check that the data folder is there and can be written to, then try again.",
        ),
        StoreError::Closed => problem(
            ProblemCode::Stopped,
            "The journal stopped because of a fault in Countersign.",
            "Everything you see is kept.",
            "Close Countersign and start it again.",
        ),
    }
}

fn problem(code: ProblemCode, what: &str, kept: &str, todo: &str) -> Problem {
    Problem { code, what: what.into(), kept: kept.into(), todo: todo.into() }
}

fn shown(path: &Path) -> String {
    format!("“{}”", path.display())
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(char::to_uppercase);
    format!("{}{}.", first.map(String::from_iter).unwrap_or_default(), chars.as_str())
}
