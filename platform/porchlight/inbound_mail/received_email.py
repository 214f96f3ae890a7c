"""An email as it was received, taken apart: who, to which of our addresses, words, files and calendar answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from email.policy import default
from itertools import islice

from porchlight.inbound_mail.html_text import plain_text
from tenants.kit.email_addresses import EMAIL_ADDRESS

MAX_PARTS = 100
MAX_TEXT_CHARACTERS = 200_000
# Signatures, and the copy of an invitation that `text/calendar` has, too.
_MACHINE_KINDS = frozenset({"application/ics", "application/pkcs7-signature", "application/pgp-signature"})


@dataclass(frozen=True, slots=True)
class AttachedFile:
    """A file of an email. `name` and `kind` are what the sender claims."""

    name: str
    kind: str
    content: bytes


@dataclass(frozen=True, slots=True)
class ReceivedEmail:
    """The parts of an email. `sender` is the one address in From, lowercased, or "" if there is not exactly one."""

    sender: str
    message_id: str
    text: str
    files: Sequence[AttachedFile]
    calendars: Sequence[bytes]
    checks: Sequence[str]  # the values of Authentication-Results, topmost first
    mime: EmailMessage


def read_email(content: bytes) -> ReceivedEmail:
    """Return the parts of an email. Whatever is malformed in it is left out."""
    mime = BytesParser(policy=default).parsebytes(content)
    assert isinstance(mime, EmailMessage)  # noqa: S101 - what this policy makes
    plain: list[str] = []
    rich: list[str] = []
    files: list[AttachedFile] = []
    calendars: list[bytes] = []
    for part in islice(_own_parts(mime), MAX_PARTS):
        kind = part.get_content_type()
        data = part.get_payload(decode=True)
        if not isinstance(data, bytes):
            continue
        if kind == "text/calendar":
            calendars.append(data)
        elif kind in ("text/plain", "text/html") and not _is_file(part):
            (plain if kind == "text/plain" else rich).append(_text(part, data))
        elif kind not in _MACHINE_KINDS:
            files.append(AttachedFile(_file_name(part), kind, data))
    # Mail programs wrap the lines of plain text where no person did; HTML has the paragraphs as they were written.
    text = "\n".join(plain_text(source) for source in rich)
    return ReceivedEmail(
        sender=_sender(mime),
        message_id=str(mime.get("Message-ID", "")).strip()[:500],
        text=(text if text.strip() else "\n".join(plain))[:MAX_TEXT_CHARACTERS],
        files=files,
        calendars=calendars,
        checks=[str(value).strip() for value in mime.get_all("Authentication-Results", [])],
        mime=mime,
    )


def _own_parts(mime: MIMEPart) -> Iterator[MIMEPart]:
    """Yield the parts of an email, but none of an email that is attached to it: its words are someone else's."""
    if mime.get_content_maintype() == "message":
        return
    if not mime.is_multipart():
        yield mime
        return
    for part in mime.iter_parts():
        yield from _own_parts(part)


def _is_file(part: MIMEPart) -> bool:
    return part.get_content_disposition() == "attachment" or bool(_file_name(part))


def _sender(mime: EmailMessage) -> str:
    """Return the one address in the one From; "" if a forger could hide behind several."""
    headers = mime.get_all("From", [])
    addresses: Sequence[Address] = getattr(headers[0], "addresses", ()) if len(headers) == 1 else ()
    address = addresses[0].addr_spec.lower() if len(addresses) == 1 else ""
    return address if EMAIL_ADDRESS.fullmatch(address) else ""


def _file_name(part: MIMEPart) -> str:
    try:
        return (part.get_filename() or "").strip()[:200]
    except (ValueError, UnicodeError):
        return ""


def _text(part: MIMEPart, data: bytes) -> str:
    try:
        text = data.decode(part.get_content_charset() or "utf-8", "replace")
    except LookupError:
        text = data.decode("utf-8", "replace")
    if part.get_content_type() == "text/plain" and str(part.get_param("format", "")).lower() == "flowed":
        return join_flowed(text, deletes_space=str(part.get_param("delsp", "")).lower() == "yes")
    return text


def join_flowed(text: str, *, deletes_space: bool) -> str:
    """Return text of the format "flowed" with whole paragraphs (RFC 3676, 4). `deletes_space`: its parameter DelSp."""
    paragraphs: list[tuple[int, str]] = []
    is_open = False
    for line in text.replace("\r\n", "\n").split("\n"):
        words = line.lstrip(">")
        depth = len(line) - len(words)
        words = words.removeprefix(" ")  # space-stuffing
        is_flowed = words.endswith(" ") and words != "-- "
        if is_flowed and deletes_space:
            words = words[:-1]
        if is_open and paragraphs[-1][0] == depth and words != "-- ":
            paragraphs[-1] = (depth, paragraphs[-1][1] + words)
        else:
            paragraphs.append((depth, words))
        is_open = is_flowed
    return "\n".join(f"{'>' * depth} {words}" if depth else words for depth, words in paragraphs)
