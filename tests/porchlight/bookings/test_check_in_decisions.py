"""Which check-ins are good: the time, the pass, who was faster, waivers; and what ends a check-in."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from porchlight.features.bookings import commands
from porchlight.features.bookings.facts import BookingSnapshot
from porchlight.features.bookings.lifecycle import Decision, decide
from porchlight.features.bookings.passes.lifecycle import check_in_times
from porchlight.features.bookings.passes.signed_pass import Pass, pass_of
from porchlight.features.bookings.refusals import RefusalReason
from porchlight.features.bookings.states import Actor, Status
from tests.porchlight.bookings.states import BOOKING, HOUR, NOW, ZONE, booking, digest, facts, move, only

TENANT = UUID(int=7)
DOOR = "Front door"
SOON = NOW + HOUR  # noon in Denver
CHECKED_IN: dict[str, Any] = {"checked_in_at": NOW - HOUR, "checked_in_by": DOOR}


def shown(one: BookingSnapshot, **changes: Any) -> Pass:
    """Return the pass of a booking, or one with other values."""
    return replace(pass_of(one.id, TENANT, one.starts_at, one.ends_at, one.sequence), **changes)


def check_in(one: BookingSnapshot, *, now: datetime = NOW, **values: Any) -> Decision:
    own: dict[str, Any] = {"id": BOOKING, "at": now, "by": DOOR}
    return decide(commands.CheckIn(**own | values), facts(one, now=now))


def test_check_in_records_time_and_device() -> None:
    one = booking(starts_at=SOON)
    update = only(check_in(one, at=NOW - HOUR / 4, shown=shown(one)))
    assert update.values == {"checked_in_at": NOW - HOUR / 4, "checked_in_by": DOOR}
    assert (update.event, update.actor, update.email) == ("checked_in", Actor.GURU, None)
    assert update.details == {"with": "pass"}
    assert only(check_in(one)).details == {"with": "name"}


def test_check_in_again_is_refused_unless_it_is_a_resend() -> None:
    one = booking(starts_at=SOON, **CHECKED_IN)
    again = check_in(one, at=NOW - HOUR)
    assert (again.refusal, again.change.updates) == (None, [])
    for values in ({"at": NOW - HOUR, "by": "Back door"}, {"at": NOW}):
        assert check_in(one, **values).refusal is RefusalReason.CHECKED_IN


@pytest.mark.parametrize(
    "changes",
    [{"sequence": 1}, {"starts_at": SOON + HOUR}, {"minutes": 30}, {"booking_id": UUID(int=31)}],
    ids=["sequence", "start", "length", "booking"],
)
def test_outdated_pass_is_refused(changes: dict[str, Any]) -> None:
    one = booking(starts_at=SOON)
    assert check_in(one, shown=shown(one, **changes)).refusal is RefusalReason.PASS_OUTDATED


@pytest.mark.parametrize(
    ("starts_at", "by_pass", "by_name"),
    [
        # Now is Wednesday, 11 AM in Denver.
        (NOW + 12 * HOUR, None, None),  # tonight
        (NOW + 14 * HOUR, "pass_of_other_day", "check_in_early"),  # tomorrow, 1 AM
        (NOW - 10 * HOUR, None, None),  # 1 AM today
        (NOW - 12 * HOUR, "pass_of_other_day", None),  # yesterday, 11 PM to midnight
        (NOW - 48 * HOUR, "pass_of_other_day", None),
        (NOW - 49 * HOUR, "check_in_closed", "check_in_closed"),
    ],
)
def test_check_in_depends_on_the_day(starts_at: datetime, by_pass: str | None, by_name: str | None) -> None:
    one = booking(starts_at=starts_at)
    assert check_in(one, shown=shown(one)).refusal == by_pass
    assert check_in(one).refusal == by_name


def test_check_in_times_around_midnight_leave_two_hours() -> None:
    late = datetime(2027, 3, 11, 7, 30, tzinfo=UTC)  # half past midnight in Denver
    times = check_in_times(late, late + HOUR, ZONE)
    assert times.opens_at == late - 2 * HOUR
    before = check_in_times(late - 2 * HOUR, late - HOUR / 2, ZONE)  # until midnight
    assert before.passes_until == late + 1.5 * HOUR
    assert before.closes_at == late - HOUR / 2 + timedelta(hours=48)


def test_check_in_days_follow_the_clocks() -> None:
    # In Denver, March 14, 2027 has 23 hours.
    noon = datetime(2027, 3, 14, 18, 0, tzinfo=UTC)
    times = check_in_times(noon, noon + HOUR, ZONE)
    assert (times.opens_at, times.passes_until) == (
        datetime(2027, 3, 14, 7, 0, tzinfo=UTC), datetime(2027, 3, 15, 6, 0, tzinfo=UTC),
    )  # fmt: skip


@pytest.mark.parametrize("at", [NOW + 24 * HOUR, NOW - 30 * HOUR], ids=["ahead", "behind"])
def test_time_of_a_wrong_clock_becomes_that_of_the_server(at: datetime) -> None:
    assert only(check_in(booking(starts_at=SOON), at=at)).values["checked_in_at"] == NOW
    tomorrow = booking(starts_at=NOW + 24 * HOUR)
    assert check_in(tomorrow, at=at).refusal is RefusalReason.CHECK_IN_EARLY


def test_offline_check_in_keeps_its_time() -> None:
    one = booking(starts_at=NOW - 20 * HOUR)  # yesterday, 3 PM
    decision = check_in(one, at=NOW - 20 * HOUR, shown=shown(one))
    assert only(decision).values["checked_in_at"] == NOW - 20 * HOUR


def test_missing_waiver_has_to_be_seen() -> None:
    for until in (None, SOON):
        one = booking(starts_at=SOON, waiver_level="high", waiver_until=until)
        assert check_in(one, shown=shown(one)).refusal is RefusalReason.WAIVER_DUE
        seen = only(check_in(one, shown=shown(one), accepts_waiver_due=True))
        assert seen.details == {"with": "pass", "waiver": "due"}
    signed = booking(starts_at=SOON, waiver_level="high", waiver_until=SOON + HOUR)
    assert check_in(signed).refusal is None


def test_checked_in_booking_is_not_marked_missed() -> None:
    one = booking(starts_at=NOW - 2 * HOUR, **CHECKED_IN)
    missed = commands.RecordAttendance(id=BOOKING, missed=True)
    assert decide(missed, facts(one)).refusal is RefusalReason.CHECKED_IN
    undone = only(decide(commands.UndoCheckIn(id=BOOKING, at=NOW - HOUR), facts(one)))
    assert undone.values == {"checked_in_at": None, "checked_in_by": ""}
    assert (undone.event, undone.actor) == ("check_in_undone", Actor.GURU)
    after = replace(one, checked_in_at=None, checked_in_by="")
    assert only(decide(missed, facts(after))).values["status"] is Status.MISSED


def test_undo_leaves_the_check_in_of_another_device() -> None:
    one = booking(starts_at=SOON, **CHECKED_IN)
    assert decide(commands.UndoCheckIn(id=BOOKING, at=NOW), facts(one)).refusal is RefusalReason.CHECKED_IN


@pytest.mark.parametrize("ends", ["move", "cancel"])
def test_check_in_ends_with_the_session(ends: str) -> None:
    one = booking(starts_at=NOW + 30 * HOUR, **CHECKED_IN)
    command = move(one) if ends == "move" else commands.Cancel(id=BOOKING, actor=Actor.PERSON, terms_digest=digest(one))
    values = only(decide(command, facts(one))).values
    assert (values["checked_in_at"], values["checked_in_by"]) == (None, "")


def test_check_in_stays_when_the_session_completes() -> None:
    one = booking(starts_at=NOW - 30 * HOUR, **CHECKED_IN)
    values = only(decide(commands.Complete(ids=[BOOKING]), facts(one))).values
    assert values["status"] is Status.COMPLETED
    assert "checked_in_at" not in values
