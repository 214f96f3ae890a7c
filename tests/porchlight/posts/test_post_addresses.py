"""A post's old address leads to the post, however often it was renamed."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from porchlight.app import Porchlight
from sites.posts import actions
from tests.porchlight.app_client import send_raw, wait_until
from tests.porchlight.owner import GuruOwner


async def _publish(rosa: GuruOwner, title: str, slug: str) -> dict[str, Any]:
    return await rosa.save(await rosa.post(title=title, slug=slug))


async def _leads_to(app: Porchlight, rosa: GuruOwner, path: str) -> tuple[int, str | None]:
    response = await send_raw(app, path.encode(), rosa.guru.host)
    return response.status, response.header("location")


async def test_old_address_redirects_at_once_to_the_new_one(app: Porchlight, rosa: GuruOwner) -> None:
    post = await _publish(rosa, "Rye", "rye-one")
    for slug in ("rye-two", "rye-three", "rye-two", "rye-four"):
        post = await rosa.save(post, slug=slug)
    for old in ("rye-one", "rye-two", "rye-three"):
        assert await _leads_to(app, rosa, f"/blog/{old}?utm=a%20b") == (301, "/blog/rye-four?utm=a%20b")
        assert await _leads_to(app, rosa, f"/og/blog/{old}.png") == (301, "/og/blog/rye-four.png")
        assert await _leads_to(app, rosa, f"/report/blog/{old}") == (301, "/report/blog/rye-four")
    assert (await _leads_to(app, rosa, "/blog/rye-four"))[0] == 200
    # Back at its first address, which redirects no longer.
    await rosa.save(post, slug="rye-one")

    async def is_back() -> bool:
        return await _leads_to(app, rosa, "/blog/rye-four") == (301, "/blog/rye-one")

    await wait_until("the latest address leads back", is_back)
    assert (await _leads_to(app, rosa, "/blog/rye-one"))[0] == 200


async def test_oldest_address_is_forgotten_at_the_limit(
    app: Porchlight, rosa: GuruOwner, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(actions, "MAX_OLD_SLUGS", 2)
    post = await _publish(rosa, "Barley", "barley-one")
    for slug in ("barley-two", "barley-three", "barley-four"):
        post = await rosa.save(post, slug=slug)
    found = [await _leads_to(app, rosa, f"/blog/barley-{number}") for number in ("one", "two", "three")]
    assert found == [(302, "/"), (301, "/blog/barley-four"), (301, "/blog/barley-four")]


async def test_freed_address_belongs_to_the_new_post(app: Porchlight, rosa: GuruOwner) -> None:
    first = await _publish(rosa, "Oats", "oats")
    await rosa.save(first, slug="oats-and-milk")
    draft = await rosa.post(title="Oats again", slug="oats")
    # A draft takes nothing from readers.
    assert await _leads_to(app, rosa, "/blog/oats") == (301, "/blog/oats-and-milk")
    second = await rosa.save(draft)

    async def is_new_post() -> bool:
        return (await _leads_to(app, rosa, "/blog/oats"))[0] == 200

    await wait_until("the address has the new post", is_new_post)
    await rosa.save(second, slug="oats-and-honey")

    async def leads_to_new_post() -> bool:
        return await _leads_to(app, rosa, "/blog/oats") == (301, "/blog/oats-and-honey")

    await wait_until("the address leads to the last post that had it", leads_to_new_post)


async def test_draft_and_other_guru_have_no_old_address(app: Porchlight, rosa: GuruOwner, theo: GuruOwner) -> None:
    draft = await rosa.post(title="Spelt", slug="spelt-one")
    draft = await rosa.save(draft, slug="spelt-two", status="draft")
    await rosa.save(draft)
    assert await _leads_to(app, rosa, "/blog/spelt-one") == (302, "/")
    post = await _publish(rosa, "Emmer", "emmer")
    await rosa.save(post, slug="emmer-bread")
    assert await _leads_to(app, theo, "/blog/emmer") == (302, "/")
    await rosa.call("DELETE", f"/posts/{post['id']}/publication")

    async def is_gone() -> bool:
        return await _leads_to(app, rosa, "/blog/emmer") == (302, "/")

    await wait_until("an unpublished post has no old address", is_gone)


@pytest.mark.race
async def test_posts_that_swapped_addresses_move_at_once(rosa: GuruOwner) -> None:
    for number in range(6):
        slugs = [f"{name}-{number}" for name in ("millet", "teff")]
        posts = [await _publish(rosa, slug.title(), slug) for slug in slugs]
        posts = [await rosa.save(post, slug=f"{post['slug']}-new") for post in posts]
        posts = [await rosa.save(post, slug=slug) for post, slug in zip(posts, reversed(slugs), strict=True)]
        # Each gives up an address that the other had, so each save also changes the other post.
        last = await asyncio.gather(*(rosa.save(post, slug=f"{post['slug']}-last") for post in posts))
        assert [post["slug"] for post in last] == [f"{slug}-last" for slug in reversed(slugs)]
