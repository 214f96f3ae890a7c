"""Request and response bodies of offers, wants and listings (SPEC 3)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, field_validator, model_validator

from porchlight.contracts import OfferRisk
from porchlight.plans.schemas import Usage
from tenants.kit.schemas import ONE_LINE, PRINTABLE, Payload, ResponseModel, field_error

MAX_TITLE_CHARACTERS, MAX_DETAILS_CHARACTERS, MAX_ALT_CHARACTERS = 60, 2000, 200
MAX_OFFERS, MAX_WANTS = 250, 30  # per user, as in the profile. Plans allow up to 200 offers.

Level = Literal["beginner", "intermediate", "advanced", "expert"]
Format = Literal["in_person", "online"]
Term = Literal["price", "swap", "hours", "free"]
Weekday = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
WEEKDAYS: tuple[Weekday, ...] = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

Details = Annotated[str, StringConstraints(max_length=MAX_DETAILS_CHARACTERS), PRINTABLE]
Title = Annotated[str, StringConstraints(min_length=1, max_length=MAX_TITLE_CHARACTERS), ONE_LINE]


def days_to_bits(days: list[Weekday]) -> int:
    """Return weekdays as bits; Monday is the lowest bit."""
    return sum(1 << WEEKDAYS.index(day) for day in set(days))


def bits_to_days(bits: int) -> list[Weekday]:
    """Return the weekdays of bits."""
    return [day for index, day in enumerate(WEEKDAYS) if bits >> index & 1]


def _all_formats() -> list[Format]:
    return ["in_person", "online"]


def _default_terms() -> list[Term]:
    return ["swap"]


class SkillListingPayload(Payload):
    """The fields of a listing. `priceCents` is per hour, and required exactly when `terms` has "price"."""

    level: Level | None = None
    details: Details = ""
    formats: list[Format] = Field(default_factory=_all_formats, min_length=1, max_length=2)
    terms: list[Term] = Field(default_factory=_default_terms, min_length=1, max_length=4)
    price_cents: Annotated[int, Field(ge=100, le=100_000_000)] | None = None
    radius_km: Annotated[int, Field(ge=1, le=200)] = 25
    days: list[Weekday] = Field(default_factory=lambda: list(WEEKDAYS), min_length=1, max_length=7)

    @field_validator("formats", "terms", "days")
    @classmethod
    def _drop_duplicates(cls, value: list[str]) -> list[str]:
        return list(dict.fromkeys(value))

    @model_validator(mode="after")
    def _check_price(self) -> SkillListingPayload:
        if ("price" in self.terms) != (self.price_cents is not None):
            raise field_error("priceCents", "Set a price if the listing is paid, and only then.")
        return self


class SkillOfferPayload(SkillListingPayload):
    """An offered skill with its listing."""

    title: Title


class ListingDraftPayload(Payload):
    """The draft of a listing."""

    title: Title
    details: Details = ""


class WantPayload(Payload):
    """A wanted skill."""

    title: Title
    level: Level | None = None


class AreaPayload(Payload):
    """A point in degrees. Only its cell is stored."""

    latitude: Annotated[float, Field(ge=-85, le=85, allow_inf_nan=False)]
    longitude: Annotated[float, Field(ge=-180, le=180, allow_inf_nan=False)]


class PhotoPayload(Payload):
    """A photo with its alt text."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=40), ONE_LINE]
    alt: Annotated[str, StringConstraints(max_length=MAX_ALT_CHARACTERS), ONE_LINE] = ""


class PhotosPayload(Payload):
    """All photos of a listing, in order."""

    photos: list[PhotoPayload] = Field(max_length=12)


class ListingPhotoResponse(ResponseModel):
    """A photo of a listing: its path, the path of its thumbnail, and its size in pixels. `alt` may be ""."""

    id: str
    path: str
    small_path: str
    alt: str
    width: int
    height: int


class ListingPart(ResponseModel):
    """The fields of a listing."""

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
    photos: list[ListingPhotoResponse]


class SkillListingResponse(ListingPart):
    """The user's own listing, with its public risk. `overLimit`: others don't see it, it exceeds the plan."""

    risk: OfferRisk
    over_limit: bool


class WantResponse(ResponseModel):
    """A skill that the user wants to learn."""

    id: str
    title: str
    level: Level | None


class TeacherResponse(ResponseModel):
    """The user who offers the skill. `city` is "" if hidden."""

    handle: str
    name: str
    photo_url: str = Field(alias="photoURL")
    bio: str
    languages: list[str]
    city: str


class PublicListing(ListingPart):
    """A public listing with its teacher."""

    teacher: TeacherResponse


class PublicSkillListingResponse(PublicListing):
    """A public listing with its risk."""

    risk: OfferRisk


class PublicSkillListing(ResponseModel):
    """GET /api/skills/listings/{id}."""

    success: bool
    data: PublicSkillListingResponse


class DraftRisk(ResponseModel):
    """POST /api/skills/listing-risks."""

    success: bool
    data: OfferRisk


class OwnSkillsData(ResponseModel):
    """The user's offers and wants, and how much of the plan they use.

    `city` is the user's location, "" if unknown. `by_area`: the user chose an area.
    """

    offers: list[SkillListingResponse]
    wants: list[WantResponse]
    city: str
    by_area: bool
    exchange_offers: Usage
    priced_offers: Usage
    work_photos: Usage


class OwnSkillsResponse(ResponseModel):
    """GET /api/skills/mine and every change to it."""

    success: bool
    data: OwnSkillsData
