"""Mail: one port, two ways out. SMTP in production, a mailbox in the database for the demo."""

from __future__ import annotations

import smtplib
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from typing import Protocol
from urllib.parse import unquote, urlsplit
from uuid import UUID

import psycopg

from tenants.kit.ids import new_id

TIMEOUT = 15.0  # seconds


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail to send. `key` is the same for every attempt at the same mail."""

    key: str
    recipient: str
    subject: str
    plain: str
    html: str
    reply_to: str = ""
    tenant_id: UUID | None = None


class Mailer(Protocol):
    """Sends mail. Raises OSError or smtplib.SMTPException when it could not; the job then tries again."""

    def send(self, letter: Letter) -> None:
        """Send one letter."""


class SmtpMailer:
    """Sends through an SMTP server: `smtp://user:password@host:587` (STARTTLS when offered) or `smtps://…:465`."""

    def __init__(self, url: str, sender: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname:
            raise ValueError("PORCHLIGHT_SMTP_URL must look like smtp://user:password@host:587")
        self._tls = parts.scheme == "smtps"
        self._host = parts.hostname
        self._port = parts.port or (465 if self._tls else 587)
        self._user = unquote(parts.username or "")
        self._password = unquote(parts.password or "")
        self._sender = sender

    def send(self, letter: Letter) -> None:
        """Send one letter over a connection of its own."""
        message = EmailMessage()
        message["From"] = self._sender
        message["To"] = letter.recipient
        message["Subject"] = " ".join(letter.subject.split())
        message["Message-ID"] = f"<{letter.key}@{self._sender.rsplit('@', 1)[-1].strip('>')}>"
        if letter.reply_to:
            message["Reply-To"] = letter.reply_to
        message.set_content(letter.plain)
        message.add_alternative(letter.html, subtype="html")
        context = ssl.create_default_context()
        if self._tls:
            server: smtplib.SMTP = smtplib.SMTP_SSL(self._host, self._port, timeout=TIMEOUT, context=context)
        else:
            server = smtplib.SMTP(self._host, self._port, timeout=TIMEOUT)
        with server:
            if not self._tls and server.has_extn("starttls"):
                server.starttls(context=context)
            if self._user:
                server.login(self._user, self._password)
            server.send_message(message)


class MailboxMailer:
    """Keeps mail in the database, where the demo shows it. A second delivery of the same mail is the same row."""

    def __init__(self, overseer_dsn: str) -> None:
        self._dsn = overseer_dsn

    def send(self, letter: Letter) -> None:
        """Keep one letter."""
        with psycopg.connect(self._dsn) as conn:
            conn.execute(
                "INSERT INTO mailbox (id, key, tenant_id, recipient, reply_to, subject, plain, html)"
                # A guru may have been deleted while their job ran: then nothing of theirs may stay behind.
                " SELECT %s, %s, %s::uuid, %s, %s, %s, %s, %s"
                "  WHERE %s::uuid IS NULL OR EXISTS (SELECT FROM gurus WHERE id = %s FOR KEY SHARE)"
                " ON CONFLICT (key) DO NOTHING",
                [
                    new_id(), letter.key, letter.tenant_id, letter.recipient, letter.reply_to, letter.subject,
                    letter.plain, letter.html, letter.tenant_id, letter.tenant_id,
                ],
            )  # fmt: skip


def mailer(smtp_url: str, mail_from: str, overseer_dsn: str) -> Mailer:
    """The way out that the settings name."""
    return SmtpMailer(smtp_url, mail_from) if smtp_url else MailboxMailer(overseer_dsn)
