"""Participants of a booking that needs a waiver, and who signs for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID, uuid4

from sqlalchemy import Uuid, bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.contracts import ServiceWaiver, Waivers
from porchlight.features.bookings.models import Booking
from porchlight.features.bookings.schemas import BookingPayload
from porchlight.features.bookings.waivers import WaiverNeed, find_waiver, missing_waiver
from tenants.kit import clock
from tenants.kit.errors import ProductError, ValidationFailed
from tenants.kit.ids import new_id
from tenants.kit.text import normalize_text

Signer = Literal["self", "guardian", "link"]
# In the transaction of the person and the guru, under the lock of the calendar.
ADD_PARTICIPANTS = text("SELECT app.add_participants(:ids, :level, :people)").bindparams(
    bindparam("ids", type_=ARRAY(Uuid)), bindparam("people", type_=JSONB)
)


@dataclass(frozen=True, slots=True)
class Person:
    """A participant. `email`: where the personal link of one who signs without an account goes, "" for nowhere."""

    name: str
    signer: Signer
    email: str = ""


@dataclass(frozen=True, slots=True)
class Coverage:
    """The participants of a booking that needs a waiver of `level`, as app.add_participants takes them.

    `waivers` are those that the user has signed, for themselves and as guardian. `missing` is the error for a person
    that the user has not signed for, or None.
    """

    people: list[dict[str, Any]]
    waivers: Sequence[ServiceWaiver]
    missing: ProductError | None

    @property
    def waiver(self) -> ServiceWaiver | None:
        """The first waiver of the user: their own, else that of a minor. None if all sign with links."""
        return self.waivers[0] if self.waivers else None


NO_COVERAGE = Coverage([], (), None)


def people_of(payload: BookingPayload, party: int) -> list[Person]:
    """Return who takes part. Raises ValidationFailed unless everyone is named, and at most one is the user.

    A request without `signers` names the others only, or everyone: the user signs for the one with their own name, and
    the others get links.
    """
    names, signers = payload.participants, payload.signers
    if not signers and len(names) == party - 1:
        names = [payload.name, *names]
    if len(names) != party or (signers and len(signers) != party):
        raise ValidationFailed(
            fields={"participants": f"Each person needs a waiver. Please enter the names of all {party} people."}
            if party > 1
            else {"participants": "This booking is for one person. Please enter one name."}
        )
    if signers:
        people = [Person(name, one.signer, one.email) for name, one in zip(names, signers, strict=True)]
    else:
        own = next((index for index, name in enumerate(names) if _same(name, payload.name)), None)
        people = [Person(name, "self" if index == own else "link") for index, name in enumerate(names)]
    if sum(person.signer == "self" for person in people) > 1:
        raise ValidationFailed(fields={"signers": "You can sign for yourself only once. Who signs for the others?"})
    minors = [normalize_text(person.name) for person in people if person.signer == "guardian"]
    if len(set(minors)) < len(minors):
        raise ValidationFailed(fields={"participants": "Two children have the same name. Please add a last name."})
    return people


async def coverage(
    session: AsyncSession,
    waivers: Waivers,
    user_id: UUID,
    booking: Booking,
    need: WaiverNeed,
    people: Sequence[Person],
) -> Coverage:
    """Return how the participants of a hold are covered: by waivers of the user, or later by links."""
    found: list[ServiceWaiver] = []
    rows: list[dict[str, Any]] = []
    missing: ProductError | None = None
    for person in people:
        row: dict[str, Any] = {"name": person.name, "signer": person.signer}
        if person.signer == "link":
            row |= {"signer_id": str(new_id()), "token": str(uuid4()), "email": person.email}
        else:
            minor = person.name if person.signer == "guardian" else ""
            waiver = await find_waiver(session, waivers, user_id, booking, need, minor=minor)
            if waiver is None or waiver.expires_at <= clock.now():
                missing = missing or missing_waiver(waiver, minor)
            else:
                row["waiver_id"] = str(waiver.id)
                found.insert(0 if person.signer == "self" else len(found), waiver)
        rows.append(row)
    return Coverage(rows, found, missing)


def people_before(booking: Booking) -> list[dict[str, Any]]:
    """Return the participants of a booking that may have none yet.

    If it needed no waiver when it was made, the person signs for themselves, and the others get links; people without a
    name have a number. If it was made before participants were stored, the person's waiver covers everyone.
    """
    if booking.waiver_level:
        return [{"name": booking.person_name, "signer": "self"}]
    own: dict[str, Any] = {"name": booking.person_name, "signer": "self"}
    if booking.customer_token is not None:  # a customer without an account signs with a link, too
        own = {
            "name": booking.person_name, "signer": "link", "signer_id": str(new_id()), "token": str(uuid4()),
            "email": booking.customer_email,
        }  # fmt: skip
    others = [name for name in booking.participants if not _same(name, booking.person_name)][: booking.party - 1]
    unnamed = range(len(others) + 2, booking.party + 1)
    return [
        own,
        *(
            {"name": name, "signer": "link", "signer_id": str(new_id()), "token": str(uuid4())}
            for name in (*others, *(f"Person {number}" for number in unnamed))
        ),
    ]


def _same(name: str, other: str) -> bool:
    return normalize_text(name) == normalize_text(other)
