"""Pages of a guru's site: their text for an empty list, and the one with the introduction."""

from __future__ import annotations

import pytest

from sites.rendering.templates import GuruWeb
from tests.sites.rendering.page_props import Guru, Props, typical_guru

INTRODUCTION = "Tips, how-tos, and answers"


async def body(web: GuruWeb, path: str, **changes: object) -> str:
    """Return the HTML of a page before its data."""
    guru = typical_guru() | {name: value for name, value in changes.items() if name in typical_guru()}
    page = Guru(guru, "https://cooking.example.org", "https://example.org").page(path)
    assert page is not None
    name, props, query = page
    changed: Props = props | {name: value for name, value in changes.items() if name not in guru}
    html = (await web.page(name, changed, query=query, palette_css="", typeface="warm")).html.decode()
    return html.partition("__NEXT_DATA__")[0]


@pytest.mark.parametrize(
    ("path", "name", "sentence"),
    [
        ("/", "services", "No services right now."),
        ("/services", "services", "No services right now."),
        ("/blog", "posts", "No posts yet. Check back soon."),
        ("/blog/tag/bread", "posts", "No posts with this tag yet."),
    ],
)
async def test_empty_list_is_said_in_words(web: GuruWeb, path: str, name: str, sentence: str) -> None:
    assert sentence in await body(web, path, **{name: []})
    assert sentence not in await body(web, path)


async def test_skills_are_listed_if_guru_has_some(web: GuruWeb) -> None:
    assert 'aria-label="Skills"' in await body(web, "/")
    assert 'aria-label="Skills"' not in await body(web, "/", primarySkills=[])


async def test_introduction_stands_on_blog_but_not_on_tag(web: GuruWeb) -> None:
    assert INTRODUCTION in await body(web, "/blog")
    assert INTRODUCTION not in await body(web, "/blog/tag/bread")
