"""The theme of a guru's site."""

from collections.abc import Mapping
from typing import NamedTuple, Self


class Theme(NamedTuple):
    """Two colors ("#rrggbb"), the name of an icon in `sites.theme.icons`, and an emoji (SPEC 3)."""

    primary: str
    secondary: str
    icon: str
    emoji: str

    @classmethod
    def of(cls, theme: Mapping[str, str]) -> Self:
        """Create from JSON: {primaryColor, secondaryColor, icon, emoji}."""
        return cls(theme["primaryColor"], theme["secondaryColor"], theme["icon"], theme["emoji"])
