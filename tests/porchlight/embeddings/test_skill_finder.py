"""Skills proposed from bios: which are right, and how many bios a user may have read."""

from __future__ import annotations

import tomllib
from datetime import timedelta
from pathlib import Path
from uuid import uuid4

import pytest

from porchlight.adapters import skill_finder
from porchlight.catalog.catalog import open_skills
from porchlight.embeddings.bio_skills import MAX_BIOS_PER_HOUR, LimitedBioSkills
from porchlight.embeddings.skill_finder import MAX_CLAUSES, SkillFinder, clauses
from porchlight.ports import EmbeddingOutage
from porchlight.settings.environment import Settings
from tenants.kit import clock

BIOS = Path(__file__).parent / "data" / "bios.toml"
MIN_RIGHT = 0.8  # of all proposals
MIN_BIOS_WITH_RIGHT = 0.9


@pytest.fixture(scope="module")
def finder() -> SkillFinder:
    found = skill_finder(Settings(), open_skills())
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("bio", "skills"),
    [
        ("I throw pots in my garage.", ["pottery"]),
        ("I bake sourdough every morning and teach neighbors to feed a starter.", ["baking"]),
        ("I play the cello.", ["cello"]),
        ("I teach Mandarin over tea.", ["Mandarin Chinese"]),
        ("I love my neighborhood and meeting new people. Looking forward to hearing from you!", []),
        ("...", []),
    ],
)
def test_bio_skills_are_found_by_meaning(finder: SkillFinder, bio: str, skills: list[str]) -> None:
    assert finder.find(bio) == skills


def test_proposals_of_written_bios_are_mostly_right(finder: SkillFinder) -> None:
    bios = tomllib.loads(BIOS.read_text("utf-8"))["bio"]
    known = set(open_skills())
    proposed = [(set(finder.find(bio["text"])) & known, set(bio["skills"])) for bio in bios]
    right = sum(len(found & skills) for found, skills in proposed)
    total = sum(len(found) for found, _skills in proposed)
    with_right = [bool(found & skills) for found, skills in proposed if skills]
    print(f"{right} of {total} proposals are right, {sum(with_right)} of {len(with_right)} bios have a right one")
    assert right >= MIN_RIGHT * total
    assert sum(with_right) >= MIN_BIOS_WITH_RIGHT * len(with_right)


def test_clauses_of_long_bio_are_bounded() -> None:
    pairs = clauses("I knit, sew and quilt. " + "one, two, " * 500)
    assert pairs[:4] == [
        ("I knit, sew and quilt.", "I knit, sew and quilt."),
        ("I knit", "I knit, sew and quilt."),
        ("sew", "I knit, sew and quilt."),
        ("quilt", "I knit, sew and quilt."),
    ]
    assert len(pairs) <= MAX_CLAUSES


class _Finder:
    def __init__(self) -> None:
        self.read = 0
        self.fails = False

    def find(self, bio: str) -> list[str]:
        self.read += 1
        if self.fails:
            raise EmbeddingOutage
        return [bio]


async def test_bio_skills_above_hourly_limit_are_empty(monkeypatch: pytest.MonkeyPatch) -> None:
    finder, user = _Finder(), uuid4()
    skills = LimitedBioSkills(finder)
    for number in range(MAX_BIOS_PER_HOUR):
        assert await skills.of(f"Bio {number}", user) == [f"Bio {number}"]
    assert await skills.of("One more", user) == []
    assert await skills.of("Bio 3", user) == ["Bio 3"]  # read before
    assert await skills.of("One more", uuid4()) == ["One more"]
    assert finder.read == MAX_BIOS_PER_HOUR + 1
    later = clock.now() + timedelta(hours=1)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert await skills.of("Another", user) == ["Another"]


async def test_bio_skills_without_model_are_empty() -> None:
    assert await LimitedBioSkills(None).of("I bake", uuid4()) == []
    finder = _Finder()
    finder.fails = True
    skills = LimitedBioSkills(finder)
    assert await skills.of("I bake", uuid4()) == []
    finder.fails = False
    assert await skills.of("I bake", uuid4()) == ["I bake"]
    assert await skills.of("  ", uuid4()) == []
