//! Every command does what its help says, and ends with the code that its help says.

use countersign_store::DataFolder;

use crate::kit::{field, ok, run};

#[test]
fn from_a_sample_to_a_verified_copy() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    assert!(ok(home, &["list"]).contains("countersign sample"), "says what to do first");
    assert!(ok(home, &["sample"]).contains("accept"));
    let id = field(&ok(home, &["--json", "list"]), "id");
    let end = &id[id.len() - 8..];
    assert!(ok(home, &["list", "--folder", "needs-you"]).contains(end));
    let shown = ok(home, &["show", end]);
    assert!(shown.contains("If nobody does anything") && shown.contains("it expires and binds nobody"));
    assert!(ok(home, &["why", end]).contains("has not ended"));

    let digest = field(&ok(home, &["--json", "show", end]), "digest");
    assert_eq!(run(home, &["decide", end, "accept"]).0, 2, "nobody to ask");
    assert_eq!(run(home, &["decide", end, "accept", "--yes"]).0, 2, "what exactly?");
    let other = "0".repeat(digest.len());
    assert_eq!(run(home, &["decide", end, "accept", "--yes", "--digest", &other]).0, 5, "not what is there");
    assert!(ok(home, &["decide", end, "accept", "--yes", "--digest", &digest]).contains("it is accepted"));
    assert_eq!(run(home, &["decide", end, "decline", "--yes", "--digest", &digest]).0, 5, "decided once");
    assert_eq!(ok(home, &["why", end]), "You accepted it.\n");

    for flags in [&["export", end][..], &["export", end, "--redacted"]] {
        let copy = home.join("copy.json");
        std::fs::write(&copy, ok(home, flags)).unwrap();
        let copy = copy.to_str().unwrap();
        assert!(ok(home, &["verify", copy]).contains("in one chain, signed by did:key:"));
        let text = std::fs::read_to_string(copy).unwrap();
        assert_eq!(text.contains("Mara Lindqvist"), !flags.contains(&"--redacted"));
        std::fs::write(copy, text.replace("tokio", "async-std")).unwrap();
        assert_eq!(run(home, &["verify", copy]).0, 4);
        std::fs::write(copy, "{").unwrap();
        assert_eq!(run(home, &["verify", copy]).0, 4);
    }
    let page = ok(home, &["export", end, "--redacted", "--format", "html"]);
    assert!(page.starts_with("<!doctype html>") && !page.contains("Mara Lindqvist") && page.contains("[name]"));
    assert!(ok(home, &["digest"]).contains("you accepted 1"));
    assert!(ok(home, &["verify"]).starts_with("As it was written"));
    assert!(ok(home, &["verify", end]).starts_with("As it was written"));
}

#[test]
fn looking_works_while_another_process_has_the_folder_and_acting_does_not() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    ok(home, &["sample"]);
    let _held = DataFolder::open(home).unwrap();
    for looks in [&["list"][..], &["verify"], &["digest"], &["doctor"], &["mode"], &["mandate"], &["policies"]] {
        ok(home, looks);
    }
    for acts in [&["mode", "off"][..], &["sample"], &["rebuild"]] {
        let (code, _, told) = run(home, acts);
        assert_eq!(code, 6, "{acts:?}");
        assert!(told.contains("Another Countersign"));
    }
}

#[test]
fn the_mode_survives_and_says_what_it_means() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    for (mode, says) in [("off", "Off: "), ("stop", "Stopped: "), ("on", "On: ")] {
        assert!(ok(home, &["mode", mode]).starts_with(says));
        assert!(ok(home, &["mode"]).starts_with(says));
    }
    assert_eq!(run(home, &["mode", "sideways"]).0, 2);
}

#[test]
fn a_copy_of_the_journal_is_restored_only_when_it_is_as_it_was_written() {
    let home = tempfile::tempdir().unwrap();
    let (home, elsewhere) = (home.path(), tempfile::tempdir().unwrap());
    ok(home, &["sample"]);
    let before = ok(home, &["--json", "list"]);
    let copy = elsewhere.path().join("copy.db");
    let copy = copy.to_str().unwrap();
    ok(home, &["backup", copy]);
    assert_eq!(run(home, &["backup", copy]).0, 2, "is there already");
    ok(home, &["sample"]);
    assert_eq!(run(home, &["restore", copy]).0, 2, "nobody to ask");
    ok(home, &["restore", copy, "--yes"]);
    assert_eq!(ok(home, &["--json", "list"]), before);
    std::fs::write(copy, b"not a journal").unwrap();
    assert_ne!(run(home, &["restore", copy, "--yes"]).0, 0);
    assert_eq!(ok(home, &["--json", "list"]), before, "nothing was overwritten");
}

#[test]
fn a_mandate_or_policies_that_make_no_sense_are_refused_with_the_place() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let file = home.join("file");
    let path = file.to_str().unwrap();
    std::fs::write(&file, "{\n  \"goals\": [\"a mentor\"]\n}").unwrap();
    assert!(ok(home, &["mandate", path]).contains("Mandate 1"));
    assert!(ok(home, &["mandate"]).contains("a mentor"));
    std::fs::write(&file, "{\n  \"gaols\": []\n}").unwrap();
    let (code, _, told) = run(home, &["mandate", path]);
    assert_eq!(code, 2);
    assert!(told.contains("line 2") && told.contains("gaols"), "{told}");
    std::fs::write(&file, "permit (principal, action, resource);\nforbid (").unwrap();
    let (code, _, told) = run(home, &["policies", path]);
    assert_eq!(code, 5);
    assert!(told.contains("ine 2"), "{told}");
    assert!(ok(home, &["policies"]).contains("@id(\"base\")"), "those before stay in force");
}

#[test]
fn what_is_not_there_and_what_is_meant_badly_is_told_apart() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    assert_eq!(run(home, &["show", "nothing"]).0, 3);
    ok(home, &["sample", "--count", "2"]);
    assert_eq!(run(home, &["show", "nothing"]).0, 3);
    assert_eq!(run(home, &["show", "0"]).0, 3, "could be any");
    assert_eq!(run(home, &["list", "--folder", "attic"]).0, 2);
    assert_eq!(run(home, &["frobnicate"]).0, 2);
    assert!(ok(home, &["--help"]).contains("Exit codes"));
    assert!(ok(home, &["completions", "bash"]).contains("_countersign"));
    assert!(ok(home, &["rebuild"]).contains("2 negotiations"));
}

#[test]
fn the_doctor_finds_what_was_changed_behind_its_back() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    ok(home, &["sample"]);
    assert!(ok(home, &["doctor"]).lines().all(|line| line.starts_with("ok")));
    let change = |sql: &str| rusqlite::Connection::open(home.join("journal.db")).unwrap().execute_batch(sql).unwrap();
    change("update opportunities set folder = 'accepted'");
    let (code, told, _) = run(home, &["doctor"]);
    assert_eq!(code, 1, "{told}");
    assert!(told.contains("!!   lists"));
    ok(home, &["rebuild"]);
    ok(home, &["doctor"]);
    change("drop trigger entries_are_not_changed; update entries set body = replace(body, '40,000', '90,000')");
    let (code, told, _) = run(home, &["doctor"]);
    assert_eq!(code, 4, "{told}");
    assert!(told.contains("!!   journal"));
}
