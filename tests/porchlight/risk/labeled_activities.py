"""The labeled activities and the ratings of the risk engine."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from porchlight.catalog.catalog import rated_categories
from porchlight.contracts import RISK_LEVELS, RiskLevel
from porchlight.embeddings.encoder import Encoder, model_folder
from porchlight.features.risk.classifier import RiskClassifier
from porchlight.features.risk.engine import Assessment, RiskEngine, listing_text

ENGINE = RiskEngine(rated_categories())


@cache
def risk_classifier() -> RiskClassifier:
    """Return the installed classifier, loaded once per process."""
    folder = model_folder()
    assert folder is not None, "the package with the model is missing: run `make setup`"
    return RiskClassifier(Encoder(folder))


DATA = Path(__file__).parent / "data"
ActivitySet = Literal["tuning", "held-out", "plain-seen", "plain-unseen", "descriptions"]
OfferSet = Literal["offers-seen", "offers-unseen"]


@dataclass(frozen=True, slots=True)
class Rated:
    """An activity with its label and the engine's assessment."""

    category: str
    activity: str
    label: RiskLevel
    assessment: Assessment

    @property
    def waiver_label(self) -> str:
        """The label on the waiver's scale, where extreme counts as high (docs/settled-questions.md)."""
        return "high" if self.label == "extreme" else self.label

    @property
    def exact(self) -> bool:
        """Whether the engine's level is the label."""
        return self.assessment.level == self.waiver_label

    @property
    def lacks_waiver(self) -> bool:
        """Whether a high or extreme activity needs no waiver by its rating."""
        return self.waiver_label == "high" and not self.assessment.requires_waiver

    @property
    def over_rated(self) -> bool:
        """Whether a low or medium activity needs a waiver by its rating."""
        return self.waiver_label != "high" and self.assessment.requires_waiver

    @property
    def dangerous(self) -> bool:
        """Whether a high or extreme activity is rated low."""
        return self.waiver_label == "high" and self.assessment.level == "low"


def labeled_activities(name: ActivitySet | OfferSet) -> list[tuple[RiskLevel, str, str]]:
    """Return the label, the category and the words of each activity of a set."""
    labeled = tomllib.loads((DATA / f"risk-{name}.toml").read_text("utf-8"))
    lines = [(label, line.rpartition(" | ")) for label in RISK_LEVELS for line in labeled[label]]
    return [(label, category, activity) for label, (category, _, activity) in lines]


@cache
def rate_activities(name: ActivitySet) -> list[Rated]:
    """Return the activities of a set, rated as the product does."""
    labeled = labeled_activities(name)
    scores = risk_classifier().scores([activity for _label, _category, activity in labeled])
    return [
        Rated(category, activity, label, ENGINE.assess(category, activity, score=score))
        for (label, category, activity), score in zip(labeled, scores, strict=True)
    ]


@cache
def rate_offers(name: OfferSet) -> list[Rated]:
    """Return the offers of a set, each a title with a description, rated as the product does."""
    labeled = labeled_activities(name)
    titles = risk_classifier().scores([title for _label, title, _details in labeled])
    texts = risk_classifier().scores([listing_text(title, details) for _label, title, details in labeled])
    return [
        Rated("", title, label, ENGINE.assess_offer(title, details, None, of_title, of_text))
        for (label, title, details), of_title, of_text in zip(labeled, titles, texts, strict=True)
    ]
