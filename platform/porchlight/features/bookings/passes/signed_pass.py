"""The pass of a booking: 105 signed bytes, which a guru's device verifies without a connection.

| bytes | content |
|---|---|
| 1 | version, 1 |
| 16 | booking id |
| 16 | tenant id |
| 4 | start, in seconds since 1970 |
| 2 | minutes |
| 2 | sequence of the booking, modulo 65,536 |
| 64 | Ed25519 signature (RFC 8032) of `CONTEXT` and the 41 bytes before it |

Numbers are unsigned and big-endian. A QR code has the bytes as base64url, 140 characters. No personal data is in it.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from uuid import UUID

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tenants.kit.base64url import decode_base64url, encode_base64url

VERSION = 1
CONTEXT = b"porchlight pass\0"
PASS_BYTES = 105
CODE_CHARACTERS = 8
_BODY = struct.Struct(">B16s16sIHH")
_SEQUENCES = 1 << 16
# Without letters that look like digits (Crockford's base 32). Readers take O for 0, and I and L for 1.
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_CODE_BYTES = 5


class InvalidPass(ValueError):
    """The text is no pass that this installation has signed."""


@dataclass(frozen=True, slots=True)
class Pass:
    """The content of a pass: which booking of which guru, when it takes place, and how often it changed before."""

    booking_id: UUID
    tenant_id: UUID
    starts_at: datetime
    minutes: int
    sequence: int

    @property
    def body(self) -> bytes:
        """Return the bytes before the signature."""
        return _BODY.pack(
            VERSION, self.booking_id.bytes, self.tenant_id.bytes, int(self.starts_at.timestamp()), self.minutes,
            self.sequence,
        )  # fmt: skip


def pass_of(booking_id: UUID, tenant_id: UUID, starts_at: datetime, ends_at: datetime, sequence: int) -> Pass:
    """Return the pass of a booking as it is now."""
    minutes = int((ends_at - starts_at).total_seconds()) // 60
    return Pass(booking_id, tenant_id, starts_at.replace(microsecond=0), minutes, sequence % _SEQUENCES)


def sign_pass(content: Pass, key: Ed25519PrivateKey) -> bytes:
    """Return the signed pass."""
    return content.body + key.sign(CONTEXT + content.body)


def read_pass(text: str, keys: Iterable[Ed25519PublicKey]) -> Pass:
    """Return the content of a pass in base64url that one of the keys has signed. Raises InvalidPass."""
    try:
        data = decode_base64url(text)
    except ValueError:
        raise InvalidPass from None
    if len(data) != PASS_BYTES or data[0] != VERSION:
        raise InvalidPass
    body, signature = data[: _BODY.size], data[_BODY.size :]
    if not any(_is_signed(key, body, signature) for key in keys):
        raise InvalidPass
    _version, booking_id, tenant_id, starts_at, minutes, sequence = _BODY.unpack(body)
    start = datetime.fromtimestamp(starts_at, UTC)
    return Pass(UUID(bytes=booking_id), UUID(bytes=tenant_id), start, minutes, sequence)


def _is_signed(key: Ed25519PublicKey, body: bytes, signature: bytes) -> bool:
    try:
        key.verify(signature, CONTEXT + body)
    except InvalidSignature:
        return False
    return True


def text_of(data: bytes) -> str:
    """Return a signed pass as the text of its QR code."""
    return encode_base64url(data)


def code_of(data: bytes) -> str:
    """Return the code of a signed pass, to type by hand: eight characters that only its signer can compute."""
    number = int.from_bytes(hashlib.sha256(data).digest()[:_CODE_BYTES], "big")
    return "".join(_ALPHABET[number >> shift & 31] for shift in range(5 * (CODE_CHARACTERS - 1), -1, -5))
