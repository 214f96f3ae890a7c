"""The cost of a post's Markdown: no text of permitted length takes long, and one guru's texts wait for each other."""

from __future__ import annotations

import asyncio
from threading import Event

import pytest

from sites.posts import render as rendering
from sites.posts.markdown import RenderedText, render
from sites.posts.quotes import MAX_QUOTES
from sites.posts.render import PostText, render_post
from tenants.kit.fair_queue import TooManyUploads


def test_quotes_are_typographic_up_to_a_bound() -> None:
    """Forty thousand quotation marks once took ten seconds, four times."""
    assert render('She said "yes".') == "<p>She said “yes”.</p>\n"
    pair = '"a" '
    assert "“a”" in render(pair * (MAX_QUOTES // 2))
    assert "“" not in render(pair * (MAX_QUOTES // 2 + 1))


async def test_texts_of_one_guru_take_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixteen texts of one guru once kept an admin from signing in for forty seconds."""
    running, most, go_on = 0, 0, Event()

    def slow(content: str, excerpt: str) -> RenderedText:
        nonlocal running, most
        running += 1
        most = max(most, running)
        go_on.wait(timeout=60)
        running -= 1
        return RenderedText("", content, 0, None)

    monkeypatch.setattr(rendering, "render_text", slow)
    text = PostText("", "", [], "", "")
    one = [asyncio.ensure_future(render_post(text, "one")) for _ in range(9)]
    other = asyncio.ensure_future(render_post(text, "other"))
    await asyncio.to_thread(lambda: None)  # hangs if the texts take all threads of the pool
    with pytest.raises(TooManyUploads):
        await render_post(text, "one")
    go_on.set()
    await asyncio.gather(*one, other)
    assert most == 1
