"""Slugs of tags: different names have different ones, in any script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sites.slugs import is_tag_slug, tag_slug, unique_tags


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("Slow Cooking", "slow-cooking"),
        ("slow-cooking", "slow-cooking"),
        ("C++", "c-plus-plus"),
        ("C#", "c-sharp"),
        ("C", "c"),
        ("R&B", "r-and-b"),
        (".NET", "dot-net"),
        ("Crème brûlée", "creme-brulee"),
        ("Straße", "strasse"),
        ("日本語", "日本語"),
        ("がんばる", "がんばる"),
        ("हिन्दी", "हिन्दी"),
        ("Чай", "чай"),
        ("🍞", "u1f35e"),
        ("!?", ""),
    ],
)
def test_slug_of_tag_keeps_letters_and_signs(name: str, slug: str) -> None:
    assert tag_slug(name) == slug


@given(st.text(max_size=60))
def test_slug_of_any_tag_is_that_of_its_own_page(name: str) -> None:
    slug = tag_slug(name)
    assert slug == "" or is_tag_slug(slug)


@pytest.mark.parametrize("text", ["", "a b", "A", "a--b", "-a", "a/b", "x" * 41, "c++", "a\n"])
def test_slug_with_other_characters_is_no_tag(text: str) -> None:
    assert not is_tag_slug(text)


def test_tags_of_one_slug_are_one() -> None:
    assert unique_tags(["#Bread", "bread", " BREAD ", "!", "C", "C#", "x" * 50]) == ["Bread", "C", "C#", "x" * 40]
