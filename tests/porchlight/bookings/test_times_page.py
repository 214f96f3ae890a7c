"""The page of free times on a guru's site, and its form, which works without JavaScript."""

from __future__ import annotations

import re
from urllib.parse import quote

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from tenants.kit import clock
from tenants.kit.ids import new_id
from tenants.kit.zones import local_time
from tests.fixtures.databases import Database
from tests.porchlight.app_client import BASE_HOST, http_client, run_app, wait_until
from tests.porchlight.bookings.api import CreateUser, NewGuru
from tests.porchlight.bookings.waitlists import full_session
from tests.porchlight.factories import SeededGuru

BUTTON = re.compile(r'<button[^>]* value="([^"]+)" name="startsAt"')
KEY = re.compile(r'<input type="hidden" name="key" value="([^"]+)"')


def visitor(app: Porchlight, guru: SeededGuru, address: str = "203.0.113.7") -> httpx.AsyncClient:
    return http_client(app, guru.host, address=address)


def times_path(guru: SeededGuru) -> str:
    return f"/services/{guru.services[0]}/times"


def execute(database: Database, statement: str, *params: object) -> None:
    with psycopg.connect(database.superuser_url) as conn:
        conn.execute(statement.encode(), params)


async def open_times(client: httpx.AsyncClient, guru: SeededGuru) -> tuple[list[str], str]:
    """Return the starts of a day with many, and the key of the form."""
    slots = (await client.get(f"/api/gurus/{guru.label}/services/{guru.services[0]}/slots")).json()["starts"]
    day = slots[len(slots) // 2]["startsAt"][:10]
    response = await client.get(times_path(guru), params={"day": day})
    assert response.status_code == 200, response.text[:500]
    keys = KEY.findall(response.text)
    assert len(keys) == 1
    return BUTTON.findall(response.text), keys[0]


async def submit(client: httpx.AsyncClient, guru: SeededGuru, start: str, key: str, party: str = "1") -> httpx.Response:
    return await client.post(times_path(guru), data={"startsAt": start, "key": key, "party": party})


async def test_times_page_lists_next_day_uncached(app: Porchlight, new_guru: NewGuru) -> None:
    guru = new_guru(capacity=4, party_max=3, approval="request", late_percent=50)
    async with visitor(app, guru) as client:
        response = await client.get(times_path(guru))
        assert response.headers["cache-control"] == "no-store"
        # 56 kB without, which a slow phone waits for.
        assert response.headers["content-encoding"] in ("br", "zstd", "gzip")
        assert f"form-action 'self' http://{BASE_HOST};" in response.headers["content-security-policy"]
        slots = (await client.get(f"/api/gurus/{guru.label}/services/{guru.services[0]}/slots")).json()
        starts = BUTTON.findall(response.text)
        assert starts[0] == slots["next"]["startsAt"]
        for text in (
            "$45.01",
            "per person",
            "Cancel free until 24 hours before",
            "4 spots left",
            "answers within",
        ):
            assert text in response.text
        build = re.search(r'"buildId":"([^"]+)"', response.text)
        assert build is not None
        data = await client.get(f"/_next/data/{build[1]}{times_path(guru)}.json")
        assert (data.status_code, data.headers["cache-control"]) == (200, "no-store")
        assert data.json()["pageProps"]["times"]["next"] == slots["next"]


@pytest.mark.parametrize(
    ("day", "shows"),
    [
        ("2020-01-01", "today"),
        ("0001-01-01", "today"),
        ("9999-12-31", "the last day"),
        ("tomorrow", "the first day"),
        ("2026-02-30", "the first day"),
        ("", "the first day"),
    ],
)
async def test_times_page_of_odd_day_is_served(
    database: Database, app: Porchlight, new_guru: NewGuru, day: str, shows: str
) -> None:
    guru = new_guru()
    # The last day may be on a weekend.
    execute(
        database,
        """INSERT INTO weekly_hours (tenant_id, weekday, during)
        SELECT tenant_id, weekend, during FROM weekly_hours, unnest(ARRAY[5, 6]) weekend
         WHERE tenant_id = %s AND weekday = 0""",
        guru.id,
    )
    today = local_time(clock.now(), "America/Denver").date().isoformat()
    async with visitor(app, guru) as client:
        pages = [await client.get(times_path(guru), params=query) for query in ({"day": day}, {"day": today}, {})]
    assert [page.status_code for page in pages] == [200, 200, 200]
    starts, of_today, first = [BUTTON.findall(page.text) for page in pages]
    if shows == "today":
        assert starts == of_today  # which has none once the notice goes past the hours
    elif shows == "the first day":
        assert starts == first != []
    else:
        assert starts[0] > first[-1]


async def test_submitted_time_is_kept_once_per_press(app: Porchlight, new_guru: NewGuru) -> None:
    guru = new_guru()
    async with visitor(app, guru) as client, http_client(app, BASE_HOST) as main:
        starts, key = await open_times(client, guru)
        first, again = [await submit(client, guru, starts[0], key) for _ in range(2)]
        assert first.status_code == 303
        assert first.headers["location"].startswith(f"http://{BASE_HOST}/book/")
        assert again.headers["location"] == first.headers["location"]
        held = await main.get(f"/api/holds/{first.headers['location'].rpartition('/')[2]}")
        assert (held.json()["data"]["startsAt"], held.json()["data"]["status"]) == (starts[0], "held")
        assert held.json()["data"]["isOffer"] is False
        assert 590 <= held.json()["data"]["secondsLeft"] <= 600


async def test_submitted_taken_time_shows_page_again(app: Porchlight, new_guru: NewGuru) -> None:
    guru = new_guru()
    async with visitor(app, guru) as first, visitor(app, guru, "198.51.100.9") as second:
        starts, key = await open_times(first, guru)
        _, other_key = await open_times(second, guru)
        assert (await submit(first, guru, starts[0], key)).status_code == 303
        response = await submit(second, guru, starts[0], other_key)
    assert response.status_code == 409
    assert "That time was just taken. Please choose another." in response.text
    assert starts[0] not in BUTTON.findall(response.text)
    assert starts[2] in BUTTON.findall(response.text)


async def test_same_key_after_expiry_keeps_time_again(app: Porchlight, new_guru: NewGuru, database: Database) -> None:
    guru = new_guru()
    async with visitor(app, guru) as client:
        starts, key = await open_times(client, guru)
        first = await submit(client, guru, starts[0], key)
        execute(database, "UPDATE bookings SET expires_at = app.now() - interval '1 s' WHERE tenant_id = %s", guru.id)
        again = await submit(client, guru, starts[0], key)
        assert (again.status_code, again.headers["location"]) == (303, first.headers["location"])
        hold = f"/api/holds/{again.headers['location'].rpartition('/')[2]}"
        assert (await client.get(hold)).json()["data"]["status"] == "held"
        assert (await client.delete(hold)).status_code == 200
        assert (await submit(client, guru, starts[0], key)).status_code == 303


async def test_visitor_out_of_holds_can_sign_in(app: Porchlight, new_guru: NewGuru) -> None:
    guru = new_guru(capacity=10)
    async with visitor(app, guru) as client:
        starts, _ = await open_times(client, guru)
        responses = [await submit(client, guru, starts[0], f"key-{number}") for number in range(4)]
    assert [response.status_code for response in responses] == [303, 303, 303, 409]
    reason = "Your network is already keeping other times with this guru. Please book or release one, or continue with"
    assert f"{reason} your account." in responses[3].text
    assert f'href="http://{BASE_HOST}/book?guru={guru.label}&amp;service={guru.services[0]}' in responses[3].text


@pytest.mark.parametrize(
    "fields", [{}, {"startsAt": "soon", "key": "k"}, {"startsAt": "2027-01-01T00:00:00Z", "key": "k", "party": "99"}]
)
async def test_malformed_form_shows_page_again(app: Porchlight, new_guru: NewGuru, fields: dict[str, str]) -> None:
    guru = new_guru()
    async with visitor(app, guru) as client:
        response = await client.post(times_path(guru), data=fields)
    assert response.status_code == 422
    assert "Please choose a time." in response.text


async def test_times_of_unoffered_service_redirect(app: Porchlight, new_guru: NewGuru, database: Database) -> None:
    guru, other = new_guru(), new_guru()
    closed = new_guru(open=False)
    for label, service in ((guru, other.services[0]), (guru, new_id()), (closed, closed.services[0])):
        async with visitor(app, label) as client:
            response = await client.get(f"/services/{service}/times")
            assert (response.status_code, response.headers["location"]) == (302, "/services")
    execute(database, "INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, 'booking', false)", guru.id)
    async with run_app(database) as restarted, visitor(restarted, guru) as client:
        assert "See times" not in (await client.get("/services")).text
        assert (await client.get(times_path(guru))).status_code == 302
        assert (await submit(client, guru, "2027-01-01T00:00:00Z", "k")).headers["location"] == "/services"
        assert (await client.get(f"/api/gurus/{guru.label}/next-starts")).json()["services"] == []


async def test_opened_service_gets_its_link_at_once(app: Porchlight, new_guru: NewGuru, database: Database) -> None:
    guru = new_guru(open=False)
    async with visitor(app, guru) as client:
        assert "See times" not in (await client.get("/services")).text
        execute(database, "UPDATE booking_settings SET open = true WHERE tenant_id = %s", guru.id)

        async def is_linked() -> bool:
            return times_path(guru) in (await client.get("/services")).text

        await wait_until("the link is there", is_linked, 20)


async def test_full_session_links_to_waitlist(
    app: Porchlight, web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru(capacity=2, party_max=2)
    start, _ = await full_session(web, create_user, guru)
    query = f"guru={guru.label}&amp;service={guru.services[0]}&amp;start={quote(start, safe='')}&amp;party="
    link = f'href="http://{BASE_HOST}/sessions/waitlist?{query}'
    async with visitor(app, guru) as client:
        page = await client.get(times_path(guru), params={"day": start[:10]})
        assert f"{link}1" in page.text
        assert "Full · Join the waitlist" in page.text
        assert start not in BUTTON.findall(page.text)
        late = await submit(client, guru, start, "late", "2")
        assert late.status_code == 409
        assert "This session is full. You can join the waitlist." in late.text
        assert f'class="text-link" {link}2"' in late.text
        # Nothing else is free: the page begins with the full session.
        execute(database, "DELETE FROM weekly_hours WHERE tenant_id = %s", guru.id)
        slots = (await client.get(f"/api/gurus/{guru.label}/services/{guru.services[0]}/slots?days=62")).json()
        assert (slots["starts"], slots["next"], slots["full"]) == ([], None, [start])
        page = await client.get(times_path(guru))
        assert f"{link}1" in page.text
        assert "No free spots, in Guru" in page.text
