"""Malicious paths, queries, headers and methods: no 5xx, no partial write, no echo."""

from __future__ import annotations

import re
from urllib.parse import quote

import pytest

from tests.porchlight.app_client import BASE_HOST, send_raw
from tests.porchlight.factories import row_digests
from tests.sites.malicious_payloads import TEXTS, Target, check_response
from tests.sites.routes import API_READS, FILES, PAGES, data_paths

RAW_PARTS: list[bytes] = [
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


async def test_malicious_path_parameters_are_rejected(target: Target) -> None:
    before = row_digests(target.conn, target.guru)
    build = (await send_raw(target.app, b"/", target.guru.host)).body.split(b'"buildId":"')[1].split(b'"')[0].decode()
    templates = [*(path for paths in API_READS.values() for path in paths), *PAGES, *FILES, *data_paths(build)]
    parts = [quote(text[:4000], safe="").encode() for text in TEXTS.values()] + RAW_PARTS
    for template in templates:
        names = re.findall(r"{(\w+)}", template)
        valid = {"subdomain": "alpha", "slug": target.guru.slugs[0], "tag": target.guru.tags[0], "cursor": ""}
        valid |= {"service_id": str(target.guru.services[0]), "review_cursor": ""}
        for name in names:
            for part in parts:
                path = template.format(**(valid | {name: "\1"})).encode().replace(b"\1", part)
                response = await send_raw(target.app, path, target.guru.host)
                check_response(response, path, api=path.startswith(b"/api/"))
    target.assert_unchanged(before)


async def test_malicious_paths_are_rejected(target: Target) -> None:
    for part in RAW_PARTS:
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
            for host in (target.guru.host, BASE_HOST):
                check_response(await send_raw(target.app, path, host), path, api=False)
    for path in (
        b"//evil.example/",
        b"///evil.example//",
        b"//evil.example/%2e%2e/",
        b"/%5cevil.example/",
        b"/%09/evil.example/",
    ):
        response = await send_raw(target.app, path, target.guru.host)
        check_response(response, path, api=False)
        assert not (response.header("location") or "").startswith("//")


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
async def test_malicious_query_is_rejected(target: Target, query: bytes) -> None:
    response = await send_raw(target.app, b"/api/gurus/alpha/posts?" + query, target.guru.host)
    check_response(response, query, api=True)
    for path in (b"/", b"/blog", b"/contact", b"/login", b"/internal/tls-check", b"/api/gurus/alpha/home"):
        check_response(
            await send_raw(target.app, path + b"?" + query + b"&domain=" + query, target.guru.host),
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
async def test_malicious_header_is_handled(target: Target, header: tuple[bytes, bytes]) -> None:
    for address in ("203.0.113.7", "127.0.0.1"):
        for path in (b"/", b"/blog/post-alpha-0", b"/api/gurus/alpha/home", b"/favicon.svg"):
            response = await send_raw(target.app, path, target.guru.host, headers=[header], address=address)
            check_response(response, header, api=path.startswith(b"/api"))
    await target.app.views.flush()


@pytest.mark.parametrize(
    "method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "X" * 300, "POST", "HEAD"]
)
async def test_unsupported_method_is_rejected(target: Target, method: str) -> None:
    before = row_digests(target.conn, target.guru)
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
        response = await send_raw(target.app, path, target.guru.host, method=method)
        check_response(response, (method, path), api=path.startswith(b"/api/") and method != "HEAD")
        if method != "HEAD":
            assert response.status in (404, 405), (method, path, response.status)
    target.assert_unchanged(before)
