"""Recording, objecting and settling, as a table: what each side can do in each state, and when."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.exchanges.agreement import Agreement, Email, ExchangeFacts, ExchangeRefusal, Record, Side
from porchlight.features.exchanges.hours_rules import HoursAccount, HoursFacts, HoursRefusal
from porchlight.features.exchanges.rules import COMPLETED_AFTER, Accept, Ask, EndDue, ExchangeChange, decide
from porchlight.features.exchanges.settlement_rules import (
    MAX_RECORDS,
    OBJECTION_TIME,
    RECORD_TIME,
    REVERSAL_TIME,
    ConfirmTime,
    RecordTime,
    ReverseTime,
    SettleDue,
    SettlementChange,
    SettlementCommand,
    SettlementDecision,
    decide_settlement,
)

START = datetime(2027, 1, 13, 16, tzinfo=UTC)
END = START + timedelta(hours=1)
SECOND = timedelta(seconds=1)
AGREED = Agreement(
    "confirmed", "", 1, (START,), 60, 1, starts_at=START, ends_at=END, mode="swap",
    record=Record(settle_by=END + RECORD_TIME),
)  # fmt: skip
RECORDED = replace(AGREED, status="completed", record=Record("recorded", 90, "teacher", 1, END + OBJECTION_TIME))
OBJECTED = replace(RECORDED, record=Record("recorded", 30, "learner", 2, END + OBJECTION_TIME))
LAST = replace(RECORDED, record=Record("recorded", 75, "teacher", 3, END + OBJECTION_TIME))
SETTLED = replace(RECORDED, record=Record("settled", 90, "teacher", 1, None, END))
ASKED_BACK = replace(SETTLED, record=replace(SETTLED.record, reversal_by="learner"))
UNSETTLED = replace(RECORDED, record=Record("unsettled"))
REVERSED = replace(SETTLED, record=replace(SETTLED.record, state="reversed"))


def _decide(
    command: SettlementCommand, agreement: Agreement, side: Side = "teacher", now: datetime = END, **facts: Any
) -> SettlementDecision:
    return decide_settlement(command, ExchangeFacts(now, side, agreement, **facts))


def _kind(decision: SettlementDecision) -> str:
    if isinstance(decision, SettlementChange):
        return decision.record.state + (
            "?" if decision.record.reversal_by and decision.record.state == "settled" else ""
        )
    return decision.value if isinstance(decision, ExchangeRefusal) else "nothing" if decision is None else "hours"


@pytest.mark.parametrize(
    ("agreement", "teacher", "learner"),
    [
        # record or object, confirm, want it back, or not
        (AGREED, "recorded objection_ended reversal_ended", "changed objection_ended reversal_ended"),
        (RECORDED, "changed objection_ended reversal_ended", "recorded settled reversal_ended"),
        (OBJECTED, "recorded settled reversal_ended", "changed objection_ended reversal_ended"),
        (LAST, "changed objection_ended reversal_ended", "unsettled settled reversal_ended"),
        (SETTLED, "objection_ended objection_ended settled?", "objection_ended nothing settled?"),
        (ASKED_BACK, "objection_ended objection_ended reversed", "objection_ended nothing nothing"),
        (UNSETTLED, "record_ended record_ended reversal_ended", "record_ended record_ended reversal_ended"),
        (REVERSED, "objection_ended objection_ended nothing", "objection_ended objection_ended nothing"),
    ],
)
def test_steps_of_each_side(agreement: Agreement, teacher: str, learner: str) -> None:
    seen = agreement.record.round
    commands = (RecordTime(45, seen), ConfirmTime(seen), ReverseTime(wanted=True))
    for side, expected in (("teacher", teacher), ("learner", learner)):
        found = [_kind(_decide(command, agreement, side)) for command in commands]  # type: ignore[arg-type]
        assert found == expected.split(), side


def test_time_is_recorded_after_the_end_for_a_week() -> None:
    record = RecordTime(60, 0)
    assert _decide(record, AGREED, now=END - SECOND) is ExchangeRefusal.TOO_EARLY
    changed = _decide(record, AGREED, now=END + RECORD_TIME - SECOND)
    assert isinstance(changed, SettlementChange)
    expected = Record("recorded", 60, "teacher", 1, END + RECORD_TIME - SECOND + OBJECTION_TIME)
    assert (changed.record, changed.emails) == (expected, (Email("recorded", "learner"),))
    assert _decide(record, AGREED, now=END + RECORD_TIME) is ExchangeRefusal.RECORD_ENDED


def test_objection_is_possible_for_72_hours() -> None:
    last = END + OBJECTION_TIME
    assert _kind(_decide(RecordTime(45, 1), RECORDED, "learner", last - SECOND)) == "recorded"
    assert _kind(_decide(SettleDue(), RECORDED, now=last - SECOND)) == "nothing"
    assert _decide(RecordTime(45, 1), RECORDED, "learner", last) is ExchangeRefusal.OBJECTION_ENDED
    assert _decide(ConfirmTime(1), RECORDED, "learner", last) is ExchangeRefusal.OBJECTION_ENDED
    settled = _decide(SettleDue(), RECORDED, now=last)
    assert isinstance(settled, SettlementChange)
    assert settled.record == Record("settled", 90, "teacher", 1, None, last)
    assert settled.emails == (Email("settled", "learner"), Email("settled", "teacher"))


def test_unrecorded_session_ends_without_hours() -> None:
    assert _decide(SettleDue(), AGREED, now=END + RECORD_TIME - SECOND) is None
    ended = _decide(SettleDue(), AGREED, now=END + RECORD_TIME)
    assert isinstance(ended, SettlementChange)
    assert ended.record == Record("unsettled")


@pytest.mark.parametrize("minutes", [-15, 1, 14, 44, 481, 495, 10_000])
def test_minutes_are_quarter_hours_up_to_eight(minutes: int) -> None:
    assert _decide(RecordTime(minutes, 0), AGREED) is ExchangeRefusal.NOT_QUARTERS


@pytest.mark.parametrize("minutes", [0, 15, 480])
def test_quarter_hours_are_recorded(minutes: int) -> None:
    assert _kind(_decide(RecordTime(minutes, 0), AGREED)) == "recorded"


def test_same_step_again_changes_nothing() -> None:
    assert _decide(RecordTime(90, 0), RECORDED) is None
    assert _decide(RecordTime(30, 1), OBJECTED, "learner") is None
    assert _decide(ConfirmTime(1), SETTLED, "learner") is None
    assert _decide(ReverseTime(wanted=True), ASKED_BACK, "learner") is None


def test_answer_to_an_older_record_is_refused() -> None:
    for command in (RecordTime(45, 1), ConfirmTime(1)):
        assert _decide(
            command, replace(OBJECTED, record=replace(OBJECTED.record, by="teacher", round=3)), "learner"
        ) is (ExchangeRefusal.CHANGED)


def test_hours_above_what_is_held_are_checked() -> None:
    agreed = replace(AGREED, mode="hours")
    hours = HoursFacts(learner=HoursAccount(-150, 60, -180), held=60)
    assert _kind(_decide(RecordTime(60, 0), agreed, hours=hours)) == "recorded"
    refused = _decide(RecordTime(75, 0), agreed, hours=hours)
    assert refused == HoursRefusal("floor", False, -225, -180)
    assert _kind(_decide(RecordTime(480, 0), AGREED, hours=hours)) == "recorded", "a swap has no floor"


def test_reversal_needs_the_teachers_hours() -> None:
    settled = replace(ASKED_BACK, mode="hours")
    hours = HoursFacts(teacher=HoursAccount(-120, 0, -180))
    assert _kind(_decide(ReverseTime(wanted=True), settled, hours=hours)) == "hours"
    assert _kind(_decide(ReverseTime(wanted=True), settled)) == "reversed"


def test_reversal_ends_after_30_days() -> None:
    late = END + REVERSAL_TIME
    assert _kind(_decide(ReverseTime(wanted=True), SETTLED, now=late - SECOND)) == "settled?"
    assert _decide(ReverseTime(wanted=True), SETTLED, now=late) is ExchangeRefusal.REVERSAL_ENDED
    nothing = replace(SETTLED, record=replace(SETTLED.record, minutes=0))
    assert _decide(ReverseTime(wanted=True), nothing) is ExchangeRefusal.REVERSAL_ENDED


def test_reversal_is_declined_or_withdrawn() -> None:
    for side, emails in (("teacher", (Email("reversal_declined", "learner"),)), ("learner", ())):
        changed = _decide(ReverseTime(wanted=False), ASKED_BACK, side)  # type: ignore[arg-type]
        assert isinstance(changed, SettlementChange)
        assert (changed.record, changed.emails) == (SETTLED.record, emails)
    assert _decide(ReverseTime(wanted=False), SETTLED) is None


def test_direct_or_canceled_session_has_no_record() -> None:
    for agreement in (replace(AGREED, mode="direct"), replace(AGREED, status="canceled")):
        assert _decide(RecordTime(60, 0), agreement) is ExchangeRefusal.NOTHING_TO_RECORD


def test_agreement_sets_when_the_record_is_due() -> None:
    start = START + timedelta(days=3)
    asked = Agreement("asked", "teacher", 1, (start,), 60, 0, expires_at=start, mode="hours")
    facts = ExchangeFacts(START, "teacher", asked, hours=HoursFacts(learner=HoursAccount()))
    agreed = decide(Accept(start, 0), facts)
    assert isinstance(agreed, ExchangeChange)
    assert agreed.settle_by == start + timedelta(hours=1) + RECORD_TIME
    poor = replace(facts, hours=HoursFacts(learner=HoursAccount(-150)))
    assert decide(Accept(start, 0), poor) == HoursRefusal("floor", False, -210, -180)
    direct = decide(Accept(start, 0), replace(poor, agreement=replace(asked, mode="direct")))
    assert isinstance(direct, ExchangeChange)
    assert direct.settle_by is None


def test_asking_checks_mode_length_and_hours() -> None:
    starts = (START + timedelta(days=3),)
    assert decide(Ask(starts, 60, None), ExchangeFacts(START)) is ExchangeRefusal.NOT_OFFERED
    assert decide(Ask(starts, 50, "swap"), ExchangeFacts(START)) is ExchangeRefusal.NOT_QUARTERS
    assert isinstance(decide(Ask(starts, 50, "direct"), ExchangeFacts(START)), ExchangeChange)
    assert decide(Ask(starts, 240, "hours"), ExchangeFacts(START)) == HoursRefusal("floor", True, -240, -180)
    assert isinstance(decide(Ask(starts, 240, "free"), ExchangeFacts(START)), ExchangeChange)


def test_teacher_is_reminded_to_record_a_day_later() -> None:
    facts = ExchangeFacts(END + COMPLETED_AFTER, agreement=AGREED)
    completed = decide(EndDue(), facts)
    assert isinstance(completed, ExchangeChange)
    assert (completed.status, completed.emails) == ("completed", (Email("record_due", "teacher"),))
    direct = decide(EndDue(), replace(facts, agreement=replace(AGREED, mode="direct")))
    assert isinstance(direct, ExchangeChange)
    assert direct.emails == ()


@given(
    st.lists(st.tuples(st.sampled_from(["teacher", "learner"]), st.integers(0, 32), st.booleans(), st.integers(0, 90)))
)
def test_records_end_within_three_rounds(steps: list[tuple[Side, int, bool, int]]) -> None:
    agreement, now, changes = AGREED, END, 0
    for side, quarters, confirms, hours in steps:
        now += timedelta(hours=hours)
        for command in (SettleDue(), ConfirmTime(agreement.record.round) if confirms else RecordTime(
            15 * quarters, agreement.record.round
        )):  # fmt: skip
            found = _decide(command, agreement, side, now)
            if isinstance(found, SettlementChange):
                assert agreement.record.state in ("", "recorded"), "what is settled stays"
                agreement, changes = replace(agreement, status="completed", record=found.record), changes + 1
    assert changes <= MAX_RECORDS + 1
    assert (agreement.record.settle_by is None) == (agreement.record.state in ("settled", "unsettled"))
