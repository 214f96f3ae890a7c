"""Floods of email: what is over a limit is refused for now, and the next one is served."""

from __future__ import annotations

import asyncio

from porchlight.features.messages.delivery.rules import MAX_MESSAGES_AN_HOUR
from porchlight.inbound_mail.server import MAX_CONNECTIONS
from tests.porchlight.inbound_mail.smtp_client import MailClient
from tests.porchlight.inbound_mail.test_mail_replies import Pair, mail, pair

__all__ = ["mail", "pair"]


async def test_connections_over_the_limit_come_back_later(mail: MailClient, pair: Pair) -> None:
    opened = [await asyncio.open_connection("127.0.0.1", mail.port) for _ in range(MAX_CONNECTIONS)]
    greetings = [await reader.readline() for reader, _ in opened]
    assert {greeting[:3] for greeting in greetings} == {b"220"}
    reader, writer = await asyncio.open_connection("127.0.0.1", mail.port)
    assert (await reader.read()).startswith(b"421 4.3.2 Too many connections")
    writer.close()
    for reader, writer in opened:
        writer.write(b"QUIT\r\n")
        assert (await reader.read()).startswith(b"221")
        writer.close()
    assert (await mail.send(pair.answer()))[0] == 250


async def test_replies_over_the_hourly_limit_are_refused(mail: MailClient, pair: Pair) -> None:
    sent = [
        await mail.send(pair.answer(f"Answer {number}", Message_ID=f"<{number}@mail.example>"))
        for number in range(MAX_MESSAGES_AN_HOUR + 2)
    ]
    assert [code for code, _ in sent] == [250] * MAX_MESSAGES_AN_HOUR + [550] * 2
    assert (await pair.texts())[-1] == (False, f"Answer {MAX_MESSAGES_AN_HOUR - 1}")
    assert (await pair.zoe.get("/api/messages/threads"))["unread"] == MAX_MESSAGES_AN_HOUR
