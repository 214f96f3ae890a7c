"""The page of reviews on guru sites, its search engine data and the sitemap."""

from __future__ import annotations

import json
import re
from typing import Any

from porchlight.app import Porchlight
from tests.fixtures.databases import Database
from tests.porchlight.app_client import http_client, wait_until
from tests.porchlight.bookings.api import CreateUser, execute
from tests.porchlight.owner import GuruOwner
from tests.porchlight.reviews.sessions import end_session, publish, written, written_by_guru


def json_ld(html: str) -> dict[str, Any]:
    """Return the data for search engines."""
    found = re.search(r'<script type="application/ld\+json"[^>]*>(.*?)</script>', html, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


async def test_stars_for_search_engines_need_real_reviews(
    app: Porchlight, create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    async with http_client(app, owner.guru.host) as site:
        first = await site.get("/reviews")
        assert first.status_code == 200, first.text
        assert "No reviews yet." in first.text
        assert "aggregateRating" not in first.text
        assert "/reviews</loc>" not in (await site.get("/sitemap.xml")).text
        booking = end_session(database, owner.guru, ada)
        await written(ada, booking, 4, "Clear <b>and</b> patient.")
        assert (await site.get("/reviews")).text == first.text, "a hidden review changes no byte"
        await written_by_guru(owner, booking)
        publish(database, owner.guru)

        async def has_review() -> bool:
            return "Clear &lt;b&gt;and&lt;/b&gt; patient." in (await site.get("/reviews")).text

        await wait_until("the page has the review", has_review)
        data = json_ld((await site.get("/reviews")).text)
        assert (data["aggregateRating"]["ratingValue"], data["aggregateRating"]["reviewCount"]) == (4, 1)
        assert [one["reviewBody"] for one in data["review"]] == ["Clear <b>and</b> patient."]
        assert "/reviews</loc>" in (await site.get("/sitemap.xml")).text
        listed = json_ld((await site.get("/services")).text)["itemListElement"]
        rated = {one["item"]["name"]: one["item"].get("aggregateRating") for one in listed}
        assert {name: rating["reviewCount"] for name, rating in rated.items() if rating} == {"Lesson": 1}
        assert "What neighbors say" in (await site.get("/")).text


async def test_reviews_page_redirects_while_flag_is_off(app: Porchlight, owner: GuruOwner, database: Database) -> None:
    flag = "INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, 'reviews', false)"
    execute(database, flag, owner.guru.id)
    app.flags.on_change()
    async with http_client(app, owner.guru.host) as site:
        response = await site.get("/reviews")
        assert (response.status_code, response.headers["location"]) == (302, "/")
        assert 'href="/reviews"' not in (await site.get("/")).text


async def test_older_reviews_have_a_page(
    app: Porchlight, create_user: CreateUser, owner: GuruOwner, database: Database
) -> None:
    ada = await create_user("Ada Neighbor")
    for number in range(21):
        booking = end_session(database, owner.guru, ada)
        await written(ada, booking, 5, f"Words {number}.")
        await written_by_guru(owner, booking)
    publish(database, owner.guru)
    async with http_client(app, owner.guru.host) as site:
        first = (await site.get("/reviews")).text
        older = re.search(r'href="(/reviews/older/[^"]+)"', first)
        assert older is not None
        second = (await site.get(older[1])).text
    shown = [
        re.findall(r"Words (\d+)\.", page.partition("__NEXT_DATA__")[0].partition("<body>")[2])
        for page in (first, second)
    ]
    assert [len(set(found)) for found in shown] == [20, 1]
    assert set(shown[0]) | set(shown[1]) == {str(number) for number in range(21)}
    assert 'content="noindex"' in second
