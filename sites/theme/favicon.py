"""The little picture in the browser's tab: the guru's icon on a tile of their colours."""

from collections.abc import Mapping
from typing import Final
from xml.sax.saxutils import escape

from sites.theme.icons import ICON_PATHS
from sites.theme.palette import palette
from sites.theme.theme import Theme

# What XML 1.0 cannot hold at all, escaped or not.
_FORBIDDEN: Final = dict.fromkeys(
    (*range(0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0xD800, 0xE000), 0xFFFE, 0xFFFF)
)
_LONGEST_EMOJI: Final = 16


def favicon_svg(theme: Mapping[str, str]) -> bytes:
    """An SVG of 64 by 64 from {primaryColor, secondaryColor, icon, emoji}; the emoji stands in for an unknown icon.

    Raises ValueError for malformed colours.
    """
    chosen = Theme.of(theme)
    colours = palette(chosen.primary, chosen.secondary)
    path = ICON_PATHS.get(chosen.icon)
    if path is None:
        emoji = chosen.emoji[:_LONGEST_EMOJI].translate(_FORBIDDEN)
        sign = f'<text x="32" y="45" font-size="36" text-anchor="middle">{escape(emoji)}</text>'
    else:
        sign = (
            f'<path transform="translate(14 14) scale(1.5)" d="{path}" fill="none" stroke="{colours["on-tile"]}" '
            'stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/>'
        )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">'
        '<linearGradient id="t" x2="1" y2="1">'
        f'<stop stop-color="{colours["tile-a"]}"/><stop offset="1" stop-color="{colours["tile-b"]}"/></linearGradient>'
        f'<rect width="64" height="64" rx="18" fill="url(#t)"/>{sign}</svg>'
    ).encode()
