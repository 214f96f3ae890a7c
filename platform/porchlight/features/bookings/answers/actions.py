"""Carry out the answers of calendar programs to the invitations of bookings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from porchlight.features.bookings import commands, store
from porchlight.features.bookings.states import Actor
from porchlight.features.bookings.store import FactsQuery
from porchlight.inbound_mail.calendar_answer import CalendarAnswer
from porchlight.inbound_mail.sender_check import SenderCheck
from tenants.db.pool import Database
from tenants.db.unit_of_work import unit_of_work
from tenants.kit.logs import log

_INVITED = "SELECT booking_id, person_id, side FROM app.find_invited(%(event)s, %(address)s)"


@dataclass(frozen=True, slots=True)
class _Invited:
    """A confirmed booking, and which side of it an address is of."""

    booking_id: UUID
    person_id: UUID
    side: Literal["person", "guru"]


class BookingInvitations:
    """The sessions whose invitations calendar programs answer."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def record_answer(self, tenant_id: UUID, answer: CalendarAnswer, sender: str, check: SenderCheck) -> bool:
        """Carry out a "No". Return False if the sender was not invited to this event. Other answers change nothing.

        The address of the attendee has to be the sender's: an answer on behalf of someone else is none.
        """
        if answer.attendee != sender:
            return False
        parameters = {"event": answer.event_id, "address": sender}
        invited = next(iter(await self._db.read(tenant_id, _INVITED, parameters, row=_Invited)), None)
        if invited is None:
            return False
        if answer.answer == "declined":
            await self._decline(tenant_id, invited, answer, is_verified=check is SenderCheck.VERIFIED)
        log.info("calendar_answer", answer=answer.answer, side=invited.side)
        return True

    async def _decline(self, tenant_id: UUID, invited: _Invited, answer: CalendarAnswer, *, is_verified: bool) -> None:
        command = commands.DeclineInvitation(
            id=invited.booking_id,
            actor=Actor(invited.side),
            sequence=answer.sequence,
            is_verified=is_verified,
            comment=answer.comment,
        )
        needs = FactsQuery(ids=[invited.booking_id])
        if invited.side == "person":
            await store.run(self._db, tenant_id, needs, command, user_id=invited.person_id)
            return
        async with unit_of_work(self._db, tenant_id=tenant_id, acting=True) as session:
            await store.run_in(session, needs, command)
