"""Sending emails to the mail receiver over SMTP, as the mail servers of people do."""

from __future__ import annotations

import asyncio
import smtplib
import ssl
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from porchlight.mail_receiver import create_receiver, listening
from porchlight.ports import RecordType, Resolver
from porchlight.settings.environment import Settings
from tenants.db import pool
from tenants.kit import timeouts
from tests.fixtures.databases import Database
from tests.porchlight.app_client import BASE_HOST

DOMAIN = "reply.porchlight.example"
TRUSTED_SERVER = "mx.example"


class NoRecords:
    """Name servers that know nothing, so nothing is verified or forged by them."""

    def records(self, name: str, kind: RecordType) -> list[str]:
        """Return no records."""
        return []


@dataclass(frozen=True, slots=True)
class MailClient:
    """A client of a running mail receiver."""

    port: int
    threads: ThreadPoolExecutor  # of the clients alone: the receiver waits for threads of the loop

    async def send(self, message: EmailMessage, *, mail_from: str | None = None) -> tuple[int, str]:
        """Send an email. Return the receiver's answer to the recipient, if it refused it, else to the content."""
        return await asyncio.get_running_loop().run_in_executor(self.threads, self._send, message, mail_from)

    def _send(self, message: EmailMessage, mail_from: str | None) -> tuple[int, str]:
        with smtplib.SMTP("127.0.0.1", self.port, timeout=timeouts.current.smtp_seconds) as client:
            client.ehlo("mail.example")
            client.mail(str(message["From"]) if mail_from is None else mail_from)
            code, reply = client.rcpt(str(message["To"]))
            if code < 300:
                code, reply = client.data(message.as_bytes(policy=SMTP))
        return code, reply.decode()


@asynccontextmanager
async def mail_client(
    database: Database,
    files: Path,
    *,
    trusted_server: str = TRUSTED_SERVER,
    resolver: Resolver | None = None,
    tls: ssl.SSLContext | None = None,
) -> AsyncIterator[MailClient]:
    """Run a mail receiver as the app role. `trusted_server`: the id of the mail server in front of it, or ""."""
    settings = Settings(
        database_url=database.app_url,
        base_host=BASE_HOST,
        reply_domain=DOMAIN,
        reply_server=trusted_server,
        files_url=files.as_uri(),
    )
    async with pool.Database(database.app_url) as db:
        async with listening(create_receiver(settings, db, resolver or NoRecords()), "127.0.0.1", 0, tls) as server:
            with ThreadPoolExecutor(16) as threads:
                yield MailClient(server.sockets[0].getsockname()[1], threads)
