"""The guru is told of a lead: once, whatever dies on the way, and in words that run nothing."""

from __future__ import annotations

import asyncio
import email
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.policy import default
from typing import Any

import psycopg
import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session
from procrastinate.jobs import Job

from porchlight import jobs
from porchlight.notices.leads import letter_about_lead
from porchlight.notices.mail import Letter, MailboxMailer, Mailer, SmtpMailer, mailer
from sites.leads.actions import NOTIFY_TASK
from tenants.kit.ids import new_id
from tests.platform_.world import Told, lead, tell
from tests.support.databases import Database
from tests.support.jobs import do_jobs
from tests.support.ports import free_ports


@pytest.fixture
def conn(database: Database) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database.overseer_url, autocommit=True) as made:
        made.execute("SET search_path = public, jobs")  # the queue's triggers name its tables bare
        yield made


@pytest.fixture
def guru(conn: psycopg.Connection[Any]) -> Told:
    return tell(conn, f"guru-{new_id().hex[-10:]}")


class Inbox:
    """A real SMTP server that keeps what it is given. It refuses the first `busy` letters, as a full server does."""

    def __init__(self) -> None:
        self.letters: list[tuple[Envelope, EmailMessage]] = []
        self.busy = 0
        self.login: tuple[bytes, bytes] | None = None
        self.came = threading.Event()

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:
        if self.busy:
            self.busy -= 1
            return "451 Requested action aborted: try again later"
        message = email.message_from_bytes(bytes(envelope.content or b""), policy=default)
        assert isinstance(message, EmailMessage)
        self.letters.append((envelope, message))
        self.came.set()
        return "250 OK"

    def authenticate(self, _server: SMTP, _session: Session, _envelope: Envelope, _how: str, data: Any) -> AuthResult:
        assert isinstance(data, LoginPassword)
        self.login = (data.login, data.password)
        return AuthResult(success=data.password == b"p@ss:word")


@pytest.fixture
def inbox() -> Iterator[Inbox]:
    made = Inbox()
    controller = Controller(
        made,
        hostname="127.0.0.1",
        port=free_ports(),
        authenticator=made.authenticate,
        auth_require_tls=False,
        ready_timeout=60,
    )
    controller.start()
    made.port = controller.port  # type: ignore[attr-defined]
    yield made
    controller.stop()


def _smtp(inbox: Inbox, user: str = "") -> SmtpMailer:
    return SmtpMailer(f"smtp://{user}127.0.0.1:{inbox.port}", "Porchlight <notices@porchlight.example>")  # type: ignore[attr-defined]


async def _work(database: Database, out: Mailer, *, wait: bool = False) -> None:
    """Run what is due now."""
    helpers = jobs.Helpers(out, "staff@porchlight.example", None, "https://porchlight.example")
    await do_jobs(database.overseer_url, helpers, wait=wait)


def _enqueue(database: Database, guru: Told, lead_id: Any) -> int:
    with psycopg.connect(database.app_url) as conn:
        conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(guru.id)])
        row = conn.execute(
            "SELECT app.enqueue(%s, jsonb_build_object('lead_id', %s::text), NULL)", [NOTIFY_TASK, str(lead_id)]
        ).fetchone()
        assert row is not None
        return int(row[0])


def _status(conn: psycopg.Connection[Any], job: int) -> str:
    row = conn.execute("SELECT status::text FROM jobs.procrastinate_jobs WHERE id = %s", [job]).fetchone()
    return row[0] if row else "gone"


async def test_a_lead_is_told_once_however_often_its_job_runs(
    database: Database, conn: psycopg.Connection[Any], guru: Told
) -> None:
    made = lead(conn, guru, "told", name="Ada", service_id=guru.services[0])
    done = [_enqueue(database, guru, made) for _ in range(2)]
    await _work(database, MailboxMailer(database.overseer_url))
    assert [_status(conn, job) for job in done] == ["succeeded", "succeeded"]
    mail = conn.execute(
        "SELECT recipient, reply_to, subject, plain, tenant_id FROM mailbox WHERE key = %s", [f"lead-{made}"]
    ).fetchall()
    assert len(mail) == 1
    recipient, reply_to, subject, plain, tenant = mail[0]
    assert (recipient, reply_to) == (f"{guru.mark}@mail.example", f"ada@{guru.mark}.example")
    assert subject == f"Ada wrote to Guru {guru.mark}"
    assert f"service 0 {guru.mark}" in plain
    assert tenant == guru.id


async def test_a_job_of_nothing_tells_nobody(database: Database, conn: psycopg.Connection[Any], guru: Told) -> None:
    other = tell(conn, f"other-{new_id().hex[-10:]}")
    done = [_enqueue(database, guru, new_id()), _enqueue(database, guru, other.leads[0])]
    conn.execute("UPDATE gurus SET contact_email = '' WHERE id = %s", [other.id])
    done.append(_enqueue(database, other, other.leads[0]))
    await _work(database, MailboxMailer(database.overseer_url))
    assert [_status(conn, job) for job in done] == ["succeeded"] * 3
    assert conn.execute("SELECT count(*) FROM mailbox WHERE tenant_id IN (%s, %s)", [guru.id, other.id]).fetchone() == (
        0,
    )


async def test_a_mail_server_that_is_busy_is_asked_again(
    database: Database, conn: psycopg.Connection[Any], guru: Told, inbox: Inbox
) -> None:
    job = _enqueue(database, guru, guru.leads[0])
    inbox.busy = 1
    await _work(database, _smtp(inbox))
    assert (_status(conn, job), inbox.letters) == ("todo", [])
    later = conn.execute("SELECT scheduled_at > now() FROM jobs.procrastinate_jobs WHERE id = %s", [job]).fetchone()
    assert later == (True,)
    conn.execute("UPDATE jobs.procrastinate_jobs SET scheduled_at = now() WHERE id = %s", [job])
    await _work(database, _smtp(inbox))
    assert (_status(conn, job), len(inbox.letters)) == ("succeeded", 1)


def test_patience_outlasts_a_night() -> None:
    waits = []
    began = datetime.now(UTC)
    for attempts in range(20):
        job = Job(id=1, queue="default", lock=None, queueing_lock=None, task_name="x", attempts=attempts)
        decision = jobs.RETRY.get_retry_decision(exception=OSError(), job=job)
        if decision is None:
            break
        assert decision.retry_at is not None
        waits.append(decision.retry_at - began)
    assert waits[0] < timedelta(minutes=1)
    assert sum(waits, timedelta()) > timedelta(hours=10)


async def test_the_job_of_a_killed_worker_is_taken_up_again(
    database: Database, conn: psycopg.Connection[Any], guru: Told
) -> None:
    job = _enqueue(database, guru, guru.leads[0])
    conn.execute(
        "WITH dead AS (INSERT INTO jobs.procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 hour')"
        " RETURNING id) UPDATE jobs.procrastinate_jobs SET status = 'doing', worker_id = (SELECT id FROM dead)"
        " WHERE id = %s",
        [job],
    )
    out = MailboxMailer(database.overseer_url)
    await _work(database, out)
    assert _status(conn, job) == "doing"
    conn.execute(
        "INSERT INTO jobs.procrastinate_jobs (queue_name, task_name, priority, args) VALUES ('default', %s, 0, %s)",
        [jobs.REVIVE_TASK, '{"timestamp": 0}'],
    )
    await _work(database, out)
    await _work(database, out)
    assert _status(conn, job) == "succeeded"
    assert conn.execute("SELECT count(*) FROM mailbox WHERE tenant_id = %s", [guru.id]).fetchone() == (1,)


async def test_what_is_done_long_ago_is_swept(database: Database, conn: psycopg.Connection[Any], guru: Told) -> None:
    old, new, failed = (_enqueue(database, guru, guru.leads[0]) for _ in range(3))
    await _work(database, MailboxMailer(database.overseer_url))
    conn.execute(
        "UPDATE jobs.procrastinate_events SET at = at - interval '8 days' WHERE job_id IN (%s, %s)", [old, failed]
    )
    conn.execute("UPDATE jobs.procrastinate_jobs SET status = 'failed' WHERE id = %s", [failed])
    await asyncio.to_thread(jobs.sweep_now, database.overseer_url)
    assert [_status(conn, job) for job in (old, new, failed)] == ["gone", "succeeded", "failed"]


HOSTILE = "<script>alert(1)</script>\"'&{{7*7}}"


async def test_hostile_words_stay_words(
    database: Database, conn: psycopg.Connection[Any], guru: Told, inbox: Inbox
) -> None:
    named = lead(conn, guru, "hostile", name=HOSTILE, message=f"{HOSTILE}\n.\nQUIT\n", phone="<b>")
    conn.execute("UPDATE gurus SET character = %s WHERE id = %s", [HOSTILE + "\r\nBcc: all@evil.example", guru.id])
    with psycopg.connect(database.overseer_url) as watch:
        letter = letter_about_lead(watch, guru.id, named)
    assert letter is not None
    await asyncio.to_thread(_smtp(inbox, "us%40er:p%40ss%3Aword@").send, letter)
    assert inbox.login == (b"us@er", b"p@ss:word")
    ((envelope, message),) = inbox.letters
    assert envelope.rcpt_tos == [f"{guru.mark}@mail.example"]
    assert message["Bcc"] is None
    assert message["Message-ID"] == f"<lead-{named}@porchlight.example>"
    plain, rich = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None
    assert rich is not None
    assert "\n.\nQUIT\n" in plain.get_content().replace("\r\n", "\n")
    html = rich.get_content()
    assert "<script>" not in html
    assert "<b>" not in html
    assert "&lt;script&gt;" in html


@pytest.mark.parametrize(
    ("name", "reply_to"),
    [
        ("Zoë 🍞", "zoe@example.com"),
        ("Ada", "zoë@example.com"),
        ("Ada", "ada@bücher.example"),
        ("\u202eada", "ada@example.com"),
    ],
)
async def test_letters_of_the_whole_world_are_sent(inbox: Inbox, name: str, reply_to: str) -> None:
    letter = Letter("key", "guru@mail.example", f"{name} wrote", f"{name}\n", f"<p>{name}</p>", reply_to)
    await asyncio.to_thread(_smtp(inbox).send, letter)
    ((_, message),) = inbox.letters
    assert message["Subject"] == f"{name} wrote"
    assert name in (message.get_body(("plain",)) or message).get_content()


async def test_a_wrong_password_or_nobody_there_is_an_error(inbox: Inbox) -> None:
    letter = Letter("key", "guru@mail.example", "s", "p", "h")
    with pytest.raises(OSError):  # SMTPException is one
        await asyncio.to_thread(_smtp(inbox, "user:wrong@").send, letter)
    with pytest.raises(OSError):
        await asyncio.to_thread(SmtpMailer(f"smtp://127.0.0.1:{free_ports()}", "a@b.example").send, letter)
    assert inbox.letters == []


@pytest.mark.parametrize("url", ["mail.example:25", "http://mail.example", "smtp://", "smtp:///x"])
def test_a_mail_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="PORCHLIGHT_SMTP_URL"):
        mailer(url, "a@b.example", "")


async def test_mail_of_a_guru_deleted_meanwhile_is_not_kept(
    database: Database, conn: psycopg.Connection[Any], guru: Told
) -> None:
    letter = Letter("late", "guru@mail.example", "s", "p", "h", tenant_id=new_id())
    await asyncio.to_thread(MailboxMailer(database.overseer_url).send, letter)
    assert conn.execute("SELECT count(*) FROM mailbox WHERE key = 'late'").fetchone() == (0,)
    kept = Letter("staff", "staff@mail.example", "s", "p", "h")
    await asyncio.to_thread(MailboxMailer(database.overseer_url).send, kept)
    assert conn.execute("SELECT count(*) FROM mailbox WHERE key = 'staff'").fetchone() == (1,)
