"""The heads of the main platform's public pages, as search engines and link previews read them."""

from __future__ import annotations

import json
import re
import shutil
from io import BytesIO
from pathlib import Path

import httpx
from PIL import Image

from porchlight import registry
from porchlight.settings.environment import Settings
from porchlight.web.main_site import MainSite
from porchlight.web.page_meta import Head
from porchlight.web.public_pages import MAX_ORIGINS
from porchlight.web.social_pictures import MAX_PICTURES, SocialPictures
from porchlight_dev.environment import ROOT
from tenants.http.asgi import Receive, Scope, Send
from tenants.kit.errors import Unavailable

ORIGIN = "https://porchlight.example"
PAGE = '<html><head><title>%s</title><link rel="canonical" href="{{origin}}%s" /></head></html>'


async def _no_api(scope: Scope, receive: Receive, send: Send) -> None:
    raise AssertionError(scope["path"])


async def _pet_head(path: str, _origin: str) -> Head | None:
    if path == "/pets/away":
        raise Unavailable
    return Head("Cats · Porchlight", "", "") if path == "/pets/cats" else None


def _site(build: Path) -> MainSite:
    (build / "entrances").mkdir()
    (build / "index.html").write_text("the common page")
    for name, path in (("home", "/"), ("about", "/about"), ("login", "/login"), ("about-us", "/about")):
        (build / "entrances" / f"{name}.html").write_text(PAGE % (f"{name} · Porchlight", path))
    (build / "entrances" / "dashboard.html").write_text("files of the dashboard")
    settings = Settings(main_web_dir=build, base_host="porchlight.example")
    return MainSite(_no_api, settings, page_meta={"/pets/": _pet_head}, private_pages=registry.private_pages())


def _client(site: MainSite, origin: str = ORIGIN) -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=site), base_url=origin)


async def test_public_page_names_its_own_address(tmp_path: Path) -> None:
    async with _client(_site(tmp_path)) as client:
        pages = {path: await client.get(path) for path in ("/", "/about", "/dashboard", "/unknown")}
        assert pages["/about"].text == PAGE.replace("{{origin}}", ORIGIN) % ("about · Porchlight", "/about")
        assert pages["/"].text == PAGE.replace("{{origin}}", ORIGIN) % ("home · Porchlight", "/")
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
        picture = "/social.png" if name == "home" else f"/social/{name}.png"
        assert html.count(f'<meta property="og:image" content="{{{{origin}}}}{picture}" />') == 1
    html = (ROOT / "main-web/dist/index.html").read_text()
    assert "og:image" not in html, "the pages of users have no preview"


async def test_social_picture_shows_the_page_title(tmp_path: Path) -> None:
    """A preview of each page that looks the same says nothing about the page."""
    shutil.copy(ROOT / "main-web/public/social.png", tmp_path)
    async with _client(_site(tmp_path)) as client:
        pictures = {path: await client.get(f"/social/{path}.png") for path in ("about", "login", "pets/cats")}
        for picture in pictures.values():
            assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png")
            with Image.open(BytesIO(picture.content)) as image:
                assert image.size == (1200, 630)
        assert len({picture.content for picture in pictures.values()}) == len(pictures)
        for unknown in ("/social/unknown.png", "/social/dashboard.png", "/social/pets/dogs.png"):
            assert (await client.get(unknown)).status_code == 404
        assert (await client.get("/social/pets/away.png")).status_code == 503


async def test_social_pictures_are_limited() -> None:
    """Each listing has a title: the pictures must not fill the memory."""
    pictures = SocialPictures((ROOT / "main-web/public/social.png").read_bytes())
    for number in range(MAX_PICTURES + 5):
        pictures._pictures[str(number)] = b""
    await pictures.of_title("Juggling · Porchlight")
    assert len(pictures._pictures) == MAX_PICTURES


async def test_sitemap_leaves_out_second_addresses(tmp_path: Path) -> None:
    """Search engines report a sitemap whose pages name another address as theirs."""
    site = _site(tmp_path)
    assert site._pages is not None
    assert set(site._pages.paths) == {"/", "/about", "/about-us", "/login"}
    assert set(site._pages.canonical_paths) == {"/", "/about", "/login"}


def test_built_manifest_has_png_icons_and_screenshots() -> None:
    """IOS reads no SVG icons, and Android shows an install card only with screenshots."""
    dist = ROOT / "main-web/dist"
    manifest = json.loads((dist / "manifest.webmanifest").read_text())
    icons = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"] if icon["type"] == "image/png"}
    assert icons >= {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    assert {shot["form_factor"] for shot in manifest["screenshots"]} == {"narrow", "wide"}
    for picture in (*manifest["icons"], *manifest["screenshots"]):
        if picture["type"] == "image/png":
            with Image.open(dist / picture["src"].lstrip("/")) as image:
                assert f"{image.width}x{image.height}" == picture["sizes"], picture["src"]
    for page in (dist / "index.html", *(dist / "entrances").glob("*.html")):
        html = page.read_text()
        assert html.count('<link rel="apple-touch-icon" href="/apple-touch-icon.png" />') == 1, page.name
        assert html.count('<link rel="manifest" href="/manifest.webmanifest">') == 1, page.name
    with Image.open(dist / "apple-touch-icon.png") as icon:
        assert (icon.format, icon.size) == ("PNG", (180, 180))


def test_robots_txt_hides_no_public_page() -> None:
    """A prefix of private pages, such as that of waivers to sign, must not be one of a public page, such as /signup."""
    names = [
        page.stem for page in (ROOT / "main-web/dist/entrances").glob("*.html") if "{{origin}}" in page.read_text()
    ]
    assert "signup" in names
    hidden = [(name, page) for name in names for page in registry.private_pages() if f"/{name}".startswith(page)]
    assert hidden == []
