"""Where admins signed in before, by device cookie or network address: the right key is always accepted from there.

The cookie is signed and opens nothing; it only exempts its device from the limits of wrong keys.
"""

from __future__ import annotations

import hmac
import re
import secrets
from datetime import UTC, datetime, timedelta

from tenants.kit import clock

COOKIE = "__Host-porchlight_admin_device"
COOKIE_TTL = timedelta(days=365)
ADDRESS_TTL = timedelta(days=90)
_TOKEN = re.compile(r"([0-9]{1,12})\.([A-Za-z0-9_-]{22})\.([0-9a-f]{64})", re.ASCII)


def new_device_token(secret: bytes) -> str:
    """Return the value of a new device's cookie: the time, a random part, and their signature."""
    signed = f"{int(clock.now().timestamp())}.{secrets.token_urlsafe(16)}"
    return f"{signed}.{_signature(secret, signed)}"


def is_known_device(secret: bytes, token: str) -> bool:
    """Whether a cookie was set by a sign-in within COOKIE_TTL."""
    match = _TOKEN.fullmatch(token)
    if match is None or not hmac.compare_digest(_signature(secret, f"{match[1]}.{match[2]}"), match[3]):
        return False
    return clock.now() - datetime.fromtimestamp(int(match[1]), UTC) < COOKIE_TTL


def _signature(secret: bytes, signed: str) -> str:
    return hmac.new(secret, b"admin device\0" + signed.encode(), "sha256").hexdigest()
