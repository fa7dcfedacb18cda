//! A readable file for every panic, beside the data it concerns. Nothing is sent anywhere.

use std::backtrace::Backtrace;
use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// From now on a panic leaves a report in the data folder's `crashes`, besides what it prints.
pub(crate) fn keep_reports(home: &Path) {
    let crashes = home.join("crashes");
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        print(panic);
        let thread = std::thread::current();
        let report = format!(
            "Countersign {} stopped part of its work.\n\nthread: {}\n{panic}\n\n{}\n",
            env!("CARGO_PKG_VERSION"),
            thread.name().unwrap_or("unnamed"),
            Backtrace::force_capture(),
        );
        let at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let file = crashes.join(format!("{at}.txt"));
        // A report that cannot be written must not become a second panic.
        match fs::create_dir_all(&crashes).and_then(|()| fs::write(&file, report)) {
            Ok(()) => log::error!("a report of the fault is in `{}`", file.display()),
            Err(error) => log::error!("the report of the fault could not be kept: {error}"),
        }
    }));
}
