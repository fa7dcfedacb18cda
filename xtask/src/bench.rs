//! Figures, each against a limit measured or set in the same run. Machines differ and are noisy; ratios travel.

mod startup;

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};

use crate::app;
use crate::install;
use crate::run::{Profile, cargo, root, run};
use startup::Sample;

pub(crate) fn bench() -> Result<()> {
    println!("turns of the kernel: at least 1,000,000 a second, and as many after 10,000 as after 1,000");
    run(&mut cargo(&["bench", "--quiet", "--package", "countersign-kernel", "--bench", "turns"]))?;
    let wasm = install::everything()?;
    println!("building for release (some minutes)");
    let app = app::build(&wasm, Profile::Release)?;
    let (ours, theirs) = startup::measure(&app)?;

    println!("{:<44} {:>12} {:>14} {:>7}", "figure", "countersign", "limit", "ratio");
    run(&mut cargo(&["bench", "--quiet", "--package", "countersign-store", "--bench", "journal"]))?;
    run(&mut cargo(&["bench", "--quiet", "--package", "countersign-engine", "--bench", "durable"]))?;
    line("start to first paint, median of 5", "ms", &ours, &theirs, |sample| sample.paint.as_secs_f64() * 1e3);
    line("memory when idle (PSS), median of 5", "MB", &ours, &theirs, |sample| sample.pss_kb / 1e3);
    let size = size(&root().join("dist/countersign_ui_bg.wasm"))?;
    figure("the window's code", "kB", size.raw, 800.0);
    figure("the window's code, brotli", "kB", size.brotli, 250.0);
    Ok(())
}

fn line(name: &str, unit: &str, ours: &[Sample], theirs: &[Sample], of: impl Fn(&Sample) -> f64) {
    figure(name, unit, median(ours, &of), median(theirs, &of));
}

fn figure(name: &str, unit: &str, ours: f64, limit: f64) {
    println!("{name:<44} {ours:>9.0} {unit:<2} {limit:>11.0} {unit:<2} {:>7.2}", ours / limit);
}

fn median(samples: &[Sample], of: impl Fn(&Sample) -> f64) -> f64 {
    let mut values: Vec<f64> = samples.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// In kB.
struct Size {
    raw: f64,
    brotli: f64,
}

fn size(file: &Path) -> Result<Size> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read `{}`", file.display()))?;
    let mut small = Vec::new();
    brotli::CompressorWriter::new(&mut small, 4096, 11, 22).write_all(&bytes)?;
    let kb = |bytes: &[u8]| u32::try_from(bytes.len()).map(|length| f64::from(length) / 1e3);
    Ok(Size { raw: kb(&bytes)?, brotli: kb(&small)? })
}
