"""Response bodies of the geocoding routes."""

from __future__ import annotations

from tenants.kit.schemas import ResponseModel


class ReverseResponse(ResponseModel):
    """The fields of SPEC 7.2, empty without a place. `principal_subdivision` is the state or region."""

    success: bool
    city: str
    locality: str
    principal_subdivision: str


class PlaceResponse(ResponseModel):
    """A place found by name. `label` is "city, state"."""

    label: str
    city: str
    principal_subdivision: str
    country_code: str
    latitude: float
    longitude: float


class Places(ResponseModel):
    """The places, the largest first."""

    places: list[PlaceResponse]


class PlacesResponse(ResponseModel):
    """GET /api/geocode/search."""

    success: bool
    data: Places
