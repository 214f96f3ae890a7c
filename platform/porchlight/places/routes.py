"""GET /api/geocode/reverse and /api/geocode/search (SPEC 2.3, 7.2)."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Response

from porchlight.parts import Parts
from porchlight.places.schemas import PlaceAnswer, Places, PlacesAnswer, ReverseAnswer
from sites.parts import StrictRoute

router = APIRouter(prefix="/api/geocode", tags=["platform"], route_class=StrictRoute)

Latitude = Annotated[float, Query(ge=-90, le=90, allow_inf_nan=False, description="Degrees north.")]
Longitude = Annotated[float, Query(ge=-180, le=180, allow_inf_nan=False, description="Degrees east.")]


@router.get("/reverse", response_model=ReverseAnswer, operation_id="reverse_geocode", summary="Name a point")
async def read_place(response: Response, parts: Parts, latitude: Latitude, longitude: Longitude) -> ReverseAnswer:
    """The city, locality and state at a point. The point is neither kept nor logged."""
    place = await parts.geocoder.reverse(latitude, longitude)
    response.headers["cache-control"] = "private, max-age=3600"
    return ReverseAnswer(
        success=True,
        city=place.city if place else "",
        locality=place.locality if place else "",
        principal_subdivision=place.subdivision if place else "",
    )


@router.get("/search", response_model=PlacesAnswer, operation_id="search_places", summary="Find places by name")
async def read_places(
    response: Response,
    parts: Parts,
    q: Annotated[str, Query(max_length=80, description="“city” or “city, state”.")],
    limit: Annotated[int, Query(ge=1, le=20)] = 8,
) -> PlacesAnswer:
    """Places whose name begins so, the largest first; none below two characters."""
    found = await parts.geocoder.search(q, limit)
    response.headers["cache-control"] = "public, max-age=3600"
    places = [
        PlaceAnswer(
            label=", ".join(part for part in (place.city, place.subdivision) if part),
            city=place.city,
            principal_subdivision=place.subdivision,
            country_code=place.country_code,
            latitude=place.latitude,
            longitude=place.longitude,
        )
        for place in found
    ]
    return PlacesAnswer(success=True, data=Places(places=places))
