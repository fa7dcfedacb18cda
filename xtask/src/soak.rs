//! As many simulated worlds as fit into a time. One that fails is named by its seed.

use anyhow::{Context, Result, bail};

use crate::run::{cargo, run};

pub(crate) fn soak(options: &[&str]) -> Result<()> {
    let mut simulate = cargo(&["test", "--quiet", "--profile", "soak", "--package", "countersign-engine"]);
    let mut rest = options;
    while let [option, value, others @ ..] = rest {
        let variable = match *option {
            "--minutes" => "COUNTERSIGN_MINUTES",
            "--from" => "COUNTERSIGN_FROM",
            other => bail!("`{other}` is not an option of soak"),
        };
        value.parse::<u64>().with_context(|| format!("`{value}` is not a number"))?;
        simulate.env(variable, value);
        rest = others;
    }
    if let [option] = rest {
        bail!("`{option}` needs a number");
    }
    run(simulate.args(["--test", "simulation", "--", "--ignored", "--exact", "soak", "--nocapture"]))
}
