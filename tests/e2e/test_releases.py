"""A browser with an older release: each way on ends in the newest one. Releases differ in the names of their files."""

from __future__ import annotations

import json
import re
import shutil
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import uvicorn
from playwright.async_api import Browser, Page, expect

from porchlight.settings.environment import Settings
from porchlight.web.main_site import MainSite
from tenants.http.asgi import Receive, Scope, Send, send_response
from tests.e2e.browser_session import visitor_page
from tests.fixtures.browser import BROWSER_TIMEOUT_MS

pytestmark = pytest.mark.e2e

_HASHED = re.compile(r"(?P<stem>[\w.-]+-)(?P<hash>[\w-]{8})(?P<suffix>\.(?:js|css|svg|json))")
_REVISION = re.compile(r'"?revision"?:\s*"(?P<first>[0-9a-f])')
_TEXTS = {".html", ".js", ".css"}
# In the address of the entry's file.
# A prerendered page names its entry after the first paint.
_IS_OF_RELEASE = """(name) => {
  const entry = document.querySelector("script[type=module][src], link[data-entry]");
  return entry !== null && /-(.)[^/]*$/.exec(entry.src || entry.href)[1] === name;
}"""


def make_release(build: Path, folder: Path, name: str) -> Path:
    """Copy a build, so that each hash in its file names, and each revision, starts with the digit `name`."""
    assets = {path.name for path in (build / "assets").iterdir()}

    def renamed(match: re.Match[str]) -> str:
        return f"{match['stem']}{name}{match['hash'][1:]}{match['suffix']}" if match[0] in assets else match[0]

    for path in (path for path in build.rglob("*") if path.is_file()):
        target = folder / _HASHED.sub(renamed, path.relative_to(build).as_posix())
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in _TEXTS:
            text = _HASHED.sub(renamed, path.read_text())
            target.write_text(_REVISION.sub(lambda match: match[0][:-1] + name, text))
        elif path.suffix not in (".br", ".gz", ".zst"):
            shutil.copy(path, target)
    return folder


async def _api(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with a configuration without vendors, and nothing else."""
    operator = dict.fromkeys(("name", "address", "phone", "email"), "")
    config = {"operator": operator, "firebase": None, "stripe": None, "payments": {"available": False}, "flags": {}}
    body = json.dumps({"success": True, "data": config}).encode()
    status = 200 if scope["path"] == "/api/config" else 503
    await send_response(send, status, [(b"content-type", b"application/json")], body)


class Deployment:
    """Serves one release, as the product does."""

    def __init__(self, origin: str, releases: Callable[[str], Path]) -> None:
        self.origin = origin
        self._releases = releases
        self.deploy("1")

    def deploy(self, name: str) -> None:
        """Replace all files by those of a release."""
        self._site = MainSite(_api, Settings(main_web_dir=self._releases(name)))
        self._worker_site = self._site

    def deploy_half(self, name: str) -> None:
        """Replace the service worker only, and take away what pages load later."""
        self._worker_site = MainSite(_api, Settings(main_web_dir=self._releases(name)))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond as the deployed release."""
        is_half = self._worker_site is not self._site
        if is_half and "/terms-page-" in scope["path"]:
            await send_response(send, 404, [], b"")
            return
        await (self._worker_site if scope["path"] == "/sw.js" else self._site)(scope, receive, send)


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the folder of a release by its name, a digit."""
    folder = tmp_path_factory.mktemp("releases")
    build = Settings().main_web_dir

    def release(name: str) -> Path:
        made = folder / name
        return made if made.exists() else make_release(build, made, name)

    return release


@pytest.fixture
def deployment(releases: Callable[[str], Path]) -> Iterator[Deployment]:
    """A server with release 1."""
    # It listens before the thread runs, so that the first page waits for the server instead of being refused.
    listener = socket.create_server(("127.0.0.1", 0))
    deployed = Deployment(f"http://127.0.0.1:{listener.getsockname()[1]}", releases)
    server = uvicorn.Server(uvicorn.Config(deployed, log_level="error", lifespan="off", ws="none"))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    yield deployed
    server.should_exit = True  # it closes the socket


@pytest.fixture
async def page(browser: Browser, deployment: Deployment) -> AsyncIterator[Page]:
    """The page of a returning visitor: release 1 with its service worker, and /about opened."""
    async with visitor_page(browser, service_workers="allow") as opened:
        await opened.goto(f"{deployment.origin}/")
        await opened.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
        await opened.goto(f"{deployment.origin}/about")
        await _expect_page(opened, "about", "1")
        yield opened


async def _expect_page(page: Page, name: str, release: str) -> None:
    title = {"about": re.compile("^About"), "terms": re.compile("^Terms"), "privacy": re.compile("^Privacy")}[name]
    await expect(page).to_have_title(title, timeout=BROWSER_TIMEOUT_MS)
    await expect(page.get_by_role("heading", level=1)).to_be_visible()
    await expect(page.get_by_role("alert")).to_have_count(0)
    await page.wait_for_function(_IS_OF_RELEASE, arg=release, timeout=BROWSER_TIMEOUT_MS)


async def _open_terms(page: Page) -> None:
    await page.get_by_role("contentinfo").get_by_role("link", name=re.compile("^Terms")).click()


async def test_new_visit_two_releases_later_opens_page(page: Page, deployment: Deployment) -> None:
    deployment.deploy("3")
    await page.goto(f"{deployment.origin}/terms")
    await _expect_page(page, "terms", "3")
    for path in ("terms", "about"):
        await page.goto(f"{deployment.origin}/{path}")
        await _expect_page(page, path, "3")


@pytest.mark.sweep
async def test_old_tab_opens_page_in_new_release(page: Page, deployment: Deployment) -> None:
    deployment.deploy("2")
    await _open_terms(page)
    await _expect_page(page, "terms", "2")


async def test_old_tab_of_two_releases_ago_opens_page(page: Page, deployment: Deployment) -> None:
    """Another tab, and with it the service worker, is one release ahead of the first."""
    deployment.deploy("2")
    other = await page.context.new_page()
    await other.goto(f"{deployment.origin}/privacy")
    await _expect_page(other, "privacy", "2")
    deployment.deploy("3")
    await _open_terms(page)
    await _expect_page(page, "terms", "3")
    await _open_terms(other)
    await _expect_page(other, "terms", "3")


async def test_update_put_off_takes_effect_with_next_page(page: Page, deployment: Deployment) -> None:
    deployment.deploy("2")
    await page.reload()
    await page.get_by_role("button", name="Later").click()
    await _open_terms(page)
    await _expect_page(page, "terms", "2")


@pytest.mark.sweep
async def test_update_applies_on_reload_button(page: Page, deployment: Deployment) -> None:
    deployment.deploy("2")
    await page.reload()
    await page.get_by_role("button", name="Reload").click()
    await expect(page.get_by_role("button", name="Reload")).to_have_count(0)
    await _expect_page(page, "about", "2")


async def _open_terms_offline(page: Page, deployment: Deployment) -> None:
    """Get a new release, go offline, and open a page that was not opened before."""
    deployment.deploy("2")
    await page.reload()
    await expect(page.get_by_role("button", name="Reload")).to_be_visible(timeout=BROWSER_TIMEOUT_MS)
    await page.context.set_offline(True)
    await page.reload()
    await _expect_page(page, "about", "2")
    await _open_terms(page)
    await expect(page.get_by_role("heading", level=1)).to_have_text("You're offline")


async def test_opened_pages_of_old_release_open_offline(page: Page, deployment: Deployment) -> None:
    await _open_terms_offline(page, deployment)


@pytest.mark.sweep
async def test_page_opens_once_the_connection_is_back(page: Page, deployment: Deployment) -> None:
    await _open_terms_offline(page, deployment)
    await page.context.set_offline(False)
    await _expect_page(page, "terms", "2")


@pytest.mark.sweep
@pytest.mark.parametrize("button", ["Try again", "Back to home"])
async def test_page_of_half_deployed_release_recovers(page: Page, deployment: Deployment, button: str) -> None:
    """While a server has only a part of a release, the page says so once, and its buttons lead on afterwards."""
    deployment.deploy_half("2")
    await _open_terms(page)
    await expect(page.get_by_role("heading", level=1)).to_have_text("Porchlight has been updated")
    deployment.deploy("2")
    await (
        page.get_by_role("alert").get_by_role("button", name=button).or_(page.get_by_role("link", name=button)).click()
    )
    await expect(page.get_by_role("alert")).to_have_count(0)
    await page.wait_for_function(_IS_OF_RELEASE, arg="2", timeout=BROWSER_TIMEOUT_MS)
