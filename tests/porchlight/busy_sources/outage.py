"""A calendar's server that is down while the product goes on reading: what visitors and the guru see meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import psycopg

from porchlight.app import Porchlight
from porchlight.features.busy_sources.jobs import queue_due
from tests.fixtures.clock import offset_seconds, use_offset
from tests.fixtures.databases import Database
from tests.fixtures.jobs import service_job
from tests.porchlight.busy_sources.calendar_files import calendar_file
from tests.porchlight.busy_sources.connected import connect, read_sources, serve
from tests.porchlight.busy_sources.web_server import WebServer
from tests.porchlight.hours.calendar_calls import local, starts, utc
from tests.porchlight.owner import GuruOwner

NOTICE_AFTER_HOURS = 24
_NOTICES = "SELECT subject, plain FROM dev_mailbox WHERE subject LIKE '%“Outage”%' ORDER BY id"


def busy_file(start: datetime) -> bytes:
    """Return a file with two hours in Denver."""
    return calendar_file(f"DTSTART;TZID=America/Denver:{start:%Y%m%dT%H%M%S} | DURATION:PT2H")


async def sit_out(
    app: Porchlight,
    owner: GuruOwner,
    database: Database,
    server: WebServer,
    service_db: psycopg.Connection[Any],
    steps: Sequence[timedelta],
) -> None:
    """Read a calendar, let its server be down for the time of all steps, and let it come back with another time.

    After each step the product reads what is due, and visitors see the same free times as before.
    """
    noon = local(7, 12)
    service_db.execute("DELETE FROM busy_sources")  # the demo has one
    service_db.execute("DELETE FROM dev_mailbox")
    free = await starts(app, owner, on=noon.date())
    url = serve(server, busy_file(noon), path="/outage.ics")
    (source,) = (await connect(owner, url, name="Outage"))["sources"]
    await read_sources(database, server)
    (source,) = (await owner.call("GET", "/busy-sources"))["sources"]
    offered = await starts(app, owner, on=noon.date())
    assert utc(noon) in free
    assert utc(noon) not in offered
    passed = timedelta(0)
    with server.down():
        for step in steps:
            passed += step
            use_offset(offset_seconds() + int(step.total_seconds()))
            await _read_due(database, server)
            assert await starts(app, owner, on=noon.date()) == offered
            (shown,) = (await owner.call("GET", "/busy-sources"))["sources"]
            assert (shown["state"], shown["lastGoodAt"]) == ("failing", source["lastGoodAt"])
            assert "did not answer" in shown["reason"]
            is_told = passed - steps[0] >= timedelta(hours=NOTICE_AFTER_HOURS)
            assert len(service_db.execute(_NOTICES).fetchall()) == is_told, passed
    ((subject, text),) = service_db.execute(_NOTICES).fetchall()
    assert "“Outage”" in subject
    for words in ("did not answer", "check the address", "remove it and connect it again", "#connected-calendars"):
        assert words in text
    serve(server, busy_file(noon + timedelta(hours=2)), path="/outage.ics")
    use_offset(offset_seconds() + int(steps[-1].total_seconds()))
    await _read_due(database, server)
    back = await starts(app, owner, on=noon.date())
    assert utc(noon) in back
    assert utc(noon + timedelta(hours=2)) not in back
    (shown,) = (await owner.call("GET", "/busy-sources"))["sources"]
    assert (shown["state"], shown["failingSince"], shown["reason"]) == ("good", None, "")
    assert shown["lastGoodAt"] > source["lastGoodAt"]


async def _read_due(database: Database, server: WebServer) -> None:
    queue_due(service_job(database))
    await read_sources(database, server)
