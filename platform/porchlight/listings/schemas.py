"""Offers, wants and listings on the wire (SPEC 3)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, field_validator, model_validator

from porchlight.cards import OfferRisk
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Answer, Payload

SKILL, DETAILS, ALT = 60, 2000, 200  # characters; a skill's name is as long as the profile lets it be
MOST = 30  # offers, and wants, of one neighbour (as in the profile)

Level = Literal["beginner", "intermediate", "advanced", "expert"]
Format = Literal["in_person", "online"]
Term = Literal["price", "swap", "hours", "free"]
Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

Details = Annotated[str, StringConstraints(max_length=DETAILS), PRINTABLE]
Title = Annotated[str, StringConstraints(min_length=1, max_length=SKILL), ONE_LINE]


def bits_of(days: list[Weekday]) -> int:
    """Days as bits, Monday the lowest."""
    return sum(1 << WEEKDAYS.index(day) for day in set(days))


def days_of(bits: int) -> list[Weekday]:
    """Bits as days."""
    return [day for at, day in enumerate(WEEKDAYS) if bits >> at & 1]


def _both() -> list[Format]:
    return ["in_person", "online"]


def _swap() -> list[Term]:
    return ["swap"]


class SkillListingPayload(Payload):
    """What a listing says of a skill that is taught. `priceCents`: an hour, exactly when `terms` has "price"."""

    level: Level | None = None
    details: Details = ""
    formats: list[Format] = Field(default_factory=_both, min_length=1, max_length=2)
    terms: list[Term] = Field(default_factory=_swap, min_length=1, max_length=4)
    price_cents: Annotated[int, Field(ge=100, le=100_000_000)] | None = None
    radius_km: Annotated[int, Field(ge=1, le=200)] = 25
    days: list[Weekday] = Field(default_factory=lambda: list(WEEKDAYS), min_length=1, max_length=7)

    @field_validator("formats", "terms", "days")
    @classmethod
    def _once(cls, value: list[str]) -> list[str]:
        return list(dict.fromkeys(value))

    @model_validator(mode="after")
    def _priced(self) -> SkillListingPayload:
        if ("price" in self.terms) != (self.price_cents is not None):
            raise ValueError("A price goes with the term “price”, and only with it.")
        return self


class SkillOfferPayload(SkillListingPayload):
    """A skill to teach, with its listing."""

    title: Title


class DraftPayload(Payload):
    """A listing as far as it is written."""

    title: Title
    details: Details = ""


class WantPayload(Payload):
    """A skill to learn."""

    title: Title
    level: Level | None = None


class AreaPayload(Payload):
    """Where somebody is, in degrees. Only the coarse cell that stands for it is kept."""

    latitude: Annotated[float, Field(ge=-85, le=85, allow_inf_nan=False)]
    longitude: Annotated[float, Field(ge=-180, le=180, allow_inf_nan=False)]


class PhotoPayload(Payload):
    """A photo, with words for who cannot see it."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=40), ONE_LINE]
    alt: Annotated[str, StringConstraints(max_length=ALT), ONE_LINE] = ""


class PhotosPayload(Payload):
    """All photos of a listing, in the order they are shown."""

    photos: list[PhotoPayload] = Field(max_length=12)


class ListingPhotoAnswer(Answer):
    """A photo of a listing: its paths, the small one for cards, and its size in pixels. `alt` is "" when not said."""

    id: str
    path: str
    small_path: str
    alt: str
    width: int
    height: int


class ListingPart(Answer):
    """What a listing says of a skill."""

    id: str
    title: str
    level: Level | None
    details: str
    formats: list[Format]
    terms: list[Term]
    price_cents: int | None
    currency: str
    radius_km: int
    days: list[Weekday]
    photos: list[ListingPhotoAnswer]


class SkillListingAnswer(ListingPart):
    """One's own listing, with the risk that others are shown."""

    risk: OfferRisk


class WantAnswer(Answer):
    """A skill somebody wants to learn."""

    id: str
    title: str
    level: Level | None


class TeacherAnswer(Answer):
    """Who offers it. `city` is "" when they do not show it."""

    handle: str
    name: str
    photo_url: str = Field(alias="photoURL")
    bio: str
    languages: list[str]
    city: str


class PublicListing(ListingPart):
    """A listing with who offers it."""

    teacher: TeacherAnswer


class PublicSkillListingAnswer(PublicListing):
    """A listing's page."""

    risk: OfferRisk


class PublicSkillListing(Answer):
    """GET /api/skills/listings/{id}."""

    success: bool
    data: PublicSkillListingAnswer


class DraftRisk(Answer):
    """POST /api/skills/listing-risks."""

    success: bool
    data: OfferRisk


class OwnSkillsData(Answer):
    """One's own offers and wants. `city`: where one is taken to be; "" for nowhere known."""

    offers: list[SkillListingAnswer]
    wants: list[WantAnswer]
    city: str
    by_area: bool


class OwnSkillsAnswer(Answer):
    """GET /api/skills/mine and every change to it."""

    success: bool
    data: OwnSkillsData
