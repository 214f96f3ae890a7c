"""The six digits of a sign-in code.

They are derived from the code's id and address with a key of the server: neither the database nor the job that sends
the email has them.
"""

from __future__ import annotations

import hmac
from datetime import timedelta
from uuid import UUID

DIGITS = 6
CODE_TTL = timedelta(minutes=10)
# A guess is right once in 200,000 codes; an address gets 20 codes a day.
MAX_ATTEMPTS = 5
CODES_PER_HOUR = 5
CODES_PER_DAY = 20
# A right code works again for this long: its answer may have been lost on the way.
REPEAT_TTL = timedelta(minutes=1)


def derive_code(secret: bytes, code_id: UUID, email: str) -> str:
    """Return the digits of the code with this id for this address."""
    digest = hmac.digest(secret, code_id.bytes + email.encode(), "sha256")
    return str(int.from_bytes(digest[:8]) % 10**DIGITS).zfill(DIGITS)


def hash_code(secret: bytes, code_id: UUID, digits: str) -> bytes:
    """Return what the database keeps to recognize the digits."""
    return hmac.digest(secret, b"kept" + code_id.bytes + digits.encode(), "sha256")
