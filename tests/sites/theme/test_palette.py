"""Whatever two colours a guru picks, everything can be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sites.theme.palette import TEXT_PAIRS, TEXT_RATIO, UI_PAIRS, UI_RATIO, contrast, css, palette

STYLES = Path(__file__).resolve().parents[3] / "guru-web" / "src" / "styles" / "base.css"
colours = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06x}")


@given(colours, colours)
@example("#000000", "#000000")
@example("#ffffff", "#ffffff")
@example("#000000", "#ffffff")
@example("#808080", "#808080")
@example("#ff0000", "#00ff00")
@example("#0000ff", "#ffff00")
@example("#010000", "#fffffe")
def test_every_pair_of_every_palette_can_be_read(primary: str, secondary: str) -> None:
    made = palette(primary, secondary)
    assert all(re.fullmatch(r"#[0-9a-f]{6}", colour) for colour in made.values())
    for ink, ground in TEXT_PAIRS:
        assert contrast(made[ink], made[ground]) >= TEXT_RATIO, (ink, ground)
    for mark, ground in UI_PAIRS:
        assert contrast(made[mark], made[ground]) >= UI_RATIO, (mark, ground)
    assert contrast(made["bg"], "#000000") < 1.3, "the page stays dark"


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#ffffff", "#ffffff") == 1


def test_a_bright_colour_stays_itself() -> None:
    assert palette("#22c55e", "#0ea5e9")["accent"] == "#22c55e"


def test_upper_case_is_the_same_colour() -> None:
    assert palette("#22C55E", "#0EA5E9") == palette("#22c55e", "#0ea5e9")


@pytest.mark.parametrize(
    "colour",
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
def test_anything_else_is_no_colour(colour: str) -> None:
    with pytest.raises(ValueError, match="theme colour"):
        palette(colour, "#22c55e")
    with pytest.raises(ValueError, match="theme colour"):
        palette("#22c55e", colour)


def test_css_is_one_rule_of_variables() -> None:
    assert re.fullmatch(r":root\{(--[a-z-]+:#[0-9a-f]{6};?)+\}", css(palette("#22c55e", "#0ea5e9")))


def test_the_default_colours_of_the_template_are_the_default_gurus() -> None:
    block = STYLES.read_text(encoding="utf-8").split("/* palette:start */")[1].split("/* palette:end */")[0]
    written = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block))
    assert written == palette("#22c55e", "#0ea5e9")


def test_the_template_uses_no_colour_the_palette_lacks() -> None:
    used = set(re.findall(r"var\(--([a-z-]+)\)", STYLES.read_text(encoding="utf-8")))
    assert used - {"sans", "radius", "radius-s", "gap", "step"} <= set(palette("#22c55e", "#0ea5e9"))
