"""Hostile input in the bodies of leads: never a 5xx, never half a write, never an echo."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest

from tests.platform_.world import Answered, ask, checksum
from tests.sites.hostile import WORDS, Target, check

LEAD: dict[str, Any] = {"name": "Ada", "email": "ada@example.com", "message": "Hello", "consent": True}
FIELDS = ("name", "email", "message", "phone", "serviceId", "consent", "website", "page", "unheard")
VALUES: list[Any] = [
    *WORDS.values(),
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
JSONS: list[bytes] = [
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


async def _post(target: Target, body: bytes, kind: bytes | None = b"application/json", **more: Any) -> Answered:
    headers = [(b"content-type", kind)] if kind is not None else []
    path = b"/api/gurus/alpha/leads"
    return await ask(
        target.app, path, target.guru.host, method="POST", headers=headers + more.pop("headers", []), body=body, **more
    )


@pytest.mark.parametrize("field", FIELDS)
async def test_hostile_values_in_every_field_of_a_lead(target: Target, field: str) -> None:
    for value in VALUES:
        before = checksum(target.conn, target.guru, ("leads",))
        body = json.dumps(LEAD | {field: value}, ensure_ascii=True).encode()
        answer = await _post(target, body)
        check(answer, (field, str(value)[:40]), api=True)
        if answer.status >= 400:
            target.unchanged(before | checksum(target.conn, target.guru))
            assert checksum(target.conn, target.guru, ("leads",)) == before
    rows = target.conn.execute(
        "SELECT name, email, message, phone, page FROM leads WHERE tenant_id = %s", [target.guru.id]
    ).fetchall()
    assert all("\0" not in text and len(text) <= 5000 for row in rows for text in row)


@pytest.mark.parametrize("number", range(len(JSONS)))
async def test_bodies_that_are_no_lead(target: Target, number: int) -> None:
    before = checksum(target.conn, target.guru)
    answer = await _post(target, JSONS[number])
    check(answer, JSONS[number][:60], api=True)
    assert 400 <= answer.status < 500, JSONS[number][:60]
    target.unchanged(before)


@pytest.mark.parametrize(
    "kind",
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
async def test_bodies_of_another_kind(target: Target, kind: bytes) -> None:
    before = checksum(target.conn, target.guru)
    for body in (b"name=x", b"--x\r\n\r\nx", b"<script>canary7f3a</script>"):
        answer = await _post(target, body, kind)
        check(answer, kind[:40], api=True)
        assert answer.status in (400, 415, 422)
    target.unchanged(before)


async def test_bodies_over_the_limit(target: Target) -> None:
    before = checksum(target.conn, target.guru)
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
        answer = await _post(target, body, headers=headers)  # type: ignore[arg-type]
        check(answer, headers, api=True)
        assert (answer.status, orjson.loads(answer.body)["error"]["code"]) == (413, "too_large")
    target.unchanged(before)
