"""Steps of exchanges, as a table: what each side can do in each state, and when."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from porchlight.features.exchanges.agreement import Agreement, Email, ExchangeFacts, ExchangeRefusal, Side
from porchlight.features.exchanges.reminders import REMINDER_QUIET, due_reminders, next_reminder
from porchlight.features.exchanges.rules import (
    ANSWER_TIME,
    COMPLETED_AFTER,
    MAX_ASKED_A_DAY,
    MAX_OPEN_PER_PAIR,
    Accept,
    Ask,
    AskedBefore,
    CancelExchange,
    Command,
    Counter,
    Decision,
    Decline,
    EndDue,
    ExchangeChange,
    answer_until,
    decide,
)

NOW = datetime(2027, 1, 13, 16, tzinfo=UTC)
START = NOW + timedelta(days=5)
LATER = START + timedelta(days=1)
HOUR, SECOND = timedelta(hours=1), timedelta(seconds=1)
ASKED = Agreement("asked", "teacher", 1, (START, LATER), 60, 0, expires_at=NOW + ANSWER_TIME)
COUNTERED = replace(ASKED, status="countered", turn="learner", round=2, sequence=1)
LAST_ROUND = replace(ASKED, status="countered", turn="teacher", round=3, sequence=2)
CONFIRMED = Agreement("confirmed", "", 1, (START,), 60, 1, starts_at=START, ends_at=START + HOUR)
OVER = [replace(CONFIRMED, status=status) for status in ("declined", "expired", "completed")]


def _decide(command: Command, agreement: Agreement | None = None, **facts: Any) -> Decision:
    return decide(command, ExchangeFacts(**({"now": NOW, "agreement": agreement} | facts)))


def _kind(decision: Decision) -> str:
    if isinstance(decision, ExchangeChange):
        return decision.status
    return decision.value if isinstance(decision, ExchangeRefusal) else "nothing" if decision is None else "resent"


@pytest.mark.parametrize(
    ("agreement", "teacher", "learner"),
    [
        # accept, counter, decline, cancel
        (ASKED, "confirmed countered declined canceled", "changed changed changed canceled"),
        (COUNTERED, "changed changed changed canceled", "confirmed countered declined canceled"),
        (LAST_ROUND, "confirmed no_more_rounds declined canceled", "changed changed changed canceled"),
        (CONFIRMED, "ended ended ended canceled", "ended ended ended canceled"),
        *((over, "ended ended ended ended", "ended ended ended ended") for over in OVER),
        (replace(CONFIRMED, status="canceled"), "ended ended ended nothing", "ended ended ended nothing"),
    ],
    ids=lambda value: value.status if isinstance(value, Agreement) else "",
)
def test_answer_in_each_state_by_each_side(agreement: Agreement, teacher: str, learner: str) -> None:
    seen = agreement.sequence
    commands: tuple[Command, ...] = (Accept(START, seen), Counter((LATER,), seen), Decline(seen), CancelExchange())
    for side, expected in (("teacher", teacher), ("learner", learner)):
        assert [_kind(_decide(command, agreement, side=side)) for command in commands] == expected.split(), side


def test_accept_confirms_the_chosen_time() -> None:
    decision = _decide(Accept(LATER, 0), ASKED, side="teacher")
    assert isinstance(decision, ExchangeChange)
    assert (decision.starts_at, decision.ends_at) == (LATER, LATER + HOUR)
    assert (decision.turn, decision.expires_at) == ("", None)
    assert decision.emails == (Email("confirmed", "learner"), Email("confirmed", "teacher"))


@pytest.mark.parametrize(
    ("facts", "refusal"),
    [
        ({"taken": frozenset({START})}, ExchangeRefusal.TEACHER_BUSY),
        ({"blocked": frozenset({START})}, ExchangeRefusal.CALENDAR_BUSY),
        ({"is_hidden": True}, ExchangeRefusal.NOT_AVAILABLE),
        ({"is_active": False}, ExchangeRefusal.NOT_AVAILABLE),
    ],
)
def test_accept_at_impossible_time_is_refused(facts: dict[str, Any], refusal: ExchangeRefusal) -> None:
    assert _decide(Accept(START, 0), ASKED, side="teacher", **facts) is refusal


@pytest.mark.parametrize(
    ("until", "learner", "teacher"),
    [
        (None, "waiver_required", "waiver_missing"),
        (NOW, "waiver_required", "waiver_missing"),
        (NOW + SECOND, "confirmed", "confirmed"),  # another waiver is due before the session
    ],
)
def test_accept_of_risky_session_needs_valid_waiver(until: datetime | None, learner: str, teacher: str) -> None:
    risky = replace(ASKED, risk="high", waiver_until=until)
    assert _kind(_decide(Accept(START, 0), risky, side="teacher")) == teacher
    assert _kind(_decide(Accept(START, 0), replace(risky, turn="learner"), side="learner")) == learner
    assert _kind(_decide(Counter((LATER,), 0), risky, side="teacher")) == "countered"


def test_accept_of_other_or_old_time_is_refused() -> None:
    assert _decide(Accept(START + HOUR, 0), ASKED, side="teacher") is ExchangeRefusal.NOT_PROPOSED
    assert _decide(Accept(START, 0), COUNTERED, side="learner") is ExchangeRefusal.CHANGED


def test_blocked_neighbor_can_still_decline_and_cancel() -> None:
    assert _kind(_decide(Decline(0), ASKED, side="teacher", is_hidden=True)) == "declined"
    assert _kind(_decide(CancelExchange(), CONFIRMED, side="learner", is_hidden=True)) == "canceled"


def test_counter_gives_the_turn_and_a_new_deadline() -> None:
    decision = _decide(Counter((LATER, START), 0, "Mornings suit me"), ASKED, side="teacher")
    assert isinstance(decision, ExchangeChange)
    assert (decision.turn, decision.round, decision.proposals) == ("learner", 2, (START, LATER))
    assert (decision.reply, decision.reply_by) == ("Mornings suit me", "teacher")
    assert decision.expires_at == NOW + ANSWER_TIME
    assert decision.emails == (Email("countered", "learner"),)


def test_deadline_is_two_hours_before_an_early_start() -> None:
    assert answer_until(NOW, [LATER, NOW + 5 * HOUR]) == NOW + 3 * HOUR
    assert answer_until(NOW, [NOW + ANSWER_TIME + 2 * HOUR]) == NOW + ANSWER_TIME
    assert answer_until(NOW, [NOW + ANSWER_TIME + 2 * HOUR - SECOND]) == NOW + ANSWER_TIME - SECOND


def test_answer_at_72_hours_is_too_late() -> None:
    due = NOW + ANSWER_TIME
    assert _kind(_decide(Accept(START, 0), ASKED, side="teacher", now=due - SECOND)) == "confirmed"
    assert _decide(Accept(START, 0), ASKED, side="teacher", now=due) is ExchangeRefusal.ENDED
    assert _decide(CancelExchange(), ASKED, now=due) is ExchangeRefusal.ENDED
    assert _decide(EndDue(), ASKED, now=due - SECOND) is None
    expired = _decide(EndDue(), ASKED, now=due)
    assert isinstance(expired, ExchangeChange)
    assert (expired.status, expired.emails) == ("expired", (Email("expired", "learner"),))


def test_session_is_completed_a_day_after_its_end() -> None:
    due = START + HOUR + COMPLETED_AFTER
    assert _decide(EndDue(), CONFIRMED, now=due - SECOND) is None
    completed = _decide(EndDue(), CONFIRMED, now=due)
    assert isinstance(completed, ExchangeChange)
    assert (completed.status, completed.emails) == ("completed", ())


def test_cancel_until_the_end_tells_both() -> None:
    end = START + HOUR
    canceled = _decide(CancelExchange("Ill"), CONFIRMED, side="teacher", now=end - SECOND)
    assert isinstance(canceled, ExchangeChange)
    assert canceled.emails == (Email("canceled", "learner"), Email("canceled", "teacher"))
    assert (canceled.ended_by, canceled.reply) == ("teacher", "Ill")
    assert _decide(CancelExchange(), CONFIRMED, side="teacher", now=end) is ExchangeRefusal.ENDED


@pytest.mark.parametrize(
    ("starts", "refusal"),
    [
        ((NOW + 3 * HOUR - SECOND, LATER), ExchangeRefusal.TOO_SOON),
        ((NOW + timedelta(days=90) + SECOND,), ExchangeRefusal.TOO_LATE),
        ((START, LATER, START), ExchangeRefusal.SAME_TIMES),
    ],
)
def test_times_outside_the_limits_are_refused(starts: tuple[datetime, ...], refusal: ExchangeRefusal) -> None:
    assert _decide(Ask(starts)) is refusal
    assert _decide(Counter(starts, 0), ASKED, side="teacher") is refusal


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ({}, "asked"),
        ({"asked": MAX_ASKED_A_DAY - 1, "open": MAX_OPEN_PER_PAIR - 1}, "asked"),
        ({"asked": MAX_ASKED_A_DAY}, "too_many_today"),
        ({"open": MAX_OPEN_PER_PAIR}, "too_many_open"),
        ({"is_hidden": True}, "not_available"),
        ({"is_active": False}, "not_available"),
        ({"is_own": True}, "own_listing"),
        ({"is_resent": True, "asked": MAX_ASKED_A_DAY, "is_hidden": True}, "resent"),
        ({"is_resent": True, "has_same_words": False}, "key_reused"),
    ],
)
def test_ask_depends_on_limits_and_people(facts: dict[str, Any], expected: str) -> None:
    assert _kind(_decide(Ask((NOW + 3 * HOUR,)), **facts)) == expected


def test_ask_needs_a_verified_address() -> None:
    assert _decide(Ask((START,), is_verified=False)) is ExchangeRefusal.UNVERIFIED
    assert isinstance(_decide(Ask((START,)), is_resent=True), AskedBefore)


BOTH: tuple[Side, ...] = ("learner", "teacher")


@pytest.mark.parametrize(
    ("before", "kind", "sides"),
    [
        (timedelta(days=7), "waiver_week", ("learner",)),
        (timedelta(days=2), "waiver_days", ("learner",)),
        (timedelta(days=1), "day_before", BOTH),
        (timedelta(hours=2), "soon", BOTH),
    ],
)
def test_reminder_is_due_at_its_time_alone(before: timedelta, kind: str, sides: tuple[Side, ...]) -> None:
    due = START - before
    risky = replace(CONFIRMED, risk="high", waiver_until=START)
    assert due_reminders(risky, due, due - SECOND) == []
    assert due_reminders(risky, due, due) == [Email(kind, side) for side in sides]
    assert due_reminders(risky, due + SECOND, due + SECOND) == []
    covered = due_reminders(replace(risky, waiver_until=START + SECOND), due, due)
    assert covered == ([] if kind.startswith("waiver") else [Email(kind, side) for side in sides])


def test_reminder_that_is_too_late_is_skipped() -> None:
    missed = START - timedelta(days=8)
    assert due_reminders(CONFIRMED, missed, START - HOUR) == [Email("soon", side) for side in BOTH]
    assert due_reminders(CONFIRMED, missed, START) == []
    assert due_reminders(replace(CONFIRMED, status="canceled"), missed, START - HOUR) == []


def test_next_reminder_is_the_earliest_after() -> None:
    assert next_reminder(START, NOW) == START - timedelta(days=2)
    assert next_reminder(START, START - timedelta(days=1)) == START - timedelta(days=1)
    assert next_reminder(START, START - HOUR) is None


def test_accept_leaves_a_quarter_of_an_hour_to_reminders() -> None:
    for start, expected in ((NOW + 2 * HOUR + REMINDER_QUIET, NOW + REMINDER_QUIET), (NOW + 2 * HOUR, None)):
        decision = _decide(Accept(start, 0), replace(ASKED, proposals=(start,)), side="teacher")
        assert isinstance(decision, ExchangeChange)
        assert decision.remind_at == expected
