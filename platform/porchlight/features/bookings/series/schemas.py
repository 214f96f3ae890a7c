"""Request and response bodies of series."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, field_validator

from porchlight.features.bookings.guru_card import GuruCard
from porchlight.features.bookings.schemas import BookingData, BookingPayload, StartTime
from tenants.kit.schemas import ResponseModel

MAX_SESSIONS = 12


class SeriesPayload(BookingPayload):
    """The hold of the first session, and the starts of up to eleven others of the same service."""

    starts: Annotated[list[StartTime], Field(min_length=1, max_length=MAX_SESSIONS - 1)]

    @field_validator("starts")
    @classmethod
    def _distinct(cls, starts: list[StartTime]) -> list[StartTime]:
        if len(set(starts)) < len(starts):
            raise ValueError("Choose each time once.")
        return starts


class SeriesData(ResponseModel):
    """The user's bookings of a series, the earliest first. Each can be moved and canceled by itself."""

    id: str
    guru: GuruCard
    bookings: list[BookingData]


class SeriesResponse(ResponseModel):
    """A series."""

    success: bool
    data: SeriesData
