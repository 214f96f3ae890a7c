"""The page of a hold in a browser without scripts: it leads to a request that reaches the guru."""

from __future__ import annotations

import re
from html import unescape
from urllib.parse import parse_qs, urlsplit

import httpx
import psycopg

from porchlight.app import Porchlight
from porchlight.features.bookings.page_meta import PREFIX, hold_head
from tests.fixtures.databases import Database
from tests.porchlight.app_client import BASE_HOST, http_client
from tests.porchlight.bookings.api import CreateUser, NewGuru, execute, free_starts, hold, post_booking

ORIGIN = f"http://{BASE_HOST}"
LINK = re.compile(r'href="([^"]+)"')


async def test_held_time_without_scripts_becomes_a_lead(
    app: Porchlight, web: httpx.AsyncClient, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    execute(database, "UPDATE gurus SET character = %s WHERE id = %s", "Ada & <b>Bo</b>", guru.id)
    token = await hold(web, guru, (await free_starts(web, guru))[0])
    head = await hold_head(app.db, PREFIX + token, ORIGIN)
    assert re.search(r"We're holding this time for you until \d+:\d\d\s[AP]M", head.no_script)
    assert "with Ada &amp; &lt;b&gt;Bo&lt;/b&gt;</h2>" in head.no_script
    (link,) = LINK.findall(head.no_script)
    address = urlsplit(unescape(link))
    wanted = parse_qs(address.query)["time"][0]
    assert f"{address.scheme}://{address.netloc}" == f"http://{guru.host}"
    async with http_client(app, guru.host) as visitor:
        page = (await visitor.get(f"{address.path}?{address.query}")).text
        assert f'value="{wanted}"' in page
        message = unescape(re.findall(r"<textarea[^>]*>([^<]*)</textarea>", page)[0])
        assert message.endswith(f"at this time: {wanted}.")
        form = {"name": "Nora", "email": "nora@example.com", "preferredTime": wanted, "message": message}
        sent = await visitor.post("/contact", data=form | {"serviceId": str(guru.services[0]), "consent": "true"})
    assert (sent.status_code, sent.headers["location"]) == (303, "/contact/sent")
    with psycopg.connect(database.superuser_url) as conn:
        query = "SELECT preferred_time, service_id FROM leads WHERE tenant_id = %s AND name = 'Nora'"
        assert conn.execute(query, [guru.id]).fetchall() == [(wanted, guru.services[0])]


async def test_ended_hold_without_scripts_still_asks(
    app: Porchlight, web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    token = await hold(web, guru, (await free_starts(web, guru))[0])
    execute(database, "UPDATE bookings SET expires_at = app.now() - interval '1 second' WHERE tenant_id = %s", guru.id)
    ended = (await hold_head(app.db, PREFIX + token, ORIGIN)).no_script
    assert "Your hold has ended. The time may still be free." in ended
    assert len(LINK.findall(ended)) == 1
    unknown = (await hold_head(app.db, PREFIX + "not-a-token", ORIGIN)).no_script
    assert unknown.startswith("<h2>Your hold has ended</h2>")


async def test_booked_hold_without_scripts_names_nothing(
    app: Porchlight, web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru()
    token = await hold(web, guru, (await free_starts(web, guru))[0])
    user = await create_user("Ada Neighbor")
    assert (await post_booking(user, token)).status_code == 201
    head = await hold_head(app.db, PREFIX + token, ORIGIN)
    assert head.title == "Book a session · Porchlight"
    assert LINK.findall(head.no_script) == []


async def test_contact_form_ignores_a_time_that_fits_no_field(app: Porchlight, new_guru: NewGuru) -> None:
    guru = new_guru()
    async with http_client(app, guru.host) as visitor:
        for time in ("x" * 101, "9:00\r\nBcc: all"):
            page = await visitor.get("/contact", params={"service": str(guru.services[0]), "time": time})
            assert "I&#x27;d like to book" not in page.text
            assert page.headers["cache-control"] == "no-store"
