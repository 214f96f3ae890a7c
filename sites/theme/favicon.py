"""The favicon of a guru's site: the guru's icon on a tile in their colors."""

from collections.abc import Mapping
from io import BytesIO

from PIL import Image

from sites.theme.card import touch_icon
from sites.theme.icons import ICON_PATHS
from sites.theme.palette import palette
from sites.theme.theme import Theme


def favicon_ico(theme: Mapping[str, str]) -> bytes:
    """Return the same picture as an ICO of three sizes, for programs that ask for /favicon.ico and read no SVG."""
    out = BytesIO()
    with Image.open(BytesIO(touch_icon(theme))) as image:
        image.save(out, "ICO", sizes=[(16, 16), (32, 32), (48, 48)])
    return out.getvalue()


def favicon_svg(theme: Mapping[str, str]) -> bytes:
    """Return an SVG of 64 by 64 from {primaryColor, secondaryColor, icon, emoji}. A star replaces an unknown icon.

    Raise ValueError for malformed colors.
    """
    chosen = Theme.of(theme)
    colors = palette(chosen.primary, chosen.secondary)
    path = ICON_PATHS.get(chosen.icon, ICON_PATHS["star"])
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
        '<linearGradient id="t" x2="1" y2="1">'
        f'<stop stop-color="{colors["tile-a"]}"/><stop offset="1" stop-color="{colors["tile-b"]}"/></linearGradient>'
        '<rect width="64" height="64" rx="18" fill="url(#t)"/>'
        f'<path transform="translate(14 14) scale(1.5)" d="{path}" fill="none" stroke="{colors["on-tile"]}" '
        'stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>'
    ).encode()
