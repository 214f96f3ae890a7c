"""The skill catalog: SPEC's ten categories, complete, and the web's copy."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from porchlight.catalog import catalog
from porchlight.cli import main
from tenants.kit.text import normalize_text

ROOT = Path(__file__).resolve().parents[3]

# SPEC 3, verbatim.
RISKS = {
    "Martial Arts": "high",
    "Electrical": "high",
    "Woodworking": "high",
    "Health & Fitness": "medium",
    "Creative": "low",
    "Technical": "low",
    "Language": "low",
    "Business": "low",
    "Practical": "medium",
    "Academic": "low",
}


def test_open_categories_have_risks_of_specification() -> None:
    assert {one.name: one.risk for one in catalog.open_categories()} == RISKS


@pytest.mark.parametrize("category", catalog.open_categories(), ids=lambda one: one.slug)
def test_category_has_skills_sessions_and_notes(category: catalog.Category) -> None:
    names = [name for name, _popular in category.skills]
    assert len(names) >= 12
    assert len({normalize_text(name) for name in names}) == len(names)
    assert any(popular for _name, popular in category.skills)
    assert len(category.session) >= 3
    assert all(30 <= session.duration <= 240 for session in category.session)
    assert category.requires_waiver == (category.risk in ("high", "extreme"))
    if category.requires_gl:
        assert "$1M/$2M" in category.notes


def test_sessions_include_with_and_without_ai_coach() -> None:
    coached = [session.ai_coach for one in catalog.open_categories() for session in one.session]
    assert True in coached
    assert False in coached


def test_coming_soon_categories_only_in_taxonomy() -> None:
    listed = {one["slug"]: one["comingSoon"] for one in catalog.taxonomy()}
    assert [slug for slug, soon in listed.items() if not soon] == [one.slug for one in catalog.open_categories()]
    assert {"childcare", "driving"} <= {slug for slug, soon in listed.items() if soon}
    assert len(catalog.list_skills()["categories"]) == 10


@pytest.mark.parametrize("written", ["health-fitness", "Health & Fitness", "  HEALTH and fitness ", "health fitness"])
def test_find_category_ignores_spelling_variants(written: str) -> None:
    category = catalog.find_category(written.replace("and", "&"))
    assert category is not None
    assert category.slug == "health-fitness"


def test_search_matches_names_and_keywords() -> None:
    by_name = catalog.list_skills(search="LANGUAGE")
    assert [one["slug"] for one in by_name["categories"]] == ["language"] + [
        one["slug"] for one in by_name["categories"][1:]
    ]
    by_keyword = catalog.list_skills(search="guit")
    assert [one["name"] for one in by_keyword["skills"]] == ["guitar"]
    assert [one["slug"] for one in by_keyword["categories"]] == ["creative"]
    assert catalog.list_skills(search="no such skill") == {"skills": [], "categories": [], "total": 0}


def test_popular_filter_excludes_other_skills() -> None:
    popular = catalog.list_skills(popular=True)
    assert 0 < popular["total"] < catalog.list_skills()["total"]
    assert all(skill["popular"] for skill in popular["skills"])
    assert all(one["popular"] for one in popular["categories"])


def test_web_bundle_matches_catalog() -> None:
    printed = CliRunner().invoke(main.app, ["catalog"])
    assert printed.exit_code == 0
    bundled = (ROOT / "main-web" / "shared" / "catalog.gen.json").read_text("utf-8")
    assert bundled == printed.stdout, "run `porchlight catalog > main-web/shared/catalog.gen.json` and commit it"
