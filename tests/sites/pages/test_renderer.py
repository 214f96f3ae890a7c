"""The JavaScript engine inside the process: loops, limits, recovery."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from py_mini_racer import MiniRacer

from sites.pages import renderer as renderer_module
from sites.pages.renderer import Renderer, RenderError

BUNDLE = """
let calls = 0;
globalThis.render = (page, props) => {
  calls += 1;
  if (page === "throws") throw new Error("no <such> thing");
  if (page === "forever") for (;;) {}
  if (page === "greedy") { const kept = []; for (;;) kept.push(new Array(100000).fill(kept.length)); }
  if (page === "number") return 7;
  if (page === "calls") return "\\0" + calls;
  return "<title>" + page + "</title>\\0<p>" + JSON.parse(props).words + "</p>\\0";
};
"""


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    path = tmp_path / "server.js"
    path.write_text(BUNDLE, encoding="utf-8")
    return path


async def test_head_and_html_are_divided_at_the_first_nul(bundle: Path) -> None:
    with Renderer(bundle) as renderer:
        rendered = await renderer.render("home", '{"words":"caf\\u00e9 \\u2028 \\ud83c\\udf73 \\"quoted\\""}')
    assert rendered.head == "<title>home</title>"
    assert rendered.html == '<p>café \u2028 🍳 "quoted"</p>\0'


@pytest.mark.parametrize("page", ["throws", "forever", "greedy"])
async def test_after_a_failure_a_fresh_context_serves_on(bundle: Path, page: str) -> None:
    # Only what never ends needs to be given up: the others have all the time that a busy machine takes.
    with Renderer(bundle, timeout_s=2.0 if page == "forever" else 60.0, memory_limit=64 * 1024 * 1024) as renderer:
        assert (await renderer.render("calls", "{}")).html == "1"
        with pytest.raises(RenderError, match=page):
            await renderer.render(page, "{}")
        assert (await renderer.render("calls", "{}")).html == "1"


async def test_an_answer_that_is_no_text_is_an_error(bundle: Path) -> None:
    with Renderer(bundle) as renderer, pytest.raises(RenderError, match="no text"):
        await renderer.render("number", "{}")


async def test_pages_asked_for_at_once_are_drawn_one_after_the_other(bundle: Path) -> None:
    with Renderer(bundle, timeout_s=60.0) as renderer:
        words = [f"word {number}" for number in range(200)]
        made = await asyncio.gather(*(renderer.render("home", f'{{"words":"{word}"}}') for word in words))
        assert [each.html for each in made] == [f"<p>{word}</p>\0" for word in words]
        assert (await renderer.render("calls", "{}")).html == "201"


async def test_the_loop_runs_on_while_a_page_is_drawn_and_a_page_waiting_has_its_own_time(bundle: Path) -> None:
    with Renderer(bundle, timeout_s=2.0) as renderer:
        endless = asyncio.create_task(renderer.render("forever", "{}"))
        waiting = asyncio.create_task(renderer.render("home", '{"words":"here"}'))
        ticks = 0
        while not endless.done():
            await asyncio.sleep(0.01)
            ticks += 1
        assert ticks > 5
        with pytest.raises(RenderError):
            await endless
        assert (await waiting).html == "<p>here</p>\0"


async def test_a_page_nobody_waits_for_any_more_spoils_nothing(bundle: Path) -> None:
    with Renderer(bundle) as renderer:
        assert (await renderer.render("calls", "{}")).html == "1"
        given_up = asyncio.create_task(renderer.render("forever", "{}"))
        await asyncio.sleep(0.05)
        given_up.cancel()
        with pytest.raises(asyncio.CancelledError):
            await given_up
        assert (await renderer.render("calls", "{}")).html == "1"


def test_another_event_loop_gets_a_context_of_its_own(bundle: Path) -> None:
    with Renderer(bundle) as renderer:
        for _ in range(3):
            assert asyncio.run(renderer.render("calls", "{}")).html == "1"


@pytest.fixture
async def tidied(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Set once the engine has collected its garbage."""
    heard, collect = asyncio.Event(), MiniRacer.low_memory_notification

    def spied(context: MiniRacer) -> None:
        collect(context)
        loop.call_soon_threadsafe(heard.set)

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(MiniRacer, "low_memory_notification", spied)
    return heard


async def test_it_tidies_up_once_nobody_waits_for_a_page(
    bundle: Path, tidied: asyncio.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = 2 * renderer_module._TIDY_AFTER
    monkeypatch.setattr(renderer_module, "_REST_S", 3600.0)
    with Renderer(bundle) as renderer:
        for _ in range(many):
            await renderer.render("home", '{"words":""}')
        assert not tidied.is_set()  # a page may follow at any time
        monkeypatch.setattr(renderer_module, "_REST_S", 0.0)
        await renderer.render("home", '{"words":""}')
        await asyncio.wait_for(tidied.wait(), 30)
        assert (await renderer.render("calls", "{}")).html == str(many + 2)


async def test_it_tidies_up_at_the_latest_after_many_pages(
    bundle: Path, tidied: asyncio.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renderer_module, "_TIDY_AT_THE_LATEST", 100)
    monkeypatch.setattr(renderer_module, "_REST_S", 3600.0)
    with Renderer(bundle) as renderer:
        for drawn in range(100):
            assert not tidied.is_set(), drawn
            await renderer.render("home", '{"words":""}')
        await asyncio.wait_for(tidied.wait(), 30)


async def test_it_can_be_closed_and_used_again(bundle: Path) -> None:
    renderer = Renderer(bundle)
    await renderer.render("home", '{"words":""}')
    renderer.close()
    assert (await renderer.render("calls", "{}")).html == "1"
    renderer.close()


@pytest.mark.parametrize("page", ["calls", "forever"])
def test_a_process_ends_though_nobody_closed_the_engine(bundle: Path, page: str) -> None:
    program = f"""
import asyncio
from pathlib import Path
from sites.pages.renderer import Renderer

kept = Renderer(Path({str(bundle)!r}))

async def draw():
    print((await kept.render("calls", "{{}}")).html)
    given_up = asyncio.create_task(kept.render({page!r}, "{{}}"))
    await asyncio.sleep(0.05)

asyncio.run(draw())
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=240, check=False)
    assert (ended.returncode, ended.stdout.strip(), ended.stderr) == (0, "1", "")
