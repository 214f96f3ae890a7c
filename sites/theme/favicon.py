"""The favicon of a guru's site: the guru's icon on a tile in their colors."""

from collections.abc import Mapping
from typing import Final
from xml.sax.saxutils import escape

from sites.theme.icons import ICON_PATHS
from sites.theme.palette import palette
from sites.theme.theme import Theme
from tenants.kit.text import remove_invalid_xml_characters

_MAX_EMOJI_LENGTH: Final = 16


def favicon_svg(theme: Mapping[str, str]) -> bytes:
    """Return an SVG of 64 by 64 from {primaryColor, secondaryColor, icon, emoji}. The emoji replaces an unknown icon.

    Raise ValueError for malformed colors.
    """
    chosen = Theme.of(theme)
    colors = palette(chosen.primary, chosen.secondary)
    path = ICON_PATHS.get(chosen.icon)
    if path is None:
        emoji = remove_invalid_xml_characters(chosen.emoji[:_MAX_EMOJI_LENGTH])
        glyph = f'<text x="32" y="45" font-size="36" text-anchor="middle">{escape(emoji)}</text>'
    else:
        glyph = (
            f'<path transform="translate(14 14) scale(1.5)" d="{path}" fill="none" stroke="{colors["on-tile"]}" '
            'stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/>'
        )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
        '<linearGradient id="t" x2="1" y2="1">'
        f'<stop stop-color="{colors["tile-a"]}"/><stop offset="1" stop-color="{colors["tile-b"]}"/></linearGradient>'
        f'<rect width="64" height="64" rx="18" fill="url(#t)"/>{glyph}</svg>'
    ).encode()
