"""The process that receives email (`porchlight receive-mail`): replies to messages, and answers to invitations.

It has the app role's rights only, and none of the keys of the API and the worker: anyone can send it anything.
"""

from __future__ import annotations

import asyncio
import signal
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from porchlight.features.bookings.answers.actions import BookingInvitations
from porchlight.features.domains.resolver import DnsResolver
from porchlight.features.messages.mail_replies import MessageThreads
from porchlight.inbound_mail.receiver import MailReceiver, ReceiverSettings
from porchlight.inbound_mail.server import server_factory
from porchlight.ports import Resolver
from porchlight.settings.environment import Settings
from porchlight.storage.stores import create_store
from tenants.db.pool import Database
from tenants.kit.email_addresses import split_sender
from tenants.kit.logs import log


def create_receiver(settings: Settings, db: Database, resolver: Resolver) -> MailReceiver:
    """Join the receiver with the features that take its emails."""
    receiver_settings = ReceiverSettings(
        domain=settings.reply_domain,
        base_host=settings.base_host,
        sender_domain=split_sender(settings.sender)[1].rpartition("@")[2].lower(),
        trusted_server=settings.reply_server,
    )
    threads = MessageThreads(db, create_store(settings.files_url), settings.main_origin)
    return MailReceiver(receiver_settings, threads, BookingInvitations(db), resolver)


@asynccontextmanager
async def listening(
    receiver: MailReceiver, host: str, port: int, tls: ssl.SSLContext | None = None
) -> AsyncIterator[asyncio.Server]:
    """Take connections while the block runs."""
    factory = server_factory(receiver, hostname=receiver.settings.domain, tls=tls)
    server = await asyncio.get_running_loop().create_server(factory, host, port)
    async with server:
        yield server


async def receive_mail(settings: Settings, host: str) -> None:
    """Receive email until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    async with Database(settings.database_url) as db:
        receiver = create_receiver(settings, db, DnsResolver(settings.dns_servers))
        async with listening(receiver, host, settings.reply_port, _tls_context(settings.reply_tls)):
            log.info("mail_receiver_started", port=settings.reply_port, domain=settings.reply_domain)
            await stop.wait()


def _tls_context(tls_files: str) -> ssl.SSLContext | None:
    if not tls_files:
        return None
    certificate, _, key = (part.strip() for part in tls_files.partition(","))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(Path(certificate), Path(key) if key else None)
    return context
