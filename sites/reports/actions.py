"""Reporting something to the staff: the limits and the report itself, in one statement."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from dataclasses import dataclass
from uuid import UUID

from sites.reports.schemas import Kind, ReportWords
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import Conflict, Limited, NotFound, ValidationFailed
from tenants.kit.ids import new_id

THANKS = "Thank you. Your report has been sent to our team."
_LEAVE = """
SELECT outcome FROM app.leave_report(
  %(id)s, %(kind)s, %(name)s, %(reason)s, %(details)s, %(reporter)s, %(address)s, %(key)s, %(digest)s,
  %(per_address)s, %(in_all)s)"""


@dataclass(frozen=True, slots=True)
class ReportLimits:
    """Reports within an hour, from one address and from all of them."""

    per_address: int = 10
    in_all: int = 1000


UNLIMITED = ReportLimits(1_000_000_000, 1_000_000_000)


@dataclass(frozen=True, slots=True)
class Reporter:
    """Who reports: a keyed hash of the address, for limits alone, and the account of somebody signed in."""

    address_hash: bytes
    user_id: UUID | None = None


def reporter(secret: bytes, address: str, user_id: UUID | None = None) -> Reporter:
    """The reporter at a network address. An IPv6 network of 64 bits counts as one address."""
    network = address
    if ":" in address:
        try:
            network = str(ipaddress.IPv6Network((address.partition("%")[0], 64), strict=False))
        except ValueError:
            network = address
    return Reporter(hmac.digest(secret, b"report\0" + network.encode(), "sha256")[:16], user_id)


async def leave_report(
    db: Database,
    subject: tuple[Kind, str],
    words: ReportWords,
    *,
    who: Reporter,
    limits: ReportLimits,
    key: str | None = None,
) -> bool:
    """Keep a report for the staff. True when it is new, False for a resend.

    `subject` is a kind and its name: the label of a site, "label/slug" of a post, the handle of a profile. Without a
    key, the same words about the same thing from the same place on one day are the same report. Raises NotFound for
    what does not exist or is hidden, ValidationFailed, Limited, Conflict (the key was used for other words).
    What fills the honeypot is thanked and dropped.
    """
    if words.reason == "other" and not words.details:
        raise ValidationFailed(fields={"details": "Please tell us what is wrong."})
    if words.website:
        return True
    kind, name = subject
    digest = hashlib.sha256("\0".join((kind, name, words.reason, words.details)).encode()).digest()[:16]
    if key is None:
        today = str(clock.now().date()).encode()
        key = "form-" + hashlib.sha256(digest + who.address_hash + today).hexdigest()[:40]
    rows = await db.write(
        None,
        _LEAVE,
        {
            "id": new_id(),
            "kind": kind,
            "name": name,
            "reason": words.reason,
            "details": words.details,
            "reporter": who.user_id,
            "address": who.address_hash,
            "key": key,
            "digest": digest,
            "per_address": limits.per_address,
            "in_all": limits.in_all,
        },
    )
    outcome = rows[0][0]
    if outcome == "unknown":
        raise NotFound
    if outcome == "limited":
        raise Limited(retry_after=600)
    if outcome == "other":
        raise Conflict("This Idempotency-Key was already used for another report.")
    return bool(outcome == "kept")
