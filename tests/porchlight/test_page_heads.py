"""The heads of the main platform's public pages, as search engines and link previews read them."""

from __future__ import annotations

import re
from pathlib import Path

import httpx

from porchlight import registry
from porchlight.settings.environment import Settings
from porchlight.web.main_site import MainSite
from porchlight.web.public_pages import MAX_ORIGINS
from porchlight_dev.environment import ROOT
from tenants.http.asgi import Receive, Scope, Send

ORIGIN = "https://porchlight.example"
PAGE = '<html><head><link rel="canonical" href="{{origin}}%s" /></head></html>'


async def _no_api(scope: Scope, receive: Receive, send: Send) -> None:
    raise AssertionError(scope["path"])


def _site(build: Path) -> MainSite:
    (build / "entrances").mkdir()
    (build / "index.html").write_text("the common page")
    for name, path in (("home", "/"), ("about", "/about"), ("login", "/login")):
        (build / "entrances" / f"{name}.html").write_text(PAGE % path)
    (build / "entrances" / "dashboard.html").write_text("files of the dashboard")
    settings = Settings(main_web_dir=build, base_host="porchlight.example")
    return MainSite(_no_api, settings, private_pages=registry.private_pages())


def _client(site: MainSite, origin: str = ORIGIN) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=site), base_url=origin)


async def test_public_page_names_its_own_address(tmp_path: Path) -> None:
    async with _client(_site(tmp_path)) as client:
        pages = {path: await client.get(path) for path in ("/", "/about", "/dashboard", "/unknown")}
        assert pages["/about"].text == PAGE.replace("{{origin}}", ORIGIN) % "/about"
        assert pages["/"].text == PAGE.replace("{{origin}}", ORIGIN) % "/"
        assert pages["/dashboard"].text == "files of the dashboard"
        assert pages["/unknown"].text == "the common page"
        again = await client.get("/about", headers={"if-none-match": pages["/about"].headers["etag"]})
        assert again.status_code == 304


async def test_public_page_copies_are_limited(tmp_path: Path) -> None:
    """A request chooses the scheme: more origins than the product has must not fill the memory."""
    site = _site(tmp_path)
    pages = site._pages
    assert pages is not None
    for port in range(50):
        pages.file_of("/about", f"https://porchlight.example:{port}")
    copies = [path for path in pages._files.paths() if path.startswith("https:")]
    assert len(copies) == MAX_ORIGINS
    assert pages.file_of("/about", ORIGIN) == f"{ORIGIN}/entrances/about.html"


def test_built_pages_have_heads_of_their_own() -> None:
    """Two pages with the same title or description compete in search results."""
    pages = {page.stem: page.read_text() for page in (ROOT / "main-web/dist/entrances").glob("*.html")}
    public = {name: html for name, html in pages.items() if "{{origin}}" in html}
    assert {"home", "about", "skills", "angels-list", "pricing", "terms", "help"} <= public.keys()
    assert pages.keys() - public.keys() == {"dashboard", "sessions"}
    aliases = {"privacy_policy", "terms_and_conditions"}
    for pattern in (r"<title>([^<]+)</title>", r'<meta name="description" content="([^"]+)"'):
        texts = [re.search(pattern, html)[1] for name, html in public.items() if name not in aliases]  # type: ignore[index]
        assert len(set(texts)) == len(texts) == len(public) - len(aliases)
    for name, html in public.items():
        path = {"home": "", "privacy_policy": "privacy", "terms_and_conditions": "terms"}.get(name, name)
        assert html.count(f'<link rel="canonical" href="{{{{origin}}}}/{path}" />') == 1
        assert html.count('<meta property="og:image" content="{{origin}}/social.png" />') == 1
