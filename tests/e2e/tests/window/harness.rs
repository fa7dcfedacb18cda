//! Starts the built app on a screen and a data folder of its own, and keeps a picture and the log when a test fails.

use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::net::TcpListener;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use countersign_api::{Api, Mandate, Options};
use countersign_e2e::{Ending, Screen};
use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::json;
use tempfile::TempDir;

use crate::page::Page;

/// Longer than any person would wait for one thing to happen.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a test stands on: a screen, a data folder, and the app as often as it is opened.
pub struct Stage {
    pub screen: Screen,
    pub home: PathBuf,
    pub fault: Option<&'static str>,
    pub has_bus: Cell<bool>,
    folder: TempDir,
    log: PathBuf,
    /// Held here rather than by the run, so that a test that fails leaves its window on the screen for the picture.
    drivers: RefCell<Vec<Ending>>,
}

/// One run of the app.
pub struct Run<'a> {
    pub page: Page,
    client: Client,
    screen: &'a Screen,
    home: PathBuf,
}

/// Runs a test on a stage of its own. When it fails, the picture and the log outlive it.
pub fn on_stage(name: &str, test: impl AsyncFnOnce(&mut Stage)) {
    let folder = tempfile::tempdir().unwrap();
    let mut stage = Stage {
        screen: Screen::open().unwrap(),
        home: folder.path().join("home"),
        fault: None,
        has_bus: Cell::new(true),
        log: folder.path().join("app.log"),
        folder,
        drivers: RefCell::default(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let bounded = async { tokio::time::timeout(PATIENCE * 4, test(&mut stage)).await.expect("the window answers") };
    let result = std::panic::catch_unwind(AssertUnwindSafe(|| runtime.block_on(bounded)));
    if let Err(failure) = result {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("failed");
        fs::create_dir_all(&kept).unwrap();
        let _ = stage.screen.picture(&kept.join(format!("{name}.png")));
        let _ = fs::copy(&stage.log, kept.join(format!("{name}.log")));
        eprintln!("{name} failed; the picture and the log are in {}", kept.display());
        std::panic::resume_unwind(failure);
    }
}

impl Stage {
    /// Gives the person's agent a mandate while the app is closed.
    pub async fn mandate(&self, json: &str) {
        let options = Options { keychain: false, drives: false, ..Options::new(self.home.clone()) };
        let api = Api::open(options).await.unwrap();
        api.set_mandate(Mandate::from_json(json).unwrap()).await.unwrap();
    }

    /// Starts the app and waits until it shows something.
    pub async fn open(&self) -> Run<'_> {
        let port = free_port();
        let log = File::options().create(true).append(true).open(&self.log).unwrap();
        let mut driver = Command::new("WebKitWebDriver");
        driver.arg(format!("--port={port}")).stdout(log.try_clone().unwrap()).stderr(log);
        self.prepare(&mut driver).env("TAURI_WEBVIEW_AUTOMATION", "true");
        self.drivers.borrow_mut().push(Ending::new(&mut driver).unwrap());
        let client = connect(port).await;
        let page = Page::new(client.clone());
        page.has(".frame, .opening").await;
        Run { page, client, screen: &self.screen, home: self.home.clone() }
    }

    /// The app outside WebDriver, as a second start would be.
    pub fn start(&self) -> Ending {
        let mut app = Command::new(app());
        self.prepare(&mut app).stdout(Stdio::null()).stderr(Stdio::null());
        Ending::new(&mut app).unwrap()
    }

    /// A place for things that are not the data folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn prepare<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        let own = |name: &str| {
            let folder = self.folder.path().join(name);
            fs::create_dir_all(&folder).unwrap();
            folder
        };
        self.screen.prepare(command);
        if !self.has_bus.get() {
            command.env("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere");
        }
        command
            .env("COUNTERSIGN_HOME", &self.home)
            .env("COUNTERSIGN_FAULT", self.fault.unwrap_or_default())
            .env("XDG_CONFIG_HOME", own("config"))
            .env("XDG_DATA_HOME", own("data"))
            .env("XDG_CACHE_HOME", own("cache"))
    }
}

impl Run<'_> {
    /// Closes the window, as a person would, and waits until the app is gone.
    pub async fn close(self) {
        let (home, screen) = (self.home.clone(), self.screen);
        until("the window has the focus", async || screen.focused().unwrap().is_some()).await;
        screen.close().unwrap();
        until("the app is gone", async || running(&home).is_empty()).await;
    }

    /// Ends the app from outside, and does not wait until it is gone.
    pub async fn end(self) {
        self.client.close().await.unwrap();
    }

    /// Ends the app in the middle of whatever it does.
    pub async fn kill(self) {
        assert!(Command::new("kill").arg("-9").args(running(&self.home)).status().unwrap().success());
        until("the app is gone", async || running(&self.home).is_empty()).await;
    }
}

/// The apps that work on this data folder.
fn running(home: &Path) -> Vec<String> {
    let variable = format!("COUNTERSIGN_HOME={}\0", home.display());
    let works_here = |process: &Path| {
        let name = fs::read_to_string(process.join("comm")).unwrap_or_default();
        let environment = fs::read(process.join("environ")).unwrap_or_default();
        name.starts_with("countersign") && String::from_utf8_lossy(&environment).contains(&variable)
    };
    let processes = fs::read_dir("/proc").unwrap().flatten().map(|process| process.path());
    let here = processes.filter(|process| works_here(process));
    here.map(|process| process.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

/// The app under test: what `cargo xtask e2e` built, or whatever `COUNTERSIGN_APP` names.
fn app() -> PathBuf {
    std::env::var_os("COUNTERSIGN_APP").expect("run the window tests with: cargo xtask e2e").into()
}

async fn connect(port: u16) -> Client {
    until("the driver listens", async || tokio::net::TcpStream::connect(("127.0.0.1", port)).await.is_ok()).await;
    let options = json!({ "webkitgtk:browserOptions": { "binary": app(), "args": [] } });
    let mut builder = ClientBuilder::new(HttpConnector::new());
    builder.capabilities(options.as_object().unwrap().clone());
    builder.connect(&format!("http://127.0.0.1:{port}")).await.unwrap()
}

/// Waits for a condition, never for a time; gives up when no person would wait any longer.
pub async fn until(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let began = Instant::now();
    while !condition().await {
        assert!(began.elapsed() < PATIENCE, "it never came to be: {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn free_port() -> u16 {
    TcpListener::bind(("127.0.0.1", 0)).unwrap().local_addr().unwrap().port()
}
