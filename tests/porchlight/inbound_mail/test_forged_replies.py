"""Replies that only claim to be from their person are refused, over SMTP and with real signatures."""

from __future__ import annotations

from collections.abc import AsyncIterator
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

import dkim
import pytest

from tests.fixtures.databases import Database
from tests.porchlight.inbound_mail.smtp_client import MailClient, mail_client
from tests.porchlight.inbound_mail.test_mail_replies import Pair, pair
from tests.porchlight.inbound_mail.test_sender_check import private_key, zone_of

__all__ = ["pair"]

DOMAIN = "example.com"  # of the people of the tests


@pytest.fixture
async def mail(database: Database, tmp_path: Path) -> AsyncIterator[MailClient]:
    """A client of a receiver without a mail server in front: it checks signatures itself."""
    zone = zone_of(DOMAIN)
    zone.answers[f"_dmarc.{DOMAIN}"] = "v=DMARC1; p=reject"
    async with mail_client(database, tmp_path, trusted_server="", resolver=zone) as client:
        yield client


def _signed(
    message: EmailMessage, domain: str = DOMAIN, *, changed: tuple[bytes, bytes] = (b"\0", b"")
) -> EmailMessage:
    """Sign an email. Afterwards, replace the one by the other of `changed`."""
    content = message.as_bytes(policy=SMTP)
    signature = bytes(dkim.sign(content, b"s1", domain.encode(), private_key()))
    return message_from_bytes(signature + content.replace(*changed), policy=SMTP)


async def test_signed_reply_is_delivered_and_forged_ones_are_not(mail: MailClient, pair: Pair) -> None:
    answer = pair.answer("Yes, gladly!", Message_ID="<2@mail.example>")
    changed = _signed(answer, changed=(b"Yes, gladly!", b"Send me money"))
    foreign = _signed(pair.answer("Send me money", Message_ID="<3@mail.example>"), "elsewhere.example")
    written = pair.answer("Send me money", Message_ID="<4@mail.example>")  # whose result no server of the product wrote
    for forged in (changed, foreign, written):
        code, reply = await mail.send(forged)
        assert (code, reply.startswith("5.7.26 ")) == (550, True), reply
    assert len(await pair.texts()) == 1

    assert (await mail.send(_signed(pair.answer())))[0] == 250
    assert await pair.texts() == [(True, "Do you teach beginners?"), (False, "Yes, gladly!")]
