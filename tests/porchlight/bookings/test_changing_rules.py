"""Gurus who change their rules between the read and the statement of someone who holds or books a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.features.bookings.starts import MAX_ATTEMPTS
from tenants.db.pipeline import Statement
from tests.fixtures.databases import Database
from tests.porchlight.bookings.api import (
    CreateUser,
    NewGuru,
    code,
    execute,
    free_starts,
    hold,
    post_booking,
    post_hold,
)
from tests.porchlight.factories import SeededGuru

RAISE_LATE_COST = "UPDATE booking_settings SET late_percent = late_percent + 1 WHERE tenant_id = %s"
ASK_FOR_WAIVER = "UPDATE booking_settings SET waiver = 'always' WHERE tenant_id = %s"
CLOSE_ALL_DAYS = "DELETE FROM weekly_hours WHERE tenant_id = %s"

ChangeRules = Callable[..., list[str]]


@pytest.fixture
def change_rules(app: Porchlight, database: Database, monkeypatch: pytest.MonkeyPatch) -> ChangeRules:
    """A function that runs a guru's `statement` before each of the next `times` statements that hold or book.

    It returns a list, to which each statement that holds or books is added.
    """
    write_once, decide = app.db.write_once, app.db.decide

    def begin(guru: SeededGuru, statement: str, times: int = MAX_ATTEMPTS + 1) -> list[str]:
        sent: list[str] = []

        def change(query: str) -> None:
            if len(sent) < times:
                execute(database, statement, guru.id)
            sent.append(query)

        async def write_after_change(tenant_id: UUID | None, written: Statement, **options: Any) -> Any:
            change(written[0])
            return await write_once(tenant_id, written, **options)

        async def decide_after_change(tenant_id: UUID | None, lock: Statement, *args: Any, **options: Any) -> Any:
            change(lock[0])
            return await decide(tenant_id, lock, *args, **options)

        monkeypatch.setattr(app.db, "write_once", write_after_change)
        monkeypatch.setattr(app.db, "decide", decide_after_change)
        return sent

    return begin


def bookings(database: Database, guru: SeededGuru) -> list[tuple[Any, ...]]:
    """Return the status of each booking of a guru, and what a late cancellation costs, in percent."""
    with psycopg.connect(database.superuser_url) as conn:
        query = "SELECT status, (terms ->> 'late_percent')::int FROM bookings WHERE tenant_id = %s"
        return conn.execute(query, [guru.id]).fetchall()


async def test_hold_after_changed_rules_has_the_new_terms(
    web: httpx.AsyncClient, new_guru: NewGuru, database: Database, change_rules: ChangeRules
) -> None:
    guru = new_guru(late_percent=10)
    start = (await free_starts(web, guru))[0]
    sent = change_rules(guru, RAISE_LATE_COST, times=1)
    await hold(web, guru, start)
    assert len(sent) == 3  # what was stale is tried under the lock, then by the new rules
    assert bookings(database, guru) == [("held", 11)]


async def test_hold_of_time_closed_meanwhile_is_slot_gone(
    web: httpx.AsyncClient, new_guru: NewGuru, database: Database, change_rules: ChangeRules
) -> None:
    guru = new_guru()
    start = (await free_starts(web, guru))[0]
    change_rules(guru, CLOSE_ALL_DAYS, times=1)
    assert code(await post_hold(web, guru, start)) == "slot_gone"
    assert bookings(database, guru) == []


async def test_hold_under_changing_rules_is_slot_gone(
    web: httpx.AsyncClient, new_guru: NewGuru, database: Database, change_rules: ChangeRules
) -> None:
    guru = new_guru()
    start = (await free_starts(web, guru))[0]
    sent = change_rules(guru, RAISE_LATE_COST, times=2 * MAX_ATTEMPTS)
    assert code(await post_hold(web, guru, start, key="changing")) == "slot_gone"
    assert (len(sent), bookings(database, guru)) == (2 * MAX_ATTEMPTS, [])  # each also under the lock
    change_rules(guru, RAISE_LATE_COST, times=0)
    assert (await post_hold(web, guru, start, key="changing")).status_code == 201


async def test_booking_after_changed_rules_keeps_its_terms(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database, change_rules: ChangeRules
) -> None:
    guru = new_guru(late_percent=10)
    user = await create_user("Steady Stan")
    token = await hold(user, guru, (await free_starts(web, guru))[0])
    sent = change_rules(guru, RAISE_LATE_COST, times=1)
    assert (await post_booking(user, token)).status_code == 201
    assert len(sent) == 2
    assert bookings(database, guru) == [("confirmed", 10)]


async def test_waiver_asked_for_meanwhile_is_required(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database, change_rules: ChangeRules
) -> None:
    guru = new_guru()
    user = await create_user("Waiving Wanda")
    token = await hold(user, guru, (await free_starts(web, guru))[0])
    change_rules(guru, ASK_FOR_WAIVER, times=1)
    assert code(await post_booking(user, token)) == "waiver_required"
    assert [status for status, _ in bookings(database, guru)] == ["held"]


async def test_booking_under_changing_rules_keeps_the_hold(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database, change_rules: ChangeRules
) -> None:
    guru = new_guru()
    user = await create_user("Patient Pia")
    token = await hold(user, guru, (await free_starts(web, guru))[0])
    headers = {"idempotency-key": f"changing-{guru.label}"}
    sent = change_rules(guru, RAISE_LATE_COST)
    response = await post_booking(user, token, headers=headers)
    assert (code(response), response.json()["error"]["message"]) == (
        "booking_changed",
        "This session was changed in the meantime. Please reload.",
    )
    assert len(sent) == MAX_ATTEMPTS
    assert [status for status, _ in bookings(database, guru)] == ["held"]
    change_rules(guru, RAISE_LATE_COST, times=0)
    assert (await post_booking(user, token, headers=headers)).status_code == 201
