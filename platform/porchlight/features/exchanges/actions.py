"""Steps of exchanges: facts under the locks, the decision, and one write."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast
from uuid import UUID

import orjson
import psycopg
from psycopg.types.json import Jsonb

from porchlight.features.exchanges.agreement import (
    Agreement,
    ExchangeFacts,
    ExchangeRefusal,
    Record,
    Side,
    Status,
    StepRefusedError,
)
from porchlight.features.exchanges.hours_rules import HoursAccount, HoursFacts, HoursRefusal, chosen_mode
from porchlight.features.exchanges.rules import (
    DAY,
    MAX_ASKED_A_DAY,
    MAX_OPEN_PER_PAIR,
    Accept,
    Ask,
    AskedBefore,
    Command,
    Decision,
    ExchangeChange,
    decide,
)
from porchlight.features.exchanges.schemas import AskPayload
from porchlight.features.exchanges.settlement_rules import (
    SettlementChange,
    SettlementCommand,
    SettlementDecision,
    decide_settlement,
)
from porchlight.geo.grid import cell_center
from tenants.db.pipeline import Statement
from tenants.db.pool import Database
from tenants.db.rows import Columns
from tenants.http.idempotency import content_digest
from tenants.kit import clock
from tenants.kit.errors import NotFound
from tenants.kit.ids import new_id
from tenants.kit.zones import UTC_NAME, local_time

# It locks in the order that all changes keep.
_FACTS = """
SELECT app.exchange_facts(%(wanted)s, %(offer)s, %(key)s, %(asked_since)s, %(starts)s::timestamptz[], %(minutes)s,
                          %(most)s)"""
_APPLY = "SELECT app.apply_exchange(%(changed)s, %(block)s, %(emails)s)"
_FLOORS = frozenset({"ledger_hold_available", "ck_ledger_balances_floor"})
_MINUTES = "SELECT minutes FROM exchanges WHERE id = %(id)s AND %(user)s IN (person_a_id, person_b_id)"


@dataclass(frozen=True, slots=True)
class AskedOffer:
    """The listing that a session is about. `risk`: the level that a waiver has to cover, or ""."""

    id: UUID
    title: str
    terms: Sequence[str]
    risk: str


@dataclass(frozen=True, slots=True)
class Asked:
    """An exchange that was asked for. `is_new`: not before."""

    id: UUID
    is_new: bool


async def asking_facts(
    db: Database, user_id: UUID, offer_id: UUID, zone_at: Callable[[float, float], str | None]
) -> tuple[ExchangeFacts, str]:
    """Return what decides whether the user can ask about a listing, and the teacher's zone or "".

    Raises NotFound. It locks like a step, so it is no read.
    """
    values = _needs(offer=offer_id, starts=(), minutes=0)
    for (answer,) in await db.write(None, _FACTS, values, user_id=user_id):
        if answer is not None:
            return to_facts(answer, user_id), teacher_zone(answer, zone_at)
    raise NotFound


async def ask(
    db: Database,
    user_id: UUID,
    offer: AskedOffer,
    payload: AskPayload,
    *,
    key: str,
    is_verified: bool,
    is_limited: bool,
    zone_at: Callable[[float, float], str | None],
) -> Asked:
    """Ask the owner of a listing for a session, once per key. Raises NotFound and StepRefusedError.

    `zone_at` returns the zone of coordinates in degrees.
    """
    starts = tuple(payload.starts)
    digest = content_digest(
        str(offer.id), *(start.isoformat() for start in starts), str(payload.minutes), payload.place, payload.note,
        payload.mode or "",
    )  # fmt: skip
    mode = chosen_mode(payload.mode, offer.terms)
    command = Ask(starts, payload.minutes, mode, is_verified, is_limited)
    exchange_id = new_id()
    decision: Decision = ExchangeRefusal.ENDED
    earlier_id: UUID | None = None

    def write(rows: Sequence[Columns]) -> Statement | None:
        nonlocal decision, earlier_id
        ((answer,),) = rows
        if answer is None:
            return None
        earlier = answer["earlier"]
        earlier_id = UUID(earlier["id"]) if earlier else None
        decision = decide(command, to_facts(answer, user_id, digest, teacher_zone(answer, zone_at)))
        if not isinstance(decision, ExchangeChange):
            return None
        teacher_id = UUID(answer["teacher_id"])
        people = sorted((user_id, teacher_id))
        new = {
            "person_a_id": people[0], "person_b_id": people[1], "id": exchange_id, "teacher_id": teacher_id,
            "offer_id": offer.id, "skill": offer.title, "minutes": payload.minutes, "place": payload.place,
            "note": payload.note, "reply": "", "reply_by": "", "ended_by": "",
            "teacher_zone": teacher_zone(answer, zone_at), "learner_zone": payload.known_zone, "risk": offer.risk,
            "mode": mode, "idempotency_key": key, "digest": "\\x" + digest.hex(),
        }  # fmt: skip
        return _statement(new | _columns(decision), decision, None)

    values = _needs(offer=offer.id, key=key, starts=starts, minutes=payload.minutes)
    await db.decide(None, None, (_FACTS, values), write, user_id=user_id)
    if isinstance(decision, (ExchangeRefusal, HoursRefusal)):
        # Without facts, the listing is gone or hidden.
        raise NotFound if decision is ExchangeRefusal.ENDED else StepRefusedError(decision)
    if isinstance(decision, AskedBefore) and earlier_id is not None:
        return Asked(earlier_id, is_new=False)
    return Asked(exchange_id, is_new=True)


async def change(
    db: Database, user_id: UUID, exchange_id: UUID, command: Command | SettlementCommand, *, zone: str = ""
) -> None:
    """Carry out a step of one of the two people. `zone`: of their clock, if it is known.

    Raises NotFound and StepRefusedError.
    """
    starts: tuple[datetime, ...] = (command.starts_at,) if isinstance(command, Accept) else ()
    minutes = await db.read_value(int, None, _MINUTES, {"id": exchange_id, "user": user_id}, user_id=user_id)
    decision: Decision | SettlementDecision = None
    is_known = False

    def write(rows: Sequence[Columns]) -> Statement | None:
        nonlocal decision, is_known
        ((answer,),) = rows
        if answer is None:
            return None
        is_known = True
        facts = to_facts(answer, user_id)
        row = answer["exchange"]
        kept: dict[str, Any] = {"person_a_id": row["person_a_id"], "id": row["id"]}
        decision = (
            decide_settlement(command, facts) if isinstance(command, SettlementCommand) else decide(command, facts)
        )
        if isinstance(decision, SettlementChange):
            return _statement(kept | settlement_columns(decision), decision, None)
        if not isinstance(decision, ExchangeChange):
            return None
        if zone:
            kept[f"{facts.side}_zone"] = zone
        block = _block(decision, answer["calendar_zone"] or UTC_NAME) if decision.status == "confirmed" else None
        return _statement(kept | _columns(decision), decision, block)

    values = _needs(wanted=exchange_id, starts=starts, minutes=minutes or 0)
    try:
        await db.decide(None, None, (_FACTS, values), write, user_id=user_id)
    except (psycopg.errors.ExclusionViolation, psycopg.errors.CheckViolation) as error:
        refusal = _taken_meanwhile(error)
        if refusal is None:
            raise
        raise StepRefusedError(refusal) from error
    if not is_known:
        raise NotFound
    if isinstance(decision, (ExchangeRefusal, HoursRefusal)):
        raise StepRefusedError(decision)


def _taken_meanwhile(error: psycopg.Error) -> ExchangeRefusal | None:
    """Return what the database refused that the facts did not show, or None for anything else.

    The locks make a time that is taken unreachable for steps of exchanges; a block of the guru's own hours may still
    come first. A person without an account of hours has nothing to lock: another exchange may have taken the hours.
    """
    if error.diag.constraint_name in _FLOORS:
        return ExchangeRefusal.HOURS_TAKEN
    if isinstance(error, psycopg.errors.CheckViolation):
        return None
    return ExchangeRefusal.CALENDAR_BUSY if error.diag.table_name == "appointments" else ExchangeRefusal.TEACHER_BUSY


def teacher_zone(answer: dict[str, Any], zone_at: Callable[[float, float], str | None]) -> str:
    """Return the zone of the teacher: of their site's calendar, else of the place that their profile shows, or ""."""
    if answer["calendar_zone"] or not answer["teacher_cell"]:
        return answer["calendar_zone"] or ""
    return zone_at(*cell_center(*answer["teacher_cell"])) or ""


def to_facts(answer: dict[str, Any], user_id: UUID, digest: bytes = b"", zone: str = "") -> ExchangeFacts:
    """Return the facts of a step from the database's answer. `zone`: of the teacher, for a new exchange."""
    row, earlier, teacher_id = answer["exchange"], answer["earlier"], UUID(answer["teacher_id"])
    has_row = row is not None and row["id"] is not None
    if has_row:
        zone = row["teacher_zone"] or row["learner_zone"]
    side: Side = "teacher" if has_row and teacher_id == user_id else "learner"
    return ExchangeFacts(
        now=datetime.fromisoformat(answer["now"]),
        side=side,
        agreement=to_agreement(row) if has_row else None,
        is_active=answer["is_active"],
        is_hidden=answer["is_hidden"],
        is_own=teacher_id == user_id,
        is_resent=earlier is not None,
        has_same_words=earlier is None or bytes.fromhex(earlier["digest"]) == digest,
        asked=answer["asked"],
        open=answer["open"],
        taken=frozenset(map(datetime.fromisoformat, answer["taken"])),
        blocked=frozenset(map(datetime.fromisoformat, answer["blocked"])),
        hours=_to_hours(answer["hours"], zone) if answer["hours"] else HoursFacts(),
    )


def _to_hours(answer: dict[str, Any], zone: str) -> HoursFacts:
    """Return the hours of the two people. `zone`: of the teacher, in whose weeks the pair's limit is counted."""
    return HoursFacts(
        learner=HoursAccount(**answer["learner"]),
        teacher=HoursAccount(**answer["teacher"]),
        held=answer["held"],
        incoming=answer["incoming"],
        pair=tuple((datetime.fromisoformat(start), minutes) for start, minutes in answer["pair"]),
        zone=zone,
    )


def to_agreement(row: dict[str, Any]) -> Agreement:
    """Return the state of an exchange from its columns, in JSON."""
    return Agreement(
        status=cast("Status", row["status"]),
        turn=row["turn"],
        round=row["round"],
        proposals=tuple(map(datetime.fromisoformat, row["proposals"])),
        minutes=row["minutes"],
        sequence=row["sequence"],
        starts_at=_moment(row["starts_at"]),
        ends_at=_moment(row["ends_at"]),
        expires_at=_moment(row["expires_at"]),
        risk=row["risk"],
        waiver_until=_moment(row["waiver_until"]),
        mode=row["mode"],
        record=Record(
            state=row["record_state"],
            minutes=row["recorded_minutes"],
            by=row["recorded_by"],
            round=row["record_round"],
            settle_by=_moment(row["settle_by"]),
            settled_at=_moment(row["settled_at"]),
            reversal_by=row["reversal_by"],
        ),
    )


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _needs(
    *,
    wanted: UUID | None = None,
    offer: UUID | None = None,
    key: str | None = None,
    starts: Sequence[datetime],
    minutes: int,
) -> dict[str, Any]:
    return {
        "wanted": wanted, "offer": offer, "key": key, "asked_since": clock.now() - DAY, "starts": list(starts),
        "minutes": minutes, "most": max(MAX_ASKED_A_DAY, MAX_OPEN_PER_PAIR),
    }  # fmt: skip


def _columns(decision: ExchangeChange) -> dict[str, Any]:
    """Return the columns that a change sets. The deadline and the turn end with it, unless it sets new ones."""
    columns: dict[str, Any] = {
        "status": decision.status,
        "turn": decision.turn,
        "expires_at": decision.expires_at,
        "remind_at": decision.remind_at,
        "settle_by": decision.settle_by,
        "ended_by": decision.ended_by,
    }
    optional: dict[str, Any] = {
        "round": decision.round,
        "proposals": decision.proposals,
        "starts_at": decision.starts_at,
        "ends_at": decision.ends_at,
    }
    if decision.reply is not None:
        optional |= {"reply": decision.reply, "reply_by": decision.reply_by}
    return columns | {name: value for name, value in optional.items() if value is not None}


def settlement_columns(decision: SettlementChange) -> dict[str, Any]:
    """Return the columns that a change of the recorded time sets. What is recorded took place, or should have."""
    record = decision.record
    columns: dict[str, Any] = {
        "status": "completed", "remind_at": None, "record_state": record.state, "recorded_minutes": record.minutes,
        "recorded_by": record.by, "record_round": record.round, "settle_by": record.settle_by,
        "settled_at": record.settled_at, "reversal_by": record.reversal_by,
    }  # fmt: skip
    return columns | ({"reply": decision.words, "reply_by": decision.words_by} if decision.words else {})


def _block(decision: ExchangeChange, zone: str) -> dict[str, Any] | None:
    """Return what the time in the calendar of the teacher's site has, beside its instants."""
    if decision.starts_at is None or decision.ends_at is None:
        return None
    start, end = local_time(decision.starts_at, zone), local_time(decision.ends_at, zone)
    return {"zone": zone, "local_start": start.isoformat(), "local_end": end.isoformat()}


def _statement(
    columns: dict[str, Any], decision: ExchangeChange | SettlementChange, block: dict[str, Any] | None
) -> Statement:
    emails = [{"kind": email.kind, "side": email.side} for email in decision.emails]
    return _APPLY, {
        "changed": _json(columns),
        "block": _json(block),
        "emails": _json(emails),
    }


def _json(value: object) -> Jsonb:
    return Jsonb(value, dumps=orjson.dumps)
