//! What is read as policies, what is refused, and where it says so.

use countersign_kernel::Ruled;
use countersign_policy::Policies;

use crate::kit::ALLOW;

/// Refused on this line, for a reason that says this.
#[track_caller]
pub(crate) fn check(text: &str, line: u32, says: &str) {
    let error = Policies::parse(text).map(|_| ()).unwrap_err();
    assert_eq!(error.line, line, "{error}");
    assert!(error.reason.contains(says), "`{}` does not say `{says}`", error.reason);
    assert_eq!(error.to_string(), format!("line {line}: {}", error.reason));
}

#[test]
fn what_was_read_is_kept_as_it_was_written() {
    let text = format!("// mine\n{ALLOW}\n@id(\"x\") @verdict(\"warn\") forbid (principal, action, resource);\n// end");
    let policies = Policies::parse(&text).unwrap();
    assert_eq!(policies.text(), text);
    let list: Vec<_> = policies.names().iter().map(|named| (&*named.id, named.ruled)).collect();
    assert_eq!(list, [("line 2:1", Ruled::Allow), ("x", Ruled::Warn)]);
}

#[test]
fn a_syntax_error_is_told_with_its_line_and_column() {
    let text = format!("{ALLOW}\n\nforbid (principal, action, resource)\n  when {{ context.on && }};\n");
    check(&text, 4, "unexpected token `}`");
    let error = Policies::parse(&text).unwrap_err();
    assert_eq!(error.column, 24);
}

#[test]
fn columns_count_characters() {
    let error = Policies::parse("@because(\"…äö…\") permitt (principal, action, resource);").unwrap_err();
    assert_eq!((error.line, error.column), (1, 18));
}

#[test]
fn the_first_of_several_errors_is_told() {
    let typo = "forbid (principal, action, resource) when { context.hours > 3 };";
    check(&format!("{ALLOW}\n{typo}\n{typo}"), 2, "hours");
    check(&format!("{}\n{typo}", "permit (principal, action, resource)\n when { context.houry > 3 };"), 2, "houry");
}

#[test]
fn an_attribute_that_does_not_exist_is_refused() {
    check(&format!("{ALLOW}\nforbid (principal, action, resource)\nwhen {{ resource.scoer < 3 }};"), 3, "scoer");
}

#[test]
fn a_word_that_does_not_exist_is_refused() {
    for (condition, word) in [
        ("context has move && context.move == Move::\"acept\"", "acept"),
        ("resource.protocol == Protocol::\"indx\"", "indx"),
        ("resource.ours.kind == Kind::\"robot\"", "robot"),
        ("principal == Agent::\"our\"", "our"),
        ("principal == Agnet::\"ours\"", "Agnet"),
    ] {
        check(&format!("{ALLOW}\nforbid (principal, action, resource) when {{ {condition} }};"), 2, word);
    }
    check(&format!("{ALLOW}\nforbid (principal, action == Action::\"trun\", resource);"), 2, "trun");
}

#[test]
fn an_optional_attribute_is_asked_for_first() {
    check(
        &format!("{ALLOW}\nforbid (principal, action, resource) when {{ context.confidence < 3 }};"),
        2,
        "confidence",
    );
}

#[test]
fn unlike_things_are_not_compared() {
    check(&format!("{ALLOW}\nforbid (principal, action, resource) when {{ context.hour > \"9\" }};"), 2, "type");
    check(&format!("{ALLOW}\nforbid (principal, action, resource) when {{ context.total > 9 }};"), 2, "type");
}

#[test]
fn a_policy_that_can_never_apply_is_refused() {
    check(
        &format!("{ALLOW}\n@id(\"x\")\nforbid (principal, action, resource) when {{ false }};"),
        2,
        "`x` can never apply",
    );
}

#[test]
fn an_unknown_verdict_is_refused_where_it_stands() {
    let text = format!("{ALLOW}\n@id(\"x\")\n@verdict(\"wran\")\nforbid (principal, action, resource);");
    check(&text, 3, "`wran` is not a verdict");
}

#[test]
fn an_unknown_annotation_is_refused() {
    check(&format!("{ALLOW}\n@becuase(\"x\")\nforbid (principal, action, resource);"), 2, "`@becuase` means nothing");
}

#[test]
fn a_permit_has_no_verdict() {
    check("@verdict(\"warn\")\npermit (principal, action, resource);", 1, "only a forbid has a verdict");
}

#[test]
fn blank_annotations_are_refused() {
    for key in ["id", "because", "verdict"] {
        let text = format!("{ALLOW}\n@{key}(\" \") forbid (principal, action, resource);");
        check(&text, 2, &format!("`@{key}` says nothing"));
    }
}

#[test]
fn two_policies_of_one_name_are_refused() {
    let policy = "@id(\"x\") permit (principal, action, resource);";
    check(&format!("{policy}\n\n{policy}"), 3, "there is a policy `x` already");
}

#[test]
fn a_template_is_refused() {
    check(&format!("{ALLOW}\npermit (principal == ?principal, action, resource);"), 2, "slot");
}

#[test]
fn what_permits_nothing_is_refused() {
    for text in ["", "  \n ", "// nothing", "forbid (principal, action, resource);"] {
        check(text, 1, "nothing is permitted");
    }
}

#[test]
fn a_copy_is_the_same_policies() {
    let policies = Policies::parse(ALLOW).unwrap();
    assert!(std::ptr::eq(policies.text(), policies.clone().text()));
}
