"""The JavaScript engine inside the process: threads, limits, recovery."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

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


def test_head_and_html_are_divided_at_the_first_nul(bundle: Path) -> None:
    with Renderer(bundle) as renderer:
        rendered = renderer.render("home", '{"words":"caf\\u00e9 \\u2028 \\ud83c\\udf73 \\"quoted\\""}')
    assert rendered.head == "<title>home</title>"
    assert rendered.html == '<p>café \u2028 🍳 "quoted"</p>\0'


@pytest.mark.parametrize("page", ["throws", "forever", "greedy"])
def test_after_a_failure_a_fresh_context_serves_on(bundle: Path, page: str) -> None:
    with Renderer(bundle, timeout_s=1.0, memory_limit=64 * 1024 * 1024) as renderer:
        assert renderer.render("calls", "{}").html == "1"
        with pytest.raises(RenderError, match=page):
            renderer.render(page, "{}")
        assert renderer.render("calls", "{}").html == "1"


def test_an_answer_that_is_no_text_is_an_error(bundle: Path) -> None:
    with Renderer(bundle) as renderer, pytest.raises(RenderError, match="no text"):
        renderer.render("number", "{}")


def test_many_threads_share_one_context(bundle: Path) -> None:
    with Renderer(bundle) as renderer, ThreadPoolExecutor(8) as pool:
        words = [f"word {number}" for number in range(200)]
        made = pool.map(lambda word: renderer.render("home", f'{{"words":"{word}"}}').html, words)
        assert list(made) == [f"<p>{word}</p>\0" for word in words]
        assert renderer.render("calls", "{}").html == "201"


async def test_it_also_works_on_an_event_loop(bundle: Path) -> None:
    with Renderer(bundle, timeout_s=0.5) as renderer:
        assert renderer.render("home", '{"words":"here"}').html == "<p>here</p>\0"
        with pytest.raises(RenderError):
            renderer.render("forever", "{}")


def test_it_can_be_closed_and_used_again(bundle: Path) -> None:
    renderer = Renderer(bundle)
    renderer.render("home", '{"words":""}')
    renderer.close()
    assert renderer.render("calls", "{}").html == "1"
    renderer.close()


@pytest.mark.parametrize("inside_a_loop", [False, True])
def test_a_process_ends_though_nobody_closed_the_engine(bundle: Path, inside_a_loop: bool) -> None:
    program = f"""
import asyncio
from pathlib import Path
from sites.pages.renderer import Renderer

kept = Renderer(Path({str(bundle)!r}))

async def draw():
    print(kept.render("calls", "{{}}").html)

asyncio.run(draw()) if {inside_a_loop} else print(kept.render("calls", "{{}}").html)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stdout.strip(), ended.stderr) == (0, "1", "")
