"""Ask for a sign-in code and use it, without an account: SQL functions stand before the table."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from porchlight.auth.sign_in_codes.codes import (
    CODE_TTL,
    CODES_PER_DAY,
    CODES_PER_HOUR,
    MAX_ATTEMPTS,
    REPEAT_TTL,
    derive_code,
    hash_code,
)
from tenants.db.pool import Database
from tenants.db.rate_limit import RETRY_AFTER_SECONDS, FloodLimit, Sender, flood_limit_params
from tenants.kit.errors import Conflict, Limited, ValidationFailed
from tenants.kit.ids import new_id

# Households and offices share an address; honest people ask once or twice.
CODES_PER_ADDRESS = FloodLimit(per_address=20, per_network=100, flood_from=5000, total=5000)
_ADD = """
SELECT app.add_sign_in_code(
  %(id)s, %(email)s, %(code)s, %(address)s, %(network)s, %(per_address)s, %(per_network)s, %(total)s, %(period)s,
  %(hour)s, %(per_hour)s, %(day)s, %(per_day)s)"""
_USE = "SELECT email, is_right, attempts FROM app.use_sign_in_code(%(id)s, %(code)s, %(ttl)s, %(repeat)s, %(most)s)"


class CodeExpired(Conflict):
    """A code that is unknown, too old, used or guessed too often."""

    code = "code_expired"
    message = "This code has expired. Please get a new one."


class SignInOffline(Conflict):
    """No identity provider is configured (SPEC 8.1, offline mode)."""

    code = "sign_in_offline"
    message = "Authentication features are currently unavailable. Please configure Firebase to enable login."


class CodesExhausted(Limited):
    """An address that got too many codes."""

    code = "codes_exhausted"
    message = "We've sent several codes to this address. Please use the latest one, or try again in an hour."


@dataclass(frozen=True, slots=True)
class _Attempt:
    email: str
    is_right: bool
    attempts: int


async def add_code(db: Database, email: str, *, secret: bytes, sender: Sender, is_limited: bool) -> UUID:
    """Store a code for an address and enqueue its email; return its id. Raises Limited and CodesExhausted."""
    code_id = new_id()
    limit = flood_limit_params(CODES_PER_ADDRESS if is_limited else None, is_proven=True)
    outcome = await db.write_value(
        str,
        None,
        _ADD,
        {
            "id": code_id,
            "email": email,
            "code": hash_code(secret, code_id, derive_code(secret, code_id, email)),
            "address": sender.address_hash,
            "network": sender.network_hash,
            "per_address": limit["per_address"],
            "per_network": limit["per_network"],
            "total": limit["total"],
            "period": limit["period"],
            "hour": timedelta(hours=1),
            "day": timedelta(days=1),
            "per_hour": CODES_PER_HOUR if is_limited else None,
            "per_day": CODES_PER_DAY if is_limited else None,
        },
    )
    if outcome == "limited":
        raise Limited(retry_after=RETRY_AFTER_SECONDS)
    if outcome == "exhausted":
        raise CodesExhausted(retry_after=RETRY_AFTER_SECONDS)
    return code_id


async def use_code(db: Database, code_id: UUID, digits: str, *, secret: bytes) -> str:
    """Return the address that the right digits prove. Raises ValidationFailed for wrong ones, and CodeExpired."""
    values = {
        "id": code_id,
        "code": hash_code(secret, code_id, digits),
        "ttl": CODE_TTL,
        "repeat": REPEAT_TTL,
        "most": MAX_ATTEMPTS,
    }
    for attempt in await db.write(None, _USE, values, row=_Attempt):
        if attempt.is_right:
            return attempt.email
        left = MAX_ATTEMPTS - attempt.attempts
        if left > 0:
            tries = "1 try" if left == 1 else f"{left} tries"
            raise ValidationFailed(fields={"code": f"That's not the code. {tries} left."})
    raise CodeExpired
