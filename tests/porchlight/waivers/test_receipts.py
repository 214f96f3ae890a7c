"""Receipts of waivers: offline verification, erasure, random edits, and an independent verifier."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from porchlight.features.waivers.canonical import canonical_json, sha256_hex
from porchlight.features.waivers.chain import EMPTY_CHAIN, LinkContent, sign_next_link
from porchlight.features.waivers.drawings import MAX_LINES, MAX_POINTS, describe_drawing
from porchlight.features.waivers.keys import public_jwk
from porchlight.features.waivers.receipts import (
    MAX_JSON_BYTES,
    MAX_RECEIPT_BYTES,
    build_receipt,
    pack_files,
    unpack_files,
    verify_receipt,
)
from porchlight.features.waivers.records import build_record, create_erasable
from tests.porchlight.waivers.samples import (
    ACCEPTED_AT,
    CONTACT,
    EDITS,
    KEY,
    NETWORK_ADDRESS,
    OLD_KEY,
    PUBLIC_KEYS,
    Edit,
    create_acceptance,
    create_old_receipt,
    create_receipt,
    edit_receipt,
    erase,
)
from tests.porchlight.waivers.verifiers import README_SHA256, compare_verifiers

JS_RECEIPT_COUNT = 500
# 1,000 with --hypothesis-profile=deep.
EDIT_COUNT = 1000 if settings().max_examples > 100 else 100


def is_valid(data: bytes, keys: Mapping[str, Ed25519PublicKey] | None = PUBLIC_KEYS) -> bool:
    return all(check.passed for check in verify_receipt(data, keys))


def failed_checks(data: bytes, keys: Mapping[str, Ed25519PublicKey] | None = PUBLIC_KEYS) -> list[str]:
    return [check.name for check in verify_receipt(data, keys) if not check.passed]


def test_receipt_as_issued_passes_all_checks() -> None:
    checks = {check.name: check.sentence for check in verify_receipt(create_receipt(1), PUBLIC_KEYS)}
    assert failed_checks(create_receipt(1)) == []
    assert checks["key"] == "The key 2026 is in the keys file."
    assert checks["signature"] == "The signature is valid for the published key."
    assert checks["link"] == "The proof is link 2 of its chain, and its hash is correct."


def test_receipt_without_keys_file_says_so() -> None:
    checks = {check.name: check for check in verify_receipt(create_receipt(1))}
    assert all(check.passed for check in checks.values())
    assert "No keys file was given" in checks["key"].sentence
    assert checks["signature"].sentence == "The signature is valid for the key in the receipt."


def test_receipt_is_ordinary_zip_with_fixed_bytes() -> None:
    record = b'{"level":"high"}'
    content = LinkContent(sha256_hex(b"record"), sha256_hex(b"pdf"), ACCEPTED_AT)
    signed = sign_next_link("guru:7", EMPTY_CHAIN, content, KEY)
    erasable = {"userAgent": {"salt": "00", "value": "x"}}
    receipt = build_receipt(record, b"pdf", signed, KEY.public_key, erasable)
    # Older receipts must verify with every later release, so the bytes of the format never change.
    assert sha256_hex(receipt) == "e56e8eaf73a8afb266daa5f283b5705221e0afcc3217edfc97b5b64c5b7c5df4"
    with zipfile.ZipFile(io.BytesIO(receipt)) as archive:
        assert archive.testzip() is None
        assert archive.namelist() == ["README.txt", "waiver.json", "waiver.pdf", "proof.json", "erasable.json"]
        assert archive.read("waiver.json") == record
        assert sha256_hex(archive.read("README.txt")) == README_SHA256


@pytest.mark.parametrize("names", [(), ("emergencyContact",), ("networkAddress", "userAgent"), ("drawnSignature",)])
def test_receipt_after_erasure_is_valid(names: tuple[str, ...]) -> None:
    erased = erase(create_receipt(1), *names)
    assert failed_checks(erased) == []
    if "emergencyContact" in (names or ("emergencyContact",)):
        assert b"Maria Ortiz" in create_receipt(1)
        assert b"Maria Ortiz" not in erased
    if "drawnSignature" in (names or ("drawnSignature",)):
        assert b"[80,220,280,220]" in create_receipt(1)
        assert b"[80,220,280,220]" not in erased


def test_receipt_with_hash_of_drawn_image_stays_valid() -> None:
    assert failed_checks(create_old_receipt()) == []


def test_receipt_with_largest_drawing_is_valid() -> None:
    lines = [[1000, 400] * (MAX_POINTS // MAX_LINES)] * MAX_LINES
    erasable = create_erasable(CONTACT, NETWORK_ADDRESS, "x" * 300, describe_drawing(lines))
    content = canonical_json(build_record(create_acceptance(), erasable))
    signed = sign_next_link("guru:7", EMPTY_CHAIN, LinkContent(sha256_hex(content), sha256_hex(b""), ACCEPTED_AT), KEY)
    assert failed_checks(build_receipt(content, b"", signed, KEY.public_key, erasable)) == []


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("seed", range(3))
def test_receipt_after_each_kind_of_edit_is_invalid(edit: Edit, seed: int) -> None:
    edited = edit(Random(seed), create_receipt(1), create_receipt(2))
    assert failed_checks(edited)
    assert failed_checks(edited, None)


@settings(max_examples=EDIT_COUNT, suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example])
@given(random=st.randoms(use_true_random=False), is_erased=st.booleans())
def test_receipt_after_random_edit_is_invalid(random: Random, is_erased: bool) -> None:
    receipt = erase(create_receipt(1), "emergencyContact") if is_erased else create_receipt(1)
    edited = edit_receipt(random, receipt, create_receipt(2))
    assert edited != receipt
    assert not is_valid(edited)
    assert not is_valid(edited, None)


@pytest.mark.parametrize(
    ("member", "value", "failed"),
    [
        ("format", 2, ["proof"]),
        ("linkSha256", "1" * 64, ["link"]),
        ("signature", "A" * 86, ["signature"]),
        ("publicKey", public_jwk("2025", KEY.public_key), ["key"]),
        ("publicKey", public_jwk("2026", OLD_KEY.public_key), ["key"]),
        ("link.number", 1, ["link", "signature"]),
        ("link.keyId", "2025", ["link", "key", "signature"]),
        ("link.recordSha256", "1" * 64, ["waiver.json", "link", "signature"]),
        ("link.pdfSha256", "1" * 64, ["waiver.pdf", "link", "signature"]),
    ],
)
def test_receipt_with_changed_proof_names_the_check(member: str, value: str | int, failed: list[str]) -> None:
    contents = unpack_files(create_receipt(1))
    proof = json.loads(contents["proof.json"])
    container, name = (proof["link"], member.removeprefix("link.")) if "." in member else (proof, member)
    assert container[name] != value
    container[name] = value
    assert failed_checks(pack_files(contents | {"proof.json": canonical_json(proof)})) == failed


def test_receipt_with_oversized_record_is_invalid() -> None:
    record = canonical_json({"reasons": ["x" * MAX_JSON_BYTES]})
    signed = sign_next_link("guru:7", EMPTY_CHAIN, LinkContent(sha256_hex(record), sha256_hex(b""), ACCEPTED_AT), KEY)
    assert failed_checks(build_receipt(record, b"", signed, KEY.public_key)) == ["record"]


@given(data=st.binary(max_size=400) | st.binary(max_size=60).map(lambda data: create_receipt(1)[: 9_000 + len(data)]))
def test_verification_of_any_bytes_fails_without_error(data: bytes) -> None:
    assert failed_checks(data) == ["files"]


@given(content=st.binary(max_size=200) | st.sampled_from([b"[" * 60_000, b"{}", b"[]", b"1", b"null", b'{"link":{}}']))
@pytest.mark.parametrize("name", ["waiver.json", "waiver.pdf", "proof.json", "erasable.json", "README.txt"])
def test_receipt_with_any_file_content_is_invalid(name: str, content: bytes) -> None:
    assert failed_checks(pack_files(unpack_files(create_receipt(1)) | {name: content}))


def test_receipt_with_forged_key_needs_keys_file() -> None:
    """Sign a changed record with a new key, and put that key into the receipt."""
    forger = replace(OLD_KEY, id=KEY.id)
    contents = unpack_files(create_receipt(1))
    record = contents["waiver.json"].replace("Łukasz".encode(), b"Another name")
    content = LinkContent(sha256_hex(record), sha256_hex(contents["waiver.pdf"]), ACCEPTED_AT)
    signed = sign_next_link("guru:7", EMPTY_CHAIN, content, forger)
    forged = build_receipt(record, contents["waiver.pdf"], signed, forger.public_key)
    assert failed_checks(forged, None) == []
    assert failed_checks(forged) == ["key", "signature"]
    assert failed_checks(forged, {"2024": KEY.public_key}) == ["key", "signature"]


def test_receipt_with_old_key_is_valid() -> None:
    contents = unpack_files(create_receipt(1))
    content = LinkContent(sha256_hex(contents["waiver.json"]), sha256_hex(contents["waiver.pdf"]), ACCEPTED_AT)
    signed = sign_next_link("guru:7", EMPTY_CHAIN, content, OLD_KEY)
    receipt = build_receipt(contents["waiver.json"], contents["waiver.pdf"], signed, OLD_KEY.public_key)
    assert failed_checks(receipt) == []
    assert failed_checks(receipt, {KEY.id: KEY.public_key}) == ["key", "signature"]


def test_receipt_that_is_compressed_or_too_large_is_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in unpack_files(create_receipt(1)).items():
            archive.writestr(name, content)
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("waiver.json", b"0" * 300_000_000)
    many = io.BytesIO()
    with zipfile.ZipFile(many, "w") as archive:
        for number in range(5_000):
            archive.writestr(f"{number}.json", b"")
    for data in (packed.getvalue(), bomb.getvalue(), many.getvalue(), bytes(MAX_RECEIPT_BYTES + 1)):
        (check,) = verify_receipt(data, PUBLIC_KEYS)
        assert not check.passed
    with pytest.raises(ValueError, match="larger than 4 MB"):
        unpack_files(bytes(MAX_RECEIPT_BYTES + 1))


def test_javascript_verifier_agrees_on_500_receipts(tmp_path: Path) -> None:
    assert compare_verifiers(Random(20261022), tmp_path, JS_RECEIPT_COUNT) == []
