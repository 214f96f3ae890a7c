"""The main host's files: what robots are told, and what browsers must ask for again."""

from __future__ import annotations

from pathlib import Path
from urllib.robotparser import RobotFileParser

import httpx
import pytest

from porchlight.settings import Settings
from porchlight.webs import MainWeb
from tenants.edge import Receive, Scope, Send

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
