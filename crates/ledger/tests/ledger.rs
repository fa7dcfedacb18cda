//! Canonical bytes, chains, seals, signatures, and copies that verify with parts left out.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on should stop")]

use std::path::Path;
use std::process::Command;

use countersign_ledger::{
    CanonicalError, Export, ExportError, Hash, Identity, Mask, Nonces, Proof, ProofError, PublicKey, Replay, Salt,
    Seal, SealKey, Sensitive, canonical, chain, commit, leaves, verify,
};
use proptest::prelude::*;
use serde_json::{Value, json};

#[test]
fn canonical_bytes_are_those_of_rfc_8785() {
    let value = json!({"b": 1, "a": [true, null, "é\n\u{20ac}\"\\"], "\u{fb33}": 2, "\u{1f600}": 3, "": {}});
    let bytes = String::from_utf8(canonical(&value).unwrap()).unwrap();
    assert_eq!(bytes, "{\"\":{},\"a\":[true,null,\"é\\n€\\\"\\\\\"],\"b\":1,\"\u{1f600}\":3,\"\u{fb33}\":2}");
}

#[test]
fn a_number_that_readers_would_round_is_refused() {
    for fine in [json!(0), json!(-9_007_199_254_740_991_i64), json!([9_007_199_254_740_991_u64, "9e99"])] {
        assert!(canonical(&fine).is_ok(), "{fine}");
    }
    for wrong in [
        json!(9_007_199_254_740_992_u64),
        json!({"a": 9_007_199_254_740_993_u64}),
        json!([-9_007_199_254_740_992_i64]),
        json!(u64::MAX),
        json!(0.5),
        json!([1e300]),
    ] {
        assert!(matches!(canonical(&wrong), Err(CanonicalError::Number(_))), "{wrong}");
    }
}

#[test]
fn strings_that_are_values_are_told_from_keys() {
    let bytes = br#"{"a":"one","b":["two",{"c":"th\"r:ee","d":4}],"e":""}"#;
    let found: Vec<&str> = leaves(bytes).into_iter().map(|leaf| std::str::from_utf8(leaf).unwrap()).collect();
    assert_eq!(found, ["one", "two", r#"th\"r:ee"#, ""]);
    assert_eq!(leaves(b"\"alone\""), [b"alone"]);
    assert_eq!(leaves(b"17"), [b""; 0]);
}

#[test]
fn the_chain_is_as_the_format_says() {
    // Worked out from the description in spec/ledger.md with another program.
    let bytes = canonical(&json!({"at": 1, "said": "yes"})).unwrap();
    let commitment = commit(&bytes, &Salt([7; 32]));
    assert_eq!(commitment.to_string(), COMMITMENT);
    assert_eq!(chain(Hash::NONE, commitment).to_string(), CHAINED);
    let seal = SealKey::new([9; 32]).seal(Seal::NONE, 1, chain(Hash::NONE, commitment), "n-1", 1);
    assert_eq!(format!("{seal:?}"), SEALED);
}

#[test]
fn a_commitment_covers_every_byte() {
    let value = json!({"a": "one", "b": 2, "c": ["three"]});
    let changed = [
        json!({"a": "One", "b": 2, "c": ["three"]}),
        json!({"a": "one", "b": 3, "c": ["three"]}),
        json!({"a": "one", "b": 2, "d": ["three"]}),
        json!({"a": "one", "b": 2, "c": ["three", ""]}),
        json!({"a": "three", "b": 2, "c": ["one"]}),
        json!({"a": "one", "b": 2, "c": "three"}),
    ];
    let of = |value: &Value| commit(&canonical(value).unwrap(), &Salt([1; 32]));
    for other in changed {
        assert_ne!(of(&value), of(&other), "{other}");
    }
    assert_ne!(of(&value), commit(&canonical(&value).unwrap(), &Salt([2; 32])), "nobody guesses without the salt");
}

#[test]
fn a_seal_needs_the_key_and_everything_before() {
    let key = SealKey::new([1; 32]);
    let seal = key.seal(Seal::NONE, 1, Hash([5; 32]), "n", 1);
    assert_ne!(seal, SealKey::new([2; 32]).seal(Seal::NONE, 1, Hash([5; 32]), "n", 1));
    assert_ne!(seal, key.seal(seal, 1, Hash([5; 32]), "n", 1));
    assert_ne!(seal, key.seal(Seal::NONE, 2, Hash([5; 32]), "n", 1));
    assert_ne!(seal, key.seal(Seal::NONE, 1, Hash([6; 32]), "n", 1));
    assert_ne!(seal, key.seal(Seal::NONE, 1, Hash([5; 32]), "m", 1));
    assert_ne!(seal, key.seal(Seal::NONE, 1, Hash([5; 32]), "n", 2));
    assert_ne!(key.head(1, seal), key.head(2, seal));
    assert_ne!(key.salt(1).0, key.salt(2).0);
    assert_eq!(format!("{key:?}"), "SealKey", "it does not show");
}

#[test]
fn a_signature_is_over_all_of_it_by_one_key() {
    let (ada, bo) = (Identity::new([1; 32]), Identity::new([2; 32]));
    let document = json!({"terms": {"price": "5"}, "to": bo.public()});
    let proof = ada.sign(&document, "2026-01-29T12:30:00Z").unwrap();
    assert_eq!(proof.verify(&document, ada.public()), Ok(()));
    assert_eq!(proof.signer().as_ref(), Ok(ada.public()));
    assert_eq!(proof.verify(&document, bo.public()), Err(ProofError::OtherSigner));
    let other = json!({"terms": {"price": "6"}, "to": bo.public()});
    assert_eq!(proof.verify(&other, ada.public()), Err(ProofError::Forged));
    let mut later = proof.clone();
    later.created = "2027-01-29T12:30:00Z".into();
    assert_eq!(later.verify(&document, ada.public()), Err(ProofError::Forged), "the proof's own fields too");
    let attached = json!({"terms": {"price": "5"}, "to": bo.public(), "proof": proof});
    assert_eq!(proof.verify(&attached, ada.public()), Ok(()), "as it travels");
    assert!(!format!("{ada:?}").contains("SigningKey"));
}

#[test]
fn what_is_no_such_proof_is_told() {
    let ada = Identity::new([1; 32]);
    let proof = serde_json::to_value(ada.sign(&json!({}), "2026-01-29T12:30:00Z").unwrap()).unwrap();
    for (field, value) in [
        ("type", "Ed25519Signature2020"),
        ("cryptosuite", "eddsa-rdfc-2022"),
        ("proofPurpose", "authentication"),
        ("proofValue", "u1234"),
        ("proofValue", "z0OIl"),
        ("proofValue", "z2222"),
        ("verificationMethod", "did:web:example.org"),
        ("verificationMethod", "did:key:z6MkNot"),
    ] {
        let mut wrong = proof.clone();
        wrong[field] = value.into();
        let wrong: Proof = serde_json::from_value(wrong).unwrap();
        assert!(wrong.verify(&json!({}), ada.public()).is_err(), "{field} {value}");
    }
}

#[test]
fn a_key_names_itself() {
    // The example of the did:key method's own description.
    let did = "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK";
    let key = PublicKey::try_from(did.to_owned()).unwrap();
    assert_eq!(key.to_string(), did);
    let own = Identity::new([3; 32]).public().clone();
    assert_eq!(PublicKey::try_from(own.to_string()), Ok(own));
}

#[test]
fn a_nonce_is_taken_once_and_forgotten_in_time() {
    let mut nonces = Nonces::new(1000);
    assert_eq!(nonces.take("ada", "1", 10_000, 10_000), Ok(()));
    assert_eq!(nonces.take("ada", "1", 10_000, 10_500), Err(Replay::Seen));
    assert_eq!(nonces.take("bo", "1", 10_000, 10_500), Ok(()), "each sender counts alone");
    assert_eq!(nonces.take("ada", "2", 9_000, 10_001), Err(Replay::TooOld));
    assert_eq!(nonces.take("ada", "3", 11_002, 10_001), Err(Replay::FromTheFuture));
    assert_eq!(nonces.take("ada", "4", 11_000, 10_000), Ok(()));
    assert_eq!(nonces.take("ada", "1", 10_000, 11_001), Err(Replay::TooOld), "what is forgotten is too old");
    assert_eq!(nonces.len(), 1);
}

#[test]
fn what_is_sensitive_is_found() {
    let mask = Mask { names: vec!["Ada Lovelace".into()], private: vec!["Project Heron".into()] };
    for (text, masked, kind) in [
        ("write to ada.l+x@mail.example.org now", "write to [email] now", Sensitive::Email),
        ("call +49 30 1234 5678 please", "call [phone] please", Sensitive::Phone),
        ("call (030) 123 4567", "call [phone]", Sensitive::Phone),
        ("SSN 123-45-6789", "SSN [id]", Sensitive::GovernmentId),
        ("my passport is C01X00T47", "my [id]", Sensitive::GovernmentId),
        ("pay to DE89 3704 0044 0532 0130 00", "pay to [id]", Sensitive::GovernmentId),
        ("card 4111 1111 1111 1111", "card [id]", Sensitive::GovernmentId),
        ("the password is hunter2!", "the [credential]", Sensitive::Credential),
        ("use sk-proj-abcdefghijklmnop", "use [credential]", Sensitive::Credential),
        ("AKIAIOSFODNN7EXAMPLE works", "[credential] works", Sensitive::Credential),
        ("eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2ln", "[credential]", Sensitive::Credential),
        ("-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----", "[credential]", Sensitive::Credential),
        ("ada lovelace agrees", "[name] agrees", Sensitive::Name),
        ("about project heron", "about [private]", Sensitive::Private),
    ] {
        let (seen, kinds) = mask.apply(text).unwrap_or_default();
        assert_eq!(seen, masked);
        assert!(kinds.contains(&kind), "{text}: {kinds:?}");
    }
    for plain in ["an hour a month", "5000 events/s", "0.00165 USDC", "2026-01-29", "canada lovelaces", "turn 12 of 20"]
    {
        assert_eq!(mask.apply(plain), None, "{plain}");
    }
}

#[test]
fn a_word_is_left_out_whatever_stands_around_it() {
    for (words, text, masked) in [
        // Lower case has another length than what it is made of, in one place or made up for in another.
        (vec!["hunter"], "İİ Hunter K", "İİ [private] K"),
        (vec!["İstanbul"], "from İSTANBUL", "from [private]"),
        (vec!["ΟΔΟΣ"], "οδος, οδοσ", "[private], [private]"),
        // One in the other, one over the other, one over itself.
        (vec!["acme", "acme corp"], "ACME Corp", "[private]"),
        (vec!["acme corp", "corp blue"], "acme corp blue", "[private]"),
        (vec!["a-a"], "xa-a-a", "xa-[private]"),
        // A part of a word, until what it is a part of is left out.
        (vec!["hunter"], "hunters", "hunters"),
        (vec!["hunter"], "hunter555-123-4567", "[private][phone]"),
        (vec!["c++"], "c++17", "[private]17"),
    ] {
        let mask = Mask { names: vec![], private: words.iter().map(ToString::to_string).collect() };
        let found = mask.apply(text).map_or(text.into(), |(found, _)| found);
        assert_eq!(found, masked, "{words:?}");
    }
}

#[test]
fn a_copy_verifies_whole_and_with_parts_left_out() {
    let whole = copy(None);
    assert_eq!(verify(&whole), Ok(None));
    let mask = Mask { names: vec!["Ada".into()], private: vec![] };
    let redacted = copy(Some(&mask));
    assert_eq!(verify(&redacted), Ok(None));
    assert_eq!(redacted.hash, whole.hash, "the same chain");
    let text = serde_json::to_string(&redacted).unwrap();
    assert!(!text.contains("Ada") && !text.contains("ada@example.org"), "{text}");
    assert!(text.contains("[name] writes from [email]"), "{text}");
    assert_eq!(redacted.sensitive_fields_redacted, ["/message", "/parties/0"]);
    let read: Export = serde_json::from_str(&text).unwrap();
    assert_eq!(verify(&read), Ok(None));
}

#[test]
fn a_changed_copy_is_found_out() {
    let mask = Mask { names: vec!["Ada".into()], private: vec![] };
    for export in [copy(None), copy(Some(&mask))] {
        type Change = fn(&mut Export);
        let changes: [(Change, ExportError); 9] = [
            (|e| e.entries[1].body["price"] = "6".into(), ExportError::Changed(2)),
            (|e| e.entries[1].body["turn"] = 3.into(), ExportError::Changed(2)),
            (|e| e.entries[0].hash = Hash([0; 32]), ExportError::Changed(1)),
            (|e| e.entries.swap(0, 1), ExportError::Order { expected: 1, found: 2 }),
            (|e| drop(e.entries.remove(0)), ExportError::Order { expected: 1, found: 2 }),
            (|e| drop(e.entries.pop()), ExportError::End),
            (|e| e.entries[1].salts[1] = "00".repeat(16), ExportError::Changed(2)),
            (|e| e.entries[2].salts.push("00".repeat(16)), ExportError::Salts(3)),
            (|e| drop(e.entries[2].salts.pop()), ExportError::Salts(3)),
        ];
        for (place, (change, error)) in changes.into_iter().enumerate() {
            let mut changed = export.clone();
            change(&mut changed);
            assert_eq!(verify(&changed), Err(error), "{place}");
        }
    }
    let mut hidden = copy(Some(&mask));
    hidden.entries[0].redacted[0].hash = Hash([1; 32]);
    assert_eq!(verify(&hidden), Err(ExportError::Changed(1)));
}

#[test]
fn a_signed_copy_says_who_vouches_for_it() {
    let person = Identity::new([4; 32]);
    let mut export = copy(None);
    export.proof = Some(person.sign(&export, "2026-01-29T12:30:00Z").unwrap());
    assert_eq!(verify(&export), Ok(Some(person.public().clone())));
    export.negotiation_id = "another".into();
    assert_eq!(verify(&export), Err(ExportError::Proof(ProofError::Forged)));
    export.format = "countersign-export/2".into();
    assert!(matches!(verify(&export), Err(ExportError::Format(_))));
}

/// A program in another language, written from the description of the format.
#[test]
fn another_program_comes_to_the_same_verdict() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../spec/verify.py");
    let says = |name: &str, export: &Export| {
        let file = folder.join(name);
        std::fs::write(&file, serde_json::to_vec_pretty(export).unwrap()).unwrap();
        let said = Command::new("python3").arg(&script).arg(&file).output().unwrap();
        assert_eq!(said.status.success(), verify(export).is_ok(), "{name}: {said:?}");
        String::from_utf8(said.stdout).unwrap()
    };
    let person = Identity::new([4; 32]);
    let mask = Mask { names: vec!["Ada".into()], private: vec![] };
    let mut signed = copy(Some(&mask));
    signed.proof = Some(person.sign(&signed, "2026-01-29T12:30:00Z").unwrap());
    assert!(says("signed.json", &signed).contains(&person.public().to_string()));
    assert!(says("whole.json", &copy(None)).starts_with("3 entries, whole and unchanged"));
    let mut changed = copy(Some(&mask));
    changed.entries[1].body["price"] = "6".into();
    assert_eq!(
        says("changed.json", &changed),
        "not as it was: entry 2 was changed: its content does not give its hash\n"
    );
    let mut forged = signed.clone();
    forged.negotiation_id = "another".into();
    assert_eq!(says("forged.json", &forged), "not as it was: the signature under the copy does not fit it\n");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_value_is_written_as_others_write_it(value in any_json()) {
        let theirs = serde_json_canonicalizer::to_vec(&value).unwrap();
        prop_assert_eq!(String::from_utf8(canonical(&value).unwrap()), String::from_utf8(theirs));
    }

    /// Whatever the strings are, a copy with parts left out has the chain of the whole.
    #[test]
    fn any_text_survives_being_left_out(texts in prop::collection::vec(".{0,40}", 1..6), named in any::<prop::sample::Index>()) {
        let body = json!({"texts": texts, "n": 1});
        let bytes = canonical(&body).unwrap();
        let found: Vec<String> = leaves(&bytes)
            .into_iter()
            .map(|leaf| serde_json::from_str(&format!("\"{}\"", std::str::from_utf8(leaf).unwrap())).unwrap())
            .collect();
        prop_assert_eq!(&found, &texts);
        let salt = Salt([3; 32]);
        let hash = chain(Hash::NONE, commit(&bytes, &salt));
        let mask = Mask { names: vec![texts[named.index(texts.len())].clone()], private: vec![] };
        let export = Export::new("n".into(), [(body, salt, hash)], Some(&mask));
        prop_assert_eq!(verify(&export), Ok(None));
    }
}

fn copy(mask: Option<&Mask>) -> Export {
    let bodies = [
        json!({"parties": ["Ada", "Bo"], "at": 1}),
        json!({"price": "5", "turn": 1, "odd": "é\u{1}\n\u{1f600}\"\\\u{7f}", "\u{fb33}": [null, true], "\u{1f600}": ""}),
        json!({"message": "Ada writes from ada@example.org", "turn": 2}),
    ];
    let key = SealKey::new([1; 32]);
    let mut last = Hash::NONE;
    let entries = (1..).zip(bodies).map(|(seq, body)| {
        let salt = key.salt(seq);
        last = chain(last, commit(&canonical(&body).unwrap(), &salt));
        (body, salt, last)
    });
    Export::new("n-1".into(), entries, mask)
}

const COMMITMENT: &str = "99350ee8cf1c48e14dfe9e02d74959d9dae5af038df5cfc1200090db36a066a5";
const CHAINED: &str = "4eb8cca812b0ccc68e56778b03ade726ad9ff8dde06594fe75125b0aa816b888";
const SEALED: &str = "f9c05c5b4e1e177aa897f167d9917fb39a6fa9c545967a7397951e20849d84d9";

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        ".*".prop_map(Value::from),
        "[\\x00-\\x1f\"\\\\/]*".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::hash_map("[a-c\"\\\\é\u{fb33}\u{1f600}]{0,3}", inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}
