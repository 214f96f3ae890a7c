"""Sharing a site: its QR code and its flyer."""

from __future__ import annotations

import io
import re

import pikepdf
import pypdfium2
import pytest
from PIL import Image, ImageDraw

from porchlight.features.sharing.flyer import render_flyer
from porchlight.features.sharing.qr_code import qr_code
from tests.fixtures.refusals import NOT_A_CHOICE, invalid_fields
from tests.porchlight.app_client import BASE_HOST
from tests.porchlight.owner import GuruOwner

PAGE_SIZES = {"letter": (612, 792), "a5": (420, 595)}  # points


def _dark_squares(size: int, path: str) -> Image.Image:
    """Draw an SVG path of squares, one pixel each."""
    image = Image.new("1", (size, size), 1)
    draw = ImageDraw.Draw(image)
    for column, row, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\3z", path):
        draw.line((int(column), int(row), int(column) + int(width) - 1, int(row)), fill=0)
    return image


async def test_qr_code_is_of_the_own_address(rosa: GuruOwner, theo: GuruOwner) -> None:
    codes = [await owner.call("GET", "/qr-code") for owner in (rosa, theo)]
    assert codes[0]["path"] != codes[1]["path"]
    for owner, code in zip((rosa, theo), codes, strict=True):
        assert code["address"] == f"http://{owner.guru.label}.{BASE_HOST}"
        assert code["path"] == qr_code(f"{code['address']}/").path


def test_qr_path_draws_the_finder_patterns() -> None:
    code = qr_code("https://cooking.porchlight.example/")
    image = _dark_squares(code.size, code.path)
    finder = [[0 in (x, y) or 6 in (x, y) or (x in (2, 3, 4) and y in (2, 3, 4)) for x in range(7)] for y in range(7)]
    for left, top in ((0, 0), (code.size - 7, 0), (0, code.size - 7)):
        drawn = [[not image.getpixel((left + x, top + y)) for x in range(7)] for y in range(7)]
        assert drawn == finder


@pytest.mark.parametrize("paper", PAGE_SIZES)
async def test_flyer_has_name_and_address_on_one_page(rosa: GuruOwner, paper: str) -> None:
    response = await rosa.web.get("/api/guru/flyer", params={"paper": paper})
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/pdf"
    assert response.headers["content-disposition"] == f'attachment; filename="{rosa.guru.label}-flyer.pdf"'
    with pikepdf.open(io.BytesIO(response.content)) as document:
        assert len(document.pages) == 1
        assert tuple(round(float(side)) for side in document.pages[0].mediabox[2:]) == PAGE_SIZES[paper]


async def test_flyer_of_unknown_paper_is_rejected(rosa: GuruOwner) -> None:
    response = await rosa.web.get("/api/guru/flyer", params={"paper": "a0"})
    assert invalid_fields(response) == {"paper": NOT_A_CHOICE}


@pytest.mark.parametrize("name", ["", "陳美玲 🥖", "Maximiliana-Konstantina " * 4, "W" * 80, "<b>&amp;</b>"])
def test_flyer_of_odd_name_is_one_page(name: str) -> None:
    flyer = render_flyer(
        name=name,
        headline=name * 2,
        url=f"https://{'a' * 63}.porchlight.example/",
        address=f"{'a' * 63}.porchlight.example",
        color="#22c55e",
        paper="a5",
    )
    with pikepdf.open(io.BytesIO(flyer)) as document:
        assert len(document.pages) == 1
        assert str(document.docinfo["/Title"]).strip() != ""


@pytest.mark.parametrize("name", ["陳美玲", "Ελένη", "สมชาย"])
def test_flyer_shows_name_in_any_script(name: str) -> None:
    flyer = render_flyer(
        name=name, headline="手工麵包", url="https://mei.example/", address="mei.example", color="#22c55e", paper="a5"
    )
    with pypdfium2.PdfDocument(flyer) as document:
        page = document[0]
        text = page.get_textpage()
        lines = text.get_text_range().splitlines()
        text.close()
        page.close()
    assert lines[:2] == [name, "手工麵包"]
