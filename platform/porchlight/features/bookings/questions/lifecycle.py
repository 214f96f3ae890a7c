"""Answer the guru's questions again: decided without a database."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from porchlight.features.bookings.commands import ChangeAnswers
from porchlight.features.bookings.draft import CalendarDraft
from porchlight.features.bookings.refusals import CommandRefused, RefusalReason
from porchlight.features.bookings.states import OPEN, Actor

ANSWERS_CHANGED: Final = "answers_changed"
MAX_CHANGES_IN_HISTORY: Final = 20  # further ones are kept without an entry, so that the history doesn't grow


def change_answers(draft: CalendarDraft, command: ChangeAnswers) -> None:
    """Replace the answers of a booking or a request whose session has not started."""
    booking = draft.booking(command.id)
    if booking.status not in OPEN or booking.starts_at <= draft.facts.now:
        raise CommandRefused(RefusalReason.BOOKING_CHANGED)
    event = ANSWERS_CHANGED if command.changes < MAX_CHANGES_IN_HISTORY else ""
    draft.update(booking, {"answers": [asdict(one) for one in command.answers]}, event=event, actor=Actor.PERSON)
