"""What a guru chooses for the look of their site."""

from collections.abc import Mapping
from typing import NamedTuple, Self


class Theme(NamedTuple):
    """SPEC 3: two colours ("#rrggbb"), the name of an icon of `sites.theme.icons`, and an emoji."""

    primary: str
    secondary: str
    icon: str
    emoji: str

    @classmethod
    def of(cls, theme: Mapping[str, str]) -> Self:
        """From the JSON form: {primaryColor, secondaryColor, icon, emoji}."""
        return cls(theme["primaryColor"], theme["secondaryColor"], theme["icon"], theme["emoji"])
