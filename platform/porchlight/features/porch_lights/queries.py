"""Read porch lights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from sqlalchemy import text
from sqlalchemy.ext.asyncio import AsyncSession

from porchlight.features.porch_lights.schemas import PorchLightResponse, PorchLightSite
from porchlight.geo.grid import NOWHERE, cell_center
from tenants.db.pool import Database

MAX_LIGHTS = 60
PROFILE_PHOTO_PATH = "/api/photos/"

_LIGHTS = "SELECT expires_at, city, latitude, longitude, card FROM app.porch_lights(%s, %s, %s::double precision[], %s)"
_CAN_TURN_ON = text("SELECT EXISTS (SELECT FROM helper_cards WHERE user_id = :id)")
_ANGEL_LOCATION = text(
    "SELECT city, latitude, longitude FROM angels WHERE user_id = :id AND active ORDER BY updated_at DESC LIMIT 1"
)
_PROFILE_LOCATION = text("SELECT city, cell_lat, cell_lon FROM user_locations WHERE user_id = :id")


@dataclass(frozen=True, slots=True)
class LightLocation:
    """A city and the center of a cell in degrees; "" and None if unknown."""

    city: str = ""
    latitude: float | None = None
    longitude: float | None = None


async def can_turn_on(session: AsyncSession, user_id: UUID) -> bool:
    """Whether neighbors could see what the user offers."""
    return bool(await session.scalar(_CAN_TURN_ON, {"id": user_id}))


async def own_location(session: AsyncSession, user_id: UUID) -> LightLocation:
    """Return the approximate location of the user's services, else of the profile."""
    row = (await session.execute(_ANGEL_LOCATION, {"id": user_id})).one_or_none()
    if row is not None:
        return LightLocation(row.city, row.latitude, row.longitude)
    row = (await session.execute(_PROFILE_LOCATION, {"id": user_id})).one_or_none()
    if row is None:
        return LightLocation()
    if row.cell_lat == NOWHERE:
        return LightLocation(row.city)
    return LightLocation(row.city, *cell_center(row.cell_lat, row.cell_lon))


async def porch_lights(
    db: Database,
    *,
    handles: Sequence[str],
    sites: Sequence[str],
    box: tuple[float, float, float, float] | None,
    reader: UUID | None = None,
) -> list[PorchLightResponse]:
    """Return the lights that are on, the newest first: of these neighbors and sites, or in a box, or all.

    `box`: south, west, north and east, in degrees.
    """
    values = [list(handles), list(sites), list(box) if box else None, MAX_LIGHTS]
    rows = await db.read(None, _LIGHTS, values, user_id=reader)
    return [
        PorchLightResponse(
            handle=card["handle"],
            name=card["name"],
            photo_url=f"{PROFILE_PHOTO_PATH}{card['photo_id']}.webp" if card["photo_id"] else card["photo_url"],
            services=card["services"],
            site=PorchLightSite(label=card["label"], character=card["character"]) if card["label"] else None,
            city=city,
            latitude=latitude,
            longitude=longitude,
            until=expires_at,
        )
        for expires_at, city, latitude, longitude, card in rows
    ]
