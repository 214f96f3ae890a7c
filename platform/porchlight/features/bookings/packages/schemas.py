"""Request and response bodies of packages. Prices are US cents."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints

from porchlight.features.bookings.guru.schemas import NeededReason
from porchlight.features.bookings.schemas import Id, Status
from porchlight.settlement.card_payments import MIN_PRICE_CENTS
from tenants.kit.money import format_cents
from tenants.kit.schemas import ONE_LINE, Payload, ResponseModel

MAX_DAYS = 1096
MAX_PRICE_CENTS = 10_000_00


def _price(cents: int) -> int:
    if 0 < cents < MIN_PRICE_CENTS:
        raise ValueError(f"Enter {format_cents(MIN_PRICE_CENTS)} or more, or leave it empty")
    return cents


class PackagePayload(Payload):
    """A number of sessions of a service, to use within `days` days from the day on which a person gets it.

    Without a price (`price_cents` 0), only the guru gives it. With one, people can buy it by card as well.
    """

    name: Annotated[str, StringConstraints(min_length=1, max_length=60), ONE_LINE]
    sessions: Annotated[int, Field(ge=2, le=52)]
    days: Annotated[int, Field(ge=7, le=MAX_DAYS)]
    price_cents: Annotated[int, Field(ge=0, le=MAX_PRICE_CENTS), AfterValidator(_price)] = 0


class NewPackagePayload(PackagePayload):
    """A new package of a service."""

    service_id: Id


class GrantPayload(Payload):
    """The package to give to the person of a booking, who has booked with the guru or for whom the guru booked.

    `covers_booking`: the booking uses a session of it for each spot, if it is ahead, confirmed and of the same service.
    """

    package_id: Id
    booking_id: Id
    covers_booking: bool = False


class LastDayPayload(Payload):
    """The last local day on which a package covers sessions."""

    last_day: Annotated[date, Field(strict=False)]


class WithdrawalPayload(Payload):
    """How many unused sessions to take back, of the `left` ones that the guru saw. The person reads the reason."""

    sessions: Annotated[int, Field(ge=1, le=52)]
    left: Annotated[int, Field(ge=1, le=52)]
    reason: NeededReason


class PackageData(ResponseModel):
    """A package of the guru, sold if `price_cents` is above 0. `open_grants`: how many people have sessions left."""

    id: str
    service_id: str
    service_name: str
    name: str
    sessions: int
    days: int
    price_cents: int
    open_grants: int


class PackagesData(ResponseModel):
    """The packages of the guru, by service."""

    packages: list[PackageData]


class PackagesResponse(ResponseModel):
    """The packages of the guru."""

    success: bool
    data: PackagesData


class PackageResponse(ResponseModel):
    """A package."""

    success: bool
    data: PackageData


class DeletedPackageResponse(ResponseModel):
    """A package is not offered any more. What people have of it stays."""

    success: bool


class PersonData(ResponseModel):
    """A person to whom the guru can give a package, with the latest booking, by which they are named."""

    booking_id: str
    name: str
    is_customer: bool
    service_name: str
    starts_at: str
    zone: str


class PeopleData(ResponseModel):
    """People who booked with the guru or for whom the guru booked, the latest first. `more`: there are others."""

    people: list[PersonData]
    more: bool


class PeopleResponse(ResponseModel):
    """People to whom the guru can give a package."""

    success: bool
    data: PeopleData


class OwnPackageData(ResponseModel):
    """A package of a person. It covers sessions up to the local day `last_day`.

    `granted` is the sum of `left`, `used` and `taken_back`. `is_open`: sessions can be booked with it. `paid_cents` is
    its price, 0 for a gift of the guru, and `refunded_cents` what went back of it. `disputed` while the person's bank
    decides about it: it covers no new sessions then.
    """

    id: str
    guru_label: str
    guru_name: str
    service_id: str
    service_name: str
    name: str
    granted: int
    left: int
    used: int
    taken_back: int
    last_day: str
    is_open: bool
    paid_cents: int
    refunded_cents: int
    disputed: bool


class OwnPackagesData(ResponseModel):
    """The user's packages, those with which they can book first."""

    packages: list[OwnPackageData]


class OwnPackagesResponse(ResponseModel):
    """The user's packages."""

    success: bool
    data: OwnPackagesData


class GrantData(OwnPackageData):
    """A package of a person, as its guru sees it. `is_customer`: they have no account.

    `unused_cents` are not the guru's yet: the sessions that they paid have to take place.
    """

    person_name: str
    is_customer: bool
    unused_cents: int


class GrantsData(ResponseModel):
    """One page of packages that people have."""

    grants: list[GrantData]
    next_cursor: str | None


class GrantsResponse(ResponseModel):
    """One page of packages that people have."""

    success: bool
    data: GrantsData


class PackageEventData(ResponseModel):
    """An event of a package. `sessions` of it were given, bought or taken back; it lasts until `last_day`.

    `cents` were paid, or went back to the card.
    """

    at: str
    event: Literal["granted", "bought", "extended", "taken_back"]
    sessions: int | None
    last_day: str | None
    cents: int
    reason: str


class PackageUseData(ResponseModel):
    """A booking that uses a package, or used it: `sessions` are 0 once they were returned."""

    booking_id: str
    starts_at: str
    zone: str
    status: Status
    sessions: int


class GrantDetails(GrantData):
    """A package of a person with its history, the oldest entry first, and its bookings, the latest first.

    `refund_cents`: what goes back to the card if 1, 2, ... of the sessions that are left are taken back.
    """

    events: list[PackageEventData]
    uses: list[PackageUseData]
    refund_cents: list[int]


class GrantResponse(ResponseModel):
    """A package of a person with its history."""

    success: bool
    data: GrantDetails


class OwnPackageDetails(OwnPackageData):
    """A package of the user with its history, the oldest entry first, and its bookings, the latest first."""

    events: list[PackageEventData]
    uses: list[PackageUseData]


class OwnPackageResponse(ResponseModel):
    """A package of the user with its history."""

    success: bool
    data: OwnPackageDetails


class SoldPackageData(ResponseModel):
    """A package that can be bought by card. It covers sessions for `days` days from the day on which it is paid."""

    id: str
    service_id: str
    service_name: str
    name: str
    sessions: int
    days: int
    price_cents: int


class SoldPackagesData(ResponseModel):
    """The packages that a guru sells, by service."""

    packages: list[SoldPackageData]


class SoldPackagesResponse(ResponseModel):
    """The packages that a guru sells."""

    success: bool
    data: SoldPackagesData


class PurchasePayload(Payload):
    """The price that the person saw, and the name under which the guru knows them."""

    name: Annotated[str, StringConstraints(min_length=1, max_length=80), ONE_LINE]
    price_cents: Annotated[int, Field(ge=MIN_PRICE_CENTS, le=MAX_PRICE_CENTS)]


class PackagePurchaseData(ResponseModel):
    """A package that was bought or is about to be: `url` is Stripe's page while it is `open`.

    `package_id` is what the guru sells, and `grant_id` what the person has, once it is `paid`.
    """

    id: str
    state: Literal["opening", "open", "paid", "expired", "failed", "canceled"]
    package_id: str
    guru_label: str
    guru_name: str
    service_id: str
    service_name: str
    name: str
    sessions: int
    days: int
    price_cents: int
    url: str
    grant_id: str | None
    last_day: str | None


class PackagePurchaseResponse(ResponseModel):
    """The purchase of a package."""

    success: bool
    data: PackagePurchaseData
