"""The main host's files: what robots are told, and what browsers must ask for again."""

from __future__ import annotations

from pathlib import Path
from urllib.robotparser import RobotFileParser

import httpx
import pytest

from porchlight.pages import Head
from porchlight.settings import Settings
from porchlight.webs import MainWeb
from tenants.edge import Receive, Scope, Send
from tenants.kit.errors import Unavailable

PRIVATE = ["/dashboard", "/profile", "/onboarding/payout", "/account/payouts", "/admin", "/admin/login", "/api/home"]


async def _no_api(scope: Scope, receive: Receive, send: Send) -> None:
    raise AssertionError(scope["path"])


def visitor(build: Path) -> httpx.AsyncClient:
    (build / "assets").mkdir(exist_ok=True)
    for name in ("index.html", "sw.js", "assets/app-1a2b3c.js"):
        (build / name).write_text(f"built {name}")
    web = MainWeb(_no_api, Settings(main_web_dir=build))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=web), base_url="https://porchlight.example")


async def test_robots_may_read_what_everybody_may(tmp_path: Path) -> None:
    async with visitor(tmp_path) as client:
        answer = await client.get("/robots.txt")
        assert (answer.status_code, answer.headers["content-type"]) == (200, "text/plain; charset=utf-8")
        told = RobotFileParser()
        told.parse(answer.text.splitlines())
        assert all(told.can_fetch("AnyBot", path) for path in ("/", "/skills", "/u/ada", "/pricing"))
        assert [path for path in PRIVATE if told.can_fetch("AnyBot", path)] == []


async def test_a_build_may_bring_its_own_robots_txt(tmp_path: Path) -> None:
    (tmp_path / "robots.txt").write_text("User-agent: *\nDisallow: /\n")
    async with visitor(tmp_path) as client:
        assert (await client.get("/robots.txt")).text == "User-agent: *\nDisallow: /\n"


async def test_entrances_have_a_page_of_their_own(tmp_path: Path) -> None:
    """It names the files of the screen beforehand; every other path has the page for all."""
    (tmp_path / "entrances").mkdir()
    for name in ("home", "login"):
        (tmp_path / "entrances" / f"{name}.html").write_text(f"the way in by {name}")
    async with visitor(tmp_path) as client:
        shown = {path: (await client.get(path)).text for path in ("/", "/login", "/login/", "/skills")}
    assert shown["/"] == "the way in by home"
    assert shown["/login"] == "the way in by login"
    assert {shown["/login/"], shown["/skills"]} == {"built index.html"}


@pytest.mark.parametrize("path", ["/", "/skills", "/index.html", "/sw.js"])
async def test_pages_and_the_worker_are_asked_for_again(tmp_path: Path, path: str) -> None:
    async with visitor(tmp_path) as client:
        answer = await client.get(path)
        assert (answer.status_code, answer.headers["cache-control"]) == (200, "public, max-age=0, must-revalidate")
        again = await client.get(path, headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


async def test_named_by_their_content_files_are_kept(tmp_path: Path) -> None:
    async with visitor(tmp_path) as client:
        answer = await client.get("/assets/app-1a2b3c.js")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


SHELL = (
    "<!doctype html><html><head><title>All</title>"
    '<meta\n  name="description"\n  content="of it"\n/></head><body></body></html>'
)


async def _head(path: str, origin: str) -> Head | None:
    if path == "/listings/away":
        raise Unavailable
    told = '<link rel="canonical" href="' + origin + path + '" />'
    return Head(r"Tom & <Ann> \1", 'says "hi"', told) if path == "/listings/here" else None


async def test_a_page_may_have_a_head_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(SHELL)
    web = MainWeb(_no_api, Settings(main_web_dir=tmp_path, base_host="porchlight.example"), heads={"/listings/": _head})
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
        away = await client.get("/listings/away")
        assert (away.status_code, away.text) == (200, SHELL)
        assert (await client.head("/listings/here")).content == b""
        assert (await client.get("/skills")).text == SHELL
