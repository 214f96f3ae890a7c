"""Actions on leads.

Creating a lead checks the limits, inserts the lead and enqueues the notification in one statement, so in one
transaction. The other actions run in the unit of work of the tenant.
"""

from __future__ import annotations

import hmac
import math
import re
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import psycopg
from sqlalchemy import and_, case, delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncSession

from sites.leads.models import MAX_NOTES, Lead, LeadAddress, LeadNote, LeadReply, LeadStatus
from sites.leads.queries import address_state
from sites.leads.schemas import LEAD_DETAILS, LeadPayload
from tenants.db.counted_limits import lock_count
from tenants.db.jobs import enqueue, enqueue_task_sql
from tenants.db.pool import Database
from tenants.db.rate_limit import RETRY_AFTER_SECONDS, FloodLimit, Sender, flood_limit_params, flood_limit_sql
from tenants.db.rows import Connection
from tenants.http.idempotency import content_digest
from tenants.http.proof_of_work import ProofOfWork, ProofRequired
from tenants.kit import clock
from tenants.kit.email_addresses import InvalidEmail, normalize_email, wire_email
from tenants.kit.errors import Conflict, GuruNotFound, KeyReused, Limited, NotFound, ProductError, ValidationFailed
from tenants.kit.ids import new_id, parse_id
from tenants.tenancy.models import Guru

THANKS = "Thank you! Your message has been sent."
NOTIFY_TASK = "leads:notify_guru"
RECEIPT_TASK = "leads:send_receipt"
REPLY_TASK = "leads:send_reply"
_MARK_REPLY_SENT = """
UPDATE lead_replies SET sent_at = %(now)s WHERE tenant_id = %(tenant)s AND id = %(id)s AND sent_at IS NULL
RETURNING id"""
NEW_SITE = timedelta(days=30)
_PHONE = re.compile(r"[0-9+() ./x-]*", re.IGNORECASE)

# Prefixed, because a detail can have the name of another parameter.
_DETAIL_PARAMETERS = {name: f"detail_{name}" for name in LEAD_DETAILS}
_CREATE = f"""
WITH recent AS MATERIALIZED (SELECT {flood_limit_sql("leads")} AS outcome), inserted AS (
  INSERT INTO leads (tenant_id, id, name, email, message, service_id, page, consented_at, address_hash, network_hash,
                     idempotency_key, digest, created_at, {", ".join(_DETAIL_PARAMETERS)})
  SELECT %(tenant)s, %(id)s, %(name)s, %(email)s, %(message)s, %(service)s::uuid, %(page)s,
         %(consented)s::timestamptz, %(address)s, %(network)s, %(key)s, %(digest)s, %(now)s,
         {", ".join(f"%({parameter})s" for parameter in _DETAIL_PARAMETERS.values())}
    FROM recent WHERE outcome = 'open'
  ON CONFLICT (tenant_id, idempotency_key) DO NOTHING
  RETURNING {enqueue_task_sql("%(task)s", "jsonb_build_object('lead_id', id)")},
            {enqueue_task_sql("%(receipt_task)s", "jsonb_build_object('lead_id', id)")}
), confirmed AS (
  INSERT INTO lead_addresses (tenant_id, email, state, changed_at)
  SELECT %(tenant)s, lower(%(email)s), 'confirmed', %(now)s FROM inserted WHERE %(is_confirmed)s
  ON CONFLICT (tenant_id, email) DO UPDATE SET state = excluded.state, changed_at = excluded.changed_at
)
SELECT outcome, EXISTS (SELECT FROM inserted) FROM recent"""  # noqa: S608 - constants only
_DIGEST_BY_KEY = "SELECT digest FROM leads WHERE tenant_id = %(tenant)s AND idempotency_key = %(key)s"
_SERVICE_EXISTS = "SELECT 1 FROM services WHERE tenant_id = %(tenant)s AND id = %(service)s"


@dataclass(frozen=True, slots=True)
class ReplyLimits:
    """The maximum number of replies by email: per hour for all leads of a guru, and in total per lead.

    A lead can contain the email address of a person who never contacted the guru. So there is another maximum: per 24
    hours, to addresses whose owners never confirmed that they wrote. A site older than NEW_SITE may send one more for
    each address that was confirmed within NEW_SITE, up to `unconfirmed_at_most` in all.
    """

    per_hour: int = 60
    per_lead: int = 30
    unconfirmed_per_day: int = 20
    unconfirmed_at_most: int = 100


class AddressBlocked(ProductError):
    """The owner of the lead's address said that they didn't write to this site."""

    status = 409
    code = "address_blocked"
    message = "This person doesn't want email from your site, so we didn't send your reply."


class UnconfirmedLimit(Limited):
    """Too many replies of a site to unconfirmed addresses. The console shows these words: they name the limit."""

    code = "unconfirmed_limit"

    def __init__(self, limit: int, retry_after: int) -> None:
        super().__init__(
            f"You can send {limit} replies a day to people who haven't confirmed that they wrote to you. Please try "
            "again later.",
            retry_after=retry_after,
        )


# --- creating a lead --------------------------------------------------------------------------------------------------


def lead_proof(secret: bytes, tenant_id: UUID, key: str, proof: str = "") -> ProofOfWork:
    """Return the proof of work for a lead to a guru under an idempotency key."""
    return ProofOfWork(secret, f"lead {tenant_id} {key}", proof)


def lead_digest(lead: LeadPayload) -> bytes:
    """Return the digest of a lead's content, for idempotency. An empty detail does not change it."""
    details = (f"{name}={value}" for name in LEAD_DETAILS if (value := getattr(lead, name)))
    return content_digest(lead.name, lead.email, lead.message, lead.service_id or "", *details)


def _validate(lead: LeadPayload) -> tuple[str, UUID | None]:
    """Return the normalized email address and the service id. Raise ValidationFailed."""
    errors: dict[str, str] = {}
    email = lead.email
    try:
        email = normalize_email(lead.email)
    except InvalidEmail as error:
        errors["email"] = str(error)
    if not _PHONE.fullmatch(lead.phone):
        errors["phone"] = "Please enter a phone number or leave this blank."
    if not lead.consent:
        errors["consent"] = "Please check the box so we can send your message."
    service_id = parse_id(lead.service_id) if lead.service_id else None
    if lead.service_id and service_id is None:
        errors["serviceId"] = "Please choose one of the services."
    if errors:
        raise ValidationFailed(fields=errors)
    return email, service_id


async def create_lead(
    db: Database,
    tenant_id: UUID,
    lead: LeadPayload,
    *,
    key: str,
    sender: Sender,
    proof: ProofOfWork,
    limit: FloodLimit | None,
    verified_email: str = "",
) -> bool:
    """Create a lead and notify the guru. Return True for a new lead, False for a resend under the same key.

    `limit` None means unlimited. `verified_email`: of a signed-in visitor; the same address in the lead is confirmed
    by it. A lead with a filled honeypot is reported as created, and discarded.

    Raise ValidationFailed for fields, Limited when the sender's address or network has used its share of the hour,
    ProofRequired under a flood without a valid proof, KeyReused when the key was used for different content,
    Unavailable when the database is down.
    """
    email, service_id = _validate(lead)
    if lead.website:
        return True
    now = clock.now()
    if service_id is not None and not await db.read(
        tenant_id, _SERVICE_EXISTS, {"tenant": tenant_id, "service": service_id}
    ):
        raise ValidationFailed(fields={"serviceId": "Please choose one of the services."})
    digest = lead_digest(lead)
    try:
        rows = await db.write(
            tenant_id,
            _CREATE,
            {
                "tenant": tenant_id,
                "id": new_id(),
                "name": lead.name,
                "email": email,
                "message": lead.message,
                "service": service_id,
                "page": lead.page,
                "consented": now,
                "address": sender.address_hash,
                "network": sender.network_hash,
                "key": key,
                "digest": digest,
                "now": now,
                **flood_limit_params(limit, is_proven=proof.is_valid()),
                "task": NOTIFY_TASK,
                "receipt_task": RECEIPT_TASK,
                "is_confirmed": wire_email(email).lower() == verified_email.lower(),
                **{parameter: getattr(lead, name) for name, parameter in _DETAIL_PARAMETERS.items()},
            },
        )
    except psycopg.errors.ForeignKeyViolation as error:  # the service or the guru was deleted meanwhile
        if "service" in (error.diag.constraint_name or ""):
            raise ValidationFailed(fields={"serviceId": "Please choose one of the services."}) from error
        raise GuruNotFound from error
    outcome, is_created = rows[0]
    if is_created:
        return True
    existing = await db.read_value(bytes, tenant_id, _DIGEST_BY_KEY, {"tenant": tenant_id, "key": key})
    if existing is not None:  # a resend gets the response of the first request, even above the limit
        if not hmac.compare_digest(existing, digest):
            raise KeyReused
        return False
    if outcome == "unproven":
        raise ProofRequired(proof.challenge())
    if outcome == "limited":
        raise Limited(retry_after=RETRY_AFTER_SECONDS)
    return True  # the first attempt's connection broke after its commit, and the guru has deleted the lead since


# --- the guru's actions -----------------------------------------------------------------------------------------------


async def lock_lead(session: AsyncSession, tenant_id: UUID, lead_id: UUID) -> Lead:
    """Return the lead, locked until the transaction ends. Raise NotFound."""
    query = select(Lead).where(Lead.tenant_id == tenant_id, Lead.id == lead_id).with_for_update(key_share=True)
    lead = await session.scalar(query)
    if lead is None:
        raise NotFound
    return lead


async def update_lead_status(session: AsyncSession, tenant_id: UUID, lead_id: UUID, status: LeadStatus) -> None:
    """Set a lead's status. Reading a lead that is answered leaves it answered. Raise NotFound."""
    new_status = case((Lead.status == "answered", "answered"), else_="read") if status == "read" else status
    updated = await session.scalar(
        update(Lead).where(Lead.tenant_id == tenant_id, Lead.id == lead_id).values(status=new_status).returning(Lead.id)
    )
    if updated is None:
        raise NotFound


async def mark_lead_read(session: AsyncSession, tenant_id: UUID, lead_id: UUID) -> None:
    """Set the status of a new lead to read. Other leads are unchanged."""
    await session.execute(
        update(Lead).where(Lead.tenant_id == tenant_id, Lead.id == lead_id, Lead.status == "new").values(status="read")
    )


async def create_note(session: AsyncSession, tenant_id: UUID, lead_id: UUID, body: str) -> UUID:
    """Create a note about a lead and return its id. Raise NotFound, and Conflict above MAX_NOTES."""
    await lock_lead(session, tenant_id, lead_id)
    count = await session.scalar(
        select(func.count()).select_from(LeadNote).where(LeadNote.tenant_id == tenant_id, LeadNote.lead_id == lead_id)
    )
    if (count or 0) >= MAX_NOTES:
        raise Conflict(f"A lead can have up to {MAX_NOTES} notes. Please delete some first.")
    note_id = new_id()
    await session.execute(
        insert(LeadNote).values(tenant_id=tenant_id, id=note_id, lead_id=lead_id, body=body, created_at=clock.now())
    )
    return note_id


async def delete_note(session: AsyncSession, tenant_id: UUID, lead_id: UUID, note_id: UUID) -> None:
    """Delete a note. Raise NotFound."""
    deleted = await session.scalar(
        delete(LeadNote)
        .where(LeadNote.tenant_id == tenant_id, LeadNote.lead_id == lead_id, LeadNote.id == note_id)
        .returning(LeadNote.id)
    )
    if deleted is None:
        raise NotFound


async def reply_to_lead(
    session: AsyncSession, tenant_id: UUID, lead_id: UUID, body: str, *, key: str, limits: ReplyLimits | None
) -> bool:
    """Create a reply, set the lead's status and enqueue the email. Return True for a new reply, False for a resend.

    `limits` None means unlimited. Raise NotFound, AddressBlocked, Limited, and KeyReused when the key was used for
    different content.
    """
    lead = await lock_lead(session, tenant_id, lead_id)
    existing = await session.scalar(
        select(LeadReply).where(LeadReply.tenant_id == tenant_id, LeadReply.idempotency_key == key)
    )
    if existing is not None:
        if existing.body != body or existing.lead_id != lead_id:
            raise KeyReused
        return False
    state = await address_state(session, tenant_id, lead.email)
    if state == "blocked":
        raise AddressBlocked
    if limits is not None:
        # Replies to other leads wait here, so that they count this one.
        await lock_count(session, "lead replies", tenant_id)
        await _check_reply_limits(session, tenant_id, lead_id, limits)
        if state != "confirmed":
            await _check_unconfirmed_limit(session, tenant_id, limits)
    reply_id = new_id()
    created = await session.scalar(
        insert(LeadReply)
        .values(
            tenant_id=tenant_id,
            id=reply_id,
            lead_id=lead_id,
            body=body,
            idempotency_key=key,
            created_at=clock.now(),
        )
        # A concurrent request may use the same key for another lead.
        .on_conflict_do_nothing(index_elements=[LeadReply.tenant_id, LeadReply.idempotency_key])
        .returning(LeadReply.id)
    )
    if created is None:
        raise KeyReused
    await update_lead_status(session, tenant_id, lead_id, "answered")
    await enqueue(session, REPLY_TASK, reply_id=str(reply_id))
    return True


async def _check_reply_limits(session: AsyncSession, tenant_id: UUID, lead_id: UUID, limits: ReplyLimits) -> None:
    last_hour, of_lead = (
        await session.execute(
            select(
                func.count().filter(LeadReply.created_at > clock.now() - timedelta(hours=1)),
                func.count().filter(LeadReply.lead_id == lead_id),
            ).where(LeadReply.tenant_id == tenant_id)
        )
    ).one()
    if last_hour >= limits.per_hour or of_lead >= limits.per_lead:
        raise Limited(retry_after=RETRY_AFTER_SECONDS)


async def _check_unconfirmed_limit(session: AsyncSession, tenant_id: UUID, limits: ReplyLimits) -> None:
    """Raise UnconfirmedLimit if a site's replies of the last 24 hours to unconfirmed addresses reach its limit."""
    now = clock.now()
    is_new = select(Guru.created_at > now - NEW_SITE).where(Guru.id == tenant_id).scalar_subquery()
    recently_confirmed = select(func.count()).where(
        LeadAddress.tenant_id == tenant_id, LeadAddress.state == "confirmed", LeadAddress.changed_at > now - NEW_SITE
    )
    new, confirmed_addresses = (await session.execute(select(is_new, recently_confirmed.scalar_subquery()))).one()
    extra = 0 if new else confirmed_addresses
    limit = min(limits.unconfirmed_per_day + extra, limits.unconfirmed_at_most)
    same_lead = and_(Lead.tenant_id == LeadReply.tenant_id, Lead.id == LeadReply.lead_id)
    confirmed = and_(
        LeadAddress.tenant_id == Lead.tenant_id,
        LeadAddress.email == func.lower(Lead.email),
        LeadAddress.state == "confirmed",
    )
    replies = select(LeadReply.created_at).join(Lead, same_lead).outerjoin(LeadAddress, confirmed)
    replies = replies.where(
        LeadReply.tenant_id == tenant_id,
        LeadReply.created_at > now - timedelta(days=1),
        LeadAddress.email.is_(None),
    )
    times = (await session.scalars(replies.order_by(LeadReply.created_at.desc()).limit(limit))).all()
    if len(times) >= limit:
        raise UnconfirmedLimit(limit, math.ceil((times[-1] + timedelta(days=1) - now).total_seconds()))


def mark_reply_sent(conn: Connection, tenant_id: UUID, reply_id: UUID) -> None:
    """Record that the reply was sent, so that it is not sent again."""
    conn.execute(_MARK_REPLY_SENT, {"now": clock.now(), "tenant": tenant_id, "id": reply_id})
