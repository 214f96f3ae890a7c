"""The photographs of the demo gurus: listed, small, described, for a place that exists, and with a known source."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from PIL import Image

from porchlight.demo_data.gurus import CONTENT_DIR

MAX_WIDTH = 1600
MIN_HERO_WIDTH = 1200
MAX_FILE_BYTES = 160_000
MAX_TOTAL_BYTES = 4_000_000
PLACES = {"hero", "gallery"}
SERVICE = "service:"
SOURCE_ROW = re.compile(r"^\| `([a-z]+/photos/[a-z0-9-]+\.webp)` \|", re.MULTILINE)
SENTENCE = re.compile(r"[A-Z].{20,118}\.")

FILES = sorted(CONTENT_DIR.glob("*/photos/*.webp"))
LABELS = sorted(folder.parent.name for folder in CONTENT_DIR.glob("*/photos"))


def read_photos(label: str) -> list[dict[str, Any]]:
    listed = tomllib.loads((CONTENT_DIR / label / "photos" / "photos.toml").read_text(encoding="utf-8"))
    photos: list[dict[str, Any]] = listed["photos"]
    return photos


def service_names(label: str) -> set[str]:
    guru = tomllib.loads((CONTENT_DIR / label / "guru.toml").read_text(encoding="utf-8"))
    return {service["name"] for service in guru["services"]}


@pytest.mark.parametrize("label", LABELS)
def test_photos_toml_lists_each_file_of_its_folder_once(label: str) -> None:
    listed = [photo["file"] for photo in read_photos(label)]
    files = {file.name for file in (CONTENT_DIR / label / "photos").iterdir()} - {"photos.toml"}
    assert len(listed) == len(set(listed))
    assert set(listed) == files


@pytest.mark.parametrize("label", LABELS)
def test_photo_has_a_sentence_and_a_focus_inside_it(label: str) -> None:
    for photo in read_photos(label):
        assert set(photo) == {"file", "alt", "place", "focus"}, photo["file"]
        assert SENTENCE.fullmatch(photo["alt"]), photo["file"]
        assert len(photo["focus"]) == 2, photo["file"]
        assert all(0 <= percent <= 100 for percent in photo["focus"]), photo["file"]


@pytest.mark.parametrize("label", LABELS)
def test_photo_place_is_one_of_the_gurus_site(label: str) -> None:
    places = [photo["place"] for photo in read_photos(label)]
    assert places.count("hero") <= 1
    services = {place.removeprefix(SERVICE) for place in places if place.startswith(SERVICE)}
    assert services <= service_names(label)
    assert {place for place in places if not place.startswith(SERVICE)} <= PLACES


@pytest.mark.parametrize("label", LABELS)
def test_hero_photo_is_wide_enough_for_a_screen(label: str) -> None:
    for photo in read_photos(label):
        if photo["place"] == "hero":
            with Image.open(CONTENT_DIR / label / "photos" / photo["file"]) as image:
                assert image.width >= MIN_HERO_WIDTH
                assert image.width > image.height


def test_photos_are_small_and_carry_no_camera_data() -> None:
    assert FILES
    assert sum(file.stat().st_size for file in FILES) <= MAX_TOTAL_BYTES
    for file in FILES:
        assert file.stat().st_size <= MAX_FILE_BYTES, file.name
        with Image.open(file) as image:
            assert image.format == "WEBP", file.name
            assert image.width <= MAX_WIDTH, file.name
            assert not {"exif", "xmp", "icc_profile"} & set(image.info), file.name


def test_photo_sources_name_each_file_and_no_other() -> None:
    rows = SOURCE_ROW.findall((CONTENT_DIR / "PHOTOS.md").read_text(encoding="utf-8"))
    assert sorted(rows) == [file.relative_to(CONTENT_DIR).as_posix() for file in FILES]
