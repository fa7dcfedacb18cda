#!/usr/bin/env python3
"""Checks a Countersign export with nothing but Python, following ledger.md.

usage: verify.py FILE

Exits 0 when the copy is whole and unchanged, 1 when it is not, 2 when it cannot be read.
"""

import hashlib
import json
import sys

LARGEST = 2**53 - 1
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


class Wrong(Exception):
    """What is wrong with the copy."""


def sha(data):
    return hashlib.sha256(data).digest()


# Canonical JSON, leaf by leaf.


def pieces(value):
    """The canonical form in order: (is a leaf, text)."""
    if isinstance(value, dict):
        yield False, "{"
        for place, name in enumerate(sorted(value, key=lambda name: name.encode("utf-16-be"))):
            yield False, ("," if place else "") + json.dumps(name, ensure_ascii=False) + ":"
            yield from pieces(value[name])
        yield False, "}"
    elif isinstance(value, list):
        yield False, "["
        for place, item in enumerate(value):
            yield False, "," if place else ""
            yield from pieces(item)
        yield False, "]"
    elif isinstance(value, str):
        yield False, '"'
        yield True, json.dumps(value, ensure_ascii=False)[1:-1]
        yield False, '"'
    elif value is None or isinstance(value, bool):
        yield False, json.dumps(value)
    elif isinstance(value, int) and abs(value) <= LARGEST:
        yield False, str(value)
    else:
        raise Wrong(f"the number {value!r} is not exact")


def canonical(value):
    return "".join(text for _, text in pieces(value)).encode()


def commitment(entry):
    hidden = {item["leaf"]: bytes.fromhex(item["hash"]) for item in entry.get("redacted", [])}
    salts, frame, hashes = entry["salts"], [], []
    for is_leaf, text in pieces(entry["body"]):
        if not is_leaf:
            frame.append(text)
            continue
        place = len(hashes)
        if place >= len(salts) or (place in hidden) != (salts[place] == ""):
            raise Wrong(f"entry {entry['version']} has salts that do not fit its content")
        hashes.append(hidden[place] if place in hidden else sha(bytes.fromhex(salts[place]) + text.encode()))
    if len(hashes) != len(salts):
        raise Wrong(f"entry {entry['version']} has salts that do not fit its content")
    return sha(b"".join(hashes) + sha("".join(frame).encode()))


# Ed25519, as RFC 8032 describes it.

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def add(one, other):
    a = (one[1] - one[0]) * (other[1] - other[0]) % P
    b = (one[1] + one[0]) * (other[1] + other[0]) % P
    c = 2 * one[3] * other[3] * D % P
    d = 2 * one[2] * other[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def times(number, point):
    result = (0, 1, 1, 0)
    while number:
        if number & 1:
            result = add(result, point)
        point, number = add(point, point), number >> 1
    return result


def same(one, other):
    return (one[0] * other[2] - other[0] * one[2]) % P == 0 and (one[1] * other[2] - other[1] * one[2]) % P == 0


def point(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & ((1 << 255) - 1)
    if y >= P:
        raise Wrong("not a point")
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        raise Wrong("not a point")
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


BASE = point((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def signed(key, message, signature):
    if len(signature) != 64:
        return False
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    if s >= Q:
        return False
    h = int.from_bytes(hashlib.sha512(r + key + message).digest(), "little") % Q
    return same(times(s, BASE), add(point(r), times(h, point(key))))


def base58(text):
    number = 0
    for character in text:
        number = number * 58 + ALPHABET.index(character)
    zeros = len(text) - len(text.lstrip("1"))
    return b"\0" * zeros + number.to_bytes((number.bit_length() + 7) // 8, "big")


def check_proof(document):
    proof = dict(document["proof"])
    expected = {"type": "DataIntegrityProof", "cryptosuite": "eddsa-jcs-2022", "proofPurpose": "assertionMethod"}
    for field, value in expected.items():
        if proof.get(field) != value:
            raise Wrong(f"the proof's {field} is not {value}")
    did = proof["verificationMethod"].split("#")[0]
    key = base58(did.removeprefix("did:key:z"))
    if not did.startswith("did:key:z") or key[:2] != b"\xed\x01" or len(key) != 34:
        raise Wrong(f"{did} does not name an Ed25519 key")
    signature = base58(proof.pop("proofValue").removeprefix("z"))
    unsigned = {name: value for name, value in document.items() if name != "proof"}
    if not signed(key[2:], sha(canonical(proof)) + sha(canonical(unsigned)), signature):
        raise Wrong("the signature under the copy does not fit it")
    return did


def check(export):
    if export["format"] != "countersign-export/1":
        raise Wrong(f"the format is {export['format']}")
    last = bytes(32)
    for expected, entry in enumerate(export["entries"], 1):
        if entry["version"] != expected:
            raise Wrong(f"entry {expected} is missing: entry {entry['version']} stands in its place")
        last = sha(last + commitment(entry))
        if last.hex() != entry["hash"]:
            raise Wrong(f"entry {expected} was changed: its content does not give its hash")
    if last.hex() != export["hash"]:
        raise Wrong("the copy does not end where it says")
    return check_proof(export) if "proof" in export else None


def main():
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            export = json.load(file)
        signer = check(export)
    except Wrong as wrong:
        print(f"not as it was: {wrong}")
        return 1
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        print(f"cannot be read: {error!r}", file=sys.stderr)
        return 2
    left_out = len(export["sensitiveFieldsRedacted"])
    print(f"{len(export['entries'])} entries, whole and unchanged; {left_out} fields left out")
    print(f"vouched for by {signer}" if signer else "nobody vouches for it")
    return 0


if __name__ == "__main__":
    sys.exit(main())
