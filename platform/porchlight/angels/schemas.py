"""Angel's List on the wire (SPEC 3)."""

from __future__ import annotations

from tenants.kit.schemas import Answer


class AngelServiceAnswer(Answer):
    """A kind of local help. `avgPrice` is in dollars an hour, `providers` counts the angels."""

    id: str
    title: str
    description: str
    avg_price: float
    providers: int
    rating: float
    city: str
    category: str


class AngelsData(Answer):
    """The services the filters let through, and all that there is to filter by."""

    services: list[AngelServiceAnswer]
    cities: list[str]
    categories: list[str]


class AngelsAnswer(Answer):
    """GET /api/angels."""

    success: bool
    data: AngelsData
