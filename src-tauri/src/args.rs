//! What the command line and the environment say.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use directories::ProjectDirs;

const HELP: &str = "\
Countersign: your agent negotiates for you. Nothing binds until you countersign.

Usage: countersign-app [--home FOLDER]

Options:
      --home FOLDER  Keep all data in FOLDER (default: $COUNTERSIGN_HOME, or the platform's data folder)
  -h, --help         Print this help
  -V, --version      Print the version

A second start with the same folder brings the first window to the front.";

pub(crate) enum Request {
    Run { home: PathBuf },
    Print(&'static str),
}

pub(crate) fn parse() -> Result<Request, String> {
    read(lexopt::Parser::from_env(), std::env::var_os("COUNTERSIGN_HOME"))
}

fn read(mut parser: lexopt::Parser, from_environment: Option<OsString>) -> Result<Request, String> {
    use lexopt::prelude::{Long, Short};
    let mut home = from_environment.filter(|home| !home.is_empty());
    while let Some(arg) = parser.next().map_err(|error| error.to_string())? {
        match arg {
            Short('h') | Long("help") => return Ok(Request::Print(HELP)),
            Short('V') | Long("version") => {
                return Ok(Request::Print(concat!("countersign-app ", env!("CARGO_PKG_VERSION"))));
            }
            Long("home") => {
                let folder = parser.value().map_err(|_| "--home needs a folder".to_owned())?;
                if folder.is_empty() {
                    return Err("--home needs a folder".into());
                }
                home = Some(folder);
            }
            other => return Err(other.unexpected().to_string()),
        }
    }
    let home = match home {
        Some(home) => std::path::absolute(Path::new(&home)).map_err(|error| format!("--home: {error}"))?,
        None => platform_home().ok_or("this account has no home folder; say where to keep data with --home FOLDER")?,
    };
    Ok(Request::Run { home })
}

fn platform_home() -> Option<PathBuf> {
    ProjectDirs::from("app", "Countersign", "countersign").map(|dirs| dirs.data_dir().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_wins_over_the_environment() {
        assert_eq!(home(&["--home", "/a"], Some("/b")).unwrap(), Path::new("/a"));
        assert_eq!(home(&[], Some("/b")).unwrap(), Path::new("/b"));
    }

    #[test]
    fn an_empty_variable_counts_as_none() {
        assert_eq!(home(&[], Some("")).unwrap(), platform_home().unwrap());
    }

    #[test]
    fn a_relative_folder_is_made_absolute_once() {
        assert!(home(&["--home", "here"], None).unwrap().is_absolute());
    }

    #[test]
    fn what_is_wrong_with_the_arguments_is_said() {
        assert_eq!(home(&["--home"], None).unwrap_err(), "--home needs a folder");
        assert_eq!(home(&["--home", ""], None).unwrap_err(), "--home needs a folder");
        assert!(home(&["--hoem", "x"], None).unwrap_err().contains("--hoem"));
        assert!(home(&["stray"], None).unwrap_err().contains("stray"));
    }

    fn home(args: &[&str], environment: Option<&str>) -> Result<PathBuf, String> {
        let args = std::iter::once("countersign-app").chain(args.iter().copied());
        match read(lexopt::Parser::from_iter(args), environment.map(Into::into))? {
            Request::Run { home } => Ok(home),
            Request::Print(text) => Err(text.into()),
        }
    }
}
