"""The SMTP server of our addresses (RFC 5321). It relays nothing and takes email for known addresses only."""

from __future__ import annotations

import asyncio
import ssl
from collections import Counter
from collections.abc import Callable
from typing import Any
from uuid import UUID

from aiosmtpd.smtp import SMTP, Envelope, Session

from porchlight.inbound_mail.addresses import parse_own_address
from porchlight.inbound_mail.ports import Relay
from porchlight.inbound_mail.receiver import NO_SUCH_ADDRESS, TRY_LATER, MailReceiver
from tenants.kit import timeouts
from tenants.kit.logs import log

MAX_EMAIL_BYTES = 30_000_000  # five files of ten megabytes do not fit into what mail servers take
MAX_CONNECTIONS = 100
MAX_CONNECTIONS_OF_CLIENT = 20  # no single client can keep others out
MAX_EMAILS_AT_ONCE = 4
TOO_MANY_RECIPIENTS = "452 4.5.3 Please send one email for each address."
TOO_BUSY = b"421 4.3.2 Too many connections, please try again later.\r\n"


class MailHandler:
    """The answers of the server to the commands that need a decision."""

    def __init__(self, receiver: MailReceiver) -> None:
        self._receiver = receiver
        self._slots = asyncio.Semaphore(MAX_EMAILS_AT_ONCE)

    async def handle_RCPT(  # noqa: N802 - aiosmtpd's name
        self, _server: SMTP, _session: Session, envelope: Envelope, address: str, _options: list[str]
    ) -> str:
        """Accept one recipient that we know."""
        if envelope.rcpt_tos:
            return TOO_MANY_RECIPIENTS
        own = parse_own_address(address, self._receiver.settings.domain)
        if own is None:
            return NO_SUCH_ADDRESS
        try:
            recipient = await self._receiver.find_recipient(own)
        except Exception as error:
            log.warning("inbound_email_failed", error=type(error).__name__)
            return TRY_LATER
        if recipient is None:
            return NO_SUCH_ADDRESS
        envelope.rcpt_tos.append(address)
        envelope.recipient = recipient  # type: ignore[attr-defined]  # the envelope lives as long as this email
        return "250 2.1.5 OK"

    async def handle_DATA(self, _server: SMTP, _session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Handle an email. It is ours once the answer begins with 2, and never after an error."""
        content = envelope.content
        assert isinstance(content, bytes)  # noqa: S101 - without `decode_data`
        async with self._slots:
            try:
                recipient: Relay | UUID = envelope.recipient  # type: ignore[attr-defined]
                return await self._receiver.receive(content, (envelope.mail_from or "").strip("<>"), recipient)
            except Exception as error:
                log.warning("inbound_email_failed", error=type(error).__name__)
                return TRY_LATER


class Connections:
    """The open connections of a server, of each client address and in total."""

    def __init__(self) -> None:
        self._clients: Counter[str] = Counter()

    def add(self, client: str) -> bool:
        """Count a connection. Return False for one above a limit, which is not counted."""
        if self._clients.total() >= MAX_CONNECTIONS or self._clients[client] >= MAX_CONNECTIONS_OF_CLIENT:
            return False
        self._clients[client] += 1
        return True

    def remove(self, client: str) -> None:
        """Forget a counted connection."""
        self._clients[client] -= 1
        if self._clients[client] == 0:
            del self._clients[client]


class LimitedServer(SMTP):
    """A connection of the server. Connections above a limit have to come back."""

    # Some mail programs write HTML on one line, although RFC 5321 allows a thousand bytes.
    line_length_limit = 100_000

    def __init__(self, connections: Connections, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._connections = connections
        self._client: str | None = None  # None: not greeted yet, or sent away

    def connection_made(self, transport: Any) -> None:
        """Greet a client, or send it away. Called again when the client has switched to TLS (aiosmtpd 1.4.6)."""
        if self._client is None:
            client = str((transport.get_extra_info("peername") or ("",))[0])
            if not self._connections.add(client):
                transport.write(TOO_BUSY)
                transport.close()
                return
            self._client = client
        super().connection_made(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Forget a client."""
        if self._client is None:
            return
        self._connections.remove(self._client)
        self._client = None
        super().connection_lost(error)


def server_factory(receiver: MailReceiver, *, hostname: str, tls: ssl.SSLContext | None) -> Callable[[], LimitedServer]:
    """Return the protocol factory for `loop.create_server`. With `tls`, clients can encrypt by STARTTLS."""
    handler = MailHandler(receiver)
    connections = Connections()

    def create() -> LimitedServer:
        return LimitedServer(
            connections,
            handler,
            data_size_limit=MAX_EMAIL_BYTES,
            hostname=hostname,
            ident="Porchlight",
            tls_context=tls,
            timeout=timeouts.current.smtp_seconds,
            enable_SMTPUTF8=True,
        )

    return create
