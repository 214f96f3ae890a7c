"""The states of a booking, and how one follows another. The trigger booking_transitions rejects every other change."""

from __future__ import annotations

from enum import StrEnum


class Status(StrEnum):
    """The state of a booking."""

    HELD = "held"
    REQUESTED = "requested"
    CONFIRMED = "confirmed"
    DECLINED = "declined"
    CANCELED = "canceled"
    EXPIRED = "expired"
    MISSED = "missed"
    COMPLETED = "completed"


TRANSITIONS: dict[Status, tuple[Status, ...]] = {
    Status.HELD: (Status.REQUESTED, Status.CONFIRMED, Status.EXPIRED),
    Status.REQUESTED: (Status.CONFIRMED, Status.DECLINED, Status.CANCELED, Status.EXPIRED),
    Status.CONFIRMED: (Status.CANCELED, Status.MISSED, Status.COMPLETED),
    Status.DECLINED: (),
    Status.CANCELED: (),
    Status.EXPIRED: (Status.REQUESTED, Status.CONFIRMED),  # its payment arrived late, and its seats were still free
    Status.MISSED: (Status.CONFIRMED, Status.COMPLETED),
    Status.COMPLETED: (Status.MISSED,),
}
OCCUPYING = frozenset({Status.HELD, Status.REQUESTED, Status.CONFIRMED, Status.COMPLETED, Status.MISSED})
OPEN = frozenset({Status.HELD, Status.REQUESTED, Status.CONFIRMED})


class Actor(StrEnum):
    """The side that changes a booking: its name in the history, and in `ended_by`."""

    PERSON = "person"
    GURU = "guru"
    STAFF = "staff"
    SYSTEM = "system"
