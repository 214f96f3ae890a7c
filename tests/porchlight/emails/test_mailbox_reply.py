"""The emails that the mailbox page sends: read by the mail receiver as those of any mail program."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.policy import SMTP
from uuid import UUID

import pytest

from porchlight.emails.invitations import Invitation, invitation_file
from porchlight.emails.mailbox_reply import MAILBOX_SERVER, MailboxEmail, answer_to, reply_to
from porchlight.inbound_mail.addresses import calendar_address, reply_address
from porchlight.inbound_mail.calendar_answer import read_calendar_answer
from porchlight.inbound_mail.received_email import read_email
from porchlight.inbound_mail.reply_text import new_words

DOMAIN, BASE_HOST = "reply.porchlight.example", "porchlight.example"
EVENT, TOKEN = UUID(int=5), UUID(int=6)
STARTS_AT = datetime(2027, 6, 1, 15, 0, tzinfo=UTC)


def _email() -> MailboxEmail:
    invitation = Invitation(
        event_id=EVENT, sequence=2, method="request", changed_at=STARTS_AT, starts_at=STARTS_AT,
        ends_at=STARTS_AT + timedelta(hours=1), summary="Lesson", description="", location="", organizer_name="Zoe",
        organizer_address=calendar_address(TOKEN, DOMAIN), attendee_name="Ada", attendee_address="ada@example.com",
        base_host=BASE_HOST, asks_for_answer=True,
    )  # fmt: skip
    content = invitation_file(invitation).content.decode()
    return MailboxEmail("ada@example.com", reply_address(TOKEN, DOMAIN), "Zoe wrote", "Zoe wrote:\n\n> Hi\n", content)


def test_mailbox_reply_has_the_words_above_the_history() -> None:
    received = read_email(reply_to(_email(), "Yes!\n\nGladly.").as_bytes(policy=SMTP))

    assert new_words(received.text, (reply_address(TOKEN, DOMAIN),)) == "Yes!\n\nGladly."
    assert received.checks[0].startswith(f"{MAILBOX_SERVER}; dmarc=pass")


@pytest.mark.parametrize(("answer", "expected"), [("yes", "accepted"), ("no", "declined"), ("maybe", "tentative")])
def test_mailbox_answer_is_that_of_a_calendar_program(answer: str, expected: str) -> None:
    message = answer_to(_email(), answer)
    assert message is not None
    (calendar,) = read_email(message.as_bytes(policy=SMTP)).calendars

    found = read_calendar_answer(calendar, BASE_HOST)

    assert message["To"] == calendar_address(TOKEN, DOMAIN)
    assert found is not None
    assert (found.event_id, found.attendee, found.answer, found.sequence) == (EVENT, "ada@example.com", expected, 2)
