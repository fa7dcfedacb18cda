//! Builds the app and opens it.

use std::io::Read;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use countersign_e2e::{Ending, Screen};

use crate::install::{self, Wasm};
use crate::run::{Profile, cargo, run, target};
use crate::ui;

pub(crate) fn app(profile: Profile, args: &[&str]) -> Result<()> {
    let wasm = install::everything()?;
    println!("building (the first time takes some minutes)");
    let app = build(&wasm, profile)?;
    let mut command = Command::new(app);
    command.args(args);
    if std::env::var_os("DISPLAY").or_else(|| std::env::var_os("WAYLAND_DISPLAY")).is_some() {
        return run(&mut command);
    }
    println!("no display: running under Xvfb");
    let screen = Screen::open()?;
    let painted = Painted::listen()?;
    screen.prepare(&mut command).env("PAINTED_URL", painted.url());
    let mut app = Ending::new(&mut command)?;
    painted.wait(&mut app)?;
    let picture = target().join("countersign.png");
    screen.picture(&picture)?;
    println!("painted; the picture is {}", picture.display());
    Ok(())
}

/// Builds the window's files and the app around them; gives the program.
pub(crate) fn build(wasm: &Wasm, profile: Profile) -> Result<PathBuf> {
    ui::build(wasm, profile)?;
    run(cargo(&["build", "--quiet", "--package", "countersign-app"]).args(profile.args()))?;
    Ok(target().join(profile.folder()).join("countersign-app"))
}

/// Hears from the app that its first content is on the screen.
pub(crate) struct Painted(TcpListener);

impl Painted {
    pub(crate) fn listen() -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        Ok(Self(listener))
    }

    pub(crate) fn url(&self) -> String {
        let port = self.0.local_addr().map_or(0, |address| address.port());
        format!("http://127.0.0.1:{port}/painted")
    }

    /// Returns when it has painted.
    pub(crate) fn wait(&self, app: &mut Ending) -> Result<Instant> {
        const PATIENCE: Duration = Duration::from_secs(60);
        let began = Instant::now();
        while began.elapsed() < PATIENCE {
            match self.0.accept() {
                Ok((mut stream, _)) => {
                    let at = Instant::now();
                    stream.set_nonblocking(false)?;
                    let _ = stream.read(&mut [0; 256]);
                    return Ok(at);
                }
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                Err(error) => return Err(error).context("cannot hear from the app"),
            }
            if let Some(status) = app.child().try_wait()? {
                bail!("the app ended before it painted ({status})");
            }
        }
        bail!("the app did not paint within {} s", PATIENCE.as_secs())
    }
}
