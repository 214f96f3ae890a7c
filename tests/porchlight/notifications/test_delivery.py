"""The decision on a notification: when its email leaves, and when the digest and the devices take it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from porchlight.emails.kinds import ALWAYS, CHOICES, TOPICS, MailKind
from porchlight.features.notifications.delivery import (
    DAY_MINUTES,
    ChannelPlan,
    Hours,
    MailMode,
    Preferences,
    end_of_quiet,
    next_digest,
    plan_delivery,
)
from porchlight.features.notifications.pushing import DueNote, next_attempt
from tenants.kit.ids import new_id

DENVER = ZoneInfo("America/Denver")
NIGHT = (22 * 60, 7 * 60)
# With changes of the clock by an hour, by half an hour, at midnight and of a whole day.
ZONES = ["America/Denver", "Australia/Lord_Howe", "Africa/Cairo", "Pacific/Apia", "Asia/Kathmandu", "UTC"]
MINUTES = st.integers(0, DAY_MINUTES - 1)
QUIET = st.none() | st.tuples(MINUTES, MINUTES).filter(lambda ends: ends[0] != ends[1])
HOURS = st.builds(Hours, st.sampled_from(ZONES).map(ZoneInfo), MINUTES, QUIET)
MOMENTS = st.integers(1_293_840_000, 1_830_297_600).map(lambda second: datetime.fromtimestamp(second, UTC))
PREFERENCES = st.builds(Preferences, st.sampled_from(MailMode), st.booleans(), st.none() | HOURS)


def _local(text: str, zone: ZoneInfo = DENVER) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=zone).astimezone(UTC)


def _plan(kind: MailKind, preferences: Preferences, moment: datetime, *, is_urgent: bool = False) -> ChannelPlan:
    return plan_delivery(kind, preferences, moment, is_urgent=is_urgent, has_device=True, has_digest=True)


@pytest.mark.parametrize(
    ("moment", "end"),
    [
        ("2027-01-13T21:59", None),
        ("2027-01-13T22:00", "2027-01-14T07:00"),
        ("2027-01-14T06:59", "2027-01-14T07:00"),
        ("2027-01-14T07:00", None),
        ("2027-03-13T23:30", "2027-03-14T07:00"),  # this night is an hour shorter
    ],
)
def test_quiet_night_ends_in_the_morning(moment: str, end: str | None) -> None:
    assert end_of_quiet(Hours(DENVER, quiet=NIGHT), _local(moment)) == (_local(end) if end else None)


def test_quiet_end_that_is_skipped_is_after_the_gap() -> None:
    hours = Hours(DENVER, quiet=(60, 150))  # until 2:30, which does not exist on this day
    assert end_of_quiet(hours, _local("2027-03-14T01:30")) == datetime(2027, 3, 14, 9, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "digest"),
    [
        ("2027-01-13T07:59", "2027-01-13T08:00"),
        ("2027-01-13T08:00", "2027-01-14T08:00"),
        ("2027-01-13T23:00", "2027-01-14T08:00"),
    ],
)
def test_digest_comes_at_its_time_of_day(moment: str, digest: str) -> None:
    assert next_digest(Hours(DENVER), _local(moment)) == _local(digest)


def test_digest_in_quiet_hours_comes_after_them() -> None:
    hours = Hours(DENVER, digest_at=6 * 60, quiet=NIGHT)
    assert next_digest(hours, _local("2027-01-13T23:00")) == _local("2027-01-14T07:00")


def test_email_at_night_waits_for_the_morning() -> None:
    night, morning = _local("2027-01-13T23:00"), _local("2027-01-14T07:00")
    preferences = Preferences(MailMode.NOW, True, Hours(DENVER, quiet=NIGHT))
    assert _plan(MailKind.LEADS, preferences, night) == ChannelPlan(False, morning, morning)
    assert _plan(MailKind.LEADS, preferences, morning) == ChannelPlan(True, None, morning)
    # Its calendar file and its answer cannot wait, the note on the device can.
    assert _plan(MailKind.AGREEMENT, preferences, night) == ChannelPlan(True, None, morning)
    assert _plan(MailKind.AGREEMENT, preferences, night, is_urgent=True) == ChannelPlan(True, None, night)
    for kind in (MailKind.ACCOUNT, MailKind.REMINDERS):
        assert _plan(kind, preferences, night) == ChannelPlan(True, None, night)


def test_daily_and_never_keep_the_email_back() -> None:
    noon = _local("2027-01-13T12:00")
    daily = Preferences(MailMode.DAILY, False, Hours(DENVER))
    assert _plan(MailKind.NEEDS, daily, noon) == ChannelPlan(False, _local("2027-01-14T08:00"), None)
    assert _plan(MailKind.NEEDS, Preferences(MailMode.NEVER, True), noon) == ChannelPlan(False, None, noon)
    # Without a digest that reaches the person, nothing is held back.
    alone = plan_delivery(MailKind.NEEDS, daily, noon, is_urgent=False, has_device=True, has_digest=False)
    assert alone == ChannelPlan(True, None, None)


@given(st.sampled_from(list(TOPICS)), PREFERENCES, MOMENTS, st.booleans(), st.booleans(), st.booleans())
@example(
    MailKind.NEEDS, Preferences(MailMode.DAILY, True, Hours(ZoneInfo("Pacific/Apia"), 480, NIGHT)),
    datetime(2011, 12, 29, 18, tzinfo=UTC), False, True, True,
)  # fmt: skip
def test_plan_disturbs_only_when_it_may(
    kind: MailKind, preferences: Preferences, moment: datetime, is_urgent: bool, has_device: bool, has_digest: bool
) -> None:
    plan = plan_delivery(kind, preferences, moment, is_urgent=is_urgent, has_device=has_device, has_digest=has_digest)
    # An email leaves at once, in a digest, or because the person wants none, not at all.
    is_wanted = kind in ALWAYS or preferences.mail is not MailMode.NEVER
    assert is_wanted is (plan.mails_now or plan.mail_at is not None)
    assert not (plan.mails_now and plan.mail_at is not None)
    assert (plan.push_at is not None) is (preferences.push and has_device)
    waits = not is_urgent and TOPICS[kind].can_wait
    for at in (plan.mail_at, plan.push_at):
        if at is None:
            continue
        assert moment <= at <= moment + timedelta(days=3)  # a zone once left a day out
        assert waits or at == moment
        if waits and preferences.hours is not None:
            assert end_of_quiet(preferences.hours, at) is None
    if kind in ALWAYS:
        assert plan.mails_now


@given(HOURS, MOMENTS)
def test_quiet_hours_end_at_their_end(hours: Hours, moment: datetime) -> None:
    end = end_of_quiet(hours, moment)
    if end is not None:
        assert moment < end <= moment + timedelta(hours=26)


def test_failed_note_is_sent_again_later_each_time() -> None:
    now = _local("2027-01-13T12:00")

    def attempt(age: timedelta, *, is_read: bool = False) -> timedelta | None:
        note = DueNote(new_id(), "leads", "A message", "/guru/leads", False, now - age, is_read)
        at = next_attempt(note, now)
        return at - now if at else None

    assert attempt(timedelta(0)) == timedelta(minutes=5)
    assert attempt(timedelta(hours=8)) == timedelta(hours=2)
    assert attempt(timedelta(hours=12)) is None
    assert attempt(timedelta(0), is_read=True) is None


def test_every_choice_says_how_it_reaches_people() -> None:
    assert set(TOPICS) == {*ALWAYS, *CHOICES} - {MailKind.DIGEST}
