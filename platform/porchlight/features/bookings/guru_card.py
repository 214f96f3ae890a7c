"""The card of a guru beside a session: name, face and colors, so that people see whom they book."""

from __future__ import annotations

from typing import cast, get_args
from uuid import UUID

from sites.guru import Icon, valid_color
from sites.theme.palette import palette
from tenants.db.pool import Database
from tenants.kit.schemas import ResponseModel

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


async def read_card(db: Database, tenant_id: UUID, label: str, url: str) -> GuruCard:
    """Return the card of a guru with this label and address. Raise Unavailable when the database is down."""
    rows = await db.read(tenant_id, _GURU, {"tenant": tenant_id})
    name, photo_url, icon, primary, secondary = rows[0]
    return _card(label, name, url, photo_url=photo_url, icon=icon, primary=primary, secondary=secondary)


def card_of_gone_guru(label: str, name: str, url: str) -> GuruCard:
    """Return the card of a guru who has no site any more, with what a booking still says of them."""
    return _card(label, name, url, photo_url="", icon="star", primary=_NO_COLOR, secondary=_NO_COLOR)


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
