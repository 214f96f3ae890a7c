"""The bytes of a pass: what is signed, any change of it, and an independent reader of the format."""

from __future__ import annotations

import hashlib
import json
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.bookings.passes.keys import PassKeys
from porchlight.features.bookings.passes.signed_pass import (
    PASS_BYTES,
    InvalidPass,
    Pass,
    code_of,
    pass_of,
    read_pass,
    sign_pass,
    text_of,
)
from porchlight.features.waivers.keys import waiver_keyring
from porchlight.settings.environment import Settings
from tenants.kit.base64url import encode_base64url
from tests.porchlight.waivers.samples import KEY, OLD_KEY

READER = Path(__file__).with_name("read_passes.mjs")
START = datetime(2027, 3, 10, 18, 0, tzinfo=UTC)
PASS = Pass(UUID(int=30), UUID(int=7), START, 90, 3)


def settings(**changes: Any) -> Settings:
    return Settings(**({"database_url": "postgresql://app:one@127.0.0.1:5432/porchlight", "waiver_keys": ""} | changes))


KEYS = PassKeys(settings(waiver_keys=f"2026:{encode_base64url(KEY.seed)}"))
SIGNED = sign_pass(PASS, KEYS.current)
PASSES = st.builds(
    Pass,
    st.uuids(),
    st.uuids(),
    st.integers(0, 2**32 - 1).map(lambda seconds: datetime.fromtimestamp(seconds, UTC)),
    st.integers(0, 65_535),
    st.integers(0, 65_535),
)


@given(content=PASSES)
def test_pass_reads_as_it_was_signed(content: Pass) -> None:
    signed = sign_pass(content, KEYS.current)
    assert len(signed) == PASS_BYTES
    assert len(text_of(signed)) == 140
    assert read_pass(text_of(signed), KEYS.public_keys) == content


def test_pass_with_any_flipped_bit_is_refused() -> None:
    for bit in range(8 * PASS_BYTES):
        changed = bytearray(SIGNED)
        changed[bit // 8] ^= 1 << bit % 8
        with pytest.raises(InvalidPass):
            read_pass(text_of(bytes(changed)), KEYS.public_keys)


@given(text=st.one_of(st.text(max_size=200), st.binary(max_size=150).map(encode_base64url)))
def test_pass_of_any_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidPass):
        read_pass(text, KEYS.public_keys)


def test_pass_in_another_spelling_is_refused() -> None:
    for text in (text_of(SIGNED) + "=", " " + text_of(SIGNED), text_of(SIGNED)[:-1], text_of(SIGNED + b"\0")):
        with pytest.raises(InvalidPass):
            read_pass(text, KEYS.public_keys)


def test_pass_keys_differ_from_those_of_waivers() -> None:
    setting = settings(waiver_keys=f"2026:{encode_base64url(KEY.seed)}")
    (waiver_key,) = waiver_keyring(setting).public_keys.values()
    with pytest.raises(InvalidPass):
        read_pass(text_of(SIGNED), [waiver_key])
    other_purpose = PASS.body + KEYS.current.sign(PASS.body)
    with pytest.raises(InvalidPass):
        read_pass(text_of(other_purpose), KEYS.public_keys)


def test_pass_from_before_a_key_rotation_is_read() -> None:
    seeds = [encode_base64url(key.seed) for key in (OLD_KEY, KEY)]
    rotated = PassKeys(settings(waiver_keys=f"2027:{seeds[0]},2026:{seeds[1]}"))
    assert rotated.current.public_key() != KEYS.current.public_key()
    assert read_pass(text_of(SIGNED), rotated.public_keys) == PASS
    with pytest.raises(InvalidPass):
        read_pass(text_of(sign_pass(PASS, rotated.current)), KEYS.public_keys)


def test_pass_keys_of_development_need_no_setting() -> None:
    assert PassKeys(settings()).published == PassKeys(settings()).published
    with pytest.raises(ValueError, match="is not set"):
        PassKeys(settings(env="production"))


def test_pass_of_booking_counts_whole_minutes() -> None:
    made = pass_of(UUID(int=1), UUID(int=2), START, START + timedelta(minutes=45), 65_540)
    assert (made.minutes, made.sequence, made.starts_at) == (45, 4, START)


def test_pass_code_changes_with_the_booking() -> None:
    codes = {code_of(sign_pass(Pass(UUID(int=30), UUID(int=7), START, 90, n), KEYS.current)) for n in range(200)}
    assert len(codes) == 200
    assert {len(code) for code in codes} == {8}
    assert not set("".join(codes)) & set("ILOU")


def test_pass_is_read_by_a_javascript_verifier() -> None:
    contents = [Pass(UUID(int=n + 1), UUID(int=9), START + timedelta(days=n), 15 * n, n) for n in range(100)]
    signed = [sign_pass(content, KEYS.current) for content in contents]
    forged = [bytes([*one[:40], one[40] ^ 1, *one[41:]]) for one in signed[:20]]
    asked = {"keys": KEYS.published, "passes": [text_of(one) for one in signed + forged]}
    done = subprocess.run(["node", str(READER)], input=json.dumps(asked), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    read = json.loads(done.stdout)
    assert read[:100] == [
        {
            "bookingId": str(one.booking_id), "tenantId": str(one.tenant_id), "sequence": one.sequence,
            "startsAt": int(one.starts_at.timestamp()), "minutes": one.minutes, "code": code_of(data),
        }
        for one, data in zip(contents, signed, strict=True)
    ]  # fmt: skip
    assert read[100:] == [None] * 20


def test_pass_vector_stays_as_it_is() -> None:
    """Passes on people's phones must stay good after an upgrade."""
    assert hashlib.sha256(SIGNED).hexdigest() == "d040a4110bfcaaad64854189da9c6ac114c59b198c658653e5a80acbe43d42e5"
