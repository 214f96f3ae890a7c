"""Accepting and withdrawing a waiver.

The PDF is rendered before the transaction that locks the chain, because rendering takes longer than all the rest.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import orjson
from psycopg.errors import UniqueViolation
from sqlalchemy import func, select, text, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import (
    RISK_LEVELS,
    OfferRisk,
    ProfileCard,
    RiskAssessor,
    RiskLevel,
    UserProfiles,
    supporting_reasons,
)
from porchlight.features.waivers import queries
from porchlight.features.waivers.canonical import canonical_json, sha256_hex
from porchlight.features.waivers.chain import ChainHead, LinkContent, sign_next_link
from porchlight.features.waivers.drawings import describe_drawing
from porchlight.features.waivers.emails import SEND_RECEIPT_TASK
from porchlight.features.waivers.keys import WaiverKey
from porchlight.features.waivers.levels import expires_at, needs_waiver
from porchlight.features.waivers.models import Waiver
from porchlight.features.waivers.queries import Exchange
from porchlight.features.waivers.records import (
    CONSENTS,
    EmergencyContact,
    WaiverAcceptance,
    build_record,
    create_erasable,
)
from porchlight.features.waivers.schemas import SignaturePayload, WaiverPayload
from porchlight.features.waivers.texts import WaiverText, current_text
from tenants.db.counted_limits import lock_count
from tenants.db.jobs import enqueue
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.http.idempotency import content_digest
from tenants.kit import clock
from tenants.kit.errors import Conflict, KeyReused, Limited, ValidationFailed
from tenants.kit.ids import new_id

MAX_WAIVERS_PER_HOUR = 20
MAX_USER_AGENT_LENGTH = 300  # characters
_LOCK_HEAD = text("SELECT number, hash FROM app.lock_waiver_head(:chain)")
_APPEND = text("SELECT app.append_waiver(CAST(:waiver AS jsonb), CAST(:link AS jsonb), :hash)")
_rendering = asyncio.Semaphore(1)  # reportlab keeps state in its fonts


class WaiverLevelChanged(Conflict):
    """The activity is riskier than the text that was signed."""

    code = "waiver_level_changed"
    message = "The risk level of this activity is higher than the waiver you read. Please read the new one."


class AlreadySigned(Conflict):
    """The participant of a personal link has signed a waiver that is valid at their next session."""

    code = "already_signed"
    message = "This waiver is signed already. There's nothing left to do."


class WaiverTextChanged(Conflict):
    """A text that was accepted is no longer the current one."""

    code = "text_changed"
    message = "The waiver's text changed while you were reading. Please read it again and confirm it."


@dataclass(frozen=True, slots=True)
class Requester:
    """The account that accepts a waiver, and where from."""

    user_id: UUID
    network_address: str
    user_agent: str


@dataclass(frozen=True, slots=True)
class Acceptance:
    """An accepted waiver, as POST /api/liability/waiver returns it."""

    waiver_id: UUID
    accepted_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class WaiverServices:
    """The dependencies of `accept_waiver`. `key` signs; `limited`: whether the limit per hour applies."""

    db: Database
    risk: RiskAssessor
    profiles: UserProfiles
    key: WaiverKey
    limited: bool


async def accept_waiver(
    services: WaiverServices,
    requester: Requester,
    payload: WaiverPayload,
    idempotency_key: str | None,
    *,
    link: UUID | None = None,
) -> Acceptance:
    """Store a waiver with its PDF and its signed link, and email the link to its receipt.

    A resend under the same key returns the first waiver. The level is the highest of the payload's, the activity's and
    the listing's or service's. `link`: the token of the personal link with which someone without an account signs; the
    requester has its id.

    Raises ValidationFailed (a high-risk waiver without emergency contact), NotFound (exchange), WaiverLevelChanged (a
    signature for a lower level), WaiverTextChanged, Limited, KeyReused (the key was used for another waiver),
    AlreadySigned, Unavailable.
    """
    digest = content_digest(payload.model_dump_json(exclude={"timestamp"}))
    async with unit_of_work(services.db, user_id=requester.user_id) as session:
        if earlier := await _earlier(session, requester.user_id, idempotency_key, digest):
            return earlier
        if services.limited:
            await _check_limit(session, requester.user_id)
        exchange = await queries.exchange(session, payload.exchange_id, payload.activity_description)
        card = None if link else await services.profiles.card(session, requester.user_id)
    level, reasons = await _assess(services.risk, payload, exchange)
    if payload.signature and RISK_LEVELS.index(level) > RISK_LEVELS.index(payload.risk_level):
        raise WaiverLevelChanged
    texts = _accepted_texts(payload, level, exchange)
    drawn = payload.signature.drawn if payload.signature else None
    drawing = describe_drawing(drawn) if drawn else None
    erasable = create_erasable(
        _emergency_contact(payload, level), requester.network_address, _printable(requester.user_agent), drawing
    )
    acceptance = WaiverAcceptance(
        waiver_id=new_id(),
        account_id=requester.user_id,
        accepted_at=clock.now().replace(microsecond=0),
        level=level,
        reasons=reasons,
        category=payload.skill_category,
        activity=payload.activity_description,
        exchange_id=exchange.id,
        exchange_title=exchange.title,
        consents=CONSENTS,
        texts=[waiver_text.reference for waiver_text in texts],
        by_link=link is not None,
        **_signer(payload.signature, card),
    )
    record = build_record(acceptance, erasable)
    pdf = await _render(record, texts, drawing)
    row = {
        "id": str(acceptance.waiver_id),
        "exchange_id": exchange.id,
        "guru_id": str(exchange.guru_id) if exchange.guru_id else None,
        "level": level,
        "text_version": texts[0].version,
        "guru_text_version": texts[1].version if len(texts) > 1 else None,
        "record": canonical_json(record).decode(),
        "sha256": sha256_hex(canonical_json(record)),
        "erasable": erasable,
        "signed": payload.signature is not None,
        "accepted_at": record["acceptedAt"],
        "expires_at": record["expiresAt"],
        "pdf": _hex(pdf),
        "idempotency_key": idempotency_key,
        "digest": _hex(digest),
    }
    content = LinkContent(row["sha256"], sha256_hex(pdf), acceptance.accepted_at)
    try:
        async with unit_of_work(services.db, user_id=requester.user_id) as session:
            head = (await session.execute(_LOCK_HEAD, {"chain": exchange.chain_id})).one()
            # The lock makes a resend wait for the first request.
            if earlier := await _earlier(session, requester.user_id, idempotency_key, digest):
                return earlier
            if link and await queries.is_signed(session, exchange.guru_id, link):
                raise AlreadySigned
            await _append(session, row, exchange.chain_id, ChainHead(head.number, head.hash), content, services.key)
            if not exchange.is_sample and link is None:
                await enqueue(session, SEND_RECEIPT_TASK, waiver_id=row["id"])
    except IntegrityError as error:
        if isinstance(error.orig, UniqueViolation):
            raise KeyReused from error
        raise
    return Acceptance(acceptance.waiver_id, acceptance.accepted_at, expires_at(level, acceptance.accepted_at))


async def withdraw_waiver(session: AsyncSession, user_id: UUID, waiver_id: UUID) -> None:
    """End a waiver from now on, if it did not end or expire before. The record stays. An unknown id changes nothing."""
    await session.execute(
        update(Waiver)
        .where(
            Waiver.user_id == user_id,
            Waiver.id == waiver_id,
            Waiver.ended_at.is_(None),
            Waiver.expires_at > func.app.now(),
        )
        .values(ended_at=func.app.now(), withdrawn_at=func.app.now())
    )


async def _earlier(session: AsyncSession, user_id: UUID, key: str | None, digest: bytes) -> Acceptance | None:
    """Return the user's waiver under an idempotency key, or None. Raises KeyReused if it has another content."""
    if key is None:
        return None
    columns = (Waiver.id, Waiver.accepted_at, Waiver.expires_at, Waiver.digest)
    statement = select(*columns).where(Waiver.user_id == user_id, Waiver.idempotency_key == key)
    row = (await session.execute(statement)).one_or_none()
    if row is None:
        return None
    if row.digest != digest:
        raise KeyReused
    return Acceptance(row.id, row.accepted_at, row.expires_at)


async def _check_limit(session: AsyncSession, user_id: UUID) -> None:
    """Raise Limited if the user accepted MAX_WAIVERS_PER_HOUR waivers in the last hour."""
    await lock_count(session, "waivers", user_id)
    recent = select(func.count()).select_from(Waiver)
    recent = recent.where(Waiver.user_id == user_id, Waiver.accepted_at > clock.now() - timedelta(hours=1))
    if (await session.scalar(recent) or 0) >= MAX_WAIVERS_PER_HOUR:
        raise Limited(retry_after=600)


async def _assess(risk: RiskAssessor, payload: WaiverPayload, exchange: Exchange) -> tuple[RiskLevel, list[str]]:
    """Return the level of a waiver and the reasons for it."""
    risks: list[OfferRisk] = [await risk.assess_activity(payload.skill_category, payload.activity_description)]
    if not exchange.is_sample:
        risks.append(await risk.assess_offer(exchange.title, exchange.details))
    level = max((payload.risk_level, *(assessed.rating for assessed in risks)), key=RISK_LEVELS.index)
    return level, supporting_reasons(level, risks)


def _emergency_contact(payload: WaiverPayload, level: RiskLevel) -> EmergencyContact | None:
    """Return the emergency contact, or None below high risk. Raises ValidationFailed if name or phone are missing."""
    if not needs_waiver(level):
        return None
    contact = payload.emergency_contact
    fields = {}
    if contact is None or not contact.name:
        fields["emergencyContact.name"] = "Enter the name of your emergency contact."
    if contact is None or not contact.phone:
        fields["emergencyContact.phone"] = "Enter the phone number of your emergency contact."
    if contact is None or fields:
        raise ValidationFailed(fields=fields)
    return EmergencyContact(contact.name, contact.phone, contact.relationship)


def _signer(signature: SignaturePayload | None, card: ProfileCard | None) -> dict[str, Any]:
    """Return who accepts, as fields of WaiverAcceptance. Without a signature, it is the account's name."""
    if signature is None:
        own_name = (card.display_name or card.handle) if card else ""
        return {"participant_name": own_name, "signed_by": "self"}
    return {
        "participant_name": signature.participant_name,
        "signed_by": "guardian" if signature.guardian else "self",
        "typed_signature": signature.typed_name,
    }


def _accepted_texts(payload: WaiverPayload, level: RiskLevel, exchange: Exchange) -> list[WaiverText]:
    """Return the texts that are accepted: that of the level, then the guru's own. Raises WaiverTextChanged.

    SPEC's payload alone names no versions. It accepts the text of the level only.
    """
    texts = [current_text(level)]
    if payload.text_version not in (None, texts[0].version) and payload.risk_level == level:
        raise WaiverTextChanged
    own = exchange.guru_text
    if payload.guru_text_version is None and payload.signature is None:
        return texts
    if (payload.guru_text_version or 0) != (own.version if own else 0):
        raise WaiverTextChanged
    return [*texts, own] if own else texts


async def _render(record: dict[str, Any], texts: list[WaiverText], drawing: dict[str, Any] | None) -> bytes:
    from porchlight.features.waivers.pdf import render_pdf  # reportlab takes 8 MB, and few workers render a waiver

    async with _rendering:
        return await asyncio.to_thread(render_pdf, record, texts, drawing)


async def _append(
    session: AsyncSession, row: dict[str, Any], chain_id: str, head: ChainHead, content: LinkContent, key: WaiverKey
) -> None:
    """Sign the link after `head`, and store it together with the waiver."""
    signed = sign_next_link(chain_id, head, content, key)
    link = {
        "chain_id": chain_id,
        "number": signed.link.number,
        "previous": signed.link.previous,
        "record_sha256": signed.link.record_sha256,
        "pdf_sha256": signed.link.pdf_sha256,
        "at": signed.link.at,
        "key_id": signed.link.key_id,
        "signature": _hex(signed.signature),
    }
    values = {"waiver": orjson.dumps(row).decode(), "link": orjson.dumps(link).decode()}
    await session.execute(_APPEND, values | {"hash": signed.link.head.sha256})


def _hex(data: bytes) -> str:
    """Return bytes as Postgres reads them from JSON."""
    return f"\\x{data.hex()}"


def _printable(user_agent: str) -> str:
    return "".join(filter(str.isprintable, user_agent))[:MAX_USER_AGENT_LENGTH]
