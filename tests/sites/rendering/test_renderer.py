"""The JavaScript engine inside the process: event loops, limits, recovery."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from py_mini_racer import MiniRacer

from sites.rendering import renderer as renderer_module
from sites.rendering.renderer import Renderer, RenderError

BUNDLE = """
let calls = 0;
globalThis.render = (page, props) => {
  calls += 1;
  if (page === "throws") throw new Error("no <such> thing");
  if (page === "forever") for (;;) {}
  if (page === "greedy") { const list = []; for (;;) list.push(new Array(100000).fill(list.length)); }
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


async def test_render_splits_head_and_html_at_first_nul(bundle: Path) -> None:
    with Renderer(bundle) as renderer:
        rendered = await renderer.render("home", '{"words":"caf\\u00e9 \\u2028 \\ud83c\\udf73 \\"quoted\\""}')
    assert rendered.head == "<title>home</title>"
    assert rendered.html == '<p>café \u2028 🍳 "quoted"</p>\0'


@pytest.mark.parametrize("page", ["throws", "forever", "greedy"])
async def test_render_after_error_uses_new_context(bundle: Path, page: str) -> None:
    # Only the endless page needs a short timeout: the others may take long on a busy machine.
    with Renderer(
        bundle, timeout_seconds=2.0 if page == "forever" else 60.0, max_heap_bytes=64 * 1024 * 1024
    ) as renderer:
        assert (await renderer.render("calls", "{}")).html == "1"
        with pytest.raises(RenderError, match=page):
            await renderer.render(page, "{}")
        assert (await renderer.render("calls", "{}")).html == "1"


async def test_render_without_text_raises(bundle: Path) -> None:
    with Renderer(bundle) as renderer, pytest.raises(RenderError, match="no text"):
        await renderer.render("number", "{}")


async def test_concurrent_pages_render_one_at_a_time(bundle: Path) -> None:
    with Renderer(bundle, timeout_seconds=60.0) as renderer:
        words = [f"word {number}" for number in range(200)]
        pages = await asyncio.gather(*(renderer.render("home", f'{{"words":"{word}"}}') for word in words))
        assert [each.html for each in pages] == [f"<p>{word}</p>\0" for word in words]
        assert (await renderer.render("calls", "{}")).html == "201"


async def test_render_does_not_block_event_loop(bundle: Path) -> None:
    with Renderer(bundle, timeout_seconds=2.0) as renderer:
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


async def test_canceled_render_does_not_affect_next_page(bundle: Path) -> None:
    with Renderer(bundle) as renderer:
        assert (await renderer.render("calls", "{}")).html == "1"
        canceled = asyncio.create_task(renderer.render("forever", "{}"))
        await asyncio.sleep(0.05)
        canceled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await canceled
        assert (await renderer.render("calls", "{}")).html == "1"


def test_new_event_loop_gets_new_context(bundle: Path) -> None:
    with Renderer(bundle) as renderer:
        for _ in range(3):
            assert asyncio.run(renderer.render("calls", "{}")).html == "1"


@pytest.fixture
async def cleaned_up(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """An event that is set once the engine has collected its garbage."""
    done, collect = asyncio.Event(), MiniRacer.low_memory_notification

    def spy(context: MiniRacer) -> None:
        collect(context)
        loop.call_soon_threadsafe(done.set)

    loop = asyncio.get_running_loop()
    monkeypatch.setattr(MiniRacer, "low_memory_notification", spy)
    return done


async def test_cleanup_runs_when_idle(bundle: Path, cleaned_up: asyncio.Event, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 2 * renderer_module._CLEANUP_PAGES
    monkeypatch.setattr(renderer_module, "_IDLE_SECONDS", 3600.0)
    with Renderer(bundle) as renderer:
        for _ in range(count):
            await renderer.render("home", '{"words":""}')
        assert not cleaned_up.is_set()  # the engine is not idle yet
        monkeypatch.setattr(renderer_module, "_IDLE_SECONDS", 0.0)
        await renderer.render("home", '{"words":""}')
        await asyncio.wait_for(cleaned_up.wait(), 30)
        assert (await renderer.render("calls", "{}")).html == str(count + 2)


async def test_cleanup_runs_after_maximum_of_pages(
    bundle: Path, cleaned_up: asyncio.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(renderer_module, "_MAX_CLEANUP_PAGES", 100)
    monkeypatch.setattr(renderer_module, "_IDLE_SECONDS", 3600.0)
    with Renderer(bundle) as renderer:
        for rendered in range(100):
            assert not cleaned_up.is_set(), rendered
            await renderer.render("home", '{"words":""}')
        await asyncio.wait_for(cleaned_up.wait(), 30)


async def test_renderer_works_after_close(bundle: Path) -> None:
    renderer = Renderer(bundle)
    await renderer.render("home", '{"words":""}')
    renderer.close()
    assert (await renderer.render("calls", "{}")).html == "1"
    renderer.close()


@pytest.mark.parametrize("page", ["calls", "forever"])
def test_process_exits_with_running_engine(bundle: Path, page: str) -> None:
    program = f"""
import asyncio
from pathlib import Path
from sites.rendering.renderer import Renderer

renderer = Renderer(Path({str(bundle)!r}))

async def render():
    print((await renderer.render("calls", "{{}}")).html)
    canceled = asyncio.create_task(renderer.render({page!r}, "{{}}"))
    await asyncio.sleep(0.05)

asyncio.run(render())
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=240, check=False)
    assert (ended.returncode, ended.stdout.strip(), ended.stderr) == (0, "1", "")
