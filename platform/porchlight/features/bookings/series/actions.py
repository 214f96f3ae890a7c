"""Book several sessions of a service at once, all or none. Afterwards each booking is independent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from sqlalchemy import Text, Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import RiskAssessor, ServiceWaiver, Waivers
from porchlight.features.bookings.actions import (
    check_participants,
    lock_calendar,
    needed_address,
    store_address_and_zone,
)
from porchlight.features.bookings.errors import (
    OUTCOMES,
    HoldExpired,
    PolicyChanged,
    SeriesPartlyGone,
    SlotGone,
    WaiverTooShort,
)
from porchlight.features.bookings.holds import find_hold
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.participants.people import (
    ADD_PARTICIPANTS,
    NO_COVERAGE,
    Coverage,
    coverage,
    people_of,
)
from porchlight.features.bookings.series.schemas import SeriesPayload
from porchlight.features.bookings.starts import MAX_ATTEMPTS, SEVERAL_STARTS, WantedStart, find_starts, rejection
from porchlight.features.bookings.tokens import HoldToken
from porchlight.features.bookings.waivers import waiver_need
from sites.hours.cache import FreeStartsCache
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit import clock
from tenants.kit.errors import NotFound, ValidationFailed
from tenants.kit.ids import new_id

_HOLD_SERIES = text(
    "SELECT app.hold_series(:held, :ids, :appointments, :starts, :rules_versions, :local_starts)"
).bindparams(*SEVERAL_STARTS)
_CLAIM = text("SELECT outcome FROM app.claim_hold(:token)")
_CONFIRM = text(
    "SELECT count(*) FROM app.confirm_holds(:ids, :waiver, :name, :participants, :note, :key, :digest)"
).bindparams(bindparam("ids", type_=ARRAY(Uuid)), bindparam("participants", type_=ARRAY(Text)))


async def book_series(
    db: Database,
    cache: FreeStartsCache,
    risk: RiskAssessor,
    waivers: Waivers,
    user_id: UUID,
    token: HoldToken,
    payload: SeriesPayload,
    *,
    key: str,
    digest: bytes,
) -> UUID:
    """Book a hold and further starts of its service in one transaction; return the id of the series.

    All sessions have the price and the terms of the hold, and the same people with the same links. Raises HoldExpired,
    AlreadyBooked, TooManyHolds, PolicyChanged, SlotGone, SeriesPartlyGone, WaiverRequired, WaiverExpired,
    WaiverTooShort, and ValidationFailed if the hold's own start is among the others, without the address of a session
    at the person's place, with more names than spots, or if someone is not named.
    """
    hold = await find_hold(db, token, user_id)
    if hold is None or hold.is_booked:
        raise HoldExpired
    check_participants(hold, payload.participants)
    address = needed_address(hold, payload.address)
    held, service_id, starts = hold.booking, hold.booking.service_id, payload.starts
    for attempt in range(MAX_ATTEMPTS):
        wanted = await _find_starts(db, cache, token.tenant_id, service_id, starts)
        async with unit_of_work(db, tenant_id=token.tenant_id, user_id=user_id) as session:
            await _claim_hold(session, token)
            if held.terms_digest.hex() != payload.policy_digest:
                raise PolicyChanged
            if held.starts_at in starts:
                raise ValidationFailed(fields={"starts": "Choose each time once."})
            ids = [new_id() for _ in starts]
            outcomes = await _hold_series(session, held.id, ids, starts, wanted)
            if all(outcome == "held" for outcome in outcomes):
                level, covered = await _find_coverage(session, risk, waivers, user_id, held, payload)
                confirmed = await session.scalar(_CONFIRM, {
                    "ids": [held.id, *ids], "waiver": covered.waiver.id if covered.waiver else None,
                    "name": payload.name, "participants": payload.participants, "note": payload.note, "key": key,
                    "digest": digest,
                })  # fmt: skip
                if confirmed != len(ids) + 1:
                    raise HoldExpired
                if address or payload.known_zone:
                    await store_address_and_zone(session, user_id, [held.id, *ids], address, payload.known_zone)
                if covered.people:
                    values = {"ids": [held.id, *ids], "level": level, "people": covered.people}
                    await session.execute(ADD_PARTICIPANTS, values)
                return held.id
        # The rules changed, or the first attempt ended expired holds, so that the times may be free now.
        if not any(
            outcome == "stale" and (one.is_offered or attempt == 0)
            for outcome, one in zip(outcomes, wanted, strict=True)
        ):
            break
    raise await _partly_gone(db, token.tenant_id, service_id, starts, wanted, outcomes)


async def _claim_hold(session: AsyncSession, token: HoldToken) -> None:
    """Give a visitor's hold to the transaction's user. Locks the calendar.

    Raises HoldExpired, AlreadyBooked, TooManyHolds.
    """
    await lock_calendar(session)
    outcome = await session.scalar(_CLAIM, {"token": token.digest})
    if outcome != "claimed":
        raise OUTCOMES[outcome]


async def _find_starts(
    db: Database, cache: FreeStartsCache, tenant_id: UUID, service_id: UUID, starts: Sequence[datetime]
) -> list[WantedStart]:
    try:
        return await find_starts(db, cache, tenant_id, service_id, starts)
    except NotFound:  # the service is closed
        raise SlotGone from None


async def _hold_series(
    session: AsyncSession,
    first_id: UUID,
    ids: Sequence[UUID],
    starts: Sequence[datetime],
    wanted: Sequence[WantedStart],
) -> list[str]:
    """Return the outcome of each start. Raises HoldExpired."""
    outcomes: list[str] | None = await session.scalar(
        _HOLD_SERIES,
        {
            "held": first_id, "ids": ids, "appointments": [new_id() for _ in ids], "starts": starts,
            "rules_versions": [one.rules_version for one in wanted],
            "local_starts": [one.local(start) for one, start in zip(wanted, starts, strict=True)],
        },
    )  # fmt: skip
    if outcomes is None:
        raise HoldExpired
    return outcomes


async def _find_coverage(
    session: AsyncSession,
    risk: RiskAssessor,
    waivers: Waivers,
    user_id: UUID,
    held: Booking,
    payload: SeriesPayload,
) -> tuple[str, Coverage]:
    """Return the level of the waiver that the sessions need, "" for none, and how those who take part are covered.

    Raises WaiverRequired, WaiverExpired, WaiverTooShort, ValidationFailed.
    """
    need = await waiver_need(session, risk, held)
    if not need.required:
        return "", NO_COVERAGE
    covered = await coverage(session, waivers, user_id, held, need, people_of(payload, held.party))
    if covered.missing:
        raise covered.missing
    for waiver in covered.waivers:
        _check_waiver_covers(waiver, held, payload.starts)
    return need.level, covered


def _check_waiver_covers(waiver: ServiceWaiver, held: Booking, starts: Sequence[datetime]) -> None:
    """Raise WaiverTooShort unless the waiver is valid when each session starts."""
    late = [start for start in (held.starts_at, *starts) if start >= waiver.expires_at]
    if late:
        until = f"{waiver.expires_at:%b} {waiver.expires_at.day}, {waiver.expires_at.year}"
        raise WaiverTooShort(
            f"Your waiver is valid until {until}. Please choose sessions before then; you can book the others later.",
            fields={clock.to_iso8601(start): "Your waiver isn't valid then." for start in late},
        )


async def _partly_gone(
    db: Database,
    tenant_id: UUID,
    service_id: UUID,
    starts: Sequence[datetime],
    wanted: Sequence[WantedStart],
    outcomes: Sequence[str],
) -> SeriesPartlyGone:
    """Return the error that names each start that cannot be booked, and why."""
    gone = {}
    for start, one, outcome in zip(starts, wanted, outcomes, strict=True):
        if outcome == "already_booked":
            gone[clock.to_iso8601(start)] = OUTCOMES[outcome].message
        elif outcome != "held":
            error = await rejection(db, tenant_id, service_id, start, one, outcome)
            gone[clock.to_iso8601(start)] = error.message
    return SeriesPartlyGone(fields=gone)
