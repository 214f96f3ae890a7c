"""Reminders of a failed payment, on days 0, 5 and 12."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import psycopg
import pytest

from porchlight.ports import EmailMessage
from tenants.db.jobs import enqueue_as_service
from tenants.kit import clock
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.factories import insert_row, seed_user


@pytest.fixture
def conn(database: Database) -> Any:
    """An autocommit connection of the service role."""
    with psycopg.connect(database.service_url, autocommit=True) as opened:
        yield opened


def _failed(conn: psycopg.Connection[Any], days: float, **changes: Any) -> tuple[Any, str]:
    """Create a subscription whose payment failed some days ago. Return its user and their address."""
    user_id = seed_user(conn)
    email = f"{user_id.hex}@mail.example"
    conn.execute("UPDATE users SET email = %s, email_verified = true WHERE user_id = %s", [email, user_id])
    since = clock.now() - timedelta(days=days)
    row = {
        "user_id": user_id, "id": user_id, "plan": "skill-sharer", "interval": "month", "sub_id": f"sub_{user_id.hex}",
        "state": "past_due", "past_due_since": since, "period_end": since + timedelta(days=30), "card_last4": "0341",
    }  # fmt: skip
    insert_row(conn, "subscriptions", row | changes)
    return user_id, email


async def _remind(database: Database, conn: psycopg.Connection[Any]) -> None:
    enqueue_as_service(conn, "billing:send_reminders")
    await do_jobs(database)


def _emails(conn: psycopg.Connection[Any], address: str) -> list[tuple[str, str]]:
    query = (
        "SELECT subject, plain FROM dev_mailbox WHERE recipient = %s AND key LIKE 'plan-payment-%%' ORDER BY sent_at"
    )
    return conn.execute(query, [address]).fetchall()


async def test_reminders_are_sent_once_on_days_0_5_12(database: Database, conn: psycopg.Connection[Any]) -> None:
    user_id, address = _failed(conn, 0.1)
    subjects = []
    for days in (0.1, 2, 5.1, 7, 12.1, 13, 15):
        conn.execute("DELETE FROM plan_notices WHERE user_id = %s AND day < 0", [user_id])
        since = clock.now() - timedelta(days=days)
        conn.execute("UPDATE subscriptions SET past_due_since = %s WHERE user_id = %s", [since, user_id])
        conn.execute("UPDATE plan_notices SET past_due_since = %s WHERE user_id = %s", [since, user_id])
        await _remind(database, conn)
        await _remind(database, conn)
        subjects.append(len(_emails(conn, address)))
    assert subjects == [1, 1, 2, 2, 3, 3, 3]
    until = f"{clock.now() - timedelta(days=12.1) + timedelta(days=14):%B}"
    titles = [subject for subject, _text in _emails(conn, address)]
    assert titles[0] == "Your payment for Skill Sharer didn't go through"
    assert titles[1] == "Please update your card to keep Skill Sharer"
    assert titles[2].startswith(f"Your Skill Sharer plan ends on {until}")
    text = _emails(conn, address)[0][1]
    assert "with the card ending in 0341" in text
    assert "https://porchlight.example/account/plan" in text


async def test_full_mailbox_does_not_stop_reminders_of_others(
    database: Database, conn: psycopg.Connection[Any]
) -> None:
    addresses = {_failed(conn, 0.1)[1] for _ in range(3)}
    tried: list[str] = []

    class Mailer:
        def send(self, message: EmailMessage) -> bool:
            if message.recipient in addresses:
                tried.append(message.recipient)
            if len(tried) == 1:
                raise OSError("452 mailbox full")
            return True

    enqueue_as_service(conn, "billing:send_reminders")
    await do_jobs(database, mailer=Mailer())
    assert set(tried) == addresses
    enqueue_as_service(conn, "billing:send_reminders")
    await do_jobs(database, mailer=Mailer())
    assert tried[3:] == tried[:1], "only the one that failed is tried again"


async def test_missed_reminders_are_one_email(database: Database, conn: psycopg.Connection[Any]) -> None:
    _user_id, address = _failed(conn, 13)
    await _remind(database, conn)
    assert [subject.partition(" on ")[0] for subject, _text in _emails(conn, address)] == [
        "Your Skill Sharer plan ends"
    ]  # fmt: skip


@pytest.mark.parametrize("changes", [{"state": "active"}, {"state": "canceled"}, {"state": "unpaid"}])
async def test_paid_or_ended_plan_is_not_reminded(
    database: Database, conn: psycopg.Connection[Any], changes: dict[str, str]
) -> None:
    _user_id, address = _failed(conn, 1, **changes)
    await _remind(database, conn)
    assert _emails(conn, address) == []
