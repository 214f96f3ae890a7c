"""Places on the wire."""

from __future__ import annotations

from tenants.kit.schemas import Answer


class ReverseAnswer(Answer):
    """The fields of SPEC 7.2, empty where nothing is known. `principal_subdivision` is the state or region."""

    success: bool
    city: str
    locality: str
    principal_subdivision: str


class PlaceAnswer(Answer):
    """A place found by name. `label` is "city, state"."""

    label: str
    city: str
    principal_subdivision: str
    country_code: str
    latitude: float
    longitude: float


class Places(Answer):
    """Places found, the largest first."""

    places: list[PlaceAnswer]


class PlacesAnswer(Answer):
    """The answer of GET /api/geocode/search."""

    success: bool
    data: Places
