"""Reading the user's own waivers, their links and the exchanges they are for."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import ColumnElement, Select, and_, bindparam, case, cast, column, func, not_, or_, select, table, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession
from sqlalchemy.orm import InstrumentedAttribute

from porchlight.contracts import RISK_LEVELS, RiskLevel, ServiceWaiver
from porchlight.features.waivers.chain import ChainLink, SignedChainLink
from porchlight.features.waivers.guru_texts import guru_text
from porchlight.features.waivers.levels import covers
from porchlight.features.waivers.models import Waiver
from porchlight.features.waivers.schemas import (
    MAX_DUE_SESSIONS,
    MAX_LISTED_VIEWS,
    MAX_LISTED_WAIVERS,
    ContactViewRow,
    WaiverRow,
    WaiverSession,
)
from porchlight.features.waivers.texts import WaiverText, oldest_valid_version
from tenants.kit.clock import to_iso8601
from tenants.kit.errors import NotFound
from tenants.kit.ids import parse_id

SAMPLE_CHAIN = "platform"
_LISTING = text("SELECT user_id, title, details FROM public_listings WHERE id = :id")
_ENTER_SITE = text(
    "SELECT set_config('app.tenant_id', f.id::text, true) FROM app.find_site(:label) f"
    " WHERE f.label = :label AND f.status = 'active'"
)
_SERVICE = text(
    "SELECT g.id AS guru_id, g.character AS guru_name, s.name, s.description, t.version, t.body"
    " FROM services s JOIN gurus g ON g.id = s.tenant_id LEFT JOIN current_waiver_texts t ON t.tenant_id = s.tenant_id"
    " WHERE s.tenant_id = app.tenant_id() AND s.id = :id AND g.published"
)
_GURU_TEXT_VERSION = text("SELECT version FROM current_waiver_texts WHERE tenant_id = :guru")
_SIGNING = text("SELECT app.find_signing(:token)")
_SET_TENANT = text("SELECT set_config('app.tenant_id', :tenant, true)")
_LINK = text(
    "SELECT chain_id, number, previous, record_sha256, pdf_sha256, at, key_id, signature FROM own_waiver_links"
    " WHERE waiver_id = :id"
)
_COLUMNS: tuple[InstrumentedAttribute[Any], ...] = (
    Waiver.id,
    Waiver.record,
    Waiver.level,
    Waiver.text_version,
    Waiver.signed,
    Waiver.exchange_id,
    Waiver.accepted_at,
    Waiver.expires_at,
    Waiver.ended_at,
    Waiver.guru_id,
    Waiver.chain_id,
)
# As the person of the bookings.
_OPEN = "b.person_id = :user AND b.status IN ('requested', 'confirmed') AND b.ends_at > app.now()"
_SIGNED_BY = cast(Waiver.record, JSONB)["participant"]["signedBy"].astext
_PARTICIPANT_NAME = cast(Waiver.record, JSONB)["participant"]["name"].astext
MAX_MINORS = 20
_GURUS = table("own_waiver_gurus", column("guru_id"), column("guru_name"))
_OPEN_SESSIONS = text(
    "SELECT u.waiver_id, count(*) AS sessions FROM ("
    "SELECT p.waiver_id, p.booking_id FROM participants p"
    " JOIN bookings b ON b.tenant_id = p.tenant_id AND b.id = p.booking_id"
    f" WHERE {_OPEN} AND p.signer <> 'link' AND p.waiver_until > b.starts_at"
    " UNION SELECT b.waiver_id, b.id FROM bookings b"
    f" WHERE {_OPEN} AND b.waiver_until > b.starts_at) u GROUP BY u.waiver_id"
)
_DUE_SESSIONS = text(
    "SELECT b.id, b.service_name, b.guru_name, b.starts_at, b.ends_at, b.zone FROM bookings b"
    f" WHERE {_OPEN} AND b.waiver_level <> '' AND coalesce(b.waiver_until <= b.starts_at, true)"
    " ORDER BY b.starts_at, b.id LIMIT :limit"
)
_CONTACT_VIEWS = text(
    "SELECT b.service_name, b.guru_name, v.at FROM contact_views v"
    " JOIN bookings b ON b.tenant_id = v.tenant_id AND b.id = v.booking_id"
    " WHERE v.person_id = :user ORDER BY v.at DESC, v.id LIMIT :limit"
)


# A later text changed an important point. A job ends these waivers within an hour.
_IS_OUTDATED: ColumnElement[bool] = or_(
    *(and_(Waiver.level == level, Waiver.text_version < bindparam(f"oldest_{level}")) for level in RISK_LEVELS)
)
# The database's time decides, as it does when a session is booked.
_STATE = case(
    (Waiver.withdrawn_at.is_not(None), "withdrawn"),
    (or_(Waiver.ended_at.is_not(None), and_(_IS_OUTDATED, Waiver.expires_at > func.app.now())), "outdated"),
    (Waiver.expires_at <= func.app.now(), "expired"),
    else_="valid",
)
# Built once, because building a statement takes longer than running it.
_OWN = (
    select(*_COLUMNS, _STATE.label("state"), _GURUS.c.guru_name)
    .select_from(Waiver)
    .outerjoin(_GURUS, _GURUS.c.guru_id == Waiver.guru_id)
    .where(Waiver.user_id == bindparam("user_id"))
)
_OWN_WAIVERS = _OWN.order_by(Waiver.id.desc()).limit(MAX_LISTED_WAIVERS + 1)
_OWN_WAIVER = _OWN.where(Waiver.id == bindparam("waiver_id"))


def _oldest_versions() -> dict[str, int]:
    """Return the values of _IS_OUTDATED."""
    return {f"oldest_{level}": oldest_valid_version(level) for level in RISK_LEVELS}


@dataclass(frozen=True, slots=True)
class Exchange:
    """A listing, a service or a sample that a waiver is for.

    `chain_id`: the chain of its guru, of its teacher, or of the platform for a sample. `details`: the text of the
    listing or service, "" for a sample. `guru_text`: what the guru adds to the waiver's text.
    """

    id: str
    title: str
    details: str
    chain_id: str
    guru_id: UUID | None = None
    guru_name: str = ""
    guru_text: WaiverText | None = None

    @property
    def is_sample(self) -> bool:
        """Return whether it is a sample of the demonstration, whose waiver grants nothing."""
        return self.chain_id == SAMPLE_CHAIN


async def exchange(session: AsyncSession, exchange_id: str, sample_title: str) -> Exchange:
    """Return the exchange with an id. Raises NotFound for a listing or service that is unknown or hidden.

    An id that is neither names a sample, which has the title `sample_title` and grants nothing.
    """
    label, _, name = exchange_id.rpartition("/")
    object_id = parse_id(name)
    if object_id is None:
        return Exchange(exchange_id, sample_title, "", SAMPLE_CHAIN)
    return await (_service(session, exchange_id, label, object_id) if label else _listing(session, object_id))


async def _listing(session: AsyncSession, offer_id: UUID) -> Exchange:
    row = (await session.execute(_LISTING, {"id": offer_id})).one_or_none()
    if row is None:
        raise NotFound
    return Exchange(str(offer_id), row.title, row.details, f"neighbor:{row.user_id}")


async def _service(session: AsyncSession, exchange_id: str, label: str, service_id: UUID) -> Exchange:
    """Return a service of a published site, read as its visitor. The transaction has no tenant before and after."""
    if await session.scalar(_ENTER_SITE, {"label": label}) is None:
        raise NotFound
    row = (await session.execute(_SERVICE, {"id": service_id})).one_or_none()
    await session.execute(_SET_TENANT, {"tenant": ""})
    if row is None:
        raise NotFound
    own_text = guru_text(row.guru_id, row.guru_name, row.version, row.body) if row.version is not None else None
    return Exchange(exchange_id, row.name, row.description, f"guru:{row.guru_id}", row.guru_id, row.guru_name, own_text)


async def own_waivers(session: AsyncSession, user_id: UUID) -> tuple[list[WaiverRow], bool]:
    """Return the user's newest waivers, newest first, at most MAX_LISTED_WAIVERS, and whether there are more."""
    rows = (await session.execute(_OWN_WAIVERS, {"user_id": user_id, **_oldest_versions()})).mappings().all()
    return await _rows(session, user_id, rows[:MAX_LISTED_WAIVERS]), len(rows) > MAX_LISTED_WAIVERS


async def own_waiver(session: AsyncSession, user_id: UUID, waiver_id: UUID) -> WaiverRow:
    """Return one of the user's waivers. Raises NotFound."""
    rows = await session.execute(_OWN_WAIVER, {"user_id": user_id, "waiver_id": waiver_id, **_oldest_versions()})
    for waiver in await _rows(session, user_id, rows.mappings().all()):
        return waiver
    raise NotFound


async def due_sessions(session: AsyncSession, user_id: UUID) -> tuple[list[WaiverSession], bool]:
    """Return the user's next sessions without a waiver that is valid at their start, and whether there are more.

    They are at most MAX_DUE_SESSIONS.
    """
    rows = (await session.execute(_DUE_SESSIONS, {"user": user_id, "limit": MAX_DUE_SESSIONS + 1})).all()
    return [
        WaiverSession(
            booking_id=str(booking_id),
            service_name=service_name,
            guru_name=guru_name,
            starts_at=to_iso8601(starts_at),
            ends_at=to_iso8601(ends_at),
            zone=zone,
        )
        for booking_id, service_name, guru_name, starts_at, ends_at, zone in rows[:MAX_DUE_SESSIONS]
    ], len(rows) > MAX_DUE_SESSIONS


async def service_waiver(
    session: AsyncSession,
    user_id: UUID,
    *,
    guru_id: UUID,
    service_id: UUID,
    level: RiskLevel,
    signed: bool,
    any_guru_text: bool = False,
    minor: str = "",
) -> ServiceWaiver | None:
    """Return the user's waiver for a guru's service that covers the level and is valid longest.

    It may have expired. One that was withdrawn or has an outdated text does not count, nor one without the guru's
    newest text unless `any_guru_text`. With `signed`, only signed ones count. It is for the user themselves, or with
    `minor` for the child of that name, whose guardian the user is.
    """
    conditions: list[ColumnElement[bool]] = [Waiver.signed.is_(True)] if signed else []
    conditions.append(("guardian" if minor else "self") == _SIGNED_BY)
    if minor:
        conditions.append(func.app.normalize_text(_PARTICIPANT_NAME) == func.app.normalize_text(minor))
    newest: int = 0 if any_guru_text else await session.scalar(_GURU_TEXT_VERSION, {"guru": guru_id}) or 0
    if newest:
        conditions.append(Waiver.guru_text_version == newest)
    statement = _for_service(guru_id, service_id, level).where(Waiver.user_id == user_id, *conditions).limit(1)
    row = (await session.execute(statement, _oldest_versions())).one_or_none()
    return ServiceWaiver(row.id, row.level, row.expires_at) if row is not None else None


async def minor_waivers(
    session: AsyncSession, user_id: UUID, *, guru_id: UUID, service_id: UUID, level: RiskLevel
) -> list[tuple[str, ServiceWaiver]]:
    """Return the minors for whom the user signed as guardian, each with the waiver that is valid longest.

    Only waivers with the guru's newest text count. At most MAX_MINORS.
    """
    newest: int = await session.scalar(_GURU_TEXT_VERSION, {"guru": guru_id}) or 0
    statement = _for_service(guru_id, service_id, level).where(Waiver.user_id == user_id, _SIGNED_BY == "guardian")
    if newest:
        statement = statement.where(Waiver.guru_text_version == newest)
    found: dict[str, tuple[str, ServiceWaiver]] = {}
    for row in await session.execute(statement.limit(MAX_LISTED_WAIVERS), _oldest_versions()):
        found.setdefault(row.name.lower(), (row.name, ServiceWaiver(row.id, row.level, row.expires_at)))
    return list(found.values())[:MAX_MINORS]


def _for_service(guru_id: UUID, service_id: UUID, level: RiskLevel) -> Select[Any]:
    """Return the statement of the waivers of a service that cover a level, those that are valid longest first."""
    levels = [enough for enough in RISK_LEVELS if covers(enough, level)]
    return (
        select(Waiver.id, Waiver.level, Waiver.expires_at, _PARTICIPANT_NAME.label("name"))
        .where(
            Waiver.guru_id == guru_id,
            Waiver.exchange_id.endswith(f"/{service_id}"),
            Waiver.level.in_(levels),
            Waiver.ended_at.is_(None),
            not_(_IS_OUTDATED),
        )
        .order_by(Waiver.expires_at.desc())
    )


@dataclass(frozen=True, slots=True)
class Signing:
    """The session for which the bearer of a personal link signs: their next one that is not covered, else their next.

    `signer_id` is the id under which the waiver is kept. `is_covered`: they have a waiver that is valid at its start.
    """

    signer_id: UUID
    name: str
    booker_name: str
    guru_label: str
    guru_name: str
    service_id: UUID
    service_name: str
    starts_at: datetime
    ends_at: datetime
    zone: str
    level: RiskLevel
    waiver_until: datetime | None
    is_covered: bool

    @property
    def exchange_id(self) -> str:
        """The service as the exchange of a waiver."""
        return f"{self.guru_label}/{self.service_id}"


async def signing(session: AsyncSession, token: UUID) -> Signing:
    """Return what a personal link is for, in a transaction of its tenant. Raises NotFound once it has ended."""
    found: dict[str, Any] | None = await session.scalar(_SIGNING, {"token": token})
    if found is None:
        raise NotFound
    until = found["waiver_until"]
    return Signing(
        signer_id=UUID(found["signer_id"]),
        name=found["name"],
        booker_name=found["booker_name"],
        guru_label=found["guru_label"],
        guru_name=found["guru_name"],
        service_id=UUID(found["service_id"]),
        service_name=found["service_name"],
        starts_at=datetime.fromisoformat(found["starts_at"]),
        ends_at=datetime.fromisoformat(found["ends_at"]),
        zone=found["zone"],
        level=found["level"],
        waiver_until=datetime.fromisoformat(until) if until else None,
        is_covered=found["covered"],
    )


async def is_signed(session: AsyncSession, guru_id: UUID | None, token: UUID) -> bool:
    """Return whether the participant of a personal link is covered. The waivers' chain is locked.

    Raises NotFound for a link that ended meanwhile.
    """
    await session.execute(_SET_TENANT, {"tenant": str(guru_id)})
    return (await signing(session, token)).is_covered


async def contact_views(session: AsyncSession, user_id: UUID) -> tuple[list[ContactViewRow], bool]:
    """Return the latest looks of gurus at the user's emergency contact, and whether there are more.

    They are at most MAX_LISTED_VIEWS.
    """
    rows = (await session.execute(_CONTACT_VIEWS, {"user": user_id, "limit": MAX_LISTED_VIEWS + 1})).all()
    return [
        ContactViewRow(service_name=service_name, guru_name=guru_name, at=to_iso8601(at))
        for service_name, guru_name, at in rows[:MAX_LISTED_VIEWS]
    ], len(rows) > MAX_LISTED_VIEWS


@dataclass(frozen=True, slots=True)
class ReceiptContent:
    """The parts of a receipt."""

    record: bytes
    pdf: bytes
    erasable: dict[str, Any]
    signed: SignedChainLink
    accepted_at: datetime


async def receipt_content(session: AsyncSession, user_id: UUID, waiver_id: UUID) -> ReceiptContent:
    """Return the content of the receipt of one of the user's waivers. Raises NotFound."""
    statement = select(Waiver.record, Waiver.pdf, Waiver.erasable, Waiver.accepted_at)
    row = (await session.execute(statement.where(Waiver.user_id == user_id, Waiver.id == waiver_id))).one_or_none()
    link = (await session.execute(_LINK, {"id": waiver_id})).one_or_none()
    if row is None or link is None:
        raise NotFound
    return ReceiptContent(row.record.encode(), row.pdf, row.erasable, signed_link(*link), row.accepted_at)


def signed_link(
    chain_id: str,
    number: int,
    previous: str,
    record_sha256: str,
    pdf_sha256: str,
    at: datetime,
    key_id: str,
    signature: bytes,
) -> SignedChainLink:
    """Return the link of a row of `waiver_links`."""
    link = ChainLink(chain_id, number, previous, record_sha256, pdf_sha256, to_iso8601(at), key_id)
    return SignedChainLink(link, signature)


async def _rows(session: AsyncSession, user_id: UUID, rows: Sequence[Any]) -> list[WaiverRow]:
    counts = await session.execute(_OPEN_SESSIONS, {"user": user_id})
    open_sessions = {row.waiver_id: row.sessions for row in counts}
    return [
        WaiverRow(
            waiver_id=str(row["id"]),
            accepted_at=to_iso8601(row["accepted_at"]),
            expires_at=to_iso8601(row["expires_at"]),
            exchange_id=row["exchange_id"],
            exchange_title=json.loads(row["record"])["exchange"]["title"],
            is_sample=row["chain_id"] == SAMPLE_CHAIN,
            guru_name=row["guru_name"],
            level=row["level"],
            text_version=row["text_version"],
            signed=row["signed"],
            ended_at=to_iso8601(row["ended_at"]) if row["ended_at"] else None,
            state=row["state"],
            open_sessions=open_sessions.get(row["id"], 0),
        )
        for row in rows
    ]
