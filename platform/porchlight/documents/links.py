"""Links to files: whoever has one may open the file, for some minutes, and it says in whose name that is."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from tenants.kit.errors import ProductError

LIFETIME = timedelta(minutes=5)
PATH = "/api/documents/files/"
OWNER = "owner"  # the viewer's name when somebody opens their own
_IDS = 3 * 16
_TIME = 6
_SIGNATURE = 32


class LinkExpired(ProductError):
    """A link that is too old, or that we never gave out: neither opens anything."""

    status = 410
    code = "link_expired"
    message = "This link has expired. Please go back and open the document again."


@dataclass(frozen=True, slots=True)
class Pass:
    """What a link allows: this file of this document, to this viewer (`owner` or the name of a staff key)."""

    user_id: UUID
    document_id: UUID
    file_id: UUID
    viewer: str


def link(secret: bytes, allowed: Pass, now: datetime) -> str:
    """The path of a link that is good until LIFETIME after `now`."""
    ids = allowed.user_id.bytes + allowed.document_id.bytes + allowed.file_id.bytes
    until = int((now + LIFETIME).timestamp()).to_bytes(_TIME, "big")
    body = ids + until + allowed.viewer.encode()
    return PATH + base64.urlsafe_b64encode(_sign(secret, body) + body).decode().rstrip("=")


def opened(secret: bytes, token: str, now: datetime) -> tuple[Pass, UUID]:
    """What a link's last part allows, and a name for this very link. Raises LinkExpired."""
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raise LinkExpired from None
    given, body = raw[:_SIGNATURE], raw[_SIGNATURE:]
    if len(body) <= _IDS + _TIME or not hmac.compare_digest(given, _sign(secret, body)):
        raise LinkExpired
    if now.timestamp() > int.from_bytes(body[_IDS : _IDS + _TIME], "big"):
        raise LinkExpired
    allowed = Pass(
        UUID(bytes=body[:16]), UUID(bytes=body[16:32]), UUID(bytes=body[32:48]), body[_IDS + _TIME :].decode()
    )
    return allowed, UUID(bytes=hashlib.sha256(raw).digest()[:16])


def _sign(secret: bytes, body: bytes) -> bytes:
    return hmac.digest(secret, b"document file\0" + body, "sha256")
