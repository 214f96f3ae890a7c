"""Preset themes: new sites get one by the guru's first category, and every plan includes their colors."""

from __future__ import annotations

from sites.theme.theme import Theme

DEFAULT_THEME = Theme("#22c55e", "#0ea5e9", "star", "✨")

# By category slug of the catalog.
CATEGORY_THEMES = {
    "martial-arts": Theme("#d1495b", "#edae49", "dumbbell", "🥋"),
    "electrical": Theme("#ffc914", "#3f88c5", "hammer", "⚡"),
    "woodworking": Theme("#c08552", "#76b041", "hammer", "🪵"),
    "health-fitness": Theme("#17bebb", "#76b041", "dumbbell", "🧘"),
    "creative": Theme("#8e6bbf", "#e4572e", "palette", "🎨"),
    "technical": Theme("#3f88c5", "#17bebb", "laptop", "💻"),
    "language": Theme("#66a182", "#edae49", "languages", "💬"),
    "business": Theme("#2e86ab", "#66a182", "book", "📈"),
    "practical": Theme("#76b041", "#3f88c5", "hammer", "🧰"),
    "academic": Theme("#e4572e", "#3f88c5", "book", "🎓"),
}

# Primary and secondary color of each preset, without repetitions.
_THEMES = (DEFAULT_THEME, *CATEGORY_THEMES.values())
PRESET_COLORS = tuple(dict.fromkeys((theme.primary, theme.secondary) for theme in _THEMES))


def default_theme(category: str | None) -> Theme:
    """Return the theme of a new site whose first category is `category`."""
    return CATEGORY_THEMES.get(category or "", DEFAULT_THEME)
