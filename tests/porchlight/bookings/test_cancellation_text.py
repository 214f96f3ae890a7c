"""The words for the cost of canceling: one table of cases for Python and the web apps."""

import json
from pathlib import Path
from typing import Any

import pytest

from porchlight.features.bookings.cancellation_text import (
    CancellationCost,
    format_cancellation,
    format_cancellation_cost,
)

TEXTS = json.loads((Path(__file__).parents[2] / "data" / "cancellation-texts.json").read_text())


@pytest.mark.parametrize("case", TEXTS["terms"], ids=lambda case: case["case"])
def test_terms_of_a_session_say_what_canceling_costs(case: dict[str, Any]) -> None:
    terms = {"free_until_minutes": case["freeUntilMinutes"], "late_percent": case["latePercent"]}
    assert format_cancellation(terms, case["priceCents"], uses_package=case["usesPackage"]) == case["text"]


@pytest.mark.parametrize("case", TEXTS["costs"], ids=lambda case: case["case"])
def test_cost_of_a_session_says_what_canceling_costs(case: dict[str, Any]) -> None:
    cost = case["cost"]
    found = CancellationCost(
        cost["isRequest"], cost["freeUntil"], cost["owed"], cost["late"], cost["package"], how=cost.get("how", "")
    )
    assert format_cancellation_cost(found) == case["text"]
