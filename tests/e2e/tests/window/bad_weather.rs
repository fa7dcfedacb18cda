//! What the window says when things are not as they should be, and what is kept.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::harness::{Stage, on_stage, until};

#[test]
fn a_folder_that_cannot_be_written_to_is_named() {
    on_stage("unwritable", async |stage| {
        // A file in the way: nobody can make a folder below it, not even root.
        let file = stage.folder().join("file");
        fs::write(&file, "mine").unwrap();
        stage.home = file.join("home");
        assert!(problem(stage).await.contains("cannot write to"));
        assert_eq!(fs::read(&file).unwrap(), b"mine");
    });
}

#[test]
fn a_folder_that_became_read_only_is_named_and_kept() {
    on_stage("read_only", async |stage| {
        let disk = SmallDisk::mount(&stage.folder().join("disk"));
        stage.home = disk.0.join("home");
        stage.open().await.close().await;
        let kept = fs::read(stage.home.join("journal.db")).unwrap();
        disk.make_read_only().await;
        let told = problem(stage).await;
        assert!(told.contains("cannot write to") && told.contains("Nothing was changed"), "{told}");
        assert_eq!(fs::read(stage.home.join("journal.db")).unwrap(), kept, "to the byte");
    });
}

#[test]
fn a_journal_of_a_newer_version_is_left_alone() {
    on_stage("newer", async |stage| {
        stage.open().await.close().await;
        let journal = stage.home.join("journal.db");
        // The format's number in the file's header.
        let mut bytes = fs::read(&journal).unwrap();
        bytes[60..64].copy_from_slice(&99u32.to_be_bytes());
        fs::write(&journal, &bytes).unwrap();

        let told = problem(stage).await;
        assert!(told.contains("newer Countersign") && told.contains("format 99"), "{told}");
        assert_eq!(fs::read(&journal).unwrap(), bytes, "to the byte");
    });
}

#[test]
fn a_file_that_is_no_journal_is_left_alone() {
    on_stage("not_a_journal", async |stage| {
        fs::create_dir_all(&stage.home).unwrap();
        let journal = stage.home.join("journal.db");
        fs::write(&journal, "a shopping list, by a strange name").unwrap();

        assert!(problem(stage).await.contains("is not a Countersign journal"));
        assert_eq!(fs::read(&journal).unwrap(), b"a shopping list, by a strange name");
    });
}

#[test]
fn what_was_wrong_can_be_mended_and_tried_again() {
    on_stage("mended", async |stage| {
        fs::create_dir_all(&stage.home).unwrap();
        let journal = stage.home.join("journal.db");
        fs::write(&journal, "a shopping list, by a strange name").unwrap();
        let run = stage.open().await;
        run.page.has(".opening .problem").await;
        fs::rename(&journal, stage.home.join("shopping.txt")).unwrap();
        run.page.retry().await;
        run.page.has(".frame").await;
        run.close().await;
    });
}

#[test]
fn a_panic_in_the_core_is_shown_kept_in_a_file_and_survived() {
    on_stage("panic", async |stage| {
        stage.fault = Some("panic-on-third-turn");
        let run = stage.open().await;
        let page = &run.page;
        page.try_a_sample().await;
        page.has(".notices .problem").await;
        assert!(page.text(".notices .problem").await.contains("Every turn you see is kept"));
        assert_eq!(page.turns().await, 2);
        let report = fs::read_dir(stage.home.join("crashes")).unwrap().next().unwrap().unwrap();
        assert!(fs::read_to_string(report.path()).unwrap().contains("COUNTERSIGN_FAULT"));

        page.retry().await;
        page.has_status("pending").await;
        assert_eq!(page.turns().await, 5);
        run.close().await;
    });
}

#[test]
fn an_address_that_leads_nowhere_leaves_the_rest_usable() {
    on_stage("nowhere", async |stage| {
        let run = stage.open().await;
        run.page.visit("/needs-you/no-such-thing").await;
        run.page.has(".detail .problem").await;
        assert!(run.page.text(".detail .problem").await.contains("does not exist"));
        run.page.go_to("settings").await;
        run.page.has(".page fieldset").await;
        run.close().await;
    });
}

#[test]
fn a_full_disk_stops_the_turns_and_loses_none() {
    on_stage("full", async |stage| {
        let disk = SmallDisk::mount(&stage.folder().join("disk"));
        stage.home = disk.0.join("home");
        let run = stage.open().await;
        let page = &run.page;
        page.try_a_sample().await;
        page.has_turns(1).await;
        let filler = disk.0.join("filler");
        fill(&filler);
        page.has(".notices .problem").await;
        assert!(page.text(".notices .problem").await.contains("disk is full"));
        let kept = page.turns().await;

        fs::remove_file(&filler).unwrap();
        page.retry().await;
        page.has_status("pending").await;
        assert!(kept < 5 && page.turns().await == 5);
        assert_eq!(page.actions().await, ["propose", "counter", "counter", "counter", "accept"]);
        run.close().await;
    });
}

/// Opens the app where it cannot work; gives what it says.
async fn problem(stage: &Stage) -> String {
    let run = stage.open().await;
    run.page.has(".opening .problem").await;
    let told = run.page.text(".opening .problem").await;
    run.close().await;
    told
}

/// A disk of a few megabytes, gone when dropped.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(at: &Path) -> Self {
        fs::create_dir_all(at).unwrap();
        let mounted = as_root("mount").args(["-t", "tmpfs", "-o", "size=8m,mode=777", "tmpfs"]).arg(at).status();
        assert!(mounted.unwrap().success(), "the test of a full disk needs the right to mount one");
        Self(at.to_owned())
    }

    /// As soon as nobody has a file open on it any more: a process that is gone may still be closing some.
    async fn make_read_only(&self) {
        let mut remount = as_root("mount");
        remount.args(["-o", "remount,ro"]).arg(&self.0).stderr(Stdio::null());
        until("nobody uses the disk", async || remount.status().unwrap().success()).await;
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = as_root("umount").arg("--lazy").arg(&self.0).status();
    }
}

/// The command, through sudo for whoever is not root.
fn as_root(program: &str) -> Command {
    if fs::metadata("/proc/self").unwrap().uid() == 0 {
        return Command::new(program);
    }
    let mut sudo = Command::new("sudo");
    sudo.arg(program);
    sudo
}

/// Writes until nothing fits.
fn fill(file: &Path) {
    use std::io::Write;
    let mut file = fs::File::create(file).unwrap();
    while file.write_all(&[0; 4096]).is_ok() {}
    while file.write_all(&[0]).is_ok() {}
}
