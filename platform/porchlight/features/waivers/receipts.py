"""The receipt of a waiver: a ZIP file that proves the waiver offline, and its verification.

The files are stored without compression, in a fixed order and with a fixed time. Verification packs the files that it
found again and compares all bytes, so that a change anywhere in the ZIP file is found.
"""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from porchlight.features.waivers.canonical import (
    canonical_json,
    parse_canonical_json,
    sha256_hex,
)
from porchlight.features.waivers.chain import ChainLink, SignedChainLink, link_fault
from porchlight.features.waivers.keys import parse_key, public_jwk
from porchlight.features.waivers.records import Erasable, matches_commitment
from tenants.kit.base64url import decode_base64url, encode_base64url

MAX_RECEIPT_BYTES = 4_000_000
MAX_JSON_BYTES = 64_000
# The README is part of the format: a new text is a new format.
FORMAT = 1

_RECORD, _PDF, _PROOF, _ERASABLE, _README = "waiver.json", "waiver.pdf", "proof.json", "erasable.json", "README.txt"
_ORDER = (_README, _RECORD, _PDF, _PROOF, _ERASABLE)
_REQUIRED = {_README, _RECORD, _PDF, _PROOF}
_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
_UNIX = 3
_LOCAL_HEADER = struct.Struct("<18xI4x2H")  # size, length of the name, length of the extra field
_LOCAL_SIGNATURE = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class ReceiptCheck:
    """The result of one check. `sentence` holds nothing from the receipt but numbers and well-formed ids."""

    name: str
    passed: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class _Proof:
    signed: SignedChainLink
    link_sha256: str
    key_id: str
    key: Ed25519PublicKey


@cache
def _readme(number: int) -> bytes:
    return files(__package__).joinpath("readmes", f"{number}.txt").read_bytes()


def build_receipt(
    record: bytes, pdf: bytes, signed: SignedChainLink, key: Ed25519PublicKey, erasable: Erasable | None = None
) -> bytes:
    """Return the ZIP file of a receipt. The same arguments give the same bytes.

    `record`: the canonical record. `key`: the public key of the link's signature. `erasable`: the data that is not
    erased yet; without any, the receipt has no `erasable.json`.
    """
    proof = {
        "format": FORMAT,
        "link": signed.link.to_json(),
        "linkSha256": signed.link.head.sha256,
        "signature": encode_base64url(signed.signature),
        "publicKey": public_jwk(signed.link.key_id, key),
    }
    contents = {_README: _readme(FORMAT), _RECORD: record, _PDF: pdf, _PROOF: canonical_json(proof)}
    if erasable:
        contents[_ERASABLE] = canonical_json(erasable)
    return pack_files(contents)


def pack_files(contents: Mapping[str, bytes]) -> bytes:
    """Return the ZIP file of a receipt's files. Its bytes depend on the files only."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in _ORDER:
            if name in contents:
                entry = zipfile.ZipInfo(name, _ZIP_TIME)
                entry.create_system = _UNIX
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, contents[name])
    return packed.getvalue()


def unpack_files(data: bytes) -> dict[str, bytes]:
    """Return the files of a receipt. Raises ValueError unless the ZIP file is packed as `pack_files` packs it."""
    if len(data) > MAX_RECEIPT_BYTES:
        raise ValueError(f"The file is larger than {MAX_RECEIPT_BYTES // 1_000_000} MB, so it is not a receipt.")
    contents: dict[str, bytes] = {}
    offset = 0
    while data.startswith(_LOCAL_SIGNATURE, offset) and len(data) >= offset + _LOCAL_HEADER.size:
        size, name_length, extra_length = _LOCAL_HEADER.unpack_from(data, offset)
        name_start = offset + _LOCAL_HEADER.size
        start = name_start + name_length + extra_length
        name = data[name_start : name_start + name_length].decode("ascii", "replace")
        contents[name] = data[start : start + size]
        offset = start + size
    if pack_files(contents) != data:
        raise ValueError("The file is not a receipt, or it was changed or packed again. Use the original file.")
    if not set(contents) >= _REQUIRED:
        raise ValueError("A file is missing in the receipt.")
    return contents


def verify_receipt(data: bytes, keys: Mapping[str, Ed25519PublicKey] | None = None) -> list[ReceiptCheck]:
    """Return the checks of a receipt. It is valid if all passed. Never raises for bad input.

    `keys`: the published keys by id. Without them the signature is checked with the key in the receipt, which a forger
    can replace.
    """
    try:
        contents = unpack_files(data)
    except ValueError as error:
        return [ReceiptCheck("files", False, str(error))]
    checks = [
        ReceiptCheck("files", True, "The ZIP file has the files of a receipt and is packed as issued."),
        _check("readme", contents[_README] == _readme(FORMAT), f"{_README} is as issued.", f"{_README} was changed."),
    ]
    record = _parse_object(contents[_RECORD])
    checks.append(
        _check("record", record is not None, f"{_RECORD} is canonical JSON.", f"{_RECORD} is not canonical JSON.")
    )
    checks.append(_erasable_check(record or {}, contents.get(_ERASABLE)))
    proof = _parse_proof(contents[_PROOF])
    if proof is None:
        return [*checks, ReceiptCheck("proof", False, f"{_PROOF} is malformed.")]
    link = proof.signed.link
    return [
        *checks,
        _hash_check(_RECORD, contents[_RECORD], link.record_sha256),
        _hash_check(_PDF, contents[_PDF], link.pdf_sha256),
        _check(
            "link",
            proof.link_sha256 == link.head.sha256,
            f"The proof is link {link.number} of its chain, and its hash is correct.",
            "The hash of the link is wrong.",
        ),
        _key_check(proof, keys),
        _signature_check(proof, keys),
    ]


def _check(name: str, passed: bool, success: str, failure: str) -> ReceiptCheck:
    return ReceiptCheck(name, passed, success if passed else failure)


def _hash_check(name: str, content: bytes, expected: str) -> ReceiptCheck:
    return _check(
        name,
        sha256_hex(content) == expected,
        f"{name} has the SHA-256 that the proof names.",
        f"{name} was changed: its SHA-256 is not the one that the proof names.",
    )


def _parse_object(content: bytes) -> dict[str, Any] | None:
    """Return the JSON object of a file, or None if it is not canonical."""
    if len(content) > MAX_JSON_BYTES:
        return None
    try:
        value = parse_canonical_json(content)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _erasable_check(record: Mapping[str, Any], content: bytes | None) -> ReceiptCheck:
    """Check that each value in `erasable.json` matches its commitment. A missing value was erased."""
    if content is None:
        return ReceiptCheck("erasable", True, "The emergency contact and the network data were erased.")
    erasable = _parse_object(content)
    commitments = record.get("commitments")
    passed = (
        bool(erasable)
        and isinstance(commitments, dict)
        and all(matches_commitment(kept, commitments.get(name)) for name, kept in (erasable or {}).items())
    )
    return _check(
        "erasable",
        passed,
        f"{_ERASABLE} matches the commitments in {_RECORD}.",
        f"{_ERASABLE} does not match the commitments in {_RECORD}.",
    )


def _parse_proof(content: bytes) -> _Proof | None:
    """Return the proof, or None if it is malformed. It has exactly the members that `build_receipt` writes."""
    proof = _parse_object(content)
    if proof is None or set(proof) != {"format", "link", "linkSha256", "signature", "publicKey"}:
        return None
    if proof["format"] != FORMAT or not isinstance(proof["signature"], str):
        return None
    try:
        link = ChainLink.parse(proof["link"])
        key_id, key = parse_key(proof["publicKey"])
        signature = decode_base64url(proof["signature"])
    except ValueError:
        return None
    if proof["publicKey"] != public_jwk(key_id, key):
        return None
    return _Proof(SignedChainLink(link, signature), str(proof["linkSha256"]), key_id, key)


def _key_check(proof: _Proof, keys: Mapping[str, Ed25519PublicKey] | None) -> ReceiptCheck:
    """Check that the key in the receipt is the one that the link names, and that it is published."""
    key_id = proof.signed.link.key_id
    if proof.key_id != key_id:
        return ReceiptCheck("key", False, "The receipt has another key than the one that the link names.")
    if keys is None:
        return ReceiptCheck(
            "key",
            True,
            f"No keys file was given, so the key {key_id} in the receipt was used. To rule out a forged key, verify "
            "again with the published keys.",
        )
    published = keys.get(key_id)
    if published is None:
        return ReceiptCheck("key", False, f"The keys file does not have the key {key_id}.")
    return _check(
        "key",
        published.public_bytes_raw() == proof.key.public_bytes_raw(),
        f"The key {key_id} is in the keys file.",
        f"The key in the receipt is not the key {key_id} of the keys file.",
    )


def _signature_check(proof: _Proof, keys: Mapping[str, Ed25519PublicKey] | None) -> ReceiptCheck:
    fault = link_fault(proof.signed, {proof.key_id: proof.key} if keys is None else keys)
    source = "the key in the receipt" if keys is None else "the published key"
    return _check("signature", fault is None, f"The signature is valid for {source}.", fault or "")
