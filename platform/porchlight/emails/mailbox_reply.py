"""Replies and answers to invitations from the page `/_mail`, sent over SMTP like a mail program. Development only."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import EmailMessage as MimeMessage
from email.utils import make_msgid

from icalendar import Calendar

MAILBOX_SERVER = "mailbox.porchlight.localhost"  # which adds Authentication-Results, as a provider's server does
ANSWERS = {"yes": ("ACCEPTED", "Accepted"), "maybe": ("TENTATIVE", "Maybe"), "no": ("DECLINED", "Declined")}


@dataclass(frozen=True, slots=True)
class MailboxEmail:
    """The parts of an email in the mailbox that a reply needs."""

    recipient: str
    reply_to: str
    subject: str
    plain: str
    invitation: str


def reply_to(email: MailboxEmail, words: str) -> MimeMessage:
    """Return the reply that a mail program writes: the words, with the email quoted below."""
    quoted = "\n".join(f"> {line}" for line in email.plain.splitlines())
    message = _message(email, email.reply_to, f"Re: {email.subject.removeprefix('Re: ')}")
    message.set_content(f"{words}\n\nOn Sunday, Porchlight <{email.reply_to}> wrote:\n\n{quoted}\n")
    return message


def answer_to(email: MailboxEmail, answer: str) -> MimeMessage | None:
    """Return the answer "yes", "no" or "maybe" to an invitation (RFC 5546, 3.2.3), or None if it cannot be answered."""
    status, word = ANSWERS[answer]
    calendar = Calendar.from_ical(email.invitation, multiple=True)[0]
    event = calendar.events[0]
    organizer, attendee = event.get("ORGANIZER"), event.get("ATTENDEE")
    if organizer is None or attendee is None or isinstance(attendee, list):
        return None
    calendar["METHOD"] = "REPLY"
    attendee.params["PARTSTAT"] = status
    message = _message(email, str(organizer).partition(":")[2], f"{word}: {event.get('SUMMARY', '')}")
    message.set_content(f"{word}.")
    message.add_alternative(
        calendar.to_ical(), maintype="text", subtype="calendar", params={"method": "REPLY", "charset": "utf-8"}
    )
    return message


def _message(email: MailboxEmail, address: str, subject: str) -> MimeMessage:
    message = MimeMessage()
    message["From"], message["To"] = email.recipient, address
    message["Subject"] = " ".join(subject.split())
    message["Message-ID"] = make_msgid(domain=MAILBOX_SERVER)
    message["Authentication-Results"] = f"{MAILBOX_SERVER}; dmarc=pass header.from={email.recipient.rpartition('@')[2]}"
    return message
