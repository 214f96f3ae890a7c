"""Response schemas of teachers. Times are UTC, prices are cents."""

from __future__ import annotations

from typing import Literal

from sites.reviews.ratings import Rating
from tenants.kit.schemas import ResponseModel


class TeacherService(ResponseModel):
    """A service that can be booked. `zone` is the guru's IANA zone."""

    id: str
    name: str
    minutes: int
    price_cents: int
    currency: str
    capacity: int
    place: Literal["guru", "person", "online", "agreed"]
    zone: str


class GuruTeacher(ResponseModel):
    """A guru with a service that can be booked, and the first free start of each of the next days that have one.

    `skills` are those that fit the category. `handle` is the angel's whose guru this is, or null. `service` is null,
    and `starts` is empty, if the guru takes messages only. `premium`: the owner is a Premium Angel.
    `rating` is that of the guru's sessions, null without reviews.
    """

    label: str
    name: str
    tagline: str
    city: str
    emoji: str
    skills: list[str]
    handle: str | None
    service: TeacherService | None
    starts: list[str]
    premium: bool
    rating: Rating | None


class NeighborTeacher(ResponseModel):
    """A neighbor with a listing that fits the category. `miles` is approximate, null when either place is unknown."""

    handle: str
    name: str
    photo_url: str
    city: str
    miles: int | None
    listing_id: str
    title: str
    premium: bool


class TeachersData(ResponseModel):
    """Gurus, those with free times first, then those who can be booked, and neighbors, the nearest first."""

    gurus: list[GuruTeacher]
    neighbors: list[NeighborTeacher]


class TeachersResponse(ResponseModel):
    """The response of GET /api/teachers."""

    success: bool
    data: TeachersData
