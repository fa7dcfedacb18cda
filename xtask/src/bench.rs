//! Figures, measured in one run against the engine that the window is made of.

use anyhow::Result;

pub(crate) fn bench() -> Result<()> {
    Ok(())
}
