"""Reports to the staff: the rate limit and the report in one statement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from sites.reports.schemas import ReportKind, ReportWords
from tenants.db.pool import Database
from tenants.db.rate_limit import FLOOD_PERIOD, RETRY_AFTER_SECONDS, FloodLimit, hash_address, hash_sender
from tenants.http.idempotency import content_digest, content_key
from tenants.http.proof_of_work import ProofOfWork, ProofRequired
from tenants.kit import clock
from tenants.kit.errors import KeyReused, Limited, NotFound, ValidationFailed
from tenants.kit.ids import new_id

THANKS = "Thanks. Your report has been sent to our team."
# `total` bounds what unverified reporters can add to the database in an hour.
MAX_TITLE_CHARACTERS = 500  # of what is reported, for staff
REPORTS_PER_HOUR = FloodLimit(per_address=10, per_network=60, flood_from=100, total=5000)
_CREATE = """
SELECT outcome FROM app.create_report(
  %(id)s, %(kind)s, %(name)s, %(reason)s, %(details)s, %(reporter)s, %(address)s, %(network)s, %(key)s, %(digest)s,
  %(is_proven)s, %(per_address)s, %(per_network)s, %(flood_from)s, %(total)s, %(period)s, %(max_title)s,
  %(evidence)s)"""


@dataclass(frozen=True, slots=True)
class Reporter:
    """The sender of a report: keyed hashes of address and network for limits, and the account of a signed-in user.

    A user with a verified email address has an hourly limit of their own, so that no flood of reports keeps them out.
    """

    address_hash: bytes
    network_hash: bytes
    user_id: UUID | None = None
    is_verified: bool = False


def reporter(secret: bytes, address: str, user_id: UUID | None = None, *, is_verified: bool = False) -> Reporter:
    """Return the reporter at a network address, or the user with a verified email address."""
    if user_id is not None and is_verified:
        of_user = hash_address(secret, user_id.hex, purpose="report by")
        return Reporter(of_user, of_user, user_id, is_verified=True)
    sender = hash_sender(secret, address, purpose="report")
    return Reporter(sender.address_hash, sender.network_hash, user_id)


async def create_report(
    db: Database,
    subject: tuple[ReportKind, str],
    report: ReportWords,
    *,
    reporter: Reporter,
    secret: bytes,
    limit: FloodLimit | None,
    key: str | None = None,
    proof: str = "",
    evidence: Sequence[Mapping[str, Any]] | None = None,
) -> bool:
    """Create a report for the staff. Return True for a new report, False for a resend.

    `subject` is a kind and a name: the label of a site, "label/slug" of a post, the handle of a profile, the id of a
    thread. Without a key,
    the same content about the same subject from the same address on the same day is a resend. A report with a filled
    honeypot is reported as created, and discarded. `secret` signs challenges, and `proof` is a solved one. `limit` None
    means unlimited. `evidence`: what the staff get with the report of a thread, which only its people can report.

    Raise NotFound for an unknown or hidden subject, ValidationFailed, Limited, ProofRequired (in a flood), KeyReused
    (the key was used for different content).
    """
    if report.reason == "other" and not report.details:
        raise ValidationFailed(fields={"details": "Please tell us what's wrong."})
    if report.website:
        return True
    kind, name = subject
    digest = content_digest(kind, name, report.reason, report.details)
    key = key or content_key(digest, reporter.address_hash, clock.now())
    work = ProofOfWork(secret, f"report {key}", proof)
    outcome = await db.write_value(
        str,
        None,
        _CREATE,
        {
            "id": new_id(),
            "kind": kind,
            "name": name,
            "reason": report.reason,
            "details": report.details,
            "reporter": reporter.user_id,
            "address": reporter.address_hash,
            "network": reporter.network_hash,
            "key": key,
            "digest": digest,
            "is_proven": work.is_valid(),
            "period": FLOOD_PERIOD,
            "max_title": MAX_TITLE_CHARACTERS,
            "evidence": Jsonb(evidence) if evidence is not None else None,
            **_limits(limit, reporter),
        },
        user_id=reporter.user_id,
    )
    if outcome == "unknown":
        raise NotFound
    if outcome == "unproven":
        raise ProofRequired(work.challenge())
    if outcome == "limited":
        raise Limited(retry_after=RETRY_AFTER_SECONDS)
    if outcome == "other":
        raise KeyReused
    return outcome == "created"


def _limits(limit: FloodLimit | None, reporter: Reporter) -> dict[str, int | None]:
    """Return the limits of a reporter. A verified user shares none with others."""
    if limit is None:
        return dict.fromkeys(("per_address", "per_network", "flood_from", "total"))
    if reporter.is_verified:
        return {"per_address": limit.per_address, "per_network": None, "flood_from": None, "total": None}
    return asdict(limit)
