"""Floods of email: what is over a limit is refused for now, and the next one is served."""

from __future__ import annotations

import asyncio
import datetime as dt
import smtplib
import ssl
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from porchlight.features.messages.delivery.rules import MAX_MESSAGES_AN_HOUR
from porchlight.inbound_mail.server import MAX_CONNECTIONS, MAX_CONNECTIONS_OF_CLIENT
from tenants.kit import clock, timeouts
from tests.fixtures.databases import Database
from tests.porchlight.inbound_mail.smtp_client import MailClient, mail_client
from tests.porchlight.inbound_mail.test_mail_replies import Pair, mail, pair

__all__ = ["mail", "pair"]


async def _connect(mail: MailClient, client: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect from one of the addresses of this machine."""
    return await asyncio.open_connection("127.0.0.1", mail.port, local_addr=(f"127.0.0.{client}", 0))


async def _leave(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"QUIT\r\n")
    assert (await reader.read()).startswith(b"221")
    writer.close()


async def test_connections_over_the_limit_come_back_later(mail: MailClient, pair: Pair) -> None:
    clients = range(2, 2 + MAX_CONNECTIONS // MAX_CONNECTIONS_OF_CLIENT)
    opened = [await _connect(mail, client) for client in clients for _ in range(MAX_CONNECTIONS_OF_CLIENT)]
    greetings = [await reader.readline() for reader, _ in opened]
    assert {greeting[:3] for greeting in greetings} == {b"220"}
    assert len(opened) == MAX_CONNECTIONS
    reader, writer = await _connect(mail, 1)
    assert (await reader.read()).startswith(b"421 4.3.2 Too many connections")
    writer.close()
    for connection in opened:
        await _leave(*connection)
    assert (await mail.send(pair.answer()))[0] == 250


async def test_connections_of_one_client_leave_room(mail: MailClient) -> None:
    opened = [await _connect(mail, 2) for _ in range(MAX_CONNECTIONS_OF_CLIENT + 1)]
    greetings = [await reader.readline() for reader, _ in opened]
    assert [greeting[:3] for greeting in greetings] == [b"220"] * MAX_CONNECTIONS_OF_CLIENT + [b"421"]
    reader, writer = await _connect(mail, 3)
    assert (await reader.readline()).startswith(b"220")
    for connection in (*opened[:-1], (reader, writer)):
        await _leave(*connection)
    opened[-1][1].close()


async def test_encrypted_connections_are_counted_once(
    database: Database, tmp_path: Path, tls_context: ssl.SSLContext
) -> None:
    """Aiosmtpd 1.4.6 calls connection_made again after STARTTLS, and connection_lost once."""
    async with mail_client(database, tmp_path, tls=tls_context) as mail:
        for _ in range(MAX_CONNECTIONS_OF_CLIENT + 1):
            assert await asyncio.get_running_loop().run_in_executor(mail.threads, _greet_encrypted, mail.port)


def _greet_encrypted(port: int) -> bool:
    unchecked = ssl.create_default_context()
    unchecked.check_hostname = False
    unchecked.verify_mode = ssl.CERT_NONE
    with smtplib.SMTP("127.0.0.1", port, timeout=timeouts.current.smtp_seconds) as client:
        return client.starttls(context=unchecked)[0] == 220 and client.ehlo("mail.example")[0] == 250


@pytest.fixture
def tls_context(tmp_path: Path) -> ssl.SSLContext:
    """A server's context with a certificate of its own."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "mail.example")])
    now = clock.machine_now()  # that of the TLS library
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    both = certificate.public_bytes(pem) + key.private_bytes(
        pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path = tmp_path / "server.pem"
    path.write_bytes(both)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context


async def test_replies_over_the_hourly_limit_are_refused(mail: MailClient, pair: Pair) -> None:
    sent = [
        await mail.send(pair.answer(f"Answer {number}", Message_ID=f"<{number}@mail.example>"))
        for number in range(MAX_MESSAGES_AN_HOUR + 2)
    ]
    assert [code for code, _ in sent] == [250] * MAX_MESSAGES_AN_HOUR + [550] * 2
    assert (await pair.texts())[-1] == (False, f"Answer {MAX_MESSAGES_AN_HOUR - 1}")
    assert (await pair.zoe.get("/api/messages/threads"))["unread"] == MAX_MESSAGES_AN_HOUR
