"""Response bodies of the geocoding routes."""

from __future__ import annotations

from porchlight.ports import Place, PlaceMatch
from tenants.kit.schemas import ResponseModel


class ReverseResponse(ResponseModel):
    """The fields of SPEC 7.2, empty without a place. `principal_subdivision` is the state or region."""

    success: bool
    city: str
    locality: str
    principal_subdivision: str


class PlaceResponse(ResponseModel):
    """A place found by name. `label` means this place wherever one is typed: "city, state" in the United States."""

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


class MatchedPlace(ResponseModel):
    """The place that a text means. Without one, `message` says why, and `choices` are likely ones, best first.

    Blank text has no message.
    """

    place: PlaceResponse | None
    choices: list[PlaceResponse]
    message: str


class PlaceMatchResponse(ResponseModel):
    """GET /api/geocode/match."""

    success: bool
    data: MatchedPlace


def place_response(place: Place) -> PlaceResponse:
    """Return a place of the gazetteer as the API shows it."""
    return PlaceResponse(
        label=place.label,
        city=place.city,
        principal_subdivision=place.subdivision,
        country_code=place.country_code,
        latitude=place.latitude,
        longitude=place.longitude,
    )


def match_response(match: PlaceMatch) -> MatchedPlace:
    """Return a match as the API shows it."""
    return MatchedPlace(
        place=place_response(match.place) if match.place else None,
        choices=[place_response(choice) for choice in match.choices],
        message=match.message,
    )
