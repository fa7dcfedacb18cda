//! The desktop shell: one window, and commands that forward to the core.
//!
//! No rule, no SQL and no negotiation logic lives here. Whatever the window may ask for is a command in `commands.rs`.

#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod args;
mod commands;
mod core;
mod crash;
mod painted;
mod window;

use std::process::ExitCode;

use args::Request;

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "before there is a window, the terminal is the screen")]
fn main() -> ExitCode {
    let home = match args::parse() {
        Ok(Request::Run { home }) => home,
        Ok(Request::Print(text)) => {
            println!("{text}");
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("countersign-app: {error}\nTry countersign-app --help.");
            return ExitCode::from(2);
        }
    };
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("info")).init();
    crash::keep_reports(&home);
    match window::run(&home) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("countersign-app: {error}");
            ExitCode::FAILURE
        }
    }
}
