"""Signed links to files. A link is valid for five minutes for anyone who has it, and names the viewer it is for."""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from tenants.kit.base64url import decode_base64url, encode_base64url
from tenants.kit.errors import ProductError

TTL = timedelta(minutes=5)
PATH = "/api/documents/files/"
OWNER = "owner"  # the viewer of a user's own document
_IDS_BYTES = 3 * 16
_TIME_BYTES = 6
_SIGNATURE_BYTES = 32


class LinkExpired(ProductError):
    """The link has expired, or its signature is invalid."""

    status = 410
    code = "link_expired"
    message = "This link has expired. Please go back and open the document again."


@dataclass(frozen=True, slots=True)
class SignedLink:
    """Access to one file of one document for a viewer (`owner` or the name of an admin key)."""

    user_id: UUID
    document_id: UUID
    file_id: UUID
    viewer: str


def sign(secret: bytes, link: SignedLink, now: datetime) -> str:
    """Return the path of a link that expires `TTL` after `now`."""
    ids = link.user_id.bytes + link.document_id.bytes + link.file_id.bytes
    expires_at = int((now + TTL).timestamp()).to_bytes(_TIME_BYTES, "big")
    body = ids + expires_at + link.viewer.encode()
    return PATH + encode_base64url(_signature(secret, body) + body)


def verify(secret: bytes, token: str, now: datetime) -> tuple[SignedLink, UUID]:
    """Return the link of a token, and an id derived from the token. Raises LinkExpired."""
    try:
        raw = decode_base64url(token)
    except ValueError:
        raise LinkExpired from None
    signature, body = raw[:_SIGNATURE_BYTES], raw[_SIGNATURE_BYTES:]
    viewer_start = _IDS_BYTES + _TIME_BYTES
    if len(body) <= viewer_start or not hmac.compare_digest(signature, _signature(secret, body)):
        raise LinkExpired
    if now.timestamp() > int.from_bytes(body[_IDS_BYTES:viewer_start], "big"):
        raise LinkExpired
    link = SignedLink(
        UUID(bytes=body[:16]), UUID(bytes=body[16:32]), UUID(bytes=body[32:48]), body[viewer_start:].decode()
    )
    return link, UUID(bytes=hashlib.sha256(raw).digest()[:16])


def _signature(secret: bytes, body: bytes) -> bytes:
    return hmac.digest(secret, b"document file\0" + body, "sha256")
