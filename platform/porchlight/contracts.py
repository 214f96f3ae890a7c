"""Protocols and values that features share. Features do not import each other; `app.py` connects them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol
from uuid import UUID

from sqlalchemy.ext.asyncio import AsyncSession

from sites.hours.holds import SessionBookings
from tenants.db.pool import Database
from tenants.kit.schemas import ResponseModel

RiskLevel = Literal["low", "medium", "high", "extreme"]
REVIEW_PERIOD = timedelta(days=14)  # after the end of a session; then its reviews are revealed
MAX_ACTIVITY_CHARACTERS = 300  # of an activity that staff reviews; longer ones are cut
PROFILE_PHOTO_PATH = "/api/photos/"
RISK_LEVELS: tuple[RiskLevel, ...] = ("low", "medium", "high", "extreme")


def profile_photo_url(photo_id: UUID | str | None, external_url: str) -> str:
    """Return the URL of a person's uploaded photo, else `external_url`, which is "" without a photo."""
    return f"{PROFILE_PHOTO_PATH}{photo_id}.webp" if photo_id else external_url


@dataclass(frozen=True, slots=True)
class RatedCategory:
    """A skill category with its risk level. `activities`: the names of its skills and session templates."""

    slug: str
    name: str
    risk: RiskLevel
    activities: tuple[str, ...] = ()


class OfferRisk(ResponseModel):
    """The risk of learning a skill, with reasons as sentences.

    `requiresWaiver`: the risk is high or extreme (SPEC 3). `known` is false for an activity that waits for a review by
    staff; until then, it has the rating that its meaning suggests, or medium.
    """

    rating: RiskLevel
    requires_waiver: bool
    reasons: list[str]
    known: bool


def supporting_reasons(level: RiskLevel, risks: Iterable[OfferRisk]) -> list[str]:
    """Return the reasons for a level, which never speak of another one: gurus rate their services themselves, too."""
    reasons = dict.fromkeys(reason for risk in risks if risk.rating == level for reason in risk.reasons)
    return list(reasons) or [f"This activity is rated {level} risk."]


class ActivityRisk(OfferRisk):
    """The risk of an activity. `level` is the waiver's level, where an extreme `rating` counts as high (SPEC 3, 5)."""

    level: Literal["low", "medium", "high"]
    requires_contact: bool


class RiskAssessor(Protocol):
    """Rates offers and activities. A decision of staff applies as soon as it is made."""

    async def assess_offer(self, title: str, details: str) -> OfferRisk:
        """Return the risk of a draft of a listing, from its title and its details."""

    async def assess_listings(self, listings: Sequence[tuple[str, str]]) -> list[OfferRisk]:
        """Return the risks of listings, each a title and details, in order."""

    async def assess_activity(self, category: str, activity: str) -> ActivityRisk:
        """Return the risk of an activity in a category. Either may be blank."""

    async def assess_reviews(self, reviews: Sequence[tuple[str, str, str | None]]) -> list[OfferRisk]:
        """Return the risks of queued activities, each a category, an activity and the decided level or None."""

    async def request_review(self, title: str, details: str, *, owner_id: UUID | None = None) -> None:
        """Queue a listing with unknown risk for review by staff, once. Its words are deleted with its owner."""


@dataclass(frozen=True, slots=True)
class ServiceWaiver:
    """A waiver that a user accepted for a guru's service. It covers activities up to `level`, until `expires_at`."""

    id: UUID
    level: RiskLevel
    expires_at: datetime


class Waivers(Protocol):
    """Reads a user's waivers, in the unit of work of the user."""

    async def service_waiver(
        self,
        session: AsyncSession,
        user_id: UUID,
        *,
        guru_id: UUID,
        service_id: UUID,
        level: RiskLevel,
        signed: bool,
        any_guru_text: bool = False,
        minor: str = "",
    ) -> ServiceWaiver | None:
        """Return the user's waiver for a service that covers the level and is valid longest.

        It may have expired. One that was withdrawn or has an outdated text does not count, nor one without the guru's
        newest text unless `any_guru_text`. With `signed`, only signed ones count. It is for the user themselves, or
        with `minor` for the child of that name, whose guardian the user is.
        """

    async def minor_waivers(
        self, session: AsyncSession, user_id: UUID, *, guru_id: UUID, service_id: UUID, level: RiskLevel
    ) -> list[tuple[str, ServiceWaiver]]:
        """Return the minors for whom the user signed as guardian, each with the waiver that is valid longest."""


class Bookings(SessionBookings, Protocol):
    """The bookings of sessions, for the features beside them."""

    async def end_all(self, session: AsyncSession, user_id: UUID) -> None:
        """Cancel everything that a user has open with any guru, before the account is deleted.

        A late cancellation is owed as by the terms.
        """


class MoneySummary(ResponseModel):
    """Whether the books match Stripe, and what waits for staff.

    `reconciledAt`: the last comparison, or null before the first one. `centsOff` and `accountsOff`: the sum of the
    differences it found, without their signs, and the number of accounts. Counts end at 1,000.
    """

    reconciled_at: str | None
    cents_off: int
    accounts_off: int
    open_findings: int
    failed_events: int
    open_writes: int
    waiting_adjustments: int
    open_disputes: int


class Books(Protocol):
    """Reads the state of the books for the overview of staff."""

    async def summary(self, service_db: Database) -> MoneySummary:
        """Return the result of the last reconciliation, and how much waits for staff."""


@dataclass(frozen=True, slots=True)
class ListingCard:
    """The photo and the risk on a listing's card. `picture` is the path of the thumbnail, "" without one."""

    picture: str
    picture_alt: str
    risk: OfferRisk


class ListingCards(Protocol):
    """Reads the cards of listings."""

    async def by_offer(self, offer_ids: Sequence[str]) -> dict[str, ListingCard]:
        """Return the cards of the public listings among `offer_ids`, by id."""


class OfferCounts(Protocol):
    """Counts the offers of a user, which plans limit."""

    async def exchange_offers(self, session: AsyncSession, user_id: UUID) -> int:
        """Return how many offers without a price the user has, in the user's unit of work."""


@dataclass(frozen=True, slots=True)
class ProfileCard:
    """The name and the photo of a user. `photo_url` is "" without a photo."""

    handle: str
    display_name: str
    photo_url: str


@dataclass(frozen=True, slots=True)
class ProfileParts:
    """Parts of a profile that a user gave elsewhere. `photo` is a WebP image; `photo_url` is at another service."""

    bio: str
    city: str
    photo: bytes | None
    photo_url: str


class UserProfiles(Protocol):
    """Creates, reads and completes profiles for `auth` and features, which do not import the feature `profiles`."""

    async def create_empty(self, session: AsyncSession, user_id: UUID, name: str) -> None:
        """Create the profile of a new account, in its unit of work. Raises Conflict if no handle is free."""

    async def card(self, session: AsyncSession, user_id: UUID) -> ProfileCard | None:
        """Return a user's own name and photo, in the user's unit of work. Return None for a deleted account."""

    async def fill_in(self, session: AsyncSession, user_id: UUID, parts: ProfileParts) -> None:
        """Fill in what the profile lacks, in the user's unit of work. What it has stays."""


@dataclass(frozen=True, slots=True)
class Staff:
    """The signed-in admin: the session, and the name of its admin key, which is the actor in the audit log.

    A named key has its holder's name. A shared key of the settings has a name that does not reveal it.
    """

    session_id: UUID
    key_name: str
    is_shared: bool
