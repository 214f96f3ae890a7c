"""The bytes of an email, as every mail server and mail program reads them.

All of it is 7-bit ASCII with lines of at most 998 bytes, so no server on the way has a reason to change the bytes. That
would break the signature (DKIM) that the operator's server adds.
"""

from __future__ import annotations

from base64 import b64encode
from dataclasses import dataclass
from email.message import EmailMessage as MimeMessage
from email.policy import SMTP
from email.utils import format_datetime, quote

from porchlight.ports import CalendarFile, EmailMessage
from tenants.kit import clock
from tenants.kit.email_addresses import InvalidEmail, ascii_email, split_sender

INVITATION_NAME = "session.ics"
MAX_PLAIN_CHARACTERS = 900  # of a header on one line
WORD_BYTES = (
    39  # of text in an encoded word: its line, with the name of the header, has at most 76 characters (RFC 2047)
)
# Lines of quoted-printable have at most 76 characters (RFC 2045); Python's default is 78.
_POLICY = SMTP.clone(cte_type="7bit", max_line_length=76)


@dataclass(frozen=True, slots=True)
class WireEmail:
    """The envelope's addresses and the message."""

    sender: str
    recipient: str
    content: bytes


def to_wire(message: EmailMessage, sender: str) -> WireEmail:
    """Return an email as it is sent. `sender` is an address with an optional name.

    Every attempt to send it has the same Message-ID, by which mail programs recognize it. Raises InvalidEmail for a
    recipient that email cannot reach; a Reply-To that it cannot reach is left out.
    """
    name, address = split_sender(sender)
    address, recipient = ascii_email(address), ascii_email(message.recipient)
    # Python would encode long or foreign values where no program decodes them ("To: ada@=?utf-8?q?...?=",
    # "List-Unsubscribe: =?utf-8?q?=3Chttps...?="), and lose spaces between words of a subject.
    headers = {
        "From": _mailbox(name, address),
        "To": recipient,
        "Subject": encode_words(message.subject),
        "Date": format_datetime(clock.now()),
        "Message-ID": f"<{message.key}@{address.rpartition('@')[2]}>",
        "Auto-Submitted": "auto-generated",
        "Reply-To": _reachable(message.reply_to),
    }
    if message.unsubscribe_url:
        headers["List-Unsubscribe"] = f"<{message.unsubscribe_url}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    head = "".join(f"{field}: {value}\r\n" for field, value in headers.items() if value)
    mime = MimeMessage(policy=_POLICY)
    # Readable for people and filters, with short lines. Left to choose, Python looks at the first ten lines only.
    mime.set_content(message.text, cte="quoted-printable")
    mime.add_alternative(message.html, subtype="html", cte="quoted-printable")
    if message.invitation:
        _add_invitation(mime, message.invitation)
    for number, invitation in enumerate(message.further_invitations, start=2):
        _add_further_invitation(mime, invitation, number)
    return WireEmail(address, recipient, head.encode("ascii") + mime.as_bytes())


def encode_words(text: str) -> str:
    """Return `text` as the value of a header: as it is, or in encoded words (RFC 2047) on lines of their own."""
    if text.isascii() and text.isprintable() and "=?" not in text and len(text) <= MAX_PLAIN_CHARACTERS:
        return text
    words, word = [], b""
    for character in text:
        encoded = character.encode()
        if len(word) + len(encoded) > WORD_BYTES:
            words.append(word)
            word = b""
        word += encoded
    return "\r\n ".join(f"=?utf-8?B?{b64encode(word).decode()}?=" for word in [*words, word])


def _mailbox(name: str, address: str) -> str:
    """Return an address with its display name."""
    encoded = encode_words(name)
    if encoded == name:
        return f'"{quote(name)}" <{address}>' if name else address
    return f"{encoded}\r\n <{address}>"


def _reachable(address: str) -> str:
    try:
        return ascii_email(address) if address else ""
    except InvalidEmail:
        return ""


def _add_invitation(mime: MimeMessage, invitation: CalendarFile) -> None:
    """Add the invitation twice with the same bytes, as Google Calendar does.

    Outlook and Gmail read the alternative part with its method (RFC 6047). Apple Mail and programs without calendar
    support offer the attachment. Its type `application/ics` has no method, so that no program applies the event twice.
    Base64 keeps the CRLF line ends of RFC 5545.
    """
    params = {"method": invitation.method, "charset": "utf-8"}
    mime.add_alternative(invitation.content, maintype="text", subtype="calendar", cte="base64", params=params)
    mime.add_attachment(
        invitation.content, maintype="application", subtype="ics", cte="base64", filename=INVITATION_NAME
    )


def _add_further_invitation(mime: MimeMessage, invitation: CalendarFile, number: int) -> None:
    """Add the event of another session. An invitation has one event, so each is a part of its own (RFC 6047, 2.6).

    No program reads it twice: the alternative part has the first event only.
    """
    name = INVITATION_NAME.replace(".", f"-{number}.")
    params = {"method": invitation.method, "charset": "utf-8"}
    mime.add_attachment(
        invitation.content, maintype="text", subtype="calendar", cte="base64", params=params, filename=name
    )
