"""The labelled activities, and how well the engine rates them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from porchlight.skills.catalogue import LEVELS, Level
from porchlight.skills.risk import Assessment, assess

DATA = Path(__file__).parent / "data"
Half = Literal["tuning", "held-out"]


@dataclass(frozen=True, slots=True)
class Rated:
    """An activity, its label and what the engine says."""

    category: str
    activity: str
    label: Level
    found: Assessment

    @property
    def waiver_label(self) -> str:
        """The label on the waiver's scale, where extreme counts as high (DESIGN 11)."""
        return "high" if self.label == "extreme" else self.label

    @property
    def exact(self) -> bool:
        """Whether the engine says what the label says."""
        return self.found.level == self.waiver_label

    @property
    def dangerous(self) -> bool:
        """Whether a high or extreme activity is rated low."""
        return self.waiver_label == "high" and self.found.level == "low"


def rated(half: Half) -> list[Rated]:
    """One half of the set, rated."""
    return list(_rated(half))


def _rated(half: Half) -> Iterator[Rated]:
    labelled = tomllib.loads((DATA / f"risk-{half}.toml").read_text("utf-8"))
    for label in LEVELS:
        for line in labelled[label]:
            category, _, activity = line.rpartition(" | ")
            yield Rated(category, activity, label, assess(category, activity))
