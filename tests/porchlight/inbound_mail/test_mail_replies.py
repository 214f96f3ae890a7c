"""Answers to messages by email: they reach the thread once, as its person, and nothing else does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from email.message import EmailMessage
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest

from porchlight.inbound_mail.addresses import reply_address
from tests.fixtures.databases import Database
from tests.fixtures.images import png
from tests.fixtures.jobs import do_jobs
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.inbound_mail.smtp_client import DOMAIN, TRUSTED_SERVER, MailClient, mail_client
from tests.porchlight.named_users import CreateUser

ORIGIN = "https://porchlight.example"


@pytest.fixture
async def mail(database: Database, tmp_path: Path) -> AsyncIterator[MailClient]:
    """A client of the mail receiver."""
    async with mail_client(database, tmp_path) as client:
        yield client


class Pair:
    """Two neighbors with a thread, in which Zoe wrote to Theo, who accepted it."""

    def __init__(self, zoe: ApiUser, theo: ApiUser, thread_id: str, token: UUID) -> None:
        self.zoe, self.theo, self.thread_id, self.token = zoe, theo, thread_id, token

    def answer(self, words: str = "Yes, gladly!", **headers: str) -> EmailMessage:
        """Return an answer of Theo, as a mail program writes it."""
        address = reply_address(self.token, DOMAIN)
        message = EmailMessage()
        values = {
            "From": f"Theo <{self.theo.email}>",
            "To": address,
            "Subject": "Re: Zoe wrote to you",
            "Message-ID": "<1@mail.example>",
            "Authentication-Results": f"{TRUSTED_SERVER}; dmarc=pass header.from=example.com",
        }
        for name, value in (values | {name.replace("_", "-"): value for name, value in headers.items()}).items():
            message[name] = value
        message.set_content(f"{words}\n\nOn Sunday, Porchlight <{address}> wrote:\n\n> Do you teach beginners?\n")
        return message

    async def texts(self) -> list[tuple[bool, str]]:
        """Return the messages as Zoe sees them: whether it is hers, and the words."""
        messages = (await self.zoe.get(f"/api/messages/threads/{self.thread_id}/messages"))["messages"]
        return [(one["mine"], one["body"]) for one in messages]


@pytest.fixture
async def pair(create_user: CreateUser, database: Database) -> Pair:
    """Two neighbors with a thread."""
    zoe, theo = await create_user("Zoe Quill"), await create_user("Theo Barnes")
    payload: dict[str, Any] = {"to": {"kind": "profile", "id": theo.handle}, "body": "Do you teach beginners?"}
    response = await zoe.request("POST", "/api/messages/threads", json=payload)
    assert response.status_code == 201, response.text
    thread_id = response.json()["data"]["thread"]["id"]
    accepted = await theo.request("PUT", f"/api/messages/threads/{thread_id}/acceptance")
    assert accepted.status_code == 200, accepted.text
    with psycopg.connect(database.service_url) as conn:
        row = conn.execute(
            "SELECT reply_token FROM thread_members WHERE user_id = %s AND thread_id = %s", [theo.user_id, thread_id]
        ).fetchone()
    assert row is not None
    return Pair(zoe, theo, thread_id, row[0])


async def test_reply_by_email_reaches_the_thread_once(mail: MailClient, pair: Pair) -> None:
    answers = await asyncio.gather(*(mail.send(pair.answer()) for _ in range(3)))
    again = await mail.send(pair.answer())

    assert [code for code, _ in [*answers, again]] == [250] * 4
    assert await pair.texts() == [(True, "Do you teach beginners?"), (False, "Yes, gladly!")]
    assert (await pair.zoe.get("/api/messages/threads"))["unread"] == 1


async def test_reply_by_email_brings_its_photo(mail: MailClient, pair: Pair) -> None:
    message = pair.answer("")
    message.add_attachment(png(40, 30), maintype="image", subtype="png", filename="garden.png")

    assert (await mail.send(message))[0] == 250

    (_, last) = (await pair.zoe.get(f"/api/messages/threads/{pair.thread_id}/messages"))["messages"]
    assert (last["body"], [(file["name"], file["isImage"]) for file in last["files"]]) == ("", [("garden.webp", True)])


async def test_reply_from_another_address_is_refused(mail: MailClient, pair: Pair) -> None:
    code, reply = await mail.send(pair.answer(From="eve@example.com"))

    assert code == 550
    assert reply.startswith("5.7.1 Please answer from the email address of your Porchlight account, or here: https://")
    assert len(await pair.texts()) == 1


async def test_reply_with_an_unknown_token_is_refused(mail: MailClient, pair: Pair) -> None:
    answer = await mail.send(pair.answer(To=reply_address(UUID(int=7), DOMAIN)))

    assert answer == (550, "5.1.1 We have no such address.")


@pytest.mark.parametrize(
    "headers", [{"Auto_Submitted": "auto-replied"}, {"Precedence": "bulk"}, {"List_Id": "<neighbors.example>"}]
)
async def test_automatic_reply_is_dropped_without_answer(mail: MailClient, pair: Pair, headers: dict[str, str]) -> None:
    assert (await mail.send(pair.answer(**headers)))[0] == 250
    assert len(await pair.texts()) == 1


async def test_bounce_is_dropped_without_answer(mail: MailClient, pair: Pair) -> None:
    assert (await mail.send(pair.answer(), mail_from=""))[0] == 250
    assert len(await pair.texts()) == 1


async def test_reply_with_history_alone_is_refused(mail: MailClient, pair: Pair) -> None:
    code, reply = await mail.send(pair.answer(""))

    assert (code, reply.startswith("5.6.0 We found no new words in your email.")) == (550, True)


async def test_reply_that_is_too_long_is_refused(mail: MailClient, pair: Pair) -> None:
    code, reply = await mail.send(pair.answer("word " * 900))

    assert (code, "up to 4,000 characters" in reply) == (550, True)


async def test_reply_after_a_block_is_refused(mail: MailClient, pair: Pair) -> None:
    blocked = await pair.zoe.request("PUT", f"/api/messages/threads/{pair.thread_id}/block")
    assert blocked.status_code == 200, blocked.text

    code, reply = await mail.send(pair.answer())

    assert (code, "This neighbor is not taking messages." in reply) == (550, True)


async def test_reply_with_an_executable_file_is_refused(mail: MailClient, pair: Pair) -> None:
    message = pair.answer()
    message.add_attachment(b"MZ\x90\x00" + bytes(64), maintype="image", subtype="png", filename="photo.png")

    assert (await mail.send(message))[0] == 550
    assert len(await pair.texts()) == 1


async def test_email_about_messages_can_be_answered(
    mail: MailClient, pair: Pair, database: Database, create_user: CreateUser
) -> None:
    written = await pair.zoe.request(
        "POST", f"/api/messages/threads/{pair.thread_id}/messages", json={"body": "Hello?"}
    )
    assert written.status_code == 201, written.text
    with psycopg.connect(database.service_url) as conn:
        conn.execute("UPDATE thread_members SET mail_due_at = app.now() WHERE mail_due_at IS NOT NULL")
        conn.execute("SELECT app.enqueue('messages:process_due', '{}', NULL)")
    await do_jobs(database, main_origin=ORIGIN, reply_domain=DOMAIN)
    with psycopg.connect(database.service_url) as conn:
        found = conn.execute(
            "SELECT reply_to, plain, html FROM dev_mailbox WHERE recipient = %s AND key LIKE 'messages-%%'",
            [pair.theo.email],
        ).fetchall()
    ((reply_to, plain, html),) = found
    assert reply_to == reply_address(pair.token, DOMAIN)
    assert "You can answer by replying to this email." in plain
    assert "You can answer by replying to this email." in html


@pytest.mark.race
async def test_replies_of_many_emails_are_all_delivered(mail: MailClient, pair: Pair) -> None:
    words = [f"Answer {number}" for number in range(12)]
    sent = await asyncio.gather(
        *(mail.send(pair.answer(text, Message_ID=f"<{number}@mail.example>")) for number, text in enumerate(words))
    )

    assert {code for code, _ in sent} == {250}
    assert sorted(text for is_own, text in await pair.texts() if not is_own) == sorted(words)
