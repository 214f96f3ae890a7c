"""Emails as mail programs build them, taken apart."""

from __future__ import annotations

from email.message import EmailMessage
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.inbound_mail.addresses import OwnAddress, calendar_address, parse_own_address, reply_address
from porchlight.inbound_mail.automatic import why_automatic
from porchlight.inbound_mail.calendar_answer import CalendarAnswer, read_calendar_answer
from porchlight.inbound_mail.received_email import join_flowed, read_email

TOKEN = UUID("0f1e2d3c-4b5a-4978-8695-a4b3c2d1e0ff")
EVENT = UUID("01970000-0000-7000-8000-000000000001")
DOMAIN = "reply.porchlight.example"


def _email(**headers: str) -> EmailMessage:
    message = EmailMessage()
    message["From"] = "Ada <ada@example.com>"
    for name, value in headers.items():
        message[name.replace("_", "-")] = value
    message.set_content("Yes!")
    return message


def test_read_email_of_text_and_html_takes_whole_paragraphs() -> None:
    message = EmailMessage()
    message["From"] = "Ada <ADA@example.com>"
    message.set_content("Yes! I will be there at\nthree.")
    message.add_alternative("<div>Yes! I will be there at three.</div>", subtype="html")
    message.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="Päckchen.png")

    email = read_email(message.as_bytes())

    assert (email.sender, email.text.strip()) == ("ada@example.com", "Yes! I will be there at three.")
    assert [(file.name, file.kind, file.content) for file in email.files] == [("Päckchen.png", "image/png", b"\x89PNG")]


def test_read_email_of_html_alone_takes_its_words() -> None:
    message = EmailMessage()
    message["From"] = "ada@example.com"
    message.set_content("<p>Yes<br>and no</p>", subtype="html")

    assert read_email(message.as_bytes()).text.split() == ["Yes", "and", "no"]


def test_read_email_with_an_attached_email_leaves_it_out() -> None:
    message, inner = _email(), _email(Subject="Old")
    inner.set_content("Words of someone else")
    message.add_attachment(inner)

    email = read_email(message.as_bytes())

    assert (email.text.strip(), email.files) == ("Yes!", [])


def test_read_email_with_a_named_text_keeps_it_as_a_file() -> None:
    message = _email()
    message.add_attachment("list", filename="list.txt", disposition="inline")

    email = read_email(message.as_bytes())

    assert (email.text.strip(), [file.name for file in email.files]) == ("Yes!", ["list.txt"])


@pytest.mark.parametrize(
    ("text", "deletes_space", "joined"),
    [
        ("See you \non Tuesday.\nBye", False, "See you on Tuesday.\nBye"),
        ("See \nyou", True, "Seeyou"),
        ("> See you \n> on Tuesday\nYes", False, "> See you on Tuesday\nYes"),
        ("> See you \nYes", False, "> See you \nYes"),
        ("Yes \n-- \nAda", False, "Yes \n-- \nAda"),
        (" >not a quote", False, ">not a quote"),
        ("", False, ""),
    ],
)
def test_join_flowed_returns_whole_paragraphs(text: str, deletes_space: bool, joined: str) -> None:
    assert join_flowed(text, deletes_space=deletes_space) == joined


@pytest.mark.parametrize(
    "sender",
    [b"From: a@one.example, b@two.example", b"From: a@one.example\r\nFrom: b@two.example", b"From: Ada", b"X: y"],
)
def test_read_email_without_one_sender_names_none(sender: bytes) -> None:
    assert read_email(sender + b"\r\n\r\nYes\r\n").sender == ""


def test_read_email_in_unknown_charset_keeps_the_words() -> None:
    content = b'From: a@one.example\r\nContent-Type: text/plain; charset="none-such"\r\n\r\nYes\r\n'

    assert read_email(content).text.strip() == "Yes"


@given(st.binary(max_size=400))
def test_read_email_of_any_bytes_raises_nothing(content: bytes) -> None:
    read_email(b"From: a@one.example\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n" + content)


@pytest.mark.parametrize(
    ("headers", "sender", "reason"),
    [
        ({}, "ada@example.com", ""),
        ({"Auto_Submitted": "no"}, "ada@example.com", ""),
        ({}, "", "bounce"),
        ({"Auto_Submitted": "auto-replied"}, "ada@example.com", "auto_submitted"),
        ({"Auto_Submitted": "auto-generated; x=y"}, "ada@example.com", "auto_submitted"),
        ({"Precedence": "bulk"}, "ada@example.com", "precedence"),
        ({"List_Id": "<x.example>"}, "ada@example.com", "list_or_autoreply"),
        ({}, "notices@porchlight.example", "own"),
        ({}, "MAILER-DAEMON@example.com", "robot"),
    ],
)
def test_why_automatic_finds_what_no_person_wrote(headers: dict[str, str], sender: str, reason: str) -> None:
    assert why_automatic(_email(**headers), sender, frozenset({"porchlight.example"})) == reason


def test_why_automatic_of_many_servers_is_a_loop() -> None:
    content = b"Received: from a by b\r\n" * 40 + b"From: a@one.example\r\n\r\nYes\r\n"

    assert why_automatic(read_email(content).mime, "a@one.example", frozenset()) == "loop"


def test_own_address_of_a_reply_survives_changes_of_case() -> None:
    address = reply_address(TOKEN, DOMAIN)

    assert len(address.partition("@")[0]) <= 64  # RFC 5321
    assert parse_own_address(address.upper(), DOMAIN) == OwnAddress("reply", TOKEN)
    assert parse_own_address(calendar_address(TOKEN, DOMAIN), DOMAIN) == OwnAddress("calendar", TOKEN)


@pytest.mark.parametrize(
    "address",
    [
        "reply@reply.porchlight.example",
        f"reply+x@{DOMAIN}",
        f"other+{TOKEN.hex}@{DOMAIN}",
        "",
        f"reply+{TOKEN.hex}@x.example",
    ],
)
def test_own_address_of_others_is_unknown(address: str) -> None:
    assert parse_own_address(address, DOMAIN) is None


def _answer(*lines: str, method: str = "REPLY", uid: str = f"{EVENT}@porchlight.example") -> bytes:
    head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//y//EN", f"METHOD:{method}", "BEGIN:VEVENT", f"UID:{uid}"]
    rest = ["DTSTAMP:20261201T090000Z", "DTSTART:20261201T160000Z", *lines, "END:VEVENT", "END:VCALENDAR", ""]
    return "\r\n".join([*head, *rest]).encode()


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            ("SEQUENCE:2", "ATTENDEE;PARTSTAT=DECLINED;CN=Ada:mailto:Ada@example.com", "COMMENT:Sorry\\, ill"),
            CalendarAnswer(EVENT, "ada@example.com", "declined", 2, "Sorry, ill"),
        ),
        (
            ("ATTENDEE;PARTSTAT=ACCEPTED:MAILTO:ada@example.com",),
            CalendarAnswer(EVENT, "ada@example.com", "accepted", 0, ""),
        ),
        (("ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ada@example.com",), None),
        (("ATTENDEE:mailto:ada@example.com",), None),
        ((), None),
        (("ATTENDEE;PARTSTAT=DECLINED:mailto:a@x.example", "ATTENDEE;PARTSTAT=DECLINED:mailto:b@x.example"), None),
    ],
)
def test_read_calendar_answer_returns_the_answer(lines: tuple[str, ...], expected: CalendarAnswer | None) -> None:
    assert read_calendar_answer(_answer(*lines), "porchlight.example") == expected


@pytest.mark.parametrize(
    "content",
    [
        _answer("ATTENDEE;PARTSTAT=DECLINED:mailto:a@x.example", method="REQUEST"),
        _answer("ATTENDEE;PARTSTAT=DECLINED:mailto:a@x.example", uid=f"{EVENT}@elsewhere.example"),
        _answer("ATTENDEE;PARTSTAT=DECLINED:mailto:a@x.example", uid="other@porchlight.example"),
        b"",
        b"BEGIN:VCALENDAR",
        b"\xff\xfe",
        b"x" * 300_000,
    ],
)
def test_read_calendar_answer_of_other_files_is_none(content: bytes) -> None:
    assert read_calendar_answer(content, "porchlight.example") is None
