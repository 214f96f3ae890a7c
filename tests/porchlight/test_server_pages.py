"""Server-rendered pages: errors and the API documentation."""

from __future__ import annotations

import asyncio
import gzip
import re
from itertools import count

import brotli
import httpx
import pytest
from fastapi import FastAPI

from porchlight.app import Porchlight
from porchlight.web import swagger
from porchlight.web.exception_handlers import render_error_page
from tests.porchlight.app_client import BASE_HOST, send_raw

UNSAFE_HTML = "<script>alert(1)</script>\" onload='x'"


def test_error_page_escapes_values() -> None:
    html = render_error_page(UNSAFE_HTML, UNSAFE_HTML, link=UNSAFE_HTML, link_text=UNSAFE_HTML).decode()
    assert "&lt;script&gt;" in html
    assert "<script" not in html
    assert '" onload' not in html
    assert "<a href=" in html


def test_error_page_without_link_has_no_button() -> None:
    html = render_error_page("Title", "Message").decode()
    assert "<h1>Title</h1>\n<p>Message</p>" in html
    assert "<a" not in html


async def test_swagger_page_loads_only_own_files() -> None:
    app = FastAPI(docs_url=None)
    swagger.install(app)
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://porchlight.example") as client:
        page = await client.get("/api/docs")
        assert page.headers["content-security-policy"].startswith("default-src 'none'")
        paths = re.findall(r'(?:src|href)="(/[^"]+)"', page.text)
        assert len(paths) == 3
        for path in paths:
            assert (await client.get(path)).status_code == 200


async def test_openapi_document_is_prepared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app = FastAPI(docs_url=None, openapi_url=None)
    swagger.install(app)
    generate, generated = app.openapi, count()
    monkeypatch.setattr(app, "openapi", lambda: (next(generated), generate())[1])
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://porchlight.example") as client:
        responses = await asyncio.gather(*(client.get("/api/openapi.json") for _ in range(5)))
        assert next(generated) == 1
        document = responses[0]
        assert (document.status_code, document.headers["content-type"]) == (200, "application/json; charset=utf-8")
        assert document.json()["openapi"].startswith("3.")
        etag = document.headers["etag"]
        unchanged = await client.get("/api/openapi.json", headers={"if-none-match": etag})
        assert (unchanged.status_code, unchanged.content, unchanged.headers["etag"]) == (304, b"", etag)
        assert (await client.get("/api/openapi.json", headers={"if-none-match": 'W/"0"'})).status_code == 200
        assert (await client.head("/api/openapi.json")).content == b""
        assert (await client.post("/api/openapi.json")).status_code == 405


async def test_openapi_document_is_sent_compressed(app: Porchlight) -> None:
    plain = await send_raw(app, b"/api/openapi.json", BASE_HOST)
    for encoding, decompress in ((b"br", brotli.decompress), (b"gzip", gzip.decompress)):
        response = await send_raw(app, b"/api/openapi.json", BASE_HOST, headers=[(b"accept-encoding", encoding)])
        assert response.header("content-encoding") == encoding.decode()
        assert decompress(response.body) == plain.body
        assert len(response.body) < len(plain.body) / 8
    assert response.header("vary") == "Accept-Encoding"
