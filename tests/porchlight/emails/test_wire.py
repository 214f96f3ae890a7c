"""The bytes of emails at a real SMTP server, read by Python's parser and by a strict one."""

from __future__ import annotations

import asyncio
import re
import smtplib
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from porchlight.emails.sender import SmtpMailer
from porchlight.emails.wire import to_wire
from porchlight.ports import CalendarFile, EmailMessage
from tenants.kit import clock
from tests.fixtures.smtp import SmtpServer, run_smtp_server, smtp_server
from tests.fixtures.strict_email import read_email
from tests.porchlight.emails.samples import SAMPLES, TEMPLATES, render, replace_words

SENDER = "Pörchlight, Inc. <notices@bücher.example>"
__all__ = ["smtp_server"]
# As long as the keys of emails about needs: with the domain, over 78 characters.
KEY = "need-019aeb3c-1111-7111-8111-111111111111-019aeb3c-1111-7111-8111-111111111111"
LONG_ADDRESS = f"{'a' * 64}@{'.'.join(['bü' * 20] * 3)}.example"
TEXT = "Zoë 🍞 fragt\n.\nFrom here\n" + "x" * 2000 + "\n\n-- \nWhy: “because”\n"
EXTENSIONS = [(False, False), (False, True), (True, True)]  # SMTPUTF8 requires 8BITMIME (RFC 6531)


@pytest.fixture(params=EXTENSIONS, ids=["7bit", "8bitmime", "smtputf8"])
def server(request: pytest.FixtureRequest) -> Iterator[SmtpServer]:
    utf8, eight_bit = request.param
    with run_smtp_server(utf8=utf8, eight_bit=eight_bit) as running:
        yield running


def create_letter(**changes: str) -> EmailMessage:
    values: dict[str, Any] = {
        "recipient": LONG_ADDRESS,
        "subject": "Zoë 🍞 asks for “Sourdough — first loaf”",
        "reply_to": "zoe@bücher.example",
    }
    file = CalendarFile("REQUEST", "BEGIN:VCALENDAR\r\nX:é\r\n".encode())
    return EmailMessage(KEY, text=TEXT, html=f"<p>{'中文' * 900}</p>\n", invitation=file, **(values | changes))


def test_email_at_server_reads_the_same_everywhere(server: SmtpServer) -> None:
    letter = create_letter()
    assert SmtpMailer(f"smtp://127.0.0.1:{server.port}", SENDER).send(letter)
    ((envelope, message),) = server.messages
    strict = read_email(server.raw[0])
    long_ascii = f"{'a' * 64}@{'.'.join(['xn--' + ('bü' * 20).encode('punycode').decode()] * 3)}.example"
    assert (envelope.mail_from, envelope.rcpt_tos) == ("notices@xn--bcher-kva.example", [long_ascii])
    assert "SMTPUTF8" not in server.options
    assert message["To"].addresses[0].addr_spec == strict.text("To") == strict.all("To")[0] == long_ascii
    assert message["Reply-To"] == strict.all("Reply-To")[0] == "zoe@xn--bcher-kva.example"
    assert message["From"].addresses[0].display_name == "Pörchlight, Inc."
    assert strict.text("From") == "Pörchlight, Inc. <notices@xn--bcher-kva.example>"
    assert message["Subject"] == strict.text("Subject") == letter.subject
    assert message["Message-ID"] == strict.all("Message-ID")[0] == f"<{KEY}@xn--bcher-kva.example>"
    assert strict.all("Auto-Submitted") == ["auto-generated"]
    assert strict.all("MIME-Version") == ["1.0"]
    assert abs((parsedate_to_datetime(strict.all("Date")[0]) - clock.now()).total_seconds()) < 3600
    plain, html, calendar, file = strict.leaves()
    body = message.get_body(("plain",))
    assert body is not None
    assert body.get_content().replace("\r\n", "\n") == plain.body.decode().replace("\r\n", "\n") == TEXT
    assert html.body.decode().replace("\r\n", "\n") == letter.html
    assert letter.invitation is not None
    assert calendar.body == file.body == letter.invitation.content
    assert (calendar.kind, calendar.parameters["method"]) == ("text/calendar", "REQUEST")
    assert {part.encoding for part in strict.leaves()} == {"quoted-printable", "base64"}


@pytest.mark.parametrize(("package", "template"), TEMPLATES)
def test_every_template_is_seven_bit_with_short_lines(package: str, template: str) -> None:
    message = render(package, template, replace_words(SAMPLES[package][template], "Zoë 中文 " * 60))
    strict = read_email(to_wire(message, SENDER).content)
    assert strict.text("Subject") == message.subject
    assert strict.leaves()[0].body.decode().replace("\r\n", "\n") == message.text


@settings(max_examples=200, deadline=None)
@given(
    subject=st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), min_size=1, max_size=300),
    text=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=400),
)
def test_any_text_survives_the_wire(subject: str, text: str) -> None:
    subject = " ".join(subject.split()) or "x"
    text = re.sub(r"\r\n?", "\n", text).strip("\n") + "\n"
    strict = read_email(to_wire(EmailMessage(KEY, "ada@example.com", subject, text, "<p>"), SENDER).content)
    assert strict.text("Subject") == subject
    assert strict.leaves()[0].body.decode().replace("\r\n", "\n") == text


def test_unreachable_addresses_are_never_encoded(smtp_server: SmtpServer) -> None:
    mailer = smtp_server.mailer()
    assert not mailer.send(create_letter(recipient="zoë@example.com"))
    assert smtp_server.messages == []
    assert mailer.send(create_letter(recipient="ada@example.com", reply_to="zoë@example.com"))
    ((_, message),) = smtp_server.messages
    assert message["Reply-To"] is None


async def test_refused_address_is_not_tried_again(smtp_server: SmtpServer) -> None:
    mailer = smtp_server.mailer()
    smtp_server.refused = {"gone@example.com": "550 5.1.1 No such user", "full@example.com": "452 4.2.2 Mailbox full"}
    assert not await asyncio.to_thread(mailer.send, create_letter(recipient="gone@example.com"))
    with pytest.raises(smtplib.SMTPRecipientsRefused):
        await asyncio.to_thread(mailer.send, create_letter(recipient="full@example.com"))
