"""The rest of a series: canceled and moved at once, all or none, by both sides."""

from __future__ import annotations

import asyncio
from typing import Any
from uuid import UUID

import httpx
import icalendar
import psycopg
import pytest

from porchlight.app import Porchlight
from porchlight.features.bookings.actions import own_booking
from porchlight.features.bookings.errors import BookingChanged
from porchlight.features.bookings.following.plan import following_of
from sites.hours import queries as hours
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.identity import Signer
from tests.fixtures.jobs import do_jobs
from tests.porchlight.bookings.api import CreateUser, NewGuru, book, code, execute, free_starts, hold
from tests.porchlight.bookings.booking_emails import emails
from tests.porchlight.bookings.following import (
    cancel_following,
    get_following,
    move_following,
    series_of,
    shifted,
    weekly_later,
)
from tests.porchlight.bookings.series import book_series
from tests.porchlight.bookings.sessions import create_owner


async def test_following_canceled_keeps_earlier_sessions(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Rest Ria")
    starts = await weekly_later(web, guru, 4)
    series = await book_series(user, guru, starts)
    second = series["bookings"][1]["id"]
    following = await get_following(user, second)
    assert [one["startsAt"] for one in following["sessions"]] == starts[1:]
    assert code(await cancel_following(user, second, "0" * 32)) == "terms_changed"
    response = await cancel_following(user, second, following["digest"], "We move away.")
    assert response.json()["data"]["status"] == "canceled", response.text
    assert [status for status, _ in await series_of(user, series["id"])] == ["confirmed", *["canceled"] * 3]
    assert set(starts[1:]) <= set(await free_starts(web, guru, days=62))
    assert code(await cancel_following(user, second, following["digest"])) == "booking_changed"


async def test_following_canceled_costs_what_each_session_costs(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    # Free until ten days before: canceling is late for the first two of three weekly sessions, at most.
    guru = new_guru(late_percent=50, free_until_minutes=10 * 24 * 60)
    user = await create_user("Owing Oda")
    series = await book_series(user, guru, await weekly_later(web, guru, 3))
    first = series["bookings"][0]["id"]
    following = await get_following(user, first)
    owed = [one["owedCents"] for one in following["sessions"]]
    assert owed[0] == 2251  # in 7 to 10 days
    assert owed[2] == 0
    assert following["owedCents"] == sum(owed)
    await cancel_following(user, first, following["digest"])
    canceled = (await user.get(f"/api/bookings/series/{series['id']}"))["bookings"]
    assert [one["owedCents"] for one in canceled] == owed
    await do_jobs(database)
    sent = emails(database, UUID(first))["canceled", "person"]
    assert f"you owe ${sum(owed) / 100:.2f}" in sent["plain"]


async def test_following_canceled_between_reads_has_changed(
    app: Porchlight, web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru()
    user = await create_user("Racing Rex")
    series = await book_series(user, guru, await weekly_later(web, guru, 2))
    first = UUID(series["id"])
    async with unit_of_work(app.context.db, user_id=user.user_id) as session:
        booking = await own_booking(session, user.user_id, first)
        await cancel_following(user, series["id"], (await get_following(user, series["id"]))["digest"])
        with pytest.raises(BookingChanged):
            await following_of(session, booking)


async def test_following_of_others_is_not_found(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru
) -> None:
    guru = new_guru()
    user, other = await create_user("Own Oli"), await create_user("Nosy Nik")
    series = await book_series(user, guru, await weekly_later(web, guru, 2))
    following = await get_following(user, series["id"])
    path = f"/api/bookings/{series['id']}/following"
    assert code(await other.request("GET", path)) == "not_found"
    assert (await cancel_following(other, series["id"], following["digest"])).status_code == 404
    start = shifted(series["bookings"][0]["startsAt"], hours=1)
    assert (await move_following(other, series["id"], start, following)).status_code == 404
    alone = await book(other, guru, (await free_starts(web, guru))[-1])
    assert (await other.request("GET", f"/api/bookings/{alone['id']}/following")).status_code == 404


async def test_following_moves_to_another_day_and_time(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Moving Mo")
    starts = await weekly_later(web, guru, 4)
    series = await book_series(user, guru, starts)
    second = series["bookings"][1]["id"]
    start = shifted(starts[1], hours=1)
    following = await get_following(user, second, start)
    moved = [shifted(one, hours=1) for one in starts[1:]]
    assert [(one["newStart"], one["fit"]) for one in following["sessions"]] == [(one, "free") for one in moved]
    response = await move_following(user, second, start, following)
    assert response.status_code == 200, response.text
    expected = [("confirmed", starts[0]), *[("confirmed", one) for one in moved]]
    assert await series_of(user, series["id"]) == expected
    again = await move_following(user, second, start, following)
    assert again.status_code == 200
    assert await series_of(user, series["id"]) == expected
    assert [one["terms"]["movesLeft"] for one in (await user.get(f"/api/bookings/series/{series['id']}"))["bookings"]][
        1:
    ] == [series["bookings"][1]["terms"]["movesLeft"] - 1] * 3


async def test_following_reads_only_the_days_of_its_sessions(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guru's other sessions in the months between would cost more than all the rest."""
    guru = new_guru()
    user, other = await create_user("Days Dan"), await create_user("Between Bea")
    first, between, second = await weekly_later(web, guru, 3)
    series = await book_series(user, guru, [first, second])
    await book(other, guru, between)
    read: list[str] = []

    def recorded(*columns: Any) -> hours.Times:
        times = to_times(*columns)
        read.extend(clock.to_iso8601(one.starts_at) for one in times.appointments)
        return times

    to_times = hours.to_times
    monkeypatch.setattr(hours, "to_times", recorded)
    following = await get_following(user, series["id"], shifted(first, days=1))
    assert [one["fit"] for one in following["sessions"]] == ["free", "free"]
    assert read == []  # its own sessions end with the move
    monkeypatch.setattr(hours, "to_times", to_times)
    await book(other, guru, shifted(second, days=1))
    monkeypatch.setattr(hours, "to_times", recorded)
    following = await get_following(user, series["id"], shifted(first, days=1))
    assert [one["fit"] for one in following["sessions"]] == ["free", "taken"]
    assert read == [shifted(second, days=1)]


async def test_following_moves_into_its_own_times(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Later Lea")
    starts = await weekly_later(web, guru, 4)
    series = await book_series(user, guru, starts[:3])
    first = series["bookings"][0]["id"]
    following = await get_following(user, first, starts[1])
    assert [one["fit"] for one in following["sessions"]] == ["free"] * 3
    assert (await move_following(user, first, starts[1], following)).status_code == 200
    assert [start for _, start in await series_of(user, series["id"])] == starts[1:]
    following = await get_following(user, first, starts[0])
    assert (await move_following(user, first, starts[0], following)).status_code == 200
    assert [start for _, start in await series_of(user, series["id"])] == starts[:3]


async def test_following_with_taken_time_moves_what_fits(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user, other = await create_user("Partly Pam"), await create_user("Early Emil")
    starts = await weekly_later(web, guru, 3)
    series = await book_series(user, guru, starts)
    start = shifted(starts[0], hours=1)
    taken = shifted(starts[1], hours=1)
    await book(other, guru, taken)
    following = await get_following(user, series["id"], start)
    assert [one["fit"] for one in following["sessions"]] == ["free", "taken", "free"]
    response = await move_following(user, series["id"], start, following)
    assert code(response) == "series_partly_gone"
    assert response.json()["error"]["fields"] == {taken: "That time is taken."}
    assert [one for _, one in await series_of(user, series["id"])] == starts
    fitting = [one["id"] for one in following["sessions"] if one["fit"] == "free"]
    assert (await move_following(user, series["id"], start, following, fitting)).status_code == 200
    assert sorted(one for _, one in await series_of(user, series["id"])) == sorted(
        [start, starts[1], shifted(starts[2], hours=1)]
    )


async def test_following_shows_why_a_session_cannot_move(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Reason Rex")
    starts = await weekly_later(web, guru, 3)
    series = await book_series(user, guru, starts)
    night = shifted(starts[0], hours=-8)
    assert {one["fit"] for one in (await get_following(user, series["id"], night))["sessions"][1:]} == {"not_offered"}
    far = shifted(starts[0], days=700)
    assert {one["fit"] for one in (await get_following(user, series["id"], far))["sessions"]} == {"not_open_yet"}
    execute(database, "UPDATE bookings SET moves = 9 WHERE id = %s", UUID(series["bookings"][2]["id"]))
    following = await get_following(user, series["id"], shifted(starts[0], hours=1))
    assert [one["fit"] for one in following["sessions"]] == ["free", "free", "fixed"]
    assert code(await move_following(user, series["id"], shifted(starts[0], hours=1), following)) == "moves_used"


async def test_following_moved_while_time_is_held_stays_whole(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user, other = await create_user("Racing Ray"), await create_user("Racing Roz")
    starts = await weekly_later(web, guru, 3)
    series = await book_series(user, guru, starts)
    start = shifted(starts[0], hours=1)
    following = await get_following(user, series["id"], start)

    async def take() -> bool:
        try:
            return bool(await hold(other, guru, shifted(starts[2], hours=1)))
        except AssertionError:
            return False

    moved, twice, is_held = await asyncio.gather(
        move_following(user, series["id"], start, following),
        move_following(user, series["id"], start, following),
        take(),
    )
    now = [one for _, one in await series_of(user, series["id"])]
    is_moved = 200 in (moved.status_code, twice.status_code)
    assert now == ([shifted(one, hours=1) for one in starts] if is_moved else starts)
    assert is_held != is_moved
    with psycopg.connect(database.service_url) as conn:
        query = "SELECT count(*), sum(taken) FROM appointments WHERE tenant_id = %s AND live"
        assert conn.execute(query, [guru.id]).fetchone() == (3 + is_held, 3 + is_held)


async def test_following_canceled_while_moved_ends_once(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Both Bea")
    starts = await weekly_later(web, guru, 3)
    series = await book_series(user, guru, starts)
    start = shifted(starts[0], hours=1)
    following = await get_following(user, series["id"], start)
    canceled, moved = await asyncio.gather(
        cancel_following(user, series["id"], following["digest"]), move_following(user, series["id"], start, following)
    )
    assert sorted((canceled.status_code, moved.status_code)) == [200, 409]
    assert len({status for status, _ in await series_of(user, series["id"])}) == 1


async def test_following_changes_have_one_list_and_files(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Ada Neighbor")
    starts = await weekly_later(web, guru, 3)
    series = await book_series(user, guru, starts)
    await do_jobs(database)
    start = shifted(starts[0], hours=1)
    await move_following(user, series["id"], start, await get_following(user, series["id"], start))
    await do_jobs(database)
    ids = [UUID(one["id"]) for one in series["bookings"]]
    first, later = emails(database, ids[0]), emails(database, ids[2])
    for side in ("person", "guru"):
        assert first["moved", side]["subject"].startswith("New time: 3 sessions of Lesson with ")
        assert "Session 3: " in first["moved", side]["plain"]
        assert "Was 3: " in first["moved", side]["plain"]
        assert later["moved", side]["subject"].startswith("New time, session 3 of 3: Lesson with ")
        assert sequence(later["moved", side]) == ("REQUEST", 1)
    assert "Your 3 sessions have new times." in first["moved", "person"]["plain"]
    # Not in one burst with the move, of which one email would tell.
    execute(database, "UPDATE booking_emails SET created_at = created_at - interval '2 hours'")
    following = await get_following(user, str(ids[1]))
    await cancel_following(user, str(ids[1]), following["digest"])
    await do_jobs(database)
    assert ("canceled", "person") not in emails(database, ids[0])
    second, third = emails(database, ids[1]), emails(database, ids[2])
    assert second["canceled", "guru"]["subject"] == "Ada Neighbor canceled 2 sessions of Lesson"
    assert second["canceled", "person"]["subject"].startswith("You canceled 2 sessions of Lesson with ")
    assert "Your 2 sessions are canceled. You owe nothing." in second["canceled", "person"]["plain"]
    assert third["canceled", "person"]["subject"].startswith("Canceled, session 2 of 2: Lesson with ")
    assert sequence(third["canceled", "person"]) == ("CANCEL", 2)


def sequence(email: dict[str, Any]) -> tuple[str, int]:
    """Return the method and the sequence of the one event in an email."""
    calendar = icalendar.Calendar.from_ical(email["invitation"])
    (event,) = calendar.events
    return str(calendar["METHOD"]), int(str(event["SEQUENCE"]))


async def test_guru_cancels_rest_for_free(
    app: Porchlight, web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database,
    signer: Signer,
) -> None:  # fmt: skip
    guru = new_guru(late_percent=100, free_until_minutes=20_000)
    user = await create_user("Ada Neighbor")
    series = await book_series(user, guru, await weekly_later(web, guru, 3))
    owner = await create_owner(app, web, signer, database, guru)
    second = series["bookings"][1]["id"]
    path = f"/bookings/{second}/following"
    assert [one["id"] for one in (await owner.call("GET", path))["sessions"]] == [
        one["id"] for one in series["bookings"][1:]
    ]
    canceled = await owner.call("POST", f"{path}/cancellation", {"reason": "I'm moving."})
    assert canceled["status"] == "canceled"
    now = (await user.get(f"/api/bookings/series/{series['id']}"))["bookings"]
    assert [(one["status"], one["owedCents"]) for one in now] == [("confirmed", 0), *[("canceled", 0)] * 2]
    await do_jobs(database)
    sent = emails(database, UUID(second))["canceled", "person"]
    assert sent["subject"] == f"Guru {guru.mark} canceled your sessions"


async def test_guru_proposes_rest_in_one_email(
    app: Porchlight, web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database,
    signer: Signer,
) -> None:  # fmt: skip
    guru = new_guru()
    user = await create_user("Ada Neighbor")
    starts = await weekly_later(web, guru, 3)
    series = await book_series(user, guru, starts)
    await do_jobs(database)
    owner = await create_owner(app, web, signer, database, guru)
    ids, start = [one["id"] for one in series["bookings"]], shifted(starts[0], hours=1)
    path = f"/bookings/{ids[0]}/following"
    assert {one["fit"] for one in (await owner.call("GET", f"{path}?startsAt={start}"))["sessions"]} == {"free"}
    body = {"startsAt": start, "bookings": ids, "reason": "The studio is closed."}
    await owner.call("POST", f"{path}/move", body)
    assert await owner.call("POST", f"{path}/move", body, expect=409)
    await do_jobs(database)
    sent = emails(database, UUID(ids[0]))["proposed", "person"]
    assert sent["subject"] == f"Guru {guru.mark} asks to move your sessions"
    assert "New time 3: " in sent["plain"]
    assert [("proposed", "person") in emails(database, UUID(one)) for one in ids[1:]] == [False, False]
    answer = {"accept": True, "startsAt": start, "wholeSeries": True}
    response = await user.request("POST", f"/api/bookings/{ids[0]}/answers", json=answer)
    assert response.status_code == 200, response.text
    assert [one for _, one in await series_of(user, series["id"])] == [shifted(one, hours=1) for one in starts]
    assert {one["terms"]["movesLeft"] for one in (await user.get(f"/api/bookings/series/{series['id']}"))["bookings"]} \
        == {series["bookings"][0]["terms"]["movesLeft"]}  # fmt: skip


async def test_proposed_rest_is_declined_or_withdrawn(
    app: Porchlight, web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database,
    signer: Signer,
) -> None:  # fmt: skip
    guru = new_guru(late_percent=100, free_until_minutes=20_000)
    user = await create_user("Ada Neighbor")
    starts = await weekly_later(web, guru, 2)
    series = await book_series(user, guru, starts)
    owner = await create_owner(app, web, signer, database, guru)
    ids, start = [one["id"] for one in series["bookings"]], shifted(starts[0], hours=1)
    body = {"startsAt": start, "bookings": ids, "reason": "The studio is closed."}
    await owner.call("POST", f"/bookings/{ids[0]}/following/move", body)
    await owner.call("DELETE", f"/bookings/{ids[0]}/move?wholeSeries=true")
    assert {one["proposal"] for one in (await user.get(f"/api/bookings/series/{series['id']}"))["bookings"]} == {None}
    await owner.call("POST", f"/bookings/{ids[0]}/following/move", body)
    answer = {"accept": False, "startsAt": start, "wholeSeries": True}
    assert (await user.request("POST", f"/api/bookings/{ids[0]}/answers", json=answer)).status_code == 200
    now = (await user.get(f"/api/bookings/series/{series['id']}"))["bookings"]
    assert [(one["status"], one["owedCents"]) for one in now] == [("canceled", 0)] * 2
