use std::collections::{BTreeMap, BTreeSet};

/// Refuses a message that was seen before, or whose time is too far off to tell.
#[derive(Clone, Debug)]
pub struct Nonces {
    /// How far a message's time may be from ours, in milliseconds. What is older need not be remembered.
    window: u64,
    seen: BTreeSet<(String, String)>,
    by_time: BTreeMap<i64, Vec<(String, String)>>,
}

/// Why a message is not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Replay {
    /// It came before.
    #[error("this message came before")]
    Seen,
    /// Its time is too long ago.
    #[error("this message is too old")]
    TooOld,
    /// Its time has not come.
    #[error("this message is from the future")]
    FromTheFuture,
}

impl Nonces {
    /// With times that may differ by so many milliseconds.
    pub fn new(window: u64) -> Self {
        Self { window, seen: BTreeSet::new(), by_time: BTreeMap::new() }
    }

    /// Takes a sender's nonce once.
    pub fn take(&mut self, sender: &str, nonce: &str, sent: i64, now: i64) -> Result<(), Replay> {
        self.forget(now);
        if sent.saturating_add_unsigned(self.window) < now {
            return Err(Replay::TooOld);
        }
        if sent > now.saturating_add_unsigned(self.window) {
            return Err(Replay::FromTheFuture);
        }
        let key = (sender.to_owned(), nonce.to_owned());
        if !self.seen.insert(key.clone()) {
            return Err(Replay::Seen);
        }
        self.by_time.entry(sent).or_default().push(key);
        Ok(())
    }

    /// How many are remembered.
    pub fn len(&self) -> usize {
        self.seen.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.seen.is_empty()
    }

    fn forget(&mut self, now: i64) {
        let kept = self.by_time.split_off(&now.saturating_sub_unsigned(self.window));
        for key in std::mem::replace(&mut self.by_time, kept).into_values().flatten() {
            self.seen.remove(&key);
        }
    }
}
