//! Ed25519 signatures as Data Integrity proofs of the suite `eddsa-jcs-2022`, by keys that name themselves (`did:key`).

use std::fmt;

use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::canonical::canonical_without;
use crate::{CanonicalError, canonical};

/// The multicodec prefix of an Ed25519 public key.
const ED25519: [u8; 2] = [0xed, 0x01];

/// Who signs: a secret key and the name that follows from it.
#[derive(Clone)]
pub struct Identity {
    key: SigningKey,
    public: PublicKey,
}

/// Who signed: a public key, written as a `did:key`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PublicKey {
    did: String,
    bytes: [u8; 32],
}

/// A signature over a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Proof {
    r#type: String,
    cryptosuite: String,
    /// When it was signed, as RFC 3339 writes it.
    pub created: String,
    verification_method: String,
    proof_purpose: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    proof_value: String,
}

/// Why a signature does not hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProofError {
    /// It is not a proof of the kind that is understood here.
    #[error("it is not an eddsa-jcs-2022 proof: {0}")]
    Unsupported(&'static str),
    /// The signer's name is not a key.
    #[error("`{0}` does not name an Ed25519 key")]
    NotAKey(String),
    /// Somebody else signed.
    #[error("it was signed by another key")]
    OtherSigner,
    /// The document, or the proof, was changed.
    #[error("the signature does not fit what was signed")]
    Forged,
    /// The document has no canonical form.
    #[error(transparent)]
    Canonical(#[from] CanonicalError),
}

impl Identity {
    /// From 32 secret bytes.
    pub fn new(secret: [u8; 32]) -> Self {
        let key = SigningKey::from_bytes(&secret);
        let public = PublicKey::from_bytes(key.verifying_key().to_bytes());
        Self { key, public }
    }

    /// The name that others know it by.
    pub fn public(&self) -> &PublicKey {
        &self.public
    }

    /// Signs a document.
    pub fn sign(&self, document: &impl Serialize, created: &str) -> Result<Proof, ProofError> {
        let fragment = self.public.did.strip_prefix("did:key:").unwrap_or_default();
        let mut proof = Proof {
            r#type: "DataIntegrityProof".into(),
            cryptosuite: "eddsa-jcs-2022".into(),
            created: created.into(),
            verification_method: format!("{}#{fragment}", self.public.did),
            proof_purpose: "assertionMethod".into(),
            proof_value: String::new(),
        };
        let signature = self.key.sign(&signed_bytes(document, &proof)?);
        proof.proof_value = format!("z{}", bs58::encode(signature.to_bytes()).into_string());
        Ok(proof)
    }
}

impl fmt::Debug for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Identity({})", self.public)
    }
}

impl Proof {
    /// Who says to have signed.
    pub fn signer(&self) -> Result<PublicKey, ProofError> {
        let did = self.verification_method.split('#').next().unwrap_or_default();
        PublicKey::try_from(did.to_owned())
    }

    /// Whether this very key signed this very document.
    pub fn verify(&self, document: &impl Serialize, by: &PublicKey) -> Result<(), ProofError> {
        if self.r#type != "DataIntegrityProof" {
            return Err(ProofError::Unsupported("type"));
        }
        if self.cryptosuite != "eddsa-jcs-2022" {
            return Err(ProofError::Unsupported("cryptosuite"));
        }
        if self.proof_purpose != "assertionMethod" {
            return Err(ProofError::Unsupported("proofPurpose"));
        }
        if self.signer()? != *by {
            return Err(ProofError::OtherSigner);
        }
        let value = self.proof_value.strip_prefix('z').ok_or(ProofError::Unsupported("proofValue"))?;
        let value = bs58::decode(value).into_vec().map_err(|_| ProofError::Unsupported("proofValue"))?;
        let signature = Signature::from_slice(&value).map_err(|_| ProofError::Unsupported("proofValue"))?;
        let key = VerifyingKey::from_bytes(&by.bytes).map_err(|_| ProofError::NotAKey(by.to_string()))?;
        key.verify_strict(&signed_bytes(document, self)?, &signature).map_err(|_| ProofError::Forged)
    }
}

/// The hash of the proof without its value, then the hash of the document without its proof.
fn signed_bytes(document: &impl Serialize, proof: &Proof) -> Result<[u8; 64], ProofError> {
    let options = Proof { proof_value: String::new(), ..proof.clone() };
    let mut bytes = [0; 64];
    let (first, second) = bytes.split_at_mut(32);
    first.copy_from_slice(&Sha256::digest(canonical(&options)?));
    second.copy_from_slice(&Sha256::digest(canonical_without(document, Some("proof"))?));
    Ok(bytes)
}

impl PublicKey {
    /// From the 32 bytes of an Ed25519 public key.
    pub fn from_bytes(bytes: [u8; 32]) -> Self {
        let multikey = [ED25519.as_slice(), &bytes].concat();
        Self { did: format!("did:key:z{}", bs58::encode(multikey).into_string()), bytes }
    }
}

impl TryFrom<String> for PublicKey {
    type Error = ProofError;

    fn try_from(did: String) -> Result<Self, ProofError> {
        let decoded = did.strip_prefix("did:key:z").and_then(|encoded| bs58::decode(encoded).into_vec().ok());
        let bytes = decoded.as_deref().and_then(|bytes| bytes.strip_prefix(ED25519.as_slice()));
        match bytes.and_then(|bytes| bytes.try_into().ok()) {
            Some(bytes) => Ok(Self { did, bytes }),
            None => Err(ProofError::NotAKey(did)),
        }
    }
}

impl From<PublicKey> for String {
    fn from(key: PublicKey) -> Self {
        key.did
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.did)
    }
}
