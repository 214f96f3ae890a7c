"""The signed hash chain of waivers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.waivers.canonical import sha256_hex
from porchlight.features.waivers.chain import (
    EMPTY_CHAIN,
    ChainLink,
    LinkContent,
    SignedChainLink,
    chain_fault,
    link_fault,
    sign_next_link,
)
from tests.porchlight.waivers.samples import ACCEPTED_AT, KEY, OLD_KEY, PUBLIC_KEYS, sign_links

HASHES = [(sha256_hex(b"record %d" % number), sha256_hex(b"pdf %d" % number)) for number in range(6)]
LINKS = sign_links("guru:7", HASHES)


def _changed(index: int, **changes: Any) -> list[SignedChainLink]:
    """Return the links with changed fields of one link, under the old signature."""
    changed = replace(LINKS[index], link=replace(LINKS[index].link, **changes))
    return [*LINKS[:index], changed, *LINKS[index + 1 :]]


def test_link_signature_covers_canonical_json() -> None:
    link = LINKS[0].link
    assert link.signed_bytes.decode() == (
        f'{{"at":"2026-10-22T15:30:05Z","chainId":"guru:7","keyId":"2026","number":1,"pdfSha256":"{HASHES[0][1]}",'
        f'"previous":"{"0" * 64}","recordSha256":"{HASHES[0][0]}"}}'
    )
    assert LINKS[1].link.previous == sha256_hex(link.signed_bytes)
    KEY.public_key.verify(LINKS[0].signature, link.signed_bytes)
    assert ChainLink.parse(link.to_json()) == link


def test_chain_of_signed_links_is_valid() -> None:
    assert chain_fault(LINKS, PUBLIC_KEYS) is None
    assert chain_fault([], PUBLIC_KEYS) is None
    assert chain_fault(LINKS[3:], PUBLIC_KEYS, after=LINKS[2].link.head) is None


@pytest.mark.parametrize(
    "changes",
    [
        {"record_sha256": "1" * 64},
        {"pdf_sha256": "1" * 64},
        {"at": "2026-10-22T15:30:06Z"},
        {"chain_id": "guru:8"},
        {"key_id": "2025"},
        {"key_id": "2024"},
        {"number": 9},
        {"previous": "1" * 64},
    ],
)
@given(index=st.integers(0, len(LINKS) - 1))
def test_chain_with_changed_link_has_fault(index: int, changes: dict[str, Any]) -> None:
    links = _changed(index, **changes)
    assert link_fault(links[index], PUBLIC_KEYS) is not None
    assert chain_fault(links, PUBLIC_KEYS) is not None


def test_chain_with_rewritten_hashes_has_fault() -> None:
    """Sign a changed link and the ones after it again, with another key of the same id."""
    forger = replace(OLD_KEY, id=KEY.id)
    head = EMPTY_CHAIN
    forged = []
    for record, pdf in [("1" * 64, HASHES[0][1]), *HASHES[1:]]:
        forged.append(sign_next_link("guru:7", head, LinkContent(record, pdf, ACCEPTED_AT), forger))
        head = forged[-1].link.head
    assert chain_fault(forged, {KEY.id: forger.public_key}) is None
    assert chain_fault(forged, PUBLIC_KEYS) == "Link 1 has an invalid signature."


def test_chain_with_missing_or_moved_link_has_fault() -> None:
    other = sign_links("guru:8", HASHES)
    assert chain_fault([*LINKS[:2], *LINKS[3:]], PUBLIC_KEYS) == "Link 3 is missing."
    assert chain_fault(LINKS[1:], PUBLIC_KEYS) == "Link 1 is missing."
    assert chain_fault([LINKS[0], LINKS[2], LINKS[1]], PUBLIC_KEYS) == "Link 2 is missing."
    assert chain_fault([LINKS[0], LINKS[0]], PUBLIC_KEYS) == "Link 2 is missing."
    assert chain_fault([LINKS[0], other[1]], PUBLIC_KEYS) == "Link 2 belongs to another chain."
    fault = chain_fault(LINKS[2:], PUBLIC_KEYS, after=replace(LINKS[1].link.head, sha256="1" * 64))
    assert fault == "Link 3 does not follow link 2: one of them was changed."


def test_link_with_unknown_key_or_no_signature_has_fault() -> None:
    assert link_fault(LINKS[0], {OLD_KEY.id: OLD_KEY.public_key}) == "Link 1 is signed with an unknown key."
    assert link_fault(replace(LINKS[0], signature=b""), PUBLIC_KEYS) == "Link 1 has an invalid signature."


def test_chain_after_key_rotation_is_valid() -> None:
    old = sign_next_link("guru:7", EMPTY_CHAIN, LinkContent(*HASHES[0], ACCEPTED_AT), OLD_KEY)
    new = sign_next_link("guru:7", old.link.head, LinkContent(*HASHES[1], ACCEPTED_AT), KEY)
    assert chain_fault([old, new], PUBLIC_KEYS) is None


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("number", 0),
        ("number", "1"),
        ("number", True),
        ("previous", "A" * 64),
        ("recordSha256", "1" * 63),
        ("pdfSha256", 1),
        ("at", "2026-10-22T15:30:05+00:00"),
        ("at", "2026-10-22T15:30:05Z\n"),
        ("keyId", "2026\x1b[2J"),
        ("chainId", ""),
        ("more", ""),
    ],
)
def test_link_with_malformed_member_is_rejected(name: str, value: Any) -> None:
    with pytest.raises(ValueError):
        ChainLink.parse(LINKS[0].link.to_json() | {name: value})


def test_link_of_malformed_hash_is_not_signed() -> None:
    with pytest.raises(ValueError, match="recordSha256"):
        sign_next_link("guru:7", EMPTY_CHAIN, LinkContent("x", HASHES[0][1], ACCEPTED_AT), KEY)
