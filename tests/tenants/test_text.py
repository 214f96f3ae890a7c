"""Normalized text and slugs."""

from __future__ import annotations

import pytest

from tenants.kit.text import normalize_text, slugify, to_slug


@pytest.mark.parametrize(
    ("text", "normalized"),
    [("  Café   CRÈME ", "cafe creme"), ("Straße", "strasse"), ("ＦＵＬＬ width", "full width"), ("", "")],
)
def test_normalize_text_drops_accents_and_case(text: str, normalized: str) -> None:
    assert normalize_text(text) == normalized


@pytest.mark.parametrize(
    ("text", "slug"), [("Health & Fitness", "health-fitness"), (" Día  uno! ", "dia-uno"), ("", "")]
)
def test_to_slug_joins_words_with_hyphens(text: str, slug: str) -> None:
    assert to_slug(text) == slug


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Smørrebrød & Æbleskiver", "smorrebrod-aebleskiver"),
        ("Straße nach Łódź", "strasse-nach-lodz"),
        ("Đặng's þing ısır Œuvre", "dangs-thing-isir-oeuvre"),
        ("2½ cups, ¾ full", "2-1-2-cups-3-4-full"),
        ("Don’t – stop", "dont-stop"),
        ("STRAẞE", "strasse"),
        ("Crème brûlée", "creme-brulee"),
        ("日本語", ""),
    ],
)
def test_slugify_keeps_letters(text: str, slug: str) -> None:
    assert slugify(text, 80) == slug
