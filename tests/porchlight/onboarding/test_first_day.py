"""The first day of a new site: its proposed hours, and the services that neighbors can ask for."""

from __future__ import annotations

from typing import Any
from uuid import UUID

import pytest

from porchlight.app import Porchlight
from tests.fixtures.refusals import invalid_fields
from tests.porchlight.app_client import BASE_HOST, http_client, wait_until
from tests.porchlight.onboarding.observers import ServiceConnection
from tests.porchlight.onboarding.users import RISKY, SAFE, Neighbor


def settings_of(service_db: ServiceConnection, tenant: UUID) -> list[tuple[Any, ...]]:
    """Return the name, openness and approval of the guru's services that have booking settings."""
    query = (
        "SELECT s.name, b.open, b.approval FROM booking_settings b JOIN services s ON s.id = b.service_id"
        " WHERE b.tenant_id = %s ORDER BY s.position"
    )
    return service_db.execute(query, [tenant]).fetchall()


async def test_publishing_proposes_hours(ada: Neighbor, service_db: ServiceConnection) -> None:
    await ada.ready(SAFE, city="New York", zip="10001")
    assert (await ada.publish("ada-early")).status_code == 201
    ((tenant, *_),) = ada.gurus()
    calendar = "SELECT zone, confirmed_at, (SELECT count(*) FROM weekly_hours h WHERE h.tenant_id = c.tenant_id)"
    calendar += " FROM calendars c WHERE tenant_id = %s"
    assert service_db.execute(calendar, [tenant]).fetchall() == [("America/New_York", None, 5)]
    assert settings_of(service_db, tenant) == [
        ("One-on-One Consultation", True, "request"),
        ("Group Workshop", True, "request"),
    ]
    service_db.execute("DELETE FROM weekly_hours WHERE tenant_id = %s AND weekday = 0", [tenant])
    service_db.execute("UPDATE calendars SET zone = 'America/Chicago' WHERE tenant_id = %s", [tenant])
    assert (await ada.publish()).status_code == 200
    assert service_db.execute(calendar, [tenant]).fetchall() == [("America/Chicago", None, 4)]
    service_db.execute("DELETE FROM calendars WHERE tenant_id = %s", [tenant])  # a site from before hours
    assert (await ada.publish()).status_code == 200
    assert service_db.execute(calendar, [tenant]).fetchall() == [("America/New_York", None, 5)]
    # The guru has not confirmed the services of that site in the wizard.
    assert settings_of(service_db, tenant) == [
        ("One-on-One Consultation", False, "instant"),
        ("Group Workshop", False, "instant"),
    ]


async def test_wizard_shows_hours_of_new_site(ada: Neighbor) -> None:
    weekdays = {"weekdays": [0, 1, 2, 3, 4], "start": 540, "end": 1020}
    assert (await ada.status())["services"]["hours"] == {"zone": "America/Denver"} | weekdays
    await ada.ready(SAFE, city="Honolulu", zip="96813")
    assert (await ada.status())["services"]["hours"] == {"zone": "Pacific/Honolulu"} | weekdays


async def test_only_services_of_bookable_length_are_open(ada: Neighbor, service_db: ServiceConnection) -> None:
    await ada.ready(SAFE)
    minutes = (10, 481, None)
    services = [{"name": f"{each}", "priceCents": 100, "durationMinutes": each} for each in minutes]
    await ada.request_data("PUT", "/services", {"services": services})
    assert (await ada.publish("ada-brief")).status_code == 201
    ((tenant, *_),) = ada.gurus()
    assert settings_of(service_db, tenant) == [("10", False, "instant"), ("481", False, "instant")]


async def test_unlisted_guru_is_not_bookable(app: Porchlight, ada: Neighbor, service_db: ServiceConnection) -> None:
    await ada.ready(RISKY)
    assert (await ada.publish("ada-risky")).status_code == 201
    ((tenant, *_),) = ada.gurus()
    query = "SELECT id FROM services WHERE tenant_id = %s ORDER BY position LIMIT 1"
    ((service,),) = service_db.execute(query, [tenant]).fetchall()
    site = "/api/gurus/ada-risky"

    async def free_times() -> tuple[int, int]:
        async with http_client(app, BASE_HOST) as visitor:
            slots = await visitor.get(f"{site}/services/{service}/slots")
            upcoming = await visitor.get(f"{site}/next-starts")
        return slots.status_code, len(upcoming.json()["services"])

    assert await free_times() == (404, 0)
    headers = {"authorization": f"Bearer {ada.token}"}
    async with http_client(app, BASE_HOST) as web:
        assert (await web.get("/api/guru/services", headers=headers)).json()["data"]["shown"] is False
        question = f"/api/guru/services/{service}/why?at=2027-01-04T10:00:00"
        assert (await web.get(question, headers=headers)).json()["data"]["reason"] == "not_shown"
    document = ada.conn.execute("SELECT id FROM documents WHERE user_id = %s", [ada.user_id]).fetchone()
    assert document is not None
    await ada.review(document[0], "approved")

    async def bookable() -> bool:
        return await free_times() == (200, 2)

    await wait_until("the approved guru is bookable", bookable)
    async with http_client(app, BASE_HOST) as web:
        assert (await web.get("/api/guru/services", headers=headers)).json()["data"]["shown"] is True


@pytest.mark.parametrize(
    ("place", "text", "expected"),
    [
        ("guru", "12 Elm Street", ("guru", "12 Elm Street", True)),
        ("person", "", ("person", "", True)),
        ("", "", ("guru", "", False)),  # as sent by an earlier release
    ],
)
async def test_new_site_is_bookable_with_a_known_place(
    ada: Neighbor, service_db: ServiceConnection, place: str, text: str, expected: tuple[str, str, bool]
) -> None:
    await ada.ready()
    await ada.confirm_services(place, text)
    assert (await ada.publish()).status_code == 201
    query = "SELECT DISTINCT b.place, b.place_text, b.open FROM booking_settings b WHERE b.tenant_id = %s"
    assert service_db.execute(query, [ada.gurus()[0][0]]).fetchall() == [expected]


async def test_services_without_needed_place_are_rejected(ada: Neighbor) -> None:
    await ada.ready()
    services = [{name: one[name] for name in ("name", "priceCents", "durationMinutes")}
                for one in (await ada.status())["services"]["services"]]  # fmt: skip
    for place in ("guru", "online"):
        response = await ada.call("PUT", "/services", {"services": services, "place": place, "placeText": " "})
        assert list(invalid_fields(response)) == ["placeText"]
