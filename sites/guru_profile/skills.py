"""A guru's primary skills: the chips and the sentence of the home page (SPEC 3, 9)."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints

from tenants.kit.schemas import ONE_LINE

MAX_SKILLS = 12
MAX_SKILL_LENGTH = 40


def _unique_skills(skills: list[str]) -> list[str]:
    return list(dict.fromkeys(skill for skill in skills if skill))


Skill = Annotated[str, StringConstraints(max_length=MAX_SKILL_LENGTH), ONE_LINE]
PrimarySkills = Annotated[list[Skill], Field(max_length=MAX_SKILLS), AfterValidator(_unique_skills)]
