//! Private facts, names, and what is sensitive by itself.

use countersign_mandate::{Concern, Disclose, Mandate, Weight};

use crate::kit::{Table, mandate, says};

fn check(mandate: &Mandate, message: &str, expected: &[&str]) {
    assert_eq!(Table::offered("15000").codes(mandate, &says(message)), expected, "{message}");
}

fn secret(words: &str) -> Mandate {
    mandate(&format!(r#"{{"disclosure":[{{"fact":"what nobody knows","words":["{words}"],"rule":"never"}}]}}"#))
}

fn hidden(name: &str) -> Mandate {
    mandate(&format!(r#"{{"private_names":["{name}"]}}"#))
}

#[test]
fn a_secret_is_found_however_it_is_dressed_up() {
    for message in [
        "We move to Project Falcon soon.",
        "PROJECT FALCON",
        "project-falcon",
        "projectfalcon",
        "p r o j e c t  f a l c o n",
        "P.R.O.J.E.C.T. F.A.L.C.O.N",
        "Pro\u{200b}ject Fal\u{ad}con",
        "Pröjéct Fálcôn",
        "Proj\u{301}ect Falcon",
        "Рrоjесt Fаlсоn",
        "Ｐｒｏｊｅｃｔ　Ｆａｌｃｏｎ",
        "𝐏𝐫𝐨𝐣𝐞𝐜𝐭 𝐅𝐚𝐥𝐜𝐨𝐧",
        "ⓟⓡⓞⓙⓔⓒⓣ ⓕⓐⓛⓒⓞⓝ",
        "Pr0j3ct F4lc0n",
        "Project\nFalcon",
        "*Project* _Falcon_",
        "the ProjectFalconTeam",
        "(project falcon's)",
    ] {
        let found = Table::offered("15000").outgoing(&secret("Project Falcon"), &says(message));
        assert!(
            found.iter().any(|finding| finding.code() == "fact_told" && finding.quote.is_some()),
            "{message}: {found:?}"
        );
    }
}

#[test]
fn other_words_pass() {
    for message in [
        "A project of this size.",
        "A falcon in a project plan.",
        "The projects, Falcon-like.",
        "We have a plan and a budget.",
    ] {
        check(&secret("Project Falcon"), message, &[]);
    }
    check(&secret("ill"), "We will pay the bill, still.", &[]);
    check(&secret("ill"), "I am ill.", &["fact_told"]);
    check(&secret("debt"), "He is indebted, undebted.", &[]);
    check(&secret("debt"), "There are debts.", &["fact_told"]);
    check(&secret("season"), "Look at these as one.", &[]);
    check(&secret("divorce"), "The predivorced one.", &["fact_told"]);
}

#[test]
fn secrets_in_scripts_without_spaces_are_found() {
    check(&secret("東京"), "来年東京に行きます。", &["fact_told"]);
    check(&secret("東京"), "来年京都に行きます。", &[]);
    check(&secret("развод"), "У нас скоро РАЗВОД.", &["fact_told"]);
    check(&secret("🍕🍕"), "We like 🍕🍕!", &["fact_told"]);
}

#[test]
fn the_rule_of_a_fact_decides() {
    let with =
        |rule: &str| mandate(&format!(r#"{{"disclosure":[{{"fact":"place","words":["Lisbon"],"rule":"{rule}"}}]}}"#));
    let found = |rule: &str| Table::offered("15000").outgoing(&with(rule), &says("We move to Lisbon."));
    assert_eq!(found("freely"), []);
    assert_eq!(found("ask")[0].weight(), Weight::Ask);
    assert_eq!(found("never")[0].weight(), Weight::Refuse);
    let words = "The message tells what you marked as private: place.";
    assert_eq!(found("never")[0].in_words(), words);
    assert!(matches!(&found("ask")[0].concern, Concern::FactTold { rule: Disclose::Ask, split: false, .. }));
}

#[test]
fn the_number_of_a_fact_is_found() {
    let mandate = mandate(r#"{"disclosure":[{"fact":"what we pay now","number":"8400","rule":"never"}]}"#);
    for message in ["Now it is 8,400.", "eighty-four hundred", "8.4k", "We pay 6,600 less than your price now."] {
        check(&mandate, message, &["fact_told"]);
    }
    for message in ["Now it is 8,401.", "There were 8,400 visitors.", "We pay 6,000 less than your price now."] {
        check(&mandate, message, &[]);
    }
}

#[test]
fn a_name_is_found_whole_in_part_and_with_an_initial() {
    for message in [
        "Ask Ada Lovelace.",
        "ask ada lovelace",
        "Lovelace, Ada",
        "A. Lovelace said so.",
        "A Lovelace",
        "Ms Lovelace's view",
        "lovelace",
        "Àda Løvelace",
    ] {
        check(&hidden("Ada Lovelace"), message, &["name_told"]);
    }
    for message in ["Loveland is nice.", "An adage.", "Canada", "We love lace."] {
        check(&hidden("Ada Lovelace"), message, &[]);
    }
    check(&hidden("Jane Roe"), "J. Roe agrees.", &["name_told"]);
    check(&hidden("Jane Roe"), "Roe deer", &[]);
    check(&hidden("Ann Good"), "That is a good deal.", &[]);
    check(&hidden("Jürgen Müller"), "Herr Mueller is away.", &["name_told"]);
    check(&hidden("Bo"), "Both of us.", &[]);
}

#[test]
fn names_that_are_words_are_names_when_they_are_written_so() {
    let mark = hidden("Mark Young");
    check(&mark, "We are young and mark it. Young people like it. Will you?", &[]);
    check(&mark, "Then Mark agreed.", &["name_told"]);
    check(&mark, "Mark it well, and then ask Mark.", &["name_told"]);
    check(&hidden("Will"), "Will you? We will.", &[]);
}

#[test]
fn what_is_sensitive_by_itself_is_found_as_marked() {
    let check = |message: &str, expected: &[&str]| check(&Mandate::default(), message, expected);
    for message in [
        "Write to ada@example.com.",
        "The password is swordfish.",
        "password: hunter2",
        "Use the api key sk-abcdef1234567890abcdef.",
        "Call +49 151 2345 6789.",
        "IBAN DE89 3704 0044 0532 0130 00",
        "4111 1111 1111 1111",
        "a\u{200b}da@exam\u{200b}ple.com",
    ] {
        let codes = Table::offered("15000").codes(&Mandate::default(), &says(message));
        assert!(codes.contains(&"sensitive_told"), "{message}: {codes:?}");
    }
    for message in [
        "A token of our trust.",
        "The secret is simple: do it well.",
        "That is the key point.",
        "Your password policy is fine.",
        "The token is worth little.",
        "112.500.000 EUR were paid in 2023-11-12.",
    ] {
        check(message, &[]);
    }
    let open = mandate(r#"{"sensitive":{}}"#);
    self::check(&open, "Write to ada@example.com.", &[]);
}

#[test]
fn hidden_characters_do_not_go_out() {
    check(&Mandate::default(), "Fine\u{202e}.", &["hidden_characters"]);
    check(&Mandate::default(), "A family 👨‍👩‍👧 and a heart ❤️.", &[]);
}
