"""Calendar feeds: their owner's list, and what calendar programs read at their addresses."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from icalendar import Calendar

from porchlight.app import Porchlight
from porchlight.features.bookings.feeds.queries import MAX_READS, TooManyReads, read_feed
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.app_client import create_settings
from tests.porchlight.bookings.api import CreateUser, NewGuru
from tests.porchlight.bookings.sessions import book_session, join_session
from tests.porchlight.owner import GuruOwner
from tests.porchlight.plans.grants import end_plans, grant_plan


@pytest.fixture
async def ada(create_user: CreateUser, database: Database) -> ApiUser:
    """A neighbor whose plan includes feeds."""
    user = await create_user("Ada Neighbor")
    grant_plan(database, user.user_id)
    return user


async def create_feed(user: ApiUser, *, expect: int = 201, key: str = "", **changes: Any) -> Any:
    headers = {"idempotency-key": key} if key else {}
    body = {"kind": "personal", "name": "My phone"} | changes
    response = await user.request("POST", "/api/calendar-feeds", json=body, headers=headers)
    assert response.status_code == expect, response.text
    return response.json()["data"] if response.is_success else response.json()["error"]


async def read(web: httpx.AsyncClient, url: str, *, expect: int = 200, **headers: str) -> httpx.Response:
    response = await web.get(urlsplit(url).path, headers=headers)
    assert response.status_code == expect, response.text
    return response


def events(response: httpx.Response) -> list[dict[str, str]]:
    """Return the events of a feed, each with its texts."""
    calendar = Calendar.from_ical(response.content)
    names = ("UID", "SUMMARY", "DESCRIPTION", "LOCATION", "STATUS", "URL")
    return [{name: str(event.get(name, "")) for name in names} for event in calendar.walk("VEVENT")]


async def test_feed_has_the_sessions_that_were_booked(
    web: httpx.AsyncClient, ada: ApiUser, database: Database, new_guru: NewGuru
) -> None:
    guru = new_guru()
    now = clock.now()
    dated = {days: book_session(database, guru, ada, now + timedelta(days=days)) for days in (-40, -20, 5, 170, 190)}
    book_session(database, guru, ada, now + timedelta(days=6), status="canceled")
    created = await create_feed(ada)
    response = await read(web, created["url"])
    assert response.headers["content-type"] == "text/calendar; charset=utf-8"
    assert "set-cookie" not in response.headers
    found = events(response)
    assert [event["UID"].partition("@")[0] for event in found] == [dated[-20], dated[5], dated[170]]
    assert found[1]["SUMMARY"].startswith("Lesson with ")
    assert found[1]["URL"].endswith(f"/sessions/{dated[5]}")
    (listed,) = (await ada.get("/api/calendar-feeds"))["feeds"]
    assert listed["readAt"] is not None
    assert created["url"].rpartition("/")[2].removesuffix(".ics") not in str(listed)


async def test_feed_of_a_guru_has_first_names_and_initials(
    web: httpx.AsyncClient, database: Database, create_user: CreateUser, new_owner: Any
) -> None:
    owner: GuruOwner = await new_owner(capacity=3)
    cleo = await create_user("Cleo van Dyke")
    start = clock.now() + timedelta(days=4)
    first = book_session(database, owner.guru, cleo, start, note="I have a bad knee.")
    join_session(database, owner.guru, await create_user("Ben Ochoa"), first)
    alone = book_session(database, owner.guru, cleo, start + timedelta(days=1))
    grant_plan(database, owner.guru.owner)
    response = await owner.web.post("/api/calendar-feeds", json={"kind": "guru", "name": "Office"})
    assert response.status_code == 201, response.text
    text = (await read(web, response.json()["data"]["url"])).text.replace("\r\n ", "")
    assert "Cleo D." in text
    assert "Ben O." in text
    assert alone in text
    for private in ("van Dyke", "Ochoa", "bad knee", "@example"):
        assert private not in text
    assert (await create_feed(cleo, expect=402, kind="personal"))["code"] == "plan_required"
    assert (await create_feed(cleo, expect=404, kind="guru"))["code"] == "not_found"


async def test_feed_that_has_not_changed_answers_304(web: httpx.AsyncClient, ada: ApiUser) -> None:
    url = (await create_feed(ada))["url"]
    first = await read(web, url)
    again = await read(web, url, expect=304, **{"if-none-match": first.headers["etag"]})
    assert again.content == b""
    assert again.headers["cache-control"] == "private, no-cache"


async def test_revoked_feed_is_gone(web: httpx.AsyncClient, ada: ApiUser) -> None:
    created = await create_feed(ada)
    response = await ada.request("DELETE", f"/api/calendar-feeds/{created['feed']['id']}")
    assert response.json()["data"]["feeds"] == []
    await read(web, created["url"], expect=404)
    assert (await ada.request("DELETE", f"/api/calendar-feeds/{created['feed']['id']}")).status_code == 404


@pytest.mark.parametrize("secret", ["", "x", "a" * 43, "a" * 44, "%00", "..%2f"])
async def test_unknown_secret_is_not_found(web: httpx.AsyncClient, secret: str) -> None:
    response = await read(web, f"/calendar/{secret}.ics", expect=404)
    assert "BEGIN:VCALENDAR" not in response.text


async def test_feed_is_not_served_without_the_plan(web: httpx.AsyncClient, ada: ApiUser, database: Database) -> None:
    url = (await create_feed(ada))["url"]
    end_plans(database, ada.user_id)
    await read(web, url, expect=404)
    assert (await ada.get("/api/calendar-feeds"))["isIncluded"] is False
    grant_plan(database, ada.user_id)
    await read(web, url)


async def test_feed_is_read_sixty_times_an_hour(
    app: Porchlight, ada: ApiUser, database: Database, service: psycopg.Connection[Any]
) -> None:
    secret = (await create_feed(ada))["url"].rpartition("/")[2].removesuffix(".ics")
    settings = create_settings(database, limits="on")
    await read_feed(app.db, settings, secret)
    service.execute("UPDATE calendar_feeds SET reads = %s WHERE user_id = %s", [MAX_READS - 1, ada.user_id])
    await read_feed(app.db, settings, secret)
    with pytest.raises(TooManyReads) as refused:
        await read_feed(app.db, settings, secret)
    assert refused.value.retry_after == 3600
    service.execute(
        "UPDATE calendar_feeds SET reads_since = reads_since - interval '1 hour' WHERE user_id = %s", [ada.user_id]
    )
    await read_feed(app.db, settings, secret)


async def test_sixth_feed_is_refused(ada: ApiUser) -> None:
    for number in range(5):
        await create_feed(ada, name=f"Phone {number}")
    assert (await create_feed(ada, expect=409))["code"] == "too_many_feeds"


async def test_resend_gives_the_same_feed_a_secret_that_works(web: httpx.AsyncClient, ada: ApiUser) -> None:
    first, second = [await create_feed(ada, key="once") for _ in range(2)]
    assert first["feed"]["id"] == second["feed"]["id"]
    await read(web, first["url"], expect=404)
    await read(web, second["url"])


async def test_database_has_the_digest_of_a_secret_only(ada: ApiUser, service: psycopg.Connection[Any]) -> None:
    secret = (await create_feed(ada))["url"].rpartition("/")[2].removesuffix(".ics")
    assert len(secret) == 43
    row = service.execute(
        "SELECT f::text, secret_hash FROM calendar_feeds f WHERE user_id = %s", [ada.user_id]
    ).fetchone()
    assert row is not None
    assert secret not in row[0]
    assert row[1] == sha256(secret.encode()).digest()


async def test_secret_is_in_no_log(web: httpx.AsyncClient, ada: ApiUser, capfd: pytest.CaptureFixture[str]) -> None:
    url = (await create_feed(ada))["url"]
    await read(web, url)
    metrics = (await web.get("/metrics")).text
    captured = capfd.readouterr()
    for text in (captured.out, captured.err, metrics):
        assert url.rpartition("/")[2] not in text


async def test_feeds_of_others_are_not_seen(ada: ApiUser, create_user: CreateUser, database: Database) -> None:
    feed = (await create_feed(ada))["feed"]
    other = await create_user("Ben Other")
    assert (await other.get("/api/calendar-feeds"))["feeds"] == []
    assert (await other.request("DELETE", f"/api/calendar-feeds/{feed['id']}")).status_code == 404
    with psycopg.connect(database.app_url) as conn:
        conn.execute("SELECT set_config('app.user_id', %s, true)", [str(other.user_id)])
        assert conn.execute("SELECT count(*) FROM calendar_feeds").fetchone() == (0,)


@pytest.fixture
def service(database: Database) -> Any:
    """An autocommit connection of the service role."""
    with psycopg.connect(database.service_url, autocommit=True) as conn:
        yield conn
