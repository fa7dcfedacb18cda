//! Commands that change nothing. They work while the app is open.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use countersign_api::insights::Period;
use countersign_api::types::{Change, Folder, Live, ProblemCode, Timestamp, Update};
use countersign_api::{Export, Reader, verify_export};
use serde::Serialize;

use crate::args::Format;
use crate::{Done, Failure, words};

pub(crate) async fn list(home: &Path, folder: Option<&str>, all: bool, json: bool) -> Done {
    let folders = match folder {
        None => Folder::ALL.to_vec(),
        Some(name) => vec![Folder::named(name).ok_or_else(|| {
            let known = Folder::ALL.map(Folder::as_str).join(", ");
            Failure::Usage(format!("`{name}` is not a folder; there are {known}"))
        })?],
    };
    let mut listed = Vec::new();
    let reader = match Reader::open(home) {
        Ok(reader) => Some(reader),
        // A folder in which nothing was begun has an empty list.
        Err(problem) if problem.code == ProblemCode::Unknown => None,
        Err(problem) => return Err(problem.into()),
    };
    for (folder, reader) in folders.into_iter().zip(reader.iter().cycle()) {
        let mut last = None;
        loop {
            let page = reader.list(folder, last).await?;
            let Some(end) = page.last().cloned() else { break };
            listed.extend(page);
            last = Some(end);
            if !all {
                break;
            }
        }
    }
    if json {
        return print_json(&listed);
    }
    if listed.is_empty() {
        println!("Nothing here yet. Try: countersign sample");
    }
    print(&listed.iter().map(|o| words::row(o) + "\n").collect::<String>())
}

pub(crate) async fn show(home: &Path, id: &str, json: bool) -> Done {
    let reader = Reader::open(home)?;
    let thread = reader.thread(&reader.find(id).await?).await?;
    if json { print_json(&thread) } else { print(&words::thread(&thread)) }
}

pub(crate) async fn why(home: &Path, id: &str, json: bool) -> Done {
    let reader = Reader::open(home)?;
    let thread = reader.thread(&reader.find(id).await?).await?;
    if json {
        return print_json(&thread.why);
    }
    if thread.why.is_empty() {
        let then =
            thread.otherwise.map(|(then, at)| format!(" If nobody does anything: at {} {then}.", words::when(at)));
        return print(&format!("It has not ended: it is {}.{}\n", thread.opportunity.status, then.unwrap_or_default()));
    }
    print(&thread.why.iter().map(|line| words::clean(line) + "\n").collect::<String>())
}

pub(crate) async fn watch(home: &Path, after: Option<u64>, json: bool) -> Done {
    let reader = Reader::open(home)?;
    let after = match after {
        Some(after) => after,
        None => reader.snapshot().await?.seq,
    };
    let mut live = reader.watch(after);
    while let Some(message) = live.next().await {
        match message {
            Live::Update(update) if json => print_line(&update)?,
            Live::Update(update) => print(&told(&update))?,
            Live::Trouble(Some(problem)) => return Err(problem.into()),
            Live::Trouble(None) => {}
        }
    }
    Ok(())
}

fn told(update: &Update) -> String {
    match &update.change {
        Change::Mode(mode) => format!("{} negotiation is {}\n", update.seq, format!("{mode:?}").to_lowercase()),
        Change::Settings => format!("{} the settings changed\n", update.seq),
        Change::Sealed(id) => format!("{} {} its record is signed\n", update.seq, words::short(&id.0)),
        Change::Opportunity { opportunity, turn, .. } => {
            let said = turn.as_ref().map(words::said).unwrap_or_default();
            format!("{} {}\n{said}", update.seq, words::row(opportunity))
        }
    }
}

pub(crate) async fn verify(home: &Path, what: Option<&str>, json: bool) -> Done {
    if let Some(what) = what.filter(|what| Path::new(what).is_file()) {
        let text = std::fs::read_to_string(what).map_err(|error| Failure::File(format!("`{what}`: {error}")))?;
        let export: Export = serde_json::from_str(&text)
            .map_err(|error| Failure::Forged(format!("`{what}` is not an export: {error}")))?;
        return checked(&export, json);
    }
    let reader = Reader::open(home)?;
    if let Some(id) = what {
        return checked(&reader.export(&reader.find(id).await?, false).await?, json);
    }
    let verified = reader.verify().await?;
    if json {
        return print_json(&serde_json::json!({"entries": verified.entries, "streams": verified.streams}));
    }
    print(&format!(
        "As it was written: {} entries in {} streams, hashed, sealed and in order.\n",
        verified.entries, verified.streams
    ))
}

fn checked(export: &Export, json: bool) -> Done {
    let signer = verify_export(export).map_err(|error| Failure::Forged(error.to_string()))?;
    let signer = signer.map(|signer| signer.to_string());
    if json {
        let (entries, hidden) = (export.entries.len(), &export.sensitive_fields_redacted);
        return print_json(&serde_json::json!({"entries": entries, "signer": signer, "redacted": hidden}));
    }
    let by = signer.map_or_else(|| "by nobody".into(), |signer| format!("by {signer}"));
    print(&format!("As it was written: {} entries in one chain, signed {by}.\n", export.entries.len()))
}

pub(crate) async fn export(home: &Path, id: &str, redacted: bool, format: Format, output: Option<&Path>) -> Done {
    let reader = Reader::open(home)?;
    let id = reader.find(id).await?;
    let text = match format {
        Format::Json => json_of(&reader.export(&id, redacted).await?)?,
        Format::Html => reader.page(&id, redacted).await?,
    };
    match output {
        Some(file) => {
            std::fs::write(file, text).map_err(|error| Failure::File(format!("`{}`: {error}", file.display())))
        }
        None => print(&text),
    }
}

pub(crate) async fn digest(home: &Path, json: bool) -> Done {
    let reader = Reader::open(home)?;
    let week = reader.week(now()).await?;
    let (_, alerts) = reader.metrics(Period::Between { from: week.from, until: week.until }).await?;
    if json {
        let alerts: Vec<String> = alerts.iter().map(ToString::to_string).collect();
        return print_json(&serde_json::json!({"week": week, "alerts": alerts}));
    }
    let alerts = alerts.iter().map(|alert| format!("! {alert}"));
    print(&week.lines().into_iter().chain(alerts).map(|line| words::clean(&line) + "\n").collect::<String>())
}

pub(crate) async fn backup(home: &Path, file: PathBuf, json: bool) -> Done {
    if file.exists() {
        return Err(Failure::Usage(format!("`{}` is there already; say another name", file.display())));
    }
    let verified = Reader::open(home)?.backup(file.clone()).await?;
    if json {
        return print_json(&serde_json::json!({"entries": verified.entries, "streams": verified.streams}));
    }
    print(&format!(
        "Copied and verified: {} entries, to {}.\nThe copy needs the folder's key to be opened; keep a copy of that too.\n",
        verified.entries,
        file.display()
    ))
}

/// One thing that was looked at.
#[derive(Serialize)]
struct Check {
    name: &'static str,
    ok: bool,
    told: String,
}

pub(crate) async fn doctor(home: &Path, json: bool) -> Done {
    let mut checks = vec![Check { name: "folder", ok: home.is_dir(), told: home.display().to_string() }];
    let mut failed = None;
    match Reader::open(home) {
        Err(problem) => checks.push(Check { name: "journal", ok: false, told: problem.to_string() }),
        Ok(reader) => {
            let snapshot = reader.snapshot().await?;
            let kept = format!("{:?}", snapshot.kept_in).to_lowercase();
            checks.push(Check { name: "key", ok: true, told: format!("in the {kept}") });
            let (ok, told) = match reader.verify().await {
                Ok(verified) => (true, format!("{} entries as they were written", verified.entries)),
                Err(problem) => {
                    let told = problem.to_string();
                    failed = Some(problem);
                    (false, told)
                }
            };
            checks.push(Check { name: "journal", ok, told });
            let wrong = reader.out_of_step().await?;
            let told = match wrong.len() {
                0 => "agree with the journal".into(),
                count => format!("{count} do not agree with the journal; run: countersign rebuild"),
            };
            checks.push(Check { name: "lists", ok: wrong.is_empty(), told });
            let mode = format!("negotiation is {}", format!("{:?}", snapshot.mode).to_lowercase());
            checks.push(Check { name: "mode", ok: true, told: mode });
        }
    }
    if json {
        print_json(&checks)?;
    } else {
        let line =
            |check: &Check| format!("{:<4} {:<8} {}\n", if check.ok { "ok" } else { "!!" }, check.name, check.told);
        print(&checks.iter().map(line).collect::<String>())?;
    }
    match (failed, checks.iter().all(|check| check.ok)) {
        (Some(problem), _) => Err(problem.into()),
        (None, true) => Ok(()),
        (None, false) => Err(Failure::File("not everything is in order".into())),
    }
}

fn now() -> Timestamp {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

/// Prints, and is quiet when whoever read has gone.
pub(crate) fn print(text: &str) -> Done {
    match std::io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(error.into()),
        Ok(()) | Err(_) => Ok(()),
    }
}

pub(crate) fn print_json(value: &impl Serialize) -> Done {
    print(&json_of(value)?)
}

pub(crate) fn print_line(value: &impl Serialize) -> Done {
    let text = serde_json::to_string(value).map_err(|error| Failure::File(error.to_string()))?;
    print(&(text + "\n"))
}

fn json_of(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(|error| Failure::File(error.to_string()))
}
