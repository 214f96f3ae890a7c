"""Leaving a lead: limits, the lead itself and the notification, in one statement and so in one transaction."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from uuid import UUID

import psycopg
from email_validator import EmailNotValidError, validate_email

from sites.leads.schemas import LeadPayload
from sites.limits import LeadLimits
from tenants.kit import clock
from tenants.kit.db import Database
from tenants.kit.errors import Conflict, GuruNotFound, Limited, ValidationFailed
from tenants.kit.ids import new_id, parse_id

THANKS = "Thank you! Your message has been sent."
NOTIFY_TASK = "tell_guru_of_lead"
# Nothing in it that the standard has a second thought about; the rest is the library's to judge whole.
_PLAIN_ADDRESS = re.compile(r"(?P<local>[a-z0-9_+-]+(?:\.[a-z0-9_+-]+)*)@(?P<domain>[A-Za-z0-9.-]+)")
_PHONE = re.compile(r"[0-9+() ./x-]*", re.IGNORECASE)

# Counted are the guru's leads of the last hour, no further than the limit, so that it costs the same however many there
# are; an address's are among them. Without limits (NULL) nothing is looked at.
_LEAVE = """
WITH recent AS MATERIALIZED (
  SELECT coalesce(count(*) FILTER (WHERE r.address_hash = %(address)s) < %(per_address)s
                  AND count(*) < %(per_tenant)s, true) AS open
    FROM (SELECT l.address_hash FROM leads l WHERE %(per_tenant)s::bigint IS NOT NULL AND l.tenant_id = %(tenant)s
             AND l.created_at > %(now)s - interval '1 hour' LIMIT %(per_tenant)s) r
), kept AS (
  INSERT INTO leads (tenant_id, id, name, email, phone, message, service_id, page, consented_at, address_hash,
                     idempotency_key, digest, created_at)
  SELECT %(tenant)s, %(id)s, %(name)s, %(email)s, %(phone)s, %(message)s, %(service)s::uuid, %(page)s,
         %(consented)s::timestamptz, %(address)s, %(key)s, %(digest)s, %(now)s
    FROM recent WHERE open
  ON CONFLICT (tenant_id, idempotency_key) DO NOTHING
  RETURNING app.enqueue(%(task)s, jsonb_build_object('lead_id', id), NULL)
)
SELECT open, EXISTS (SELECT FROM kept) FROM recent"""
_SAME = "SELECT digest FROM leads WHERE tenant_id = %(tenant)s AND idempotency_key = %(key)s"
_OFFERED = "SELECT 1 FROM services WHERE tenant_id = %(tenant)s AND id = %(service)s"


@dataclass(frozen=True, slots=True)
class Sender:
    """Who asks: a keyed hash of the address, good for limits and nothing else."""

    address_hash: bytes


def sender(secret: bytes, address: str) -> Sender:
    """The sender at a network address. An IPv6 network of 64 bits counts as one address."""
    network = _network(address) if ":" in address else address
    return Sender(hmac.digest(secret, network.encode(), "sha256")[:16])


def _network(address: str) -> str:
    try:
        return str(ipaddress.IPv6Network((address.partition("%")[0], 64), strict=False))
    except ValueError:
        return address


def _digest(lead: LeadPayload) -> bytes:
    parts = (lead.name, lead.email, lead.message, lead.phone, lead.service_id or "")
    return hashlib.sha256("\0".join(parts).encode()).digest()[:16]


def content_key(lead: LeadPayload, who: Sender, today: datetime) -> str:
    """An idempotency key for a form sent without JavaScript: the same words from the same place on one day."""
    return "form-" + hashlib.sha256(_digest(lead) + who.address_hash + str(today.date()).encode()).hexdigest()[:40]


@lru_cache(maxsize=4096)
def _mail_domain(domain: str) -> str:
    """A mail domain as it is best written. Raises EmailNotValidError. People share few of them, so they are kept."""
    return validate_email(f"a@{domain}", check_deliverability=False, test_environment=True).domain


def _mail_address(text: str) -> str:
    """A mail address as it is best written. Raises EmailNotValidError."""
    plain = _PLAIN_ADDRESS.fullmatch(text)
    if plain is not None and len(plain["local"]) <= 64:
        return f"{plain['local']}@{_mail_domain(plain['domain'])}"
    return validate_email(text, check_deliverability=False, test_environment=True).normalized


def _check(lead: LeadPayload) -> tuple[str, UUID | None]:
    faults: dict[str, str] = {}
    email = lead.email
    try:
        email = _mail_address(lead.email)
    except EmailNotValidError:
        faults["email"] = "Please enter a valid email address."
    if not _PHONE.fullmatch(lead.phone):
        faults["phone"] = "Please enter a phone number, or leave this empty."
    if not lead.consent:
        faults["consent"] = "Please agree, so that your message may be passed on."
    service_id = parse_id(lead.service_id) if lead.service_id else None
    if lead.service_id and service_id is None:
        faults["serviceId"] = "Please choose one of the services."
    if faults:
        raise ValidationFailed(fields=faults)
    return email, service_id


async def leave_lead(
    db: Database, tenant_id: UUID, lead: LeadPayload, *, key: str, who: Sender, limits: LeadLimits | None
) -> bool:
    """Keep a lead for a guru and have the guru told. True when it is new, False for a resend under the same key.

    `limits` None: any number.

    Raises ValidationFailed for fields, Limited when address or guru had too many within the hour, Conflict when the
    key was used for other words, Unavailable when the database is out. What fills the honeypot is thanked and dropped.
    """
    email, service_id = _check(lead)
    if lead.website:
        return True
    now = clock.now()
    if service_id is not None and not await db.read(tenant_id, _OFFERED, {"tenant": tenant_id, "service": service_id}):
        raise ValidationFailed(fields={"serviceId": "Please choose one of the services."})
    digest = _digest(lead)
    try:
        rows = await db.write(
            tenant_id,
            _LEAVE,
            {
                "tenant": tenant_id,
                "id": new_id(),
                "name": lead.name,
                "email": email,
                "phone": lead.phone,
                "message": lead.message,
                "service": service_id,
                "page": lead.page,
                "consented": now,
                "address": who.address_hash,
                "key": key,
                "digest": digest,
                "now": now,
                "per_address": limits.per_address if limits else None,
                "per_tenant": limits.per_tenant if limits else None,
                "task": NOTIFY_TASK,
            },
        )
    except psycopg.errors.ForeignKeyViolation as gone:  # deleted since we looked
        if "service" in (gone.diag.constraint_name or ""):
            raise ValidationFailed(fields={"serviceId": "Please choose one of the services."}) from gone
        raise GuruNotFound from gone
    allowed, kept = rows[0]
    if kept:
        return True
    same = await db.read(tenant_id, _SAME, {"tenant": tenant_id, "key": key})
    if same:  # a resend is answered as the first was, even past the limit
        if not hmac.compare_digest(same[0][0], digest):
            raise Conflict("This Idempotency-Key was already used for another message.")
        return False
    if not allowed:
        raise Limited(retry_after=600)
    return True  # the first try's connection broke after its commit, and the guru deleted the lead since
