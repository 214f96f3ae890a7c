"""The card of a guru beside a session: name, face and colors, so that people see whom they book."""

from __future__ import annotations

from typing import cast, get_args
from uuid import UUID

from fastapi import Request

from porchlight.dependencies import AppContext
from porchlight.site_addresses import origin_on
from sites.guru import Icon, valid_color
from sites.theme.palette import palette
from tenants.db.pool import Database
from tenants.kit.schemas import ResponseModel
from tenants.tenancy.directory import Directory

_GURU = """
SELECT character, photo_url, icon, primary_color, secondary_color FROM gurus WHERE id = %(tenant)s"""
_NO_COLOR = ""  # the default colors take its place


class GuruColors(ResponseModel):
    """A guru's colors, as "#rrggbb". `accent` is readable on Porchlight's dark surfaces (4.5:1).

    `tile_start` and `tile_end` are the ground of the drawn logo, on which `on_tile` is readable.
    """

    accent: str
    tile_start: str
    tile_end: str
    on_tile: str


class GuruCard(ResponseModel):
    """A guru: the address of their site, and their photo, null without one. The logo is then `icon`."""

    subdomain: str
    name: str
    url: str
    photo_url: str | None
    icon: Icon
    colors: GuruColors


async def guru_card(request: Request, context: AppContext, label: str, name: str) -> GuruCard:
    """Return the card of the guru with this label, which may be an old one. One round trip.

    A guru who is gone has the card of `name`, without a photo. Raise Unavailable when the database is down.
    """
    directory: Directory = request.app.state.directory
    base_host = context.settings.base_host
    site = await directory.find_by_name(label)
    if site is None:
        url = origin_on(request, f"{label}.{base_host}")
        return _card(label, name, url, photo_url="", icon="star", primary=_NO_COLOR, secondary=_NO_COLOR)
    url = origin_on(request, site.main_host(base_host))
    return await _read_card(context.db, site.id, site.label, url)


async def _read_card(db: Database, tenant_id: UUID, label: str, url: str) -> GuruCard:
    rows = await db.read(tenant_id, _GURU, {"tenant": tenant_id})
    name, photo_url, icon, primary, secondary = rows[0]
    return _card(label, name, url, photo_url=photo_url, icon=icon, primary=primary, secondary=secondary)


def _card(label: str, name: str, url: str, *, photo_url: str, icon: str, primary: str, secondary: str) -> GuruCard:
    return GuruCard(
        subdomain=label,
        name=name,
        url=url,
        photo_url=photo_url or None,
        icon=cast(Icon, icon) if icon in get_args(Icon) else "star",
        colors=colors(primary, secondary),
    )


def colors(primary: str, secondary: str) -> GuruColors:
    """Return the colors of a card from the two of a site's theme. Invalid ones are replaced by the default ones."""
    derived = palette(valid_color(primary, 0), valid_color(secondary, 1))
    return GuruColors(
        accent=derived["accent-text"],
        tile_start=derived["tile-a"],
        tile_end=derived["tile-b"],
        on_tile=derived["on-tile"],
    )
