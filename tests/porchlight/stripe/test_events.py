"""Signatures of events, without the app: whatever is wrong is BadSignature, and nothing else."""

from __future__ import annotations

import hmac
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.payment_ports import BadSignature
from porchlight.stripe.events import MAX_BODY_BYTES, EventReader

AT = datetime(2026, 11, 25, 12, tzinfo=UTC)
NEW_SECRET = "whsec_new"
READER = EventReader(f"{NEW_SECRET}, whsec_old", "whsec_connect")


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tenants.kit.clock.machine_now", lambda: AT)


def event(**changes: Any) -> bytes:
    values: dict[str, Any] = {
        "id": "evt_1", "object": "event", "type": "payout.paid", "created": 1_790_000_000, "livemode": False,
        "account": "acct_1", "data": {"object": {"id": "po_1", "object": "payout"}},
    }  # fmt: skip
    return json.dumps({name: value for name, value in (values | changes).items() if value is not ...}).encode()


def header(body: bytes, secret: str = NEW_SECRET, at: datetime = AT, *, scheme: str = "v1") -> str:
    seconds = int(at.timestamp())
    signed = hmac.new(secret.encode(), f"{seconds}.".encode() + body, "sha256").hexdigest()
    return f"t={seconds},{scheme}={signed}"


def accepts(body: bytes, signature: str) -> bool:
    try:
        READER.event(body, signature)
    except BadSignature:
        return False
    return True


def test_event_is_parsed() -> None:
    found = READER.event(event(), header(event()))
    assert (found.id, found.kind, found.account, found.livemode) == ("evt_1", "payout.paid", "acct_1", False)
    assert (found.object_id, found.object_kind, found.endpoint) == ("po_1", "payout", "platform")
    assert found.created == datetime.fromtimestamp(1_790_000_000, UTC)


def test_secret_names_the_endpoint_during_rotation() -> None:
    for secret, endpoint in (("whsec_new", "platform"), ("whsec_old", "platform"), ("whsec_connect", "connect")):
        assert READER.event(event(), header(event(), secret)).endpoint == endpoint
    both = header(event(), "whsec_gone") + "," + header(event()).partition(",")[2]
    assert accepts(event(), both)
    assert not accepts(event(), header(event(), "whsec_gone"))
    assert not accepts(event(), header(event(), ""))


def test_every_flipped_bit_of_body_is_rejected() -> None:
    body = event()
    signature = header(body)
    for bit in range(len(body) * 8):
        changed = bytearray(body)
        changed[bit // 8] ^= 1 << bit % 8
        assert not accepts(bytes(changed), signature), bit


def test_every_flipped_bit_of_signature_is_rejected() -> None:
    signature = header(event()).encode()
    for bit in range(len(signature) * 8):
        changed = bytearray(signature)
        changed[bit // 8] ^= 1 << bit % 8
        assert not accepts(event(), changed.decode("latin-1")), bit


@pytest.mark.parametrize(
    ("age", "is_accepted"), [(-61, False), (-60, True), (0, True), (300, True), (301, False), (-(10**9), False)]
)
def test_signature_is_valid_around_its_time(age: int, is_accepted: bool) -> None:
    assert accepts(event(), header(event(), at=AT - timedelta(seconds=age))) is is_accepted


@pytest.mark.parametrize(
    "signature",
    [
        "", "t=1", "v1=00", "t=,v1=", "t=x,v1=" + "0" * 64, "t=1e9,v1=" + "0" * 64, "t=-1,v1=" + "0" * 64,
        "t=99999999999999999999,v1=" + "0" * 64, "\0", "t=1\n,v1=" + "0" * 64, "é" * 100, "," * 5_000,
        header(event(), scheme="v0"), header(event()) + ",t=1", header(event()).replace("t=", "t=0x"),
        header(event()) + ",v1=" + ",v1=".join(["0" * 64] * 10),
    ],
)  # fmt: skip
def test_malformed_header_is_rejected(signature: str) -> None:
    assert not accepts(event(), signature)


@pytest.mark.parametrize(
    "body",
    [
        b"", b"null", b"[]", b"1", b'"x"', b"{}", b"\xff\xfe", b"[" * 200_000, b'{"a":' * 40_000,
        b'{"id": "evt_1", "n": ' + b"9" * 5_000 + b"}",
        event(id=...), event(id=7), event(id=""), event(id="evt\0"), event(id="evt 1"), event(id="e" * 300),
        event(type=None), event(type=["payout.paid"]), event(created=...), event(created="now"), event(created=True),
        event(created=10**30), event(created=-(10**30)), event(livemode=None), event(livemode="false"),
        event(account=5), event(account={"id": "acct_1"}), event(data=None), event(data={"object": None}),
        event(data={"object": []}), event(data={"object": {"id": 1, "object": "payout"}}),
        event(data={"object": {"id": "po_1", "object": "payout", "text": "a\0b"}}), event(extra={"\0": 1}),
        event(extra="\\\0"), b'{"id":"evt_\\ud800","x":1}', event(extra="\ud800"), event(extra={"\udfff": 1}),
        event(extra="x" * MAX_BODY_BYTES),
    ],
)  # fmt: skip
def test_signed_body_that_is_no_event_is_rejected(body: bytes) -> None:
    assert not accepts(body, header(body))


@pytest.mark.parametrize("text", ["😀", "\\u0000", "\\\\u0000 is written out", "é\n"])
def test_unusual_text_is_accepted(text: str) -> None:
    body = event(extra=text)
    assert accepts(body, header(body))


@given(st.binary(max_size=300), st.text(max_size=200))
def test_random_input_is_rejected_without_other_error(body: bytes, signature: str) -> None:
    assert not accepts(body, signature)
    assert not accepts(body, header(body))
