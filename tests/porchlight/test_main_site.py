"""The main host's files: robots.txt, caching, entrance pages, server-rendered heads."""

from __future__ import annotations

import base64
import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.robotparser import RobotFileParser

import httpx
import pytest

from porchlight import registry
from porchlight.settings.environment import Settings
from porchlight.web.main_site import MainSite
from porchlight.web.page_meta import Head
from tenants.http.asgi import Receive, Scope, Send
from tenants.kit.errors import Unavailable

PRIVATE = ["/dashboard", "/profile", "/onboarding/payout", "/account/payouts", "/admin", "/admin/login", "/api/home"]


async def _no_api(scope: Scope, receive: Receive, send: Send) -> None:
    raise AssertionError(scope["path"])


def _client(build: Path) -> httpx.AsyncClient:
    (build / "assets").mkdir(exist_ok=True)
    for name in ("index.html", "sw.js", "assets/app-1a2b3c.js"):
        (build / name).write_text(f"built {name}")
    web = MainSite(_no_api, Settings(main_web_dir=build), private_pages=registry.private_pages())
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=web), base_url="https://porchlight.example")


async def test_robots_txt_allows_public_pages_only(tmp_path: Path) -> None:
    async with _client(tmp_path) as client:
        response = await client.get("/robots.txt")
        assert (response.status_code, response.headers["content-type"]) == (200, "text/plain; charset=utf-8")
        parser = RobotFileParser()
        parser.parse(response.text.splitlines())
        assert all(parser.can_fetch("AnyBot", path) for path in ("/", "/skills", "/u/ada", "/pricing"))
        assert [path for path in PRIVATE if parser.can_fetch("AnyBot", path)] == []


async def test_robots_txt_of_build_takes_precedence(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow: /\n")
    async with _client(tmp_path) as client:
        assert (await client.get("/robots.txt")).text == "User-agent: *\nDisallow: /\n"


async def test_security_txt_names_contact_until_expiry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "index.html").write_text("built")
    web = MainSite(_no_api, Settings(main_web_dir=tmp_path, contact_email="safety@porchlight.example"))
    at = datetime(2026, 11, 25, 12, 30, 0, 5, tzinfo=UTC)
    monkeypatch.setattr("tenants.kit.clock.now", lambda: at)
    async with httpx.AsyncClient(transport=httpx.ASGITransport(web), base_url="https://porchlight.example") as client:
        response = await client.get("/.well-known/security.txt")
    assert (response.status_code, response.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    fields = dict(line.split(": ", 1) for line in response.text.splitlines())
    assert fields["Contact"] == "mailto:safety@porchlight.example"
    assert fields["Canonical"].endswith("/.well-known/security.txt")
    expires = datetime.fromisoformat(fields["Expires"])
    assert timedelta(days=30) < expires - at < timedelta(days=365)


async def test_entrance_path_serves_its_page(tmp_path: Path) -> None:
    """Entrance pages preload the files of their screen; other paths get the common page."""
    (tmp_path / "entrances").mkdir()
    for name in ("home", "login"):
        (tmp_path / "entrances" / f"{name}.html").write_text(f"the way in by {name}")
    async with _client(tmp_path) as client:
        pages = {path: (await client.get(path)).text for path in ("/", "/login", "/login/", "/skills")}
    assert pages["/"] == "the way in by home"
    assert pages["/login"] == "the way in by login"
    assert {pages["/login/"], pages["/skills"]} == {"built index.html"}


PRERENDERED = '<style>p{}</style><a href="{{origin}}/skills"></a><script>boot()</script>'


async def test_new_visitor_gets_prerendered_page(tmp_path: Path) -> None:
    """Signed-in users and searches start with another page, which must not appear after a wrong one."""
    for folder, text in (("entrances", "{{origin}} of the app"), ("prerendered", PRERENDERED)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "skills.html").write_text(text)
    async with _client(tmp_path) as client:
        first = await client.get("/skills")
        again = await client.get("/skills", headers={"if-none-match": first.headers["etag"]})
        others = [await client.get("/skills?q=guitar")]
        others += [await client.get("/skills", headers={"cookie": text}) for text in ("a=1; __session=b", "__session=")]
        other_cookie = await client.get("/skills", headers={"cookie": "not__session=1"})
    assert first.text == other_cookie.text == PRERENDERED.replace("{{origin}}", "https://porchlight.localhost")
    assert {page.text for page in others} == {"https://porchlight.localhost of the app"}
    assert {page.headers["vary"] for page in [first, *others]} == {"Accept-Encoding, Cookie"}
    assert (again.status_code, again.content) == (304, b"")


async def test_prerendered_page_allows_its_inline_code_only(tmp_path: Path) -> None:
    for folder in ("entrances", "prerendered"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "skills.html").write_text(PRERENDERED if folder == "prerendered" else "{{origin}}")
    async with _client(tmp_path) as client:
        policies = [(await client.get(path)).headers["content-security-policy"] for path in ("/skills", "/about")]
    hashes = [base64.b64encode(hashlib.sha256(code).digest()).decode() for code in (b"p{}", b"boot()")]
    assert f"style-src 'self' 'sha256-{hashes[0]}'; " in policies[0]
    assert f"script-src 'self' 'sha256-{hashes[1]}'" in policies[0]
    assert "sha256" not in policies[1]


@pytest.mark.parametrize("path", ["/", "/skills", "/index.html", "/sw.js"])
async def test_pages_are_revalidated_by_browsers(tmp_path: Path, path: str) -> None:
    async with _client(tmp_path) as client:
        response = await client.get(path)
        assert (response.status_code, response.headers["cache-control"]) == (200, "public, max-age=0, must-revalidate")
        again = await client.get(path, headers={"if-none-match": response.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


async def test_hashed_files_are_immutable(tmp_path: Path) -> None:
    async with _client(tmp_path) as client:
        response = await client.get("/assets/app-1a2b3c.js")
        assert response.headers["cache-control"] == "public, max-age=31536000, immutable"


SHELL = (
    "<!doctype html><html><head><title>All</title>"
    '<meta\n  name="description"\n  content="of it"\n/></head><body></body></html>'
)


async def _head(path: str, origin: str) -> Head | None:
    if path == "/listings/away":
        raise Unavailable
    parser = '<link rel="canonical" href="' + origin + path + '" />'
    return Head(r"Tom & <Ann> \1", 'says "hi"', parser) if path == "/listings/here" else None


async def test_page_head_is_server_rendered(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(SHELL)
    web = MainSite(
        _no_api, Settings(main_web_dir=tmp_path, base_host="porchlight.example"), page_meta={"/listings/": _head}
    )
    transport = httpx.ASGITransport(app=web)
    async with httpx.AsyncClient(transport=transport, base_url="https://porchlight.example") as client:
        here = await client.get("/listings/here")
        assert (here.status_code, here.headers["cache-control"]) == (200, "no-cache")
        assert "frame-ancestors 'none'" in here.headers["content-security-policy"]
        assert here.text.count("<title>") == here.text.count('name="description"') == 1
        assert r"<title>Tom &amp; &lt;Ann&gt; \1</title>" in here.text
        assert 'content="says &quot;hi&quot;"' in here.text
        assert '<link rel="canonical" href="https://porchlight.example/listings/here" /></head>' in here.text
        gone = await client.get("/listings/gone")
        assert (gone.status_code, "noindex" in gone.text) == (404, True)
        unavailable = await client.get("/listings/away")
        assert (unavailable.status_code, unavailable.text) == (200, SHELL)
        assert (await client.head("/listings/here")).content == b""
        assert (await client.get("/skills")).text == SHELL


async def test_camera_is_allowed_on_the_check_in_page_only(tmp_path: Path) -> None:
    async with _client(tmp_path) as client:
        policies = {}
        for path in ("/", "/guru", "/guru/check-in", "/guru/check-in/", "/guru/check-in/more", "/sessions/1/pass"):
            response = await client.get(path)
            assert (response.status_code, response.text) == (200, "built index.html"), path
            assert "wasm-unsafe-eval" not in response.headers["content-security-policy"]
            policies[path] = response.headers["permissions-policy"]
    allowed = [path for path, policy in policies.items() if "camera=(self)" in policy]
    assert allowed == ["/guru/check-in", "/guru/check-in/"]
    assert "camera=()" in policies["/guru"]
    worker = Path(__file__).parents[2] / "main-web/src/service-worker/sw.ts"
    assert f'"{policies["/guru/check-in"]}"' in worker.read_text()
