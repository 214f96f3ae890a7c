"""Jobs and emails about leads: sent once despite crashes, with escaped text."""

from __future__ import annotations

import asyncio
import smtplib
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import psycopg
import pytest
from procrastinate.jobs import Job
from psycopg.types.json import Jsonb

from porchlight.emails.sender import MailboxMailer, SmtpMailer, create_mailer
from porchlight.features.leads.emails import lead_received_email
from porchlight.ports import EmailMessage, Mailer
from porchlight.worker import maintenance
from sites.leads.actions import NOTIFY_TASK
from tenants.db.tasks import RETRY
from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.jobs import create_job_dependencies, do_jobs, running_job
from tests.fixtures.ports import free_ports
from tests.fixtures.smtp import SmtpServer, smtp_server
from tests.porchlight.factories import SeededGuru, seed_guru, seed_lead, verify_contact_address

__all__ = ["smtp_server"]


@pytest.fixture
def conn(database: Database) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database.service_url, autocommit=True) as created:
        created.execute("SET search_path = public, jobs")  # the queue's triggers name its tables bare
        yield created


@pytest.fixture
def guru(conn: psycopg.Connection[Any]) -> SeededGuru:
    return seed_guru(conn, f"guru-{new_id().hex[-10:]}")


async def _run_jobs(database: Database, mailer: Mailer, *, wait: bool = False) -> None:
    """Run all due jobs."""
    await do_jobs(database, mailer=mailer, wait=wait)


def _enqueue(database: Database, guru: SeededGuru, lead_id: Any) -> int:
    with psycopg.connect(database.app_url) as conn:
        conn.execute("SELECT set_config('app.tenant_id', %s, true)", [str(guru.id)])
        row = conn.execute(
            "SELECT app.enqueue_task(%s, jsonb_build_object('lead_id', %s::text), false)", [NOTIFY_TASK, str(lead_id)]
        ).fetchone()
        assert row is not None
        return int(row[0])


def _status(conn: psycopg.Connection[Any], job: int) -> str:
    row = conn.execute("SELECT status::text FROM jobs.procrastinate_jobs WHERE id = %s", [job]).fetchone()
    return row[0] if row else "gone"


async def test_lead_email_is_sent_once_for_repeated_job(
    database: Database, conn: psycopg.Connection[Any], guru: SeededGuru
) -> None:
    verify_contact_address(conn, guru)
    created = seed_lead(conn, guru, "told", name="Ada", service_id=guru.services[0])
    job_ids = [_enqueue(database, guru, created) for _ in range(2)]
    await _run_jobs(database, MailboxMailer(database.service_url))
    assert [_status(conn, job) for job in job_ids] == ["succeeded", "succeeded"]
    mail = conn.execute(
        "SELECT recipient, reply_to, subject, plain, tenant_id FROM dev_mailbox WHERE key = %s", [f"lead-{created}"]
    ).fetchall()
    assert len(mail) == 1
    recipient, reply_to, subject, plain, tenant = mail[0]
    assert (recipient, reply_to) == (f"{guru.mark}@mail.example", f"ada@{guru.mark}.example")
    assert subject == f"New message for Guru {guru.mark} from Ada"
    assert f"service 0 {guru.mark}" in plain
    assert tenant == guru.id


async def test_lead_job_without_lead_sends_nothing(
    database: Database, conn: psycopg.Connection[Any], guru: SeededGuru
) -> None:
    other = seed_guru(conn, f"other-{new_id().hex[-10:]}")
    job_ids = [_enqueue(database, guru, new_id()), _enqueue(database, guru, other.leads[0])]
    conn.execute("UPDATE gurus SET contact_email = '' WHERE id = %s", [other.id])
    job_ids.append(_enqueue(database, other, other.leads[0]))
    await _run_jobs(database, MailboxMailer(database.service_url))
    assert [_status(conn, job) for job in job_ids] == ["succeeded"] * 3
    assert conn.execute(
        "SELECT count(*) FROM dev_mailbox WHERE tenant_id IN (%s, %s)", [guru.id, other.id]
    ).fetchone() == (0,)


async def test_busy_mail_server_is_retried(
    database: Database, conn: psycopg.Connection[Any], guru: SeededGuru, smtp_server: SmtpServer
) -> None:
    job = _enqueue(database, guru, guru.leads[0])
    smtp_server.busy = 1
    await _run_jobs(database, smtp_server.mailer())
    assert (_status(conn, job), smtp_server.messages) == ("todo", [])
    later = conn.execute("SELECT scheduled_at > now() FROM jobs.procrastinate_jobs WHERE id = %s", [job]).fetchone()
    assert later == (True,)
    conn.execute("UPDATE jobs.procrastinate_jobs SET scheduled_at = now() WHERE id = %s", [job])
    await _run_jobs(database, smtp_server.mailer())
    assert (_status(conn, job), len(smtp_server.messages)) == ("succeeded", 1)


def test_job_retries_outlast_one_night() -> None:
    waits = []
    began = clock.machine_now()  # the job library has no other clock
    for attempts in range(20):
        job = Job(id=1, queue="default", lock=None, queueing_lock=None, task_name="x", attempts=attempts)
        decision = RETRY.get_retry_decision(exception=OSError(), job=job)
        if decision is None:
            break
        assert decision.retry_at is not None
        waits.append(decision.retry_at - began)
    assert waits[0] < timedelta(minutes=1)
    assert sum(waits, timedelta()) > timedelta(hours=10)


def _stall(conn: psycopg.Connection[Any], job: int) -> None:
    """Leave a job in the running state, as a killed worker does."""
    conn.execute(
        "WITH dead AS (INSERT INTO jobs.procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 hour')"
        " RETURNING id) UPDATE jobs.procrastinate_jobs SET status = 'doing', worker_id = (SELECT id FROM dead)"
        " WHERE id = %s",
        [job],
    )


def _enqueue_requeue_stalled(conn: psycopg.Connection[Any]) -> None:
    conn.execute(
        "INSERT INTO jobs.procrastinate_jobs (queue_name, task_name, priority, args) VALUES ('default', %s, 0, %s)",
        [maintenance.REQUEUE_STALLED_TASK, '{"timestamp": 0}'],
    )


async def test_killed_workers_job_is_requeued(
    database: Database, conn: psycopg.Connection[Any], guru: SeededGuru
) -> None:
    job = _enqueue(database, guru, guru.leads[0])
    _stall(conn, job)
    mailer = MailboxMailer(database.service_url)
    await _run_jobs(database, mailer)
    assert _status(conn, job) == "doing"
    _enqueue_requeue_stalled(conn)
    await _run_jobs(database, mailer)
    await _run_jobs(database, mailer)
    assert _status(conn, job) == "succeeded"
    assert conn.execute("SELECT count(*) FROM dev_mailbox WHERE tenant_id = %s", [guru.id]).fetchone() == (1,)


def _enqueue_locked(conn: psycopg.Connection[Any], guru: SeededGuru, start_at: datetime | None = None) -> int:
    """Enqueue a job with a queueing lock, one per guru."""
    args = Jsonb({"tenant_id": str(guru.id), "lead_id": str(guru.leads[0])})
    values = [NOTIFY_TASK, args, f"test:{guru.id}", start_at]
    row = conn.execute("SELECT app.enqueue(%s, %s, %s, start_at => %s)", values).fetchone()
    assert row is not None
    return int(row[0])


def _enqueue_for_later(conn: psycopg.Connection[Any], guru: SeededGuru) -> int:
    return _enqueue_locked(conn, guru, clock.now() + timedelta(hours=1))


async def test_stalled_job_ends_if_duplicate_waits(
    database: Database, conn: psycopg.Connection[Any], guru: SeededGuru
) -> None:
    """The stalled jobs behind it run again."""
    stalled = _enqueue_locked(conn, guru)
    _stall(conn, stalled)
    behind = _enqueue(database, guru, guru.leads[0])
    _stall(conn, behind)
    duplicate = _enqueue_for_later(conn, guru)
    _enqueue_requeue_stalled(conn)
    await _run_jobs(database, MailboxMailer(database.service_url))
    await _run_jobs(database, MailboxMailer(database.service_url))
    assert [_status(conn, job) for job in (stalled, behind, duplicate)] == ["aborted", "succeeded", "todo"]


async def test_failed_job_ends_if_duplicate_waits(
    database: Database, conn: psycopg.Connection[Any], guru: SeededGuru
) -> None:
    failing = _enqueue_locked(conn, guru)
    duplicates: list[int] = []

    class FailingMailer:
        def send(self, _message: EmailMessage) -> bool:
            duplicates.append(_enqueue_for_later(conn, guru))
            raise OSError

    await _run_jobs(database, FailingMailer())
    assert [_status(conn, job) for job in (failing, *duplicates)] == ["aborted", "todo"]


async def test_old_rows_are_purged(database: Database, conn: psycopg.Connection[Any], guru: SeededGuru) -> None:
    old, new, failed = (_enqueue(database, guru, guru.leads[0]) for _ in range(3))
    await _run_jobs(database, MailboxMailer(database.service_url))
    conn.execute(
        "UPDATE jobs.procrastinate_events SET at = at - interval '8 days' WHERE job_id IN (%s, %s)", [old, failed]
    )
    conn.execute("UPDATE jobs.procrastinate_jobs SET status = 'failed' WHERE id = %s", [failed])
    conn.execute(
        "INSERT INTO admin_attempts (id, at) SELECT gen_random_uuid(), app.now() - i * interval '40 minutes'"
        " FROM generate_series(1, 2) i"
    )
    conn.execute(
        "INSERT INTO admin_addresses (address_hash, signed_in_at) VALUES ('old', app.now() - interval '91 days'),"
        " ('new', app.now() - interval '89 days')"
    )
    conn.execute(
        "INSERT INTO sign_in_codes (id, email, code_hash, address_hash, network_hash, created_at)"
        " SELECT gen_random_uuid(), 'codes-' || n || '@mail.example', '', '', '', app.now() - n * interval '16 hours'"
        " FROM generate_series(1, 2) n"
    )
    await asyncio.to_thread(maintenance.purge_expired, database.service_url)
    codes = conn.execute("SELECT email FROM sign_in_codes WHERE email LIKE 'codes-%@mail.example'").fetchall()
    assert codes == [("codes-1@mail.example",)]
    assert conn.execute("SELECT count(*) FROM admin_attempts").fetchone() == (1,)
    assert conn.execute("SELECT address_hash FROM admin_addresses").fetchall() == [(b"new",)]
    assert [_status(conn, job) for job in (old, new, failed)] == ["gone", "succeeded", "failed"]


HOSTILE = "<script>alert(1)</script>\"'&{{7*7}}"


async def test_lead_email_escapes_malicious_text(
    database: Database, conn: psycopg.Connection[Any], guru: SeededGuru, smtp_server: SmtpServer
) -> None:
    named = seed_lead(conn, guru, "hostile", name=HOSTILE, message=f"{HOSTILE}\n.\nQUIT\n", phone="<b>")
    conn.execute("UPDATE gurus SET character = %s WHERE id = %s", [HOSTILE + "\r\nBcc: all@evil.example", guru.id])
    verify_contact_address(conn, guru)
    with running_job(database, NOTIFY_TASK, tenant_id=guru.id) as job, job.transaction() as watch:
        letter = lead_received_email(watch, guru.id, named, create_job_dependencies(database))
    assert letter is not None
    await asyncio.to_thread(smtp_server.mailer("us%40er:p%40ss%3Aword@").send, letter)
    assert smtp_server.login == (b"us@er", b"p@ss:word")
    ((envelope, message),) = smtp_server.messages
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
async def test_lead_email_supports_unicode(smtp_server: SmtpServer, name: str, reply_to: str) -> None:
    letter = EmailMessage("key", "guru@mail.example", f"{name} wrote", f"{name}\n", f"<p>{name}</p>", reply_to)
    await asyncio.to_thread(smtp_server.mailer().send, letter)
    ((_, message),) = smtp_server.messages
    assert message["Subject"] == f"{name} wrote"
    assert name in (message.get_body(("plain",)) or message).get_content()


async def test_unusable_mail_server_raises_error(smtp_server: SmtpServer) -> None:
    letter = EmailMessage("key", "guru@mail.example", "s", "p", "h")
    with pytest.raises(smtplib.SMTPAuthenticationError):
        await asyncio.to_thread(smtp_server.mailer("user:wrong@").send, letter)
    with pytest.raises(ConnectionRefusedError):
        await asyncio.to_thread(SmtpMailer(f"smtp://127.0.0.1:{free_ports()}", "a@b.example").send, letter)
    assert smtp_server.messages == []


@pytest.mark.parametrize("url", ["mail.example:25", "http://mail.example", "smtp://", "smtp:///x"])
def test_invalid_smtp_url_is_rejected(url: str) -> None:
    with pytest.raises(ValueError, match="PORCHLIGHT_SMTP_URL"):
        create_mailer(url, "a@b.example", "")


async def test_deleted_gurus_email_is_not_stored(
    database: Database, conn: psycopg.Connection[Any], guru: SeededGuru
) -> None:
    letter = EmailMessage("late", "guru@mail.example", "s", "p", "h", tenant_id=new_id())
    await asyncio.to_thread(MailboxMailer(database.service_url).send, letter)
    assert conn.execute("SELECT count(*) FROM dev_mailbox WHERE key = 'late'").fetchone() == (0,)
    message = EmailMessage("staff", "staff@mail.example", "s", "p", "h")
    await asyncio.to_thread(MailboxMailer(database.service_url).send, message)
    assert conn.execute("SELECT count(*) FROM dev_mailbox WHERE key = 'staff'").fetchone() == (1,)
