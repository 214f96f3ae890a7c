"""Normalized text and slugs."""

from __future__ import annotations

import pytest

from tenants.kit.text import normalize_text, to_slug


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
