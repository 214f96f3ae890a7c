"""Malicious bodies of leads: no 5xx, no partial write, no echo."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest

from sites.leads.schemas import LeadPayload
from tests.porchlight.app_client import RawResponse, send_raw
from tests.porchlight.factories import row_digests
from tests.sites.malicious_payloads import TEXTS, Target, check_response

LEAD: dict[str, Any] = {"name": "Ada", "email": "ada@example.com", "message": "Hello", "consent": True}
FIELDS = (*(str(field.alias) for field in LeadPayload.model_fields.values()), "unknown")
VALUES: list[Any] = [
    *TEXTS.values(),
    None,
    True,
    False,
    0,
    -1,
    2**63,
    2**200,
    1.5,
    -0.0,
    [],
    {},
    [[[]]],
    ["x"],
    {"x": {"y": []}},
    {"$ne": None},
    "\ud800x",
]
BODIES: list[bytes] = [
    b"",
    b"{",
    b"}",
    b"null",
    b"[]",
    b'""',
    b"1",
    b"NaN",
    b'{"name": NaN}',
    b'{"name": 1e400}',
    b'{"name": -Infinity}',
    b'{"a":' * 5000 + b"1" + b"}" * 5000,
    b"[" * 100_000,
    b'{"name": "\\ud800"}',
    b'{"name": "\\udc00\\ud800"}',
    b'{"\\ud800": 1}',
    b'{"name": "\xff"}',
    b'{"name": "\xed\xa0\x80"}',
    b'{"name": "\xc0\xae"}',
    b'\xef\xbb\xbf{"name": "x"}',
    b'{"name": "\\u0000"}',
    b'{"name": "a", "name": "b"}',
    b"{'name': 'x'}",
    b'{"name": "x",}',
    b'{"name": "x"} {}',
    b'{"__proto__": {"admin": true}}',
    b'{"constructor": 1, "toString": 2}',
    '{"name": "x"}'.encode("utf-16"),
    b'{"name": ' + b"9" * 5000 + b"}",
    b'{"' + b"k" * 100_000 + b'": 1}',
    b"{" + b",".join(b'"k%d": 1' % n for n in range(9000)) + b"}",
    b"name=x&email=y",
    b"<xml/>",
    b"\x1f\x8b\x08\x00",
]


async def _post(
    target: Target, body: bytes, content_type: bytes | None = b"application/json", **more: Any
) -> RawResponse:
    headers = [(b"content-type", content_type)] if content_type is not None else []
    path = b"/api/gurus/alpha/leads"
    return await send_raw(
        target.app, path, target.guru.host, method="POST", headers=headers + more.pop("headers", []), body=body, **more
    )


@pytest.mark.parametrize("field", FIELDS)
async def test_lead_with_malicious_value_is_stored_or_rejected(target: Target, field: str) -> None:
    for value in VALUES:
        before = row_digests(target.conn, target.guru, ("leads",))
        body = json.dumps(LEAD | {field: value}, ensure_ascii=True).encode()
        response = await _post(target, body)
        check_response(response, (field, str(value)[:40]), api=True)
        if response.status >= 400:
            target.assert_unchanged(before | row_digests(target.conn, target.guru))
            assert row_digests(target.conn, target.guru, ("leads",)) == before
    rows = target.conn.execute(
        "SELECT name, email, message, phone, page FROM leads WHERE tenant_id = %s", [target.guru.id]
    ).fetchall()
    assert all("\0" not in text and len(text) <= 5000 for row in rows for text in row)


@pytest.mark.parametrize("number", range(len(BODIES)))
async def test_lead_with_invalid_body_is_rejected(target: Target, number: int) -> None:
    before = row_digests(target.conn, target.guru)
    response = await _post(target, BODIES[number])
    check_response(response, BODIES[number][:60], api=True)
    assert 400 <= response.status < 500, BODIES[number][:60]
    target.assert_unchanged(before)


@pytest.mark.parametrize(
    "content_type",
    [
        b"text/plain",
        b"text/html",
        b"multipart/form-data; boundary=x",
        b"application/x-www-form-urlencoded",
        b"application/json; charset=utf-16",
        b"application/octet-stream",
        b"\xff",
        b"a" * 9000,
        b"application/",
        b"",
    ],
)
async def test_lead_with_other_content_type_is_rejected(target: Target, content_type: bytes) -> None:
    before = row_digests(target.conn, target.guru)
    for body in (b"name=x", b"--x\r\n\r\nx", b"<script>canary7f3a</script>"):
        response = await _post(target, body, content_type)
        check_response(response, content_type[:40], api=True)
        assert response.status in (400, 415, 422)
    target.assert_unchanged(before)


async def test_lead_over_size_limit_is_rejected(target: Target) -> None:
    before = row_digests(target.conn, target.guru)
    large = json.dumps(LEAD | {"message": "x" * 200_000}).encode()
    chunks = [large[at : at + 50_000] for at in range(0, len(large), 50_000)]
    for body, headers in (
        (large, []),
        (chunks, []),
        (b"{}", [(b"content-length", b"99999999999999999999999999")]),
        (b"{}", [(b"content-length", b"-5")]),
        (b"{}", [(b"content-length", b"5, 6")]),
        (chunks, [(b"content-length", b"2")]),
    ):
        response = await _post(target, body, headers=headers)  # type: ignore[arg-type]
        check_response(response, headers, api=True)
        assert (response.status, orjson.loads(response.body)["error"]["code"]) == (413, "too_large")
    target.assert_unchanged(before)
