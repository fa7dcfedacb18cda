//! `cargo xtask COMMAND`: everything that is done to this repository, one module per command.

#![allow(clippy::print_stdout, reason = "a command-line tool talks to its terminal")]

mod app;
mod bench;
mod bundle;
mod deny;
mod fuzz;
mod icons;
mod install;
mod run;
mod soak;
mod test;
mod ui;

use std::process::ExitCode;

use anyhow::{Result, bail};

const HELP: &str = "\
Usage: cargo xtask COMMAND

Commands:
  app [--release] [-- ARGS]    Install what is missing, build, open the app; with no display under Xvfb, with a picture
  test                         Install what is missing, then every check and test there is
  e2e [FILTER]                 Only the tests in the real window
  pictures                     Every screen in both themes and two sizes, to look at
  soak [--minutes N] [--from SEED]
                               Simulate as many worlds as fit; 10 minutes unless told
  bench                        Measure, a line per figure
  fuzz [TARGET] [--seconds N]  Look for bytes that break what reads them, a minute each
  bundle                       Make a .deb from a release build
  deny                         Check licences and sources of everything we build on
  ui [--release]               Build the window's files into dist/
  install                      Install what building and testing needs
  icons                        Draw icons/ anew from icons/countersign.svg";

#[expect(clippy::print_stderr, reason = "an error goes to the terminal")]
fn main() -> ExitCode {
    match dispatch() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let command = args.next().unwrap_or_default();
    let rest: Vec<String> = args.collect();
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    match (command.as_str(), rest.as_slice()) {
        ("app", ["--release", "--", args @ ..]) => app::app(run::Profile::Release, args),
        ("app", ["--release"]) => app::app(run::Profile::Release, &[]),
        ("app", ["--", args @ ..]) => app::app(run::Profile::Dev, args),
        ("app", []) => app::app(run::Profile::Dev, &[]),
        ("test", []) => test::test(),
        ("e2e", filter) => test::e2e(filter),
        ("pictures", []) => test::pictures(),
        ("soak", options) => soak::soak(options),
        ("bench", []) => bench::bench(),
        ("fuzz", args) => fuzz::fuzz(args),
        ("bundle", []) => bundle::bundle(),
        ("deny", []) => deny::deny(),
        ("ui", ["--release"]) => ui::build(&install::everything()?, run::Profile::Release),
        ("ui", []) => ui::build(&install::everything()?, run::Profile::Dev),
        ("install", []) => install::everything().map(drop),
        ("icons", []) => icons::draw(),
        ("help" | "--help" | "-h" | "", _) => {
            println!("{HELP}");
            Ok(())
        }
        (other, rest) => bail!("`{other} {}` is not a command\n\n{HELP}", rest.join(" ")),
    }
}
