"""The paths of receipts of waivers that were signed with a personal link. Only the server can make one."""

from __future__ import annotations

import hmac
from uuid import UUID

from tenants.kit.base64url import decode_base64url, encode_base64url
from tenants.kit.errors import NotFound

_MAC_BYTES = 16


def receipt_text(secret: bytes, signer_id: UUID, waiver_id: UUID) -> str:
    """Return the last part of a receipt's path."""
    ids = signer_id.bytes + waiver_id.bytes
    return encode_base64url(ids + _mac(secret, ids))


def parse_receipt_or_404(secret: bytes, text: str) -> tuple[UUID, UUID]:
    """Return the ids of the signer and the waiver in a receipt's path. Raises NotFound for one that we did not make."""
    try:
        raw = decode_base64url(text)
    except ValueError:
        raise NotFound from None
    ids, mac = raw[:32], raw[32:]
    if len(ids) != 32 or not hmac.compare_digest(mac, _mac(secret, ids)):
        raise NotFound
    return UUID(bytes=ids[:16]), UUID(bytes=ids[16:])


def _mac(secret: bytes, ids: bytes) -> bytes:
    return hmac.digest(secret, b"waiver receipt\0" + ids, "sha256")[:_MAC_BYTES]
