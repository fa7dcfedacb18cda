//! From spawning the process to its first paint, and the memory of its whole process tree a while later: the app, and
//! WebKitGTK's own MiniBrowser on an empty page, taking turns, each time with a fresh screen and a fresh profile.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use countersign_e2e::{Ending, Screen};

/// After a first run that warms the disk's cache and is not counted.
const RUNS: usize = 5;
const SETTLE: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(40);
const PAGE: &str = "<!doctype html><title>empty</title><script>\
                    requestAnimationFrame(() => requestAnimationFrame(() => fetch('/painted')))</script>";

/// One start.
pub(super) struct Sample {
    pub(super) paint: Duration,
    pub(super) pss_kb: f64,
}

/// The app's starts and `MiniBrowser`'s.
pub(super) fn measure(app: &Path) -> Result<(Vec<Sample>, Vec<Sample>)> {
    let server = Server::listen()?;
    let mini_browser = mini_browser()?;
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..=RUNS {
        ours.push(start(&mut Command::new(app), &server)?);
        theirs.push(start(Command::new(&mini_browser).arg(server.url("")), &server)?);
    }
    Ok((ours.split_off(1), theirs.split_off(1)))
}

fn start(command: &mut Command, server: &Server) -> Result<Sample> {
    let screen = Screen::open()?;
    let profile = tempfile::tempdir()?;
    screen
        .prepare(command)
        .env("HOME", profile.path())
        .env("XDG_RUNTIME_DIR", profile.path())
        .env("PAINTED_URL", server.url("painted"))
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    for other in ["COUNTERSIGN_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"] {
        command.env_remove(other);
    }
    let began = Instant::now();
    let mut process = Ending::new(command)?;
    let painted = server.painted.recv_timeout(PATIENCE).with_context(|| format!("{command:?} did not paint"))?;
    std::thread::sleep(SETTLE);
    Ok(Sample { paint: painted - began, pss_kb: pss_kb(process.child().id())? })
}

/// The engine's own browser comes with the library, in a folder that depends on the machine's architecture.
fn mini_browser() -> Result<PathBuf> {
    let folders = fs::read_dir("/usr/lib")?.flatten().map(|folder| folder.path());
    let mut browsers = folders.map(|folder| folder.join("webkit2gtk-4.1/MiniBrowser"));
    browsers.find(|browser| browser.is_file()).context("WebKitGTK's MiniBrowser is not installed here")
}

/// Proportional memory of a process and everything below it.
fn pss_kb(root: u32) -> Result<f64> {
    let mut children: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for process in fs::read_dir("/proc")?.flatten() {
        let Some(id) = process.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let stat = fs::read_to_string(process.path().join("stat")).unwrap_or_default();
        // The name is in parentheses and may hold anything; after it come the state and the parent.
        let parent = stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().nth(1)?.parse().ok());
        children.entry(parent.unwrap_or(0)).or_default().push(id);
    }
    let mut ids = vec![root];
    let mut sum = 0.0;
    while let Some(id) = ids.pop() {
        ids.extend(children.remove(&id).unwrap_or_default());
        let rollup = fs::read_to_string(format!("/proc/{id}/smaps_rollup")).unwrap_or_default();
        let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
        sum += line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0);
    }
    Ok(sum)
}

/// Serves the empty page, and hears when something has painted.
struct Server {
    port: u16,
    painted: Receiver<Instant>,
}

impl Server {
    fn listen() -> Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let port = listener.local_addr()?.port();
        let (tell, painted) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let tell = tell.clone();
                std::thread::spawn(move || answer(stream, &tell));
            }
        });
        Ok(Self { port, painted })
    }

    fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}", self.port)
    }
}

fn answer(mut stream: TcpStream, tell: &Sender<Instant>) {
    let at = Instant::now();
    let mut request = [0; 1024];
    let read = stream.read(&mut request).unwrap_or(0);
    let request = request.get(..read).unwrap_or_default();
    if request.starts_with(b"GET /painted ") {
        // Nobody listens any more when the benchmark has ended.
        let _ = tell.send(at);
    }
    let body = if request.starts_with(b"GET / ") { PAGE } else { "" };
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n";
    // A browser may open a connection that it does not use.
    let _ = write!(stream, "{head}content-length: {}\r\n\r\n{body}", body.len());
}
