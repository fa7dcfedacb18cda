//! The core behind the window. It may fail to open; then the window says why and can try again.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use countersign_api::types::{Problem, ProblemCode};
use countersign_api::{Api, Options};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

pub(crate) struct Core {
    home: PathBuf,
    api: Mutex<Option<Api>>,
    /// The task that feeds the window; a new one takes the place of the old.
    pub(crate) feed: Mutex<Option<JoinHandle<()>>>,
}

impl Core {
    pub(crate) fn new(home: PathBuf) -> Self {
        Self { home, api: Mutex::new(None), feed: Mutex::new(None) }
    }

    /// The open core; opens it if that has not worked yet.
    pub(crate) async fn api(&self) -> Result<Api, Problem> {
        let mut slot = self.api.lock().await;
        if let Some(api) = &*slot {
            return Ok(api.clone());
        }
        let api = self.open().await.inspect_err(|problem| log::error!("{problem}"))?;
        Ok(slot.insert(api).clone())
    }

    async fn open(&self) -> Result<Api, Problem> {
        let began = Instant::now();
        loop {
            match Api::open(Options::new(self.home.clone())).await {
                // Whoever is on its way out lets go of the folder in a moment.
                Err(problem) if problem.code == ProblemCode::InUse && began.elapsed() < Duration::from_secs(2) => {
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
                opened => return opened,
            }
        }
    }
}
