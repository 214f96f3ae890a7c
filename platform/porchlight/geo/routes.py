"""GET /api/geocode/reverse, /api/geocode/search and /api/geocode/match (SPEC 2.3, 7.2)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response

from porchlight.dependencies import Context
from porchlight.geo.schemas import (
    PlaceMatchResponse,
    Places,
    PlacesResponse,
    ReverseResponse,
    match_response,
    place_response,
)
from tenants.http.routes import FeatureRouter, StrictRoute

router = FeatureRouter(prefix="/api/geocode", tags=["geocoding"], route_class=StrictRoute)

Latitude = Annotated[float, Query(ge=-90, le=90, allow_inf_nan=False, description="Degrees north.")]
Longitude = Annotated[float, Query(ge=-180, le=180, allow_inf_nan=False, description="Degrees east.")]


@router.get("/reverse", response_model=ReverseResponse, operation_id="reverse_geocode", summary="Get place at a point")
async def reverse_geocode(
    response: Response, context: Context, latitude: Latitude, longitude: Longitude
) -> ReverseResponse:
    """Return the city, locality and state at a point. The point is neither stored nor logged."""
    place = await context.geocoder.reverse(latitude, longitude)
    response.headers["cache-control"] = "private, max-age=3600"
    return ReverseResponse(
        success=True,
        city=place.city if place else "",
        locality=place.locality if place else "",
        principal_subdivision=place.subdivision if place else "",
    )


@router.get("/search", response_model=PlacesResponse, operation_id="search_places", summary="Search places by name")
async def search_places(
    response: Response,
    context: Context,
    q: Annotated[str, Query(max_length=80, description="“city” or “city, state”.")],
    limit: Annotated[int, Query(ge=1, le=20)] = 8,
) -> PlacesResponse:
    """Return places whose name starts with the query, the largest first; none below two characters."""
    results = await context.geocoder.search(q, limit)
    response.headers["cache-control"] = "public, max-age=3600"
    return PlacesResponse(success=True, data=Places(places=[place_response(place) for place in results]))


@router.get("/match", response_model=PlaceMatchResponse, operation_id="match_place", summary="Match a place as typed")
async def match_place(
    response: Response,
    context: Context,
    q: Annotated[str, Query(max_length=120, description="A town or ZIP code, as a person typed it.")],
) -> PlaceMatchResponse:
    """Return the place that the text clearly means, or what it may mean and why that is not clear."""
    match = await context.geocoder.match(q)
    response.headers["cache-control"] = "private, max-age=3600"
    return PlaceMatchResponse(success=True, data=match_response(match))
