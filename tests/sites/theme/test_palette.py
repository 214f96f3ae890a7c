"""The palette of any two colors is readable."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sites.guru import Appearance
from sites.theme.palette import (
    MIN_TEXT_CONTRAST,
    MIN_UI_CONTRAST,
    TEXT_PAIRS,
    UI_PAIRS,
    contrast,
    css,
    palette,
)

STYLES = Path(__file__).resolve().parents[3] / "guru-web" / "src" / "components" / "styles" / "base.css"
colors = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


@pytest.mark.parametrize("by_day", [True, False])
@given(primary=colors, secondary=colors)
@example(primary="#000000", secondary="#000000")
@example(primary="#ffffff", secondary="#ffffff")
@example(primary="#000000", secondary="#ffffff")
@example(primary="#808080", secondary="#808080")
@example(primary="#ff0000", secondary="#00ff00")
@example(primary="#0000ff", secondary="#ffff00")
@example(primary="#010000", secondary="#fffffe")
def test_palette_pairs_have_sufficient_contrast(primary: str, secondary: str, by_day: bool) -> None:
    tokens = palette(primary, secondary, by_day=by_day)
    assert all(re.fullmatch(r"#[0-9a-f]{6}", color) for color in tokens.values())
    for ink, ground in TEXT_PAIRS:
        assert contrast(tokens[ink], tokens[ground]) >= MIN_TEXT_CONTRAST, (ink, ground)
    for mark, ground in UI_PAIRS:
        assert contrast(tokens[mark], tokens[ground]) >= MIN_UI_CONTRAST, (mark, ground)
    assert contrast(tokens["bg"], "#ffffff" if by_day else "#000000") < 1.3, "the page stays light or dark"


def test_contrast_matches_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#ffffff", "#ffffff") == 1


def test_palette_keeps_bright_accent_color() -> None:
    assert palette("#22c55e", "#0ea5e9")["accent"] == "#22c55e"


def test_palette_ignores_case_of_colors() -> None:
    assert palette("#22C55E", "#0EA5E9") == palette("#22c55e", "#0ea5e9")


@pytest.mark.parametrize(
    "color",
    [
        "",
        "22c55e",
        "#22c55",
        "#22c55ee",
        "#22c55g",
        " #22c55e",
        "#22c55e\n",
        "red",
        "#fff",
        "#22c55e;}</style>",
        "＃22c55e",
    ],
)
def test_palette_with_malformed_color_raises(color: str) -> None:
    with pytest.raises(ValueError, match="theme color"):
        palette(color, "#22c55e")
    with pytest.raises(ValueError, match="theme color"):
        palette("#22c55e", color)


RULE = r":root\{color-scheme:%s(;--[a-z-]+:#[0-9a-f]{6})+\}"


@pytest.mark.parametrize(
    ("appearance", "rules"),
    [
        ("day", RULE % "light"),
        ("dusk", RULE % "dark"),
        ("device", RULE % "light" + r"@media \(prefers-color-scheme:dark\)\{" + RULE % "dark" + r"\}"),
    ],
)
def test_css_of_appearance_has_its_rules(appearance: Appearance, rules: str) -> None:
    assert re.fullmatch(rules, css("#22c55e", "#0ea5e9", appearance))


@pytest.mark.parametrize("appearance", ["day", "dusk", "device"])
def test_css_with_malformed_color_raises(appearance: Appearance) -> None:
    with pytest.raises(ValueError, match="theme color"):
        css("#22c55e;}</style>", "#0ea5e9", appearance)


def test_template_colors_match_default_palette() -> None:
    block = STYLES.read_text(encoding="utf-8").split("/* palette:start */")[1].split("/* palette:end */")[0]
    written = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))
    assert written == palette("#22c55e", "#0ea5e9")


def test_template_uses_palette_colors_only() -> None:
    used = set(re.findall(r"var\(--([a-z-]+)\)", STYLES.read_text(encoding="utf-8")))
    others = {name for name in used if name.startswith(("text-", "font-"))} | {
        "radius",
        "radius-small",
        "gap",
        "section-gap",
    }
    assert used - others <= set(palette("#22c55e", "#0ea5e9"))
