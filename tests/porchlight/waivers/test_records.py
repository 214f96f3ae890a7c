"""Canonical JSON, waiver records and commitments."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.waivers.canonical import (
    canonical_json,
    parse_canonical_json,
)
from porchlight.features.waivers.records import build_record, commitment, create_erasable, record_sha256
from tests.porchlight.waivers.samples import ACCEPTED_AT, CONTACT, DRAWING, NETWORK_ADDRESS, create_acceptance

SCALARS = st.text(st.characters(exclude_categories=["Cs"])) | st.integers(1 - 2**53, 2**53 - 1)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(st.text("aé\U0001f600\uffff"), inner))


@given(value=VALUES)
def test_canonical_json_of_any_value_parses_back(value: Any) -> None:
    assert parse_canonical_json(canonical_json(value)) == value


@pytest.mark.parametrize(
    "data",
    [
        b'{"b":1,"a":2}',
        b'{"a": 1}',
        b'{"a":1,"a":2}',
        b'{"a":1.0}',
        b'{"a":null}',
        b"[true]",
        b"[1e3]",
        b"[-0]",
        b"[9007199254740993]",
        b"[NaN]",
        b'["\\u0041"]',
        b'["\\ud800"]',
        b'["\xff"]',
        b'\xef\xbb\xbf["a"]',
        b"[" * 60_000,
        b"[" * 9_000 + b"]" * 9_000,
        b"9" * 5_000,
        b"",
    ],
)
def test_other_form_of_json_is_rejected(data: bytes) -> None:
    with pytest.raises(ValueError):
        parse_canonical_json(data)


def test_record_of_acceptance_has_all_members() -> None:
    record = build_record(create_acceptance(), create_erasable(CONTACT, NETWORK_ADDRESS, "Browser/1", DRAWING))
    assert record | {"commitments": None, "texts": None} == {
        "waiverId": "00000000-0000-0000-0000-000000000001",
        "accountId": "00000000-0000-0000-0000-000000000002",
        "acceptedAt": "2026-10-22T15:30:05Z",
        "expiresAt": "2026-11-21T15:30:05Z",
        "level": "high",
        "reasons": ["Power tools can cause deep cuts."],
        "activity": {"category": "woodworking", "description": "Table saw basics"},
        "exchange": {"id": "service-7", "title": "Woodworking for beginners"},
        "participant": {"name": "Łukasz Nowak", "signedBy": "self"},
        "consents": ["readAndUnderstood", "acknowledgesRisks", "agreesToRelease"],
        "texts": None,
        "signature": {"typed": "Łukasz Nowak"},
        "commitments": None,
    }
    (text,) = record["texts"]
    assert (text["name"], text["version"]) == ("high", 1)
    assert list(record["commitments"]) == ["drawnSignature", "emergencyContact", "networkAddress", "userAgent"]
    assert record_sha256(record) == hashlib.sha256(canonical_json(record)).hexdigest()


def test_record_without_signature_or_data_omits_them() -> None:
    record = build_record(create_acceptance(typed_signature=""), create_erasable(None, "", ""))
    assert record["signature"] == {}
    assert record["commitments"] == {}


def test_record_without_all_consents_is_rejected() -> None:
    for consents in ((), ("readAndUnderstood", "acknowledgesRisks")):
        with pytest.raises(ValueError, match="three consents"):
            build_record(create_acceptance(consents=consents), {})


def test_record_with_local_time_is_rejected() -> None:
    local: datetime = ACCEPTED_AT.replace(tzinfo=None)
    with pytest.raises(ValueError, match="time zone"):
        build_record(create_acceptance(accepted_at=local), {})


def test_record_contains_no_erasable_data() -> None:
    erasable = create_erasable(CONTACT, NETWORK_ADDRESS, "Browser/1", DRAWING)
    content = canonical_json(build_record(create_acceptance(), erasable)).decode()
    salts = [kept["salt"] for kept in erasable.values()]
    for value in (CONTACT.name, CONTACT.phone, CONTACT.relationship, NETWORK_ADDRESS, "Browser/1", "180,40", *salts):
        assert value not in content


def test_commitment_depends_on_salt_and_value() -> None:
    # The hash of ["00",{"name":"é"}] without spaces.
    assert commitment("00", {"name": "é"}) == hashlib.sha256('["00",{"name":"é"}]'.encode()).hexdigest()
    first, second = (create_erasable(CONTACT, NETWORK_ADDRESS, "Browser/1") for _ in range(2))
    assert len(first["networkAddress"]["salt"]) == 32
    assert first["networkAddress"]["salt"] not in (second["networkAddress"]["salt"], first["userAgent"]["salt"])
    records = [build_record(create_acceptance(), erasable) for erasable in (first, second)]
    assert records[0]["commitments"]["networkAddress"] != records[1]["commitments"]["networkAddress"]


@given(name=st.text(st.characters(exclude_categories=["Cs"])))
def test_record_of_any_name_is_canonical(name: str) -> None:
    record = build_record(replace(create_acceptance(), participant_name=name), {})
    assert parse_canonical_json(canonical_json(record)) == record
