"""The card of a guru beside a session: whose it is, and colors that can be read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
from hypothesis import example, given
from hypothesis import strategies as st

from porchlight.features.bookings.guru_card import colors
from sites.theme.palette import MIN_TEXT_CONTRAST, contrast
from tests.fixtures.databases import Database
from tests.porchlight.app_client import BASE_HOST
from tests.porchlight.bookings.api import CreateUser, NewGuru, book, execute, free_starts, hold

TOKENS = Path(__file__).resolve().parents[3] / "main-web" / "shared" / "tokens.css"
SURFACES = ("ground", "surface", "surface-raised")  # behind the frame and in it
color = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


@given(color, color)
@example("#000000", "#ffffff")
@example("#0000ff", "#010000")
@example("not a color", "")
def test_card_colors_are_readable_on_dark(primary: str, secondary: str) -> None:
    text = TOKENS.read_text()
    tint = re.search(r"--tint: ([^;]+);", text)
    assert tint
    tokens = dict(re.findall(r"--color-([a-z-]+): ([^;]+);", text.replace("var(--tint)", tint[1])))
    found = colors(primary, secondary)
    for surface in SURFACES:
        assert contrast(found.accent, tokens[surface]) >= MIN_TEXT_CONTRAST, surface
    for tile in (found.tile_start, found.tile_end):
        assert contrast(found.on_tile, tile) >= MIN_TEXT_CONTRAST


async def test_hold_and_booking_show_their_guru(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru, other = new_guru(), new_guru()
    for one, photo, icon in ((guru, "https://pictures.example/ada.webp", "utensils"), (other, "", "unknown")):
        execute(database, "UPDATE gurus SET photo_url = %s, icon = %s WHERE id = %s", photo, icon, one.id)
    start = (await free_starts(web, guru))[0]
    held = (await web.get(f"/api/holds/{await hold(web, guru, start)}")).json()["data"]
    user = await create_user("Ada Neighbor")
    booked = await book(user, other, start)
    assert held["guru"] | {"colors": None} == _card(guru.label, held, "https://pictures.example/ada.webp", "utensils")
    assert booked["guru"] | {"colors": None} == _card(other.label, booked, None, "star")
    assert (await user.get(f"/api/bookings/{booked['id']}"))["guru"] == booked["guru"]


async def test_card_of_gone_guru_has_the_booked_name(
    web: httpx.AsyncClient, create_user: CreateUser, new_guru: NewGuru, database: Database
) -> None:
    guru = new_guru()
    user = await create_user("Ada Neighbor")
    booked = await book(user, guru, (await free_starts(web, guru))[0])
    execute(database, "UPDATE bookings SET guru_label = 'was-never-here' WHERE id = %s", booked["id"])
    card = (await user.get(f"/api/bookings/{booked['id']}"))["guru"]
    assert card | {"colors": None} == _card("was-never-here", booked, None, "star")


def _card(label: str, session: dict[str, Any], photo: str | None, icon: str) -> dict[str, Any]:
    return {
        "subdomain": label,
        "name": session["guruName"],
        "url": f"http://{label}.{BASE_HOST}",
        "photoUrl": photo,
        "icon": icon,
        "colors": None,
    }
