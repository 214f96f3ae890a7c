"""The decision on a delivery: a table of cases, without a database."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from porchlight.features.messages.delivery.rules import (
    LINK_DELAY,
    MAIL_DELAY,
    MAIL_PAUSE,
    MAX_MESSAGES_AN_HOUR,
    MAX_THREADS_A_DAY,
    Command,
    DeliveryFacts,
    DeliveryPlan,
    DeliveryRefusal,
    Resent,
    decide_delivery,
    has_link,
    preview,
)

NOW = datetime(2027, 3, 3, 12, tzinfo=UTC)
FACTS = DeliveryFacts(
    now=NOW, has_thread=True, is_request=False, is_muted=False, is_held=False, unread=0, mailed_at=None, is_active=True,
    blocks=False, is_blocked=False, earlier_number=None, earlier_digest=b"", messages=0, threads=0, files=0,
)  # fmt: skip
COMMAND = Command(body="Hello", files=0, digest=b"d", is_verified=True, knows=True)


@pytest.mark.parametrize(
    ("facts", "command", "refusal"),
    [
        ({"blocks": True}, {}, DeliveryRefusal.BLOCKED),
        ({"is_blocked": True}, {}, DeliveryRefusal.NOT_TAKING),
        ({"is_active": False}, {}, DeliveryRefusal.NOT_TAKING),
        ({}, {"is_verified": False}, DeliveryRefusal.UNVERIFIED),
        ({"messages": MAX_MESSAGES_AN_HOUR}, {}, DeliveryRefusal.TOO_MANY_MESSAGES),
        ({"threads": MAX_THREADS_A_DAY, "has_thread": False}, {}, DeliveryRefusal.TOO_MANY_THREADS),
        ({"files": 1}, {"files": 2}, DeliveryRefusal.FILE_GONE),
        ({"earlier_number": 3, "earlier_digest": b"other"}, {}, DeliveryRefusal.KEY_REUSED),
    ],
)
def test_delivery_is_refused(facts: dict[str, object], command: dict[str, object], refusal: DeliveryRefusal) -> None:
    assert decide_delivery(replace(COMMAND, **command), replace(FACTS, **facts)) is refusal  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "facts",
    [
        {"messages": MAX_MESSAGES_AN_HOUR - 1},
        {"threads": MAX_THREADS_A_DAY},  # an answer opens no thread
        {"threads": MAX_THREADS_A_DAY - 1, "has_thread": False},
    ],
)
def test_delivery_below_limits_is_made(facts: dict[str, int]) -> None:
    assert isinstance(decide_delivery(COMMAND, replace(FACTS, **facts)), DeliveryPlan)  # type: ignore[arg-type]


def test_resend_is_answered_even_after_block() -> None:
    sent = replace(FACTS, earlier_number=7, earlier_digest=b"d", blocks=True, is_blocked=True)
    assert decide_delivery(COMMAND, sent) == Resent(7)


def test_first_message_of_stranger_is_request() -> None:
    first = replace(FACTS, has_thread=False)
    assert decide_delivery(replace(COMMAND, knows=False), first) == DeliveryPlan(True, None, NOW + MAIL_DELAY)
    assert decide_delivery(COMMAND, first) == DeliveryPlan(False, None, NOW + MAIL_DELAY)


def test_link_of_stranger_is_held() -> None:
    first = replace(FACTS, has_thread=False)
    held = decide_delivery(replace(COMMAND, knows=False, body="See https://x.example"), first)
    assert held == DeliveryPlan(True, NOW + LINK_DELAY, NOW + LINK_DELAY + MAIL_DELAY)
    # What counts as unread already stays so; the email waits.
    later = replace(FACTS, is_request=True, unread=1)
    assert decide_delivery(replace(COMMAND, body="www.x.example"), later) == DeliveryPlan(
        True, None, NOW + LINK_DELAY + MAIL_DELAY
    )
    assert decide_delivery(replace(COMMAND, body="www.x.example"), FACTS) == DeliveryPlan(False, None, NOW + MAIL_DELAY)


def test_mail_waits_an_hour_after_the_last_one() -> None:
    mailed = replace(FACTS, mailed_at=NOW - timedelta(minutes=20))
    assert decide_delivery(COMMAND, mailed) == DeliveryPlan(False, None, NOW - timedelta(minutes=20) + MAIL_PAUSE)
    assert decide_delivery(COMMAND, replace(FACTS, mailed_at=NOW - timedelta(hours=3))) == DeliveryPlan(
        False, None, NOW + MAIL_DELAY
    )
    assert decide_delivery(COMMAND, replace(FACTS, is_muted=True)) == DeliveryPlan(False, None, None)


@pytest.mark.parametrize(
    "body", ["https://a.example", "see www.a.example", "write to a@b.co", "cheap-pills.com", "a.xyz", "b.example/path"]
)
def test_link_is_found(body: str) -> None:
    assert has_link(body)


@pytest.mark.parametrize("body", ["Hello there.How are you?", "At 10.30 a.m.", "It costs $3.50 e.g. today", "v1.2.3"])
def test_plain_text_has_no_link(body: str) -> None:
    assert not has_link(body)


def test_preview_is_one_short_line() -> None:
    assert preview("Hi\n\n there", [], is_removed=False) == "Hi there"
    assert preview("x" * 200, [], is_removed=False) == "x" * 139 + "…"
    assert preview("", ["a.pdf"], is_removed=False) == "a.pdf"
    assert preview("", ["a.pdf", "b.pdf"], is_removed=False) == "2 files"
    assert preview("", [], is_removed=True) == "Message removed"
