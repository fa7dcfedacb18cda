use countersign_ledger::{Identity, Proof, ProofError, PublicKey, canonical};
use serde_json::{Value, json};

use crate::SECRET;
use crate::table::survives_json;

/// Everything that the known signer of the corpus ever signed.
pub fn documents() -> [Value; 3] {
    [json!({}), json!({"terms": {"price": "5"}, "turn": 3}), json!("a word that is no object")]
}

/// A document and a proof of it, in an array: it holds for nothing but what the known key signed.
pub fn proof(bytes: &[u8]) -> bool {
    let Ok((mut document, proof)) = serde_json::from_slice::<(Value, Proof)>(bytes) else { return false };
    survives_json(&proof);
    let known = Identity::new(SECRET);
    let verified = proof.verify(&document, known.public());
    let signer = proof.signer();
    if let Ok(signer) = &signer {
        assert_eq!(PublicKey::try_from(signer.to_string()).as_ref(), Ok(signer));
        let own = proof.verify(&document, signer);
        if signer == known.public() {
            assert_eq!(own, verified);
        } else if own.is_ok() {
            assert_eq!(verified, Err(ProofError::OtherSigner));
        }
    }
    if verified.is_ok() {
        if let Value::Object(fields) = &mut document {
            fields.remove("proof");
        }
        assert_eq!(signer.as_ref(), Ok(known.public()));
        let signed = documents().map(|document| canonical(&document));
        assert!(signed.contains(&canonical(&document)), "a signature over what was never signed");
    }
    true
}
