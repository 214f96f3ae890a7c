"""Server-rendered pages: errors and the API documentation."""

from __future__ import annotations

import re

import httpx
from fastapi import FastAPI

from porchlight.web import swagger
from porchlight.web.exception_handlers import render_error_page

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
