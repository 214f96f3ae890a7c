"""The catalogue itself: SPEC's ten categories, complete, and the web's copy of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from porchlight import cli
from porchlight.skills import catalogue

ROOT = Path(__file__).resolve().parents[2]

# SPEC 3, word for word.
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


def test_the_ten_categories_carry_the_risk_that_the_specification_gives_them() -> None:
    assert {one.name: one.risk for one in catalogue.open_categories()} == RISKS


@pytest.mark.parametrize("category", catalogue.open_categories(), ids=lambda one: one.slug)
def test_a_category_is_complete(category: catalogue.Category) -> None:
    names = [name for name, _popular in category.skills]
    assert len(names) >= 12
    assert len({catalogue.folded(name) for name in names}) == len(names)
    assert any(popular for _name, popular in category.skills)
    assert len(category.session) >= 3
    assert all(30 <= session.duration <= 240 for session in category.session)
    assert category.requires_waiver == (category.risk in ("high", "extreme"))
    if category.requires_gl:
        assert "$1M/$2M" in category.notes


def test_there_are_sessions_with_and_without_the_ai_coach() -> None:
    coached = [session.ai_coach for one in catalogue.open_categories() for session in one.session]
    assert True in coached
    assert False in coached


def test_announced_categories_are_listed_for_onboarding_only() -> None:
    listed = {one["slug"]: one["comingSoon"] for one in catalogue.taxonomy()}
    assert [slug for slug, soon in listed.items() if not soon] == [one.slug for one in catalogue.open_categories()]
    assert {"childcare", "driving"} <= {slug for slug, soon in listed.items() if soon}
    assert len(catalogue.listed()["categories"]) == 10


@pytest.mark.parametrize("written", ["health-fitness", "Health & Fitness", "  HEALTH and fitness ", "health fitness"])
def test_a_category_is_found_however_it_is_written(written: str) -> None:
    found = catalogue.named(written.replace("and", "&"))
    assert found is not None
    assert found.slug == "health-fitness"


def test_search_looks_in_names_and_keywords() -> None:
    by_name = catalogue.listed(search="LANGUAGE")
    assert [one["slug"] for one in by_name["categories"]] == ["language"] + [
        one["slug"] for one in by_name["categories"][1:]
    ]
    by_keyword = catalogue.listed(search="guit")
    assert [one["name"] for one in by_keyword["skills"]] == ["guitar"]
    assert [one["slug"] for one in by_keyword["categories"]] == ["creative"]
    assert catalogue.listed(search="no such skill") == {"skills": [], "categories": [], "total": 0}


def test_popular_leaves_out_what_few_ask_for() -> None:
    popular = catalogue.listed(popular=True)
    assert 0 < popular["total"] < catalogue.listed()["total"]
    assert all(skill["popular"] for skill in popular["skills"])
    assert all(one["popular"] for one in popular["categories"])


def test_the_copy_that_the_web_carries_is_fresh() -> None:
    printed = CliRunner().invoke(cli.app, ["catalogue"])
    assert printed.exit_code == 0
    carried = (ROOT / "main-web" / "shared" / "catalogue.gen.json").read_text("utf-8")
    assert carried == printed.stdout, "run `porchlight catalogue > main-web/shared/catalogue.gen.json` and commit it"
