"""Words of people who want a skill of the catalog, from skill_examples.toml.

The name of a skill is one or two words, and a want in everyday words often shares none with it.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from tenants.kit.text import normalize_text

_FILE = Path(__file__).with_suffix(".toml")


@cache
def _by_name() -> dict[str, tuple[str, ...]]:
    examples = tomllib.loads(_FILE.read_text(encoding="utf-8"))["examples"]
    return {normalize_text(name): tuple(wants) for name, wants in examples.items()}


def examples_of(name: str) -> tuple[str, ...]:
    """Return the examples of an offer with this name, in any spelling of its letters; none for most offers."""
    return _by_name().get(normalize_text(name), ())
