use std::path::Path;
use std::process::{Command, Output, Stdio};

/// The program on a data folder of its own, never touching the keychain of whoever runs the tests.
pub fn countersign(home: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_countersign"));
    command.env("COUNTERSIGN_KEYCHAIN", "off").arg("--home").arg(home).args(args).stdin(Stdio::null());
    command
}

/// What it came to: its code, what it printed, what it complained about.
pub fn run(home: &Path, args: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = countersign(home, args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

/// What it printed, when it has to work.
pub fn ok(home: &Path, args: &[&str]) -> String {
    let (code, stdout, stderr) = run(home, args);
    assert_eq!(code, 0, "{args:?}: {stdout}{stderr}");
    stdout
}

/// The first field of that name in JSON: good enough for ids and digests.
pub fn field(json: &str, name: &str) -> String {
    let (_, rest) = json.split_once(&format!("\"{name}\": \"")).unwrap();
    rest.split('"').next().unwrap().to_owned()
}
