use std::pin::Pin;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use countersign_kernel::Timestamp;
use tokio::sync::watch;

/// What time it is. The engine asks nobody else.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Timestamp;

    /// Waits until then, or a little longer.
    fn sleep_until(&self, at: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// The machine's own.
#[derive(Clone, Copy, Debug)]
pub struct SystemClock;

/// How long the clock is trusted without looking: it can be set, and the machine can have slept.
const LONGEST_NAP: Duration = Duration::from_secs(30);

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }

    fn sleep_until(&self, at: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(async move {
            while self.now() < at {
                let left = Duration::from_millis(at.since(self.now()).0);
                tokio::time::sleep(left.min(LONGEST_NAP)).await;
            }
        })
    }
}

/// One that stands still until it is moved, for tests and simulations.
#[derive(Clone, Debug)]
pub struct HandClock(watch::Sender<Timestamp>);

impl HandClock {
    /// Showing this time.
    pub fn new(at: Timestamp) -> Self {
        Self(watch::Sender::new(at))
    }

    /// Moves it, forwards or backwards.
    pub fn set(&self, at: Timestamp) {
        self.0.send_replace(at);
    }
}

impl Clock for HandClock {
    fn now(&self) -> Timestamp {
        *self.0.borrow()
    }

    fn sleep_until(&self, at: Timestamp) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        let mut shown = self.0.subscribe();
        Box::pin(async move {
            // It only fails when the clock is gone, and then nobody waits.
            let _ = shown.wait_for(|now| *now >= at).await;
        })
    }
}
