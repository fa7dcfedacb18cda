//! Whatever the text, reading it ends well: too long, too deep, or no policies at all.

use countersign_kernel::Hook;
use countersign_policy::{MAX_POLICY_TEXT, Policies};
use proptest::prelude::*;

use crate::kit::{ALLOW, Table};
use crate::reading::check;

#[test]
fn a_text_that_is_too_long_is_refused() {
    let fits = format!("{ALLOW}{}", " ".repeat(MAX_POLICY_TEXT - ALLOW.len()));
    assert!(Policies::parse(&fits).is_ok());
    check(&format!("{fits} "), 1, "more than 262144");
}

#[test]
fn a_policy_that_is_too_long_is_refused() {
    let long = format!("permit (principal, action, resource) when {{ true{} }};", " && true".repeat(1024));
    check(&format!("{ALLOW}\n{long}"), 2, "make two of it");
}

#[test]
fn what_is_nested_too_deeply_is_refused_and_not_followed() {
    for (open, close) in [("(", ")"), ("[", "]"), ("{a: ", "}"), ("if true then true else ", "")] {
        for depth in [13, 10_000] {
            let nested = format!("{}true{}", open.repeat(depth), close.repeat(depth));
            let text = format!("{ALLOW}\npermit (principal, action, resource)\nwhen {{ {nested} }};");
            check(&text, 3, "nested more than 12 deep");
        }
    }
}

#[test]
fn whatever_is_not_refused_fits_on_the_stack() {
    // The braces of the condition are one level, and what is innermost may have another.
    let layers = [("(", ")"), ("[", "]"), ("{a: ", "}"), ("if true then true else ", ""), ("!!!!(", ")")];
    let longest = [("true", " && true", 950), ("1", "+1", 3_500), ("context", ".on", 2_500)];
    for (open, close) in layers {
        for (first, then, count) in longest {
            let inner = format!("{first}{}", then.repeat(count));
            let deep = format!("{}{inner}{}", open.repeat(10), close.repeat(10));
            let text = format!("{ALLOW}\nforbid (principal, action, resource) when {{ ({deep}) == true }};");
            if let Ok(policies) = Policies::parse(&text) {
                let _ = Table::new().verdict(&policies, Hook::Start);
            }
        }
    }
}

#[test]
fn brackets_in_strings_and_comments_are_not_nesting() {
    let brackets = "([{".repeat(50);
    let text = format!(
        "// {brackets} \" ;\n@id(\"\\\"{brackets};\") // {brackets}\r\n{ALLOW}\nforbid (principal, action, resource)\n\
         when {{ resource.counterpart == \"\\\\\" || resource.counterpart == \";// {brackets}\" }};"
    );
    let policies = Policies::parse(&text).unwrap();
    let names: Vec<&str> = policies.names().iter().map(|named| &*named.id).collect();
    assert_eq!(names, [&format!("\"{brackets};"), "line 4:1"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn arbitrary_text_is_read_or_refused(text in ".*") {
        let _ = Policies::parse(&text);
    }

    #[test]
    fn arbitrary_tokens_are_read_or_refused(tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..60)) {
        let text = tokens.join(" ");
        if let Err(error) = Policies::parse(&text) {
            prop_assert!(error.line >= 1 && error.column >= 1 && !error.reason.is_empty());
        }
    }

    #[test]
    fn an_error_is_never_beyond_the_text(cut in 0..Policies::SHIPPED.len()) {
        if let Some(text) = Policies::SHIPPED.get(..cut)
            && let Err(error) = Policies::parse(text)
        {
            prop_assert!(usize::try_from(error.line).unwrap() <= text.matches('\n').count() + 1);
        }
    }
}

const TOKENS: &[&str] = &[
    "permit",
    "forbid",
    "(",
    ")",
    "principal",
    "action",
    "resource",
    ",",
    ";",
    "when",
    "unless",
    "{",
    "}",
    "[",
    "]",
    "context",
    ".",
    "hour",
    "total",
    "hasTag",
    "getTag",
    "\"EUR\"",
    "\"",
    "==",
    "&&",
    "||",
    "!",
    "if",
    "then",
    "else",
    "has",
    "like",
    "is",
    "in",
    "@id",
    "@verdict",
    "(\"warn\")",
    "1",
    "-",
    "99999999999999999999",
    "?principal",
    "::",
    "Action",
    "Agent",
    "//",
    "\n",
    "permit (principal, action, resource);",
    "\\",
    "ä",
    "\u{202e}",
];
