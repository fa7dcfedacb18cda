//! Draws every size that bundles need from the one drawing.

use std::fs;
use std::process::Command;

use anyhow::Result;

use crate::install::packages;
use crate::run::{root, run};

pub(crate) fn draw() -> Result<()> {
    packages(&["librsvg2-bin"])?;
    for (name, size) in
        [("32x32.png", 32), ("64x64.png", 64), ("128x128.png", 128), ("128x128@2x.png", 256), ("icon.png", 512)]
    {
        fs::write(root().join("icons").join(name), png(size)?)?;
    }
    fs::write(root().join("icons/icon.ico"), ico(&[16, 24, 32, 48, 64, 256])?)?;
    fs::write(root().join("icons/icon.icns"), icns()?)?;
    Ok(())
}

fn png(size: u32) -> Result<Vec<u8>> {
    let file = tempfile::NamedTempFile::new()?;
    let size = size.to_string();
    let drawing = root().join("icons/countersign.svg");
    run(Command::new("rsvg-convert").args(["-w", &size, "-h", &size]).arg(drawing).arg("-o").arg(file.path()))?;
    Ok(fs::read(file.path())?)
}

/// Windows: a directory of PNGs; a size of 256 is written as 0.
fn ico(sizes: &[u32]) -> Result<Vec<u8>> {
    let images = sizes.iter().map(|size| png(*size)).collect::<Result<Vec<_>>>()?;
    let mut offset = u32::try_from(6 + 16 * images.len())?;
    let mut out = Vec::new();
    out.extend([0u8, 0, 1, 0]);
    out.extend(u16::try_from(images.len())?.to_le_bytes());
    for (size, image) in sizes.iter().zip(&images) {
        let side = u8::try_from(*size).unwrap_or(0);
        let length = u32::try_from(image.len())?;
        out.extend([side, side, 0, 0, 1, 0, 32, 0]);
        out.extend(length.to_le_bytes());
        out.extend(offset.to_le_bytes());
        offset += length;
    }
    out.extend(images.concat());
    Ok(out)
}

/// macOS: chunks of PNG, each with a four-letter kind that says its size.
fn icns() -> Result<Vec<u8>> {
    let mut chunks = Vec::new();
    let kinds = [
        ("ic11", 32),
        ("ic12", 64),
        ("ic07", 128),
        ("ic13", 256),
        ("ic08", 256),
        ("ic14", 512),
        ("ic09", 512),
        ("ic10", 1024),
    ];
    for (kind, size) in kinds {
        let image = png(size)?;
        chunks.extend(kind.as_bytes());
        chunks.extend(u32::try_from(image.len() + 8)?.to_be_bytes());
        chunks.extend(image);
    }
    let mut out = b"icns".to_vec();
    out.extend(u32::try_from(chunks.len() + 8)?.to_be_bytes());
    out.extend(chunks);
    Ok(out)
}
