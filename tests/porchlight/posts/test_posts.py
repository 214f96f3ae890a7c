"""Posts: drafts, autosave, publishing, scheduling, conflicts, malicious content."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

import psycopg
import pytest

from porchlight.app import Porchlight
from tenants.kit import clock
from tests.fixtures.refusals import refusal
from tests.porchlight.app_client import send_raw, wait_until
from tests.porchlight.owner import POST_TEXT, GuruOwner
from tests.porchlight.unsafe_html import find_unsafe_html


async def _get_page(app: Porchlight, owner: GuruOwner, path: str) -> tuple[int, str]:
    response = await send_raw(app, path.encode(), owner.guru.host)
    return response.status, response.body.decode()


async def test_draft_is_hidden_until_published(app: Porchlight, rosa: GuruOwner) -> None:
    draft = await rosa.post(title="Beans & “Bread”: It's easy")
    assert draft["standing"] == "draft"
    assert (draft["slug"], draft["saved"]["slug"]) == ("beans-bread-its-easy", "")
    assert draft["saved"]["tags"] == ["Slow Cooking", "beans"]
    path = "/blog/beans-bread-its-easy"
    assert (await _get_page(app, rosa, path))[0] == 302
    saved = await rosa.save(draft)
    assert saved["standing"] == "published"
    assert saved["publishedAt"] <= clock.to_iso8601(clock.now())

    async def is_visible() -> bool:
        return "<strong>overnight</strong>" in (await _get_page(app, rosa, path))[1]

    await wait_until("the site shows it", is_visible)
    unpublished = await rosa.call("DELETE", f"/posts/{draft['id']}/publication")
    assert unpublished["standing"] == "draft"

    async def is_hidden() -> bool:
        return (await _get_page(app, rosa, path))[0] == 302

    await wait_until("the site shows it no longer", is_hidden)


async def test_tags_of_different_names_have_pages_of_their_own(app: Porchlight, rosa: GuruOwner) -> None:
    names = ["C++", "C#", "日本語"]
    posts = [
        await rosa.save(await rosa.post(title=f"About {name}", tags=[name, f" {name.lower()} "])) for name in names
    ]
    assert [post["saved"]["tags"] for post in posts] == [[name] for name in names]
    addresses = ["c-plus-plus", "c-sharp", quote("日本語")]

    async def is_visible() -> bool:
        return (await _get_page(app, rosa, f"/blog/tag/{addresses[-1]}"))[0] == 200

    await wait_until("the site shows the newest tag", is_visible)
    for name, address in zip(names, addresses, strict=True):
        status, page = await _get_page(app, rosa, f"/blog/tag/{address}")
        assert status == 200
        assert f">{name}</h1>" in page
        assert [f"About {other}" in page for other in names] == [other == name for other in names]
        assert f'href="/blog/tag/{address}"' in page
    _, feed = await _get_page(app, rosa, "/feed.xml")
    assert all(f'label="{name}"' in feed for name in names)
    listed = await rosa.call("GET", "/posts?q=c%2B%2B")
    assert [post["title"] for post in listed["posts"]] == ["About C++"]


async def test_scheduled_post_appears_on_time_without_write(
    app: Porchlight, rosa: GuruOwner, service_db: psycopg.Connection[Any]
) -> None:
    pages = ("/", "/blog", "/feed.xml", f"/api/gurus/{rosa.guru.label}/home", f"/api/gurus/{rosa.guru.label}/posts")

    async def remembered() -> bool:
        misses = app.response_cache.misses
        for page in pages:
            assert "Out at dawn" not in (await _get_page(app, rosa, page))[1]
        return app.response_cache.misses == misses

    async def schedule(title: str, due: datetime) -> None:
        saved = await rosa.save(await rosa.post(title=title), publishedAt=due.isoformat())
        assert saved["standing"] == "scheduled"

    # A rehearsal with another post says how long this machine takes, so that the real one is not out before it is seen
    # to be hidden.
    began = clock.now()
    await schedule("Out some day", began + timedelta(days=1))
    await wait_until("every page is answered from memory", remembered)
    due = clock.now() + timedelta(seconds=2) + 4 * (clock.now() - began)
    created = app.response_cache.misses
    await schedule("Out at dawn", due)
    version = "SELECT content_version FROM gurus WHERE id = %s"
    before = service_db.execute(version, [rosa.guru.id]).fetchone()

    async def remembered_anew() -> bool:
        return await remembered() and app.response_cache.misses >= created + len(pages)

    await wait_until("every page is answered from memory, as it is since the post is scheduled", remembered_anew)
    assert clock.now() < due
    await asyncio.sleep((due - clock.now()).total_seconds() + 0.05)
    for page in pages:
        assert "Out at dawn" in (await _get_page(app, rosa, page))[1], page
    assert (await _get_page(app, rosa, "/blog/out-at-dawn"))[0] == 200
    assert service_db.execute(version, [rosa.guru.id]).fetchone() == before


async def test_post_save_with_old_revision_conflicts(rosa: GuruOwner) -> None:
    post = await rosa.post(title="Two tabs")
    saved = await rosa.save(post, title="First tab")
    error = await rosa.save(post, title="Second tab", expect=409)
    assert error["code"] == "changed_elsewhere"
    late = POST_TEXT | {"revision": post["revision"], "title": "Second tab"}
    await rosa.call("PUT", f"/posts/{post['id']}/working-copy", late, expect=409)
    assert (await rosa.call("GET", f"/posts/{post['id']}"))["saved"]["title"] == "First tab"
    overwritten = await rosa.save(post | {"revision": saved["revision"]}, title="Second tab")
    assert overwritten["saved"]["title"] == "Second tab"


async def test_post_concurrent_saves_have_one_winner(rosa: GuruOwner) -> None:
    post = await rosa.post(title="Many")
    path, body = f"/api/guru/posts/{post['id']}", post["saved"] | {"revision": post["revision"], "status": "draft"}
    responses = await asyncio.gather(*(rosa.web.put(path, json=body | {"title": f"Tab {n}"}) for n in range(8)))
    assert [refusal(response) for response in responses if response.is_error] == [(409, "changed_elsewhere")] * 7
    (winner,) = [response.json()["data"] for response in responses if response.is_success]
    assert (await rosa.call("GET", f"/posts/{post['id']}"))["saved"] == winner["saved"]


async def test_autosave_does_not_change_published_post(app: Porchlight, rosa: GuruOwner) -> None:
    post = await rosa.save(await rosa.post(title="Autosaved"))
    working = post["saved"] | {"title": "Autosaved again", "content": "Secret for now"}
    path = f"/posts/{post['id']}/working-copy"
    revised = await rosa.call("PUT", path, working | {"revision": post["revision"]})
    lead_detail = await rosa.call("GET", f"/posts/{post['id']}")
    assert lead_detail["workingCopy"]["content"] == "Secret for now"
    assert lead_detail["saved"]["title"] == "Autosaved"
    listing = await rosa.call("GET", "/posts", params={"q": "Autosaved again"})
    assert [(row["title"], row["changed"]) for row in listing["posts"]] == [("Autosaved again", True)]
    assert "Secret for now" not in (await _get_page(app, rosa, "/blog/autosaved"))[1]
    await rosa.call("DELETE", path, params={"revision": revised["revision"]})
    assert (await rosa.call("GET", f"/posts/{post['id']}"))["workingCopy"] is None


async def test_post_slug_is_unique_per_guru(rosa: GuruOwner, theo: GuruOwner) -> None:
    first = await rosa.post(title="Same title")
    second = await rosa.post(title="Same title")
    assert (first["slug"], second["slug"]) == ("same-title", "same-title-2")
    error = await rosa.save(second, slug="same-title", expect=409)
    assert error == {
        "code": "slug_taken",
        "message": "Another post already uses this address. Please choose a different one.",
        "fields": {"slug": "Another post already uses this address. Please choose a different one."},
    }
    assert (await theo.post(title="Same title"))["slug"] == "same-title"
    assert (await rosa.post(title="日本語"))["slug"].startswith("post-")


async def test_post_slug_follows_title_until_published(rosa: GuruOwner) -> None:
    draft = await rosa.post(title="", content="")
    named = await rosa.save(draft, title="First name", content="Words", status="draft")
    assert (named["slug"], named["saved"]["slug"]) == ("first-name", "")
    published = await rosa.save(named, title="Second name")
    assert (published["slug"], published["saved"]["slug"]) == ("second-name", "second-name")
    assert (await rosa.save(published, title="Third name"))["slug"] == "second-name"


async def test_publishing_empty_post_is_rejected(rosa: GuruOwner) -> None:
    empty = await rosa.post(title="", content="")
    error = await rosa.save(empty, expect=422)
    assert set(error["fields"]) == {"title", "content"}
    assert (await rosa.save(empty, status="draft"))["standing"] == "draft"


async def test_post_derived_excerpt_is_not_saved(rosa: GuruOwner) -> None:
    post = await rosa.post(content="Words " * 60)
    assert post["saved"]["excerpt"] == ""
    saved = await rosa.save(post, excerpt="My own words")
    assert saved["saved"]["excerpt"] == "My own words"


async def test_post_list_is_searched_filtered_and_paged(theo: GuruOwner) -> None:
    created = [await theo.post(title=f"Paged 100% {number}") for number in range(5)]
    await theo.save(created[0])
    await theo.save(created[1], publishedAt=(clock.now() + timedelta(days=3)).isoformat())
    titles: list[str] = []
    cursor: str | None = None
    while True:
        query = {"q": "100%", "limit": 2} | ({"cursor": cursor} if cursor else {})
        page = await theo.call("GET", "/posts", params=query)
        titles += [row["title"] for row in page["posts"]]
        if (cursor := page["nextCursor"]) is None:
            break
    assert titles == [f"Paged 100% {number}" for number in (4, 3, 2, 1, 0)]
    for standing, title in (("published", "Paged 100% 0"), ("scheduled", "Paged 100% 1")):
        page = await theo.call("GET", "/posts", params={"q": "100%", "standing": standing})
        assert [row["title"] for row in page["posts"]] == [title]
    await theo.call("GET", "/posts", params={"cursor": "nonsense"}, expect=422)


MALICIOUS_TEXTS = [
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "![x](javascript:alert(1))",
    "![x](data:text/html;base64,PHNjcmlwdD4=)",
    "<img src=x onerror=alert(1)>",
    "</script><svg/onload=alert(1)>",
    "[" * 20_000,
    "> " * 10_000,
    "*a " * 10_000,
    "`" * 39_999,
    "|" * 30_000,
    "- " * 15_000,
    "\u202e\u2066 right to left",
    "&#106;avascript:alert(1)",
]


@pytest.mark.parametrize("content", MALICIOUS_TEXTS, ids=range(len(MALICIOUS_TEXTS)))
async def test_post_malicious_content_is_harmless(app: Porchlight, rosa: GuruOwner, content: str) -> None:
    post = await rosa.post(title=f"Hostile {content[:100]}", content=content)
    saved = await rosa.save(post, slug="")
    status, page = await _get_page(app, rosa, f"/blog/{saved['saved']['slug']}")
    assert status == 200
    assert find_unsafe_html(page) == []
    await rosa.call("DELETE", f"/posts/{post['id']}")


@pytest.mark.parametrize(
    "changes",
    [
        {"title": "a\0b"},
        {"title": "two\nlines"},
        {"content": "x" * 40_001},
        {"tags": ["x"] * 13},
        {"slug": "Not A Slug"},
        {"slug": "-x"},
        {"unknown": 1},
        {"content": 5},
        {"publishedAt": "2026-01-01"},
        {"publishedAt": "9999-12-31T00:00:00Z"},
        {"publishedAt": 1e300},
        {"publishedAt": "2027-01-01T00:00:00"},
        {"revision": -1},
        {"revision": 2**70},
        {"status": "scheduled"},
    ],
)
async def test_post_invalid_fields_are_named(rosa: GuruOwner, changes: dict[str, Any]) -> None:
    post = await rosa.post(title="Fields")
    error = await rosa.save(post, expect=422, **changes)
    assert list(error["fields"]) == list(changes)
