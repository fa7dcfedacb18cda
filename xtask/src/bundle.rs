//! A .deb.

use anyhow::Result;

pub(crate) fn bundle() -> Result<()> {
    Ok(())
}
