"""Favicon and OpenGraph card: always a picture, whatever the words."""

from __future__ import annotations

from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from sites.theme.card import HEIGHT, WIDTH, og_image
from sites.theme.favicon import favicon_svg
from sites.theme.icons import ICON_PATHS
from sites.theme.outline import outlines
from sites.theme.palette import palette

SVG = "{http://www.w3.org/2000/svg}"
THEME = {"primaryColor": "#f97316", "secondaryColor": "#facc15", "icon": "utensils", "emoji": "🍳"}
TITLES = [
    "Chef Marisol",
    "",
    " ",
    "A title that goes on and on, as titles do when nobody stops them " * 10,
    "Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen" * 3,
    "日本語のタイトル",
    "العربية والعبرية עברית",
    "Кухня и хлеб",
    "🍳🥖",
    "NUL \x00, lone \ud800, line \u2028 end\nnew",
    "</text><script>",
]


def picture(title: str, character: str = "Chef Marisol", **theme: str) -> Image.Image:
    image = Image.open(BytesIO(og_image(title, character, {**THEME, **theme}, address="cooking.example.org")))
    image.load()
    return image


def parsed(svg: bytes) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314 - we wrote it


@pytest.mark.parametrize("title", TITLES)
def test_a_card_is_drawn_for_every_title(title: str) -> None:
    image = picture(title)
    assert image.format == "PNG"
    assert image.size == (WIDTH, HEIGHT)


def test_titles_are_written_on_the_card() -> None:
    ink = tuple(int(palette("#f97316", "#facc15")["text"][at : at + 2], 16) for at in (1, 3, 5))

    def written(title: str) -> int:
        place = picture(title).convert("RGB").crop((60, 60, 800, 480))
        return sum(count for count, colour in place.getcolors(maxcolors=1 << 24) or [] if colour == ink)

    assert written("A title") > 500
    assert written("A longer title of several words") > written("A title")


def test_a_title_in_letters_the_font_lacks_gives_way_to_the_name() -> None:
    assert picture("日本語").tobytes() == picture("Chef Marisol").tobytes()
    assert picture("日本語").tobytes() != picture("Bread").tobytes()


def test_long_titles_stay_in_their_place() -> None:
    plain, long = picture("").convert("RGB"), picture(TITLES[4]).convert("RGB")
    right = (800, 0, WIDTH, 480)
    assert long.crop(right).tobytes() == plain.crop(right).tobytes()


def test_cards_wear_the_gurus_colours() -> None:
    assert picture("Bread").tobytes() != picture("Bread", primaryColor="#22c55e").tobytes()
    assert picture("Bread").tobytes() != picture("Bread", icon="music").tobytes()


@pytest.mark.parametrize("make", [favicon_svg, lambda theme: og_image("t", "c", theme)])
def test_colours_are_checked(make: object) -> None:
    assert callable(make)
    with pytest.raises(ValueError, match="theme colour"):
        make({**THEME, "primaryColor": '"/><script>'})


@pytest.mark.parametrize("icon", [*ICON_PATHS, "nobody-drew-this"])
def test_a_favicon_is_sound_xml(icon: str) -> None:
    root = parsed(favicon_svg({**THEME, "icon": icon}))
    assert root.tag == f"{SVG}svg"
    signs = root.findall(f"{SVG}path") + root.findall(f"{SVG}text")
    assert len(signs) == 1


@pytest.mark.parametrize("emoji", ["", "<script>alert(1)</script>", "&amp;", "\x00\x01", "\ud800", "👩‍🍳", "]]>"])
def test_a_favicon_holds_any_emoji(emoji: str) -> None:
    root = parsed(favicon_svg({**THEME, "icon": "", "emoji": emoji}))
    assert [child.tag for child in root] == [f"{SVG}linearGradient", f"{SVG}rect", f"{SVG}text"]


@pytest.mark.parametrize("icon", ICON_PATHS)
def test_icons_stay_in_their_box(icon: str) -> None:
    points = [point for line in outlines(ICON_PATHS[icon]) for point in line]
    assert len(points) > 4
    assert all(0 <= x <= 24 and 0 <= y <= 24 for x, y in points)


def test_outlines_follow_every_command() -> None:
    (square,) = outlines("M1 1h2v2H1z")
    assert square == [(1, 1), (3, 1), (3, 3), (1, 3), (1, 1)]
    (half,) = outlines("M0 5a5 5 0 0110 0")
    assert half[-1] == (10, 5)
    assert min(y for _, y in half) == pytest.approx(0, abs=0.01)
    (curve,) = outlines("M0 0c0 4 4 4 4 0s4-4 4 0")
    assert curve[-1] == (8, 0)
    assert curve[12][1] == pytest.approx(3)
    assert min(y for _, y in curve) == pytest.approx(-3, abs=0.01)
    assert len(outlines("m1 1 2 2M5 5l1 1")) == 2


@pytest.mark.parametrize("path", ["M0 0T5 5", "M0", "M0 0L1 x", "M0 0C1 1 2 2"])
def test_unknown_outlines_are_refused(path: str) -> None:
    with pytest.raises(ValueError, match="path"):
        outlines(path)
