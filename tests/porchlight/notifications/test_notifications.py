"""Notifications from emails: in the app, on devices, in the digest; each person's own."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.emails.kinds import MailKind, OptOut
from porchlight.emails.templates import Action, EmailTemplates, Recipient
from porchlight.features.notifications.actions import MAX_DEVICES
from porchlight.features.notifications.jobs import SWEEP_TASK
from porchlight.features.notifications.mailer import NotifyingMailer
from porchlight.features.notifications.store import MAX_NOTIFICATIONS
from porchlight.ports import EmailMessage
from porchlight.worker.maintenance import NOTIFICATION_TTL, purge_expired
from tenants.db.jobs import enqueue_as_service
from tenants.kit import clock
from tests.fixtures.clock import offset_seconds, same_morning, use_offset
from tests.fixtures.databases import Database
from tests.fixtures.jobs import do_jobs
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.named_users import CreateUser
from tests.porchlight.notifications.push_service import PushService

__all__ = ["same_morning"]

pytestmark = pytest.mark.usefixtures("same_morning")
ORIGIN = "https://porchlight.example"
TEMPLATES = EmailTemplates(
    "porchlight.features.search", {"search_alert": MailKind.SEARCH_ALERTS, "search_alert/sessions": MailKind.AGREEMENT}
)


@pytest.fixture
def new_user(create_user: CreateUser, database: Database) -> CreateUser:
    """Create users who were welcomed, and have read it."""

    async def create(name: str) -> ApiUser:
        user = await create_user(name)
        await do_jobs(database, mailer=Outbox(user))
        with psycopg.connect(database.service_url) as conn:
            conn.execute("DELETE FROM notifications WHERE user_id = %s", [user.user_id])
        return user

    return create


@dataclass
class Outbox:
    """Emails that were sent to a user, apart from the welcome. Sending fails `failures` times before."""

    user: ApiUser
    sent: list[EmailMessage] = field(default_factory=list)
    failures: int = 0

    def send(self, message: EmailMessage) -> bool:
        """Send one email."""
        if message.recipient != self.user.email or message.key.startswith("welcome-"):
            return True
        if self.failures:
            self.failures -= 1
            raise OSError("the mail server is down")
        self.sent.append(message)
        return True


def _message(
    user: ApiUser, words: str, *, kind: MailKind = MailKind.SEARCH_ALERTS, urgent: bool = False
) -> EmailMessage:
    has_choice = kind is MailKind.SEARCH_ALERTS
    return TEMPLATES.create_message(
        "search_alert",
        variant="" if has_choice else "sessions",
        key=f"{user.user_id}-{words}",
        to=Recipient(user.email, True, person=user.user_id),
        why="",
        action=Action("View", f"{ORIGIN}/search?q={words}"),
        opt_out=OptOut(kind, "", "") if has_choice else None,
        words={"query": words, "results": [("A class", "")]},
        is_urgent=urgent,
    )


def _mailer(database: Database, out: Outbox) -> NotifyingMailer:
    return NotifyingMailer(out, database.app_url, ORIGIN)


async def _send(database: Database, message: EmailMessage, out: Outbox) -> None:
    await asyncio.to_thread(_mailer(database, out).send, message)


async def _sweep(database: Database, out: Outbox, **changes: Any) -> None:
    with psycopg.connect(database.service_url) as conn:
        enqueue_as_service(conn, SWEEP_TASK)
    await do_jobs(database, mailer=out, main_origin=ORIGIN, **changes)


def _later(hours: float) -> None:
    use_offset(offset_seconds() + int(hours * 3600))


async def _choose(user: ApiUser, kind: str, **choice: Any) -> None:
    response = await user.request("PUT", "/api/email-settings", json={"kind": kind} | choice)
    assert response.status_code == 200, response.text


async def _hours(user: ApiUser, quiet: tuple[int, int] | None = None, digest_at: int = 480) -> None:
    start, end = quiet or (None, None)
    body = {"zone": "America/Denver", "digestAt": digest_at, "quietFrom": start, "quietUntil": end}
    response = await user.request("PUT", "/api/notification-hours", json=body)
    assert response.status_code == 200, response.text


async def _titles(user: ApiUser) -> list[str]:
    return [item["title"] for item in (await user.get("/api/notifications"))["items"]]


async def test_email_becomes_notification_of_its_person(new_user: CreateUser, database: Database) -> None:
    ada, ben = await new_user("Ada Bell"), await new_user("Ben Bell")
    out = Outbox(ada)
    message = _message(ada, "pottery")
    for _ in range(2):  # the job runs again
        await _send(database, message, out)
    assert len(out.sent) == 2, "the mail server recognizes the key"
    (item,) = (await ada.get("/api/notifications"))["items"]
    expected = {"kind": "search_alerts", "title": "New results for “pottery”", "url": "/search?q=pottery"}
    assert {name: item[name] for name in expected} == expected
    assert (item["isSeen"], item["isRead"], await ada.get("/api/notification-count")) == (False, False, {"unseen": 1})
    assert (await _titles(ben), await ben.get("/api/notification-count")) == ([], {"unseen": 0})
    path = f"/api/notifications/{item['id']}"
    assert (await ben.request("PUT", path, json={"isRead": True})).status_code == 404
    assert (await ben.request("PUT", "/api/notifications", json={"state": "read"})).status_code == 200
    assert (await ada.get("/api/notification-count")) == {"unseen": 1}
    assert (await ada.request("PUT", path, json={"isRead": True})).json()["data"] == {"unseen": 0}
    assert (await ada.get("/api/notifications"))["items"][0]["isRead"] is True


async def test_list_has_pages_and_a_limit(new_user: CreateUser, database: Database) -> None:
    ada = await new_user("Ada Pages")
    with psycopg.connect(database.service_url) as conn:
        conn.execute(
            "INSERT INTO notifications (user_id, id, key, kind, title, url, is_mailed) SELECT %s, gen_random_uuid(), n,"
            " 'leads', n, '/', true FROM generate_series(1, %s) n",
            [ada.user_id, MAX_NOTIFICATIONS],
        )
    await _send(database, _message(ada, "newest"), Outbox(ada))
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute("SELECT count(*) FROM notifications WHERE user_id = %s", [ada.user_id]).fetchone()
    assert row == (MAX_NOTIFICATIONS,)
    assert await ada.get("/api/notification-count") == {"unseen": 100}
    first = await ada.get("/api/notifications")
    second = await ada.get("/api/notifications", before=first["items"][-1]["id"])
    ids = [item["id"] for page in (first, second) for item in page["items"]]
    assert (len(set(ids)), first["hasMore"]) == (40, True)
    assert ids == sorted(ids, reverse=True)


async def test_email_that_is_off_is_a_notification_only(new_user: CreateUser, database: Database) -> None:
    ada = await new_user("Ada Off")
    out = Outbox(ada)
    await _choose(ada, "search_alerts", mail="never")
    await _send(database, _message(ada, "quiet"), out)
    assert (out.sent, await _titles(ada)) == ([], ["New results for “quiet”"])
    await _send(database, _message(ada, "session", kind=MailKind.AGREEMENT), out)
    assert len(out.sent) == 1, "what was agreed on is always emailed"
    for wrong in ({"kind": "agreement", "mail": "never"}, {"kind": "reminders", "mail": "daily"}, {"kind": "x"}):
        assert (await ada.request("PUT", "/api/email-settings", json=wrong)).status_code == 422


async def test_daily_digest_is_one_email(new_user: CreateUser, database: Database) -> None:
    ada = await new_user("Ada Daily")
    out = Outbox(ada)
    await _hours(ada)
    await _choose(ada, "search_alerts", mail="daily")
    for words in ("pottery", "guitar", "<b>bread</b>"):
        await _send(database, _message(ada, words), out)
    await _sweep(database, out)
    assert out.sent == []
    read = (await ada.get("/api/notifications"))["items"][1]["id"]  # of guitar
    await ada.request("PUT", f"/api/notifications/{read}", json={"isRead": True})
    _later(24)
    await _sweep(database, out)
    (digest,) = out.sent
    assert (digest.recipient, digest.subject) == (ada.email, "2 new notifications")
    assert "Search alerts\n• New results for “pottery”\n  https://porchlight.example/search?q=pottery\n" in digest.text
    assert "guitar" not in digest.text
    assert "<b>bread" not in digest.html
    assert digest.unsubscribe_url
    await _sweep(database, out)
    _later(24)
    await _sweep(database, out)
    assert len(out.sent) == 1
    assert len(await _titles(ada)) == 3, "the digest is no notification itself"


async def test_digest_of_killed_worker_is_the_same(new_user: CreateUser, database: Database) -> None:
    ada = await new_user("Ada Killed")
    out = Outbox(ada, failures=1)
    await _hours(ada)
    await _choose(ada, "search_alerts", mail="daily")
    message = _message(ada, "first")
    await _send(database, message, out)
    _later(24)
    await _sweep(database, out)  # it was chosen what is in it, and then sending failed
    await _send(database, _message(ada, "second"), out)
    await _send(database, message, out)  # the job of the first email runs again
    assert out.sent == []
    await _sweep(database, out)
    (digest,) = out.sent
    assert digest.subject == "New results for “first”"
    with psycopg.connect(database.service_url) as conn:
        (open_items,) = conn.execute(
            "SELECT count(*) FROM notifications WHERE user_id = %s AND digest_id IS NOT NULL", [ada.user_id]
        ).fetchone() or (None,)
    assert open_items == 0
    _later(24)
    await _sweep(database, out)
    assert [one.subject for one in out.sent] == ["New results for “first”", "New results for “second”"]


async def test_quiet_hours_hold_what_can_wait(
    new_user: CreateUser, database: Database, push_service: PushService
) -> None:
    ada, browser = await new_user("Ada Quiet"), push_service.browser()
    out = Outbox(ada)
    assert (await ada.request("PUT", "/api/push-devices", json=browser.payload)).status_code == 200
    await _choose(ada, "search_alerts", push=True)
    await _hours(ada, quiet=(8 * 60, 12 * 60))  # it is 9 in the morning
    await _send(database, _message(ada, "alert"), out)
    await _send(database, _message(ada, "later", kind=MailKind.AGREEMENT), out)
    await _send(database, _message(ada, "today", kind=MailKind.AGREEMENT, urgent=True), out)
    await _sweep(database, out, push=push_service.sender())
    assert [note["title"] for note in push_service.notes(browser)] == ["New results for “today”"]
    assert [one.subject for one in out.sent] == ["New results for “later”", "New results for “today”"]
    _later(3)
    for _ in range(2):
        await _sweep(database, out, push=push_service.sender())
    titles = [note["title"] for note in push_service.notes(browser)[1:]]
    assert titles == ["New results for “alert”", "New results for “later”"]
    assert [one.subject for one in out.sent[2:]] == ["New results for “alert”"]


async def test_many_held_notes_become_one(new_user: CreateUser, database: Database, push_service: PushService) -> None:
    ada, browser = await new_user("Ada Many"), push_service.browser()
    await ada.request("PUT", "/api/push-devices", json=browser.payload)
    for words in "abcd":
        await _send(database, _message(ada, words, kind=MailKind.AGREEMENT), Outbox(ada))
    await _sweep(database, Outbox(ada), push=push_service.sender())
    assert [note["title"] for note in push_service.notes(browser)] == ["You have 4 new notifications"]


async def test_device_that_is_gone_is_forgotten(
    new_user: CreateUser, database: Database, push_service: PushService
) -> None:
    ada, gone, down = await new_user("Ada Gone"), push_service.browser(), push_service.browser()
    for browser, status in ((gone, 410), (down, 503)):
        await ada.request("PUT", "/api/push-devices", json=browser.payload)
        push_service.statuses["/send/" + browser.endpoint.rpartition("/")[2]] = status
    await _send(database, _message(ada, "x", kind=MailKind.AGREEMENT), Outbox(ada))
    await _sweep(database, Outbox(ada), push=push_service.sender())
    (left,) = (await ada.get("/api/push-devices"))["devices"]
    assert left["lastOkAt"] is None
    push_service.statuses.clear()
    _later(0.2)
    await _sweep(database, Outbox(ada), push=push_service.sender())
    assert len(push_service.notes(down)) == 2
    assert (await ada.get("/api/push-devices"))["devices"][0]["lastOkAt"] is not None


async def test_device_leaves_the_person_before(
    new_user: CreateUser, database: Database, push_service: PushService
) -> None:
    ada, ben, browser = await new_user("Ada Shared"), await new_user("Ben Shared"), push_service.browser()
    other = push_service.browser()
    for one in (browser, other):
        await ada.request("PUT", "/api/push-devices", json=one.payload)
    await ben.request("PUT", "/api/push-devices", json=browser.payload)
    await do_jobs(database, mailer=Outbox(ada))
    (device,) = (await ada.get("/api/push-devices"))["devices"]
    assert device["device"] == "Chrome on Android"
    assert len((await ben.get("/api/push-devices"))["devices"]) == 1
    for method, path in (("DELETE", device["id"]), ("PUT", f"{device['id']}/test")):
        assert (await ben.request(method, f"/api/push-devices/{path}")).status_code == 404
    await _send(database, _message(ada, "secret", kind=MailKind.AGREEMENT), Outbox(ada))
    assert (await ada.request("PUT", f"/api/push-devices/{device['id']}/test")).status_code == 200
    await do_jobs(database, mailer=Outbox(ada), push=push_service.sender())
    assert push_service.notes(browser) == []
    assert {note["title"] for note in push_service.notes(other)} == {"New results for “secret”", "It works"}
    assert (await ada.request("DELETE", f"/api/push-devices/{device['id']}")).json()["data"]["devices"] == []


async def test_devices_are_limited_and_renewed(new_user: CreateUser, push_service: PushService) -> None:
    ada, first = await new_user("Ada Devices"), push_service.browser()
    for browser in [first, first, *(push_service.browser() for _ in range(MAX_DEVICES))]:
        response = await ada.request("PUT", "/api/push-devices", json=browser.payload)
    assert len(response.json()["data"]["devices"]) == MAX_DEVICES
    renewed = push_service.browser().payload | {"replaces": browser.endpoint}
    devices = (await ada.request("PUT", "/api/push-devices", json=renewed)).json()["data"]["devices"]
    assert len(devices) == MAX_DEVICES
    for wrong in ({"endpoint": "http://push.example"}, {"keys": {"p256dh": "x", "auth": "y"}}):
        assert (await ada.request("PUT", "/api/push-devices", json=first.payload | wrong)).status_code == 422


async def test_hours_need_a_zone_and_two_ends(new_user: CreateUser) -> None:
    ada = await new_user("Ada Hours")
    assert await ada.get("/api/notification-hours") == {
        "zone": "", "digestAt": 480, "quietFrom": None, "quietUntil": None,
    }  # fmt: skip
    good = {"zone": "Asia/Kathmandu", "digestAt": 0, "quietFrom": 1320, "quietUntil": 420}
    assert (await ada.request("PUT", "/api/notification-hours", json=good)).json()["data"] == good
    for wrong in ({"zone": "Mars"}, {"digestAt": 1440}, {"quietFrom": None}, {"quietUntil": 1320}):
        assert (await ada.request("PUT", "/api/notification-hours", json=good | wrong)).status_code == 422


async def test_old_notifications_are_deleted(new_user: CreateUser, database: Database) -> None:
    ada = await new_user("Ada Old")
    for words in ("old", "new"):
        await _send(database, _message(ada, words), Outbox(ada))
    with psycopg.connect(database.service_url) as conn:
        too_old = clock.now() - NOTIFICATION_TTL - timedelta(hours=1)
        conn.execute("UPDATE notifications SET created_at = %s WHERE title LIKE '%%old%%'", [too_old])
    await asyncio.to_thread(purge_expired, database.service_url)
    assert await _titles(ada) == ["New results for “new”"]


async def test_account_that_is_gone_gets_the_email_only(new_user: CreateUser, database: Database) -> None:
    ada = await new_user("Ada Left")
    out = Outbox(ada)
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE users SET status = 'suspended' WHERE user_id = %s", [ada.user_id])
    await _send(database, _message(ada, "x"), out)
    assert len(out.sent) == 1
    with psycopg.connect(database.service_url) as conn:
        assert conn.execute("SELECT FROM notifications WHERE user_id = %s", [ada.user_id]).fetchone() is None


def test_every_recipient_names_a_person_or_none() -> None:
    with pytest.raises(TypeError, match="person"):
        Recipient("ada@example.com", True)  # type: ignore[call-arg]
    assert isinstance(Recipient("ada@example.com", True, person=None).person, UUID | None)
