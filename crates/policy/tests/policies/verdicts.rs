//! How several policies become one verdict.

use countersign_kernel::{Hook, Ruled};
use countersign_policy::Policies;

use crate::kit::{ALLOW, HOOKS, OURS, THEIRS, Table, propose};

const DENY: &str = r#"@id("no") @because("it is forbidden") forbid (principal, action, resource);"#;
const ESCALATE: &str = r#"@id("ask") @verdict("escalate") forbid (principal, action, resource);"#;
const WARN: &str = r#"@id("note") @verdict("warn") forbid (principal, action, resource);"#;
/// Goes beyond the largest number at any time of the day but midnight.
const BROKEN: &str =
    r#"@id("broken") forbid (principal, action, resource) when { context.hour + 9223372036854775807 < 0 };"#;

#[track_caller]
fn check(policies: &[&str], ruled: Ruled, because: &str) {
    let verdict = Table::new().verdict(&Policies::parse(&policies.join("\n")).unwrap(), Hook::Start);
    assert_eq!((verdict.ruled, &*verdict.because), (ruled, because));
}

#[test]
fn a_permit_alone_allows() {
    check(&[ALLOW], Ruled::Allow, "policy `line 1:1` allows it");
}

#[test]
fn a_forbid_without_a_verdict_denies() {
    check(&[ALLOW, DENY], Ruled::Deny, "it is forbidden (policy `no`)");
    check(
        &[ALLOW, "@verdict(\"deny\") forbid (principal, action, resource);"],
        Ruled::Deny,
        "policy `line 2:1` is against it",
    );
}

#[test]
fn an_annotation_makes_a_forbid_softer() {
    check(&[ALLOW, ESCALATE], Ruled::Escalate, "policy `ask` is against it");
    check(&[ALLOW, WARN], Ruled::Warn, "policy `note` is against it");
}

#[test]
fn to_deny_is_stricter_than_to_escalate() {
    check(&[ALLOW, ESCALATE, DENY], Ruled::Deny, "it is forbidden (policy `no`)");
}

#[test]
fn to_escalate_is_stricter_than_to_warn() {
    check(&[ALLOW, WARN, ESCALATE], Ruled::Escalate, "policy `ask` is against it");
}

#[test]
fn the_order_of_the_text_does_not_matter() {
    check(&[DENY, ESCALATE, WARN, ALLOW], Ruled::Deny, "it is forbidden (policy `no`)");
}

#[test]
fn policies_that_are_equally_strict_are_all_told() {
    let other = DENY.replace("no", "never");
    check(&[ALLOW, DENY, &other], Ruled::Deny, "it is forbidden (policy `no`); it is forbidden (policy `never`)");
}

#[test]
fn what_nothing_permits_is_denied() {
    let elsewhere = r#"permit (principal, action == Action::"execution", resource);"#;
    check(&[elsewhere], Ruled::Deny, "no policy allows this");
}

#[test]
fn to_warn_is_not_to_permit() {
    let elsewhere = r#"permit (principal, action == Action::"execution", resource);"#;
    check(&[elsewhere, WARN], Ruled::Deny, "no policy allows this");
    check(&[elsewhere, ESCALATE], Ruled::Deny, "no policy allows this");
}

#[test]
fn a_policy_that_cannot_be_asked_escalates_by_its_name() {
    let verdict = Table::new().verdict(&Policies::parse(&[ALLOW, BROKEN, WARN].join("\n")).unwrap(), Hook::Start);
    assert_eq!(verdict.ruled, Ruled::Escalate);
    assert!(verdict.because.starts_with("policy `broken` could not be asked: "), "{}", verdict.because);
}

#[test]
fn a_policy_that_cannot_be_asked_does_not_soften_a_denial() {
    check(&[ALLOW, BROKEN, DENY], Ruled::Deny, "it is forbidden (policy `no`)");
}

#[test]
fn a_permit_that_cannot_be_asked_permits_nothing() {
    check(&[&BROKEN.replace("forbid", "permit")], Ruled::Deny, "no policy allows this");
}

#[test]
fn a_policy_applies_at_its_own_hook_alone() {
    for (hook, name) in HOOKS.into_iter().zip(["start", "turn", "resolution", "execution"]) {
        let forbid = format!("{ALLOW} forbid (principal, action == Action::\"{name}\", resource);");
        let policies = Policies::parse(&forbid).unwrap();
        for other in HOOKS {
            let ruled = Table::new().verdict(&policies, other).ruled;
            assert_eq!(ruled, if other == hook { Ruled::Deny } else { Ruled::Allow });
        }
    }
}

#[test]
fn the_side_that_speaks_is_the_one_that_is_asked_about() {
    let theirs = format!("{ALLOW} forbid (principal == Agent::\"theirs\", action, resource);");
    let policies = Policies::parse(&theirs).unwrap();
    assert_eq!(Table::new().says(THEIRS, propose(&[])).verdict(&policies, Hook::Turn).ruled, Ruled::Deny);
    assert_eq!(Table::new().says(OURS, propose(&[])).verdict(&policies, Hook::Turn).ruled, Ruled::Allow);
    assert_eq!(Table::new().verdict(&policies, Hook::Start).ruled, Ruled::Allow);
}
