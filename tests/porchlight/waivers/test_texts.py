"""The waiver texts: released ones never change, and each has the parts that the law and the design ask for."""

from __future__ import annotations

import re

import pytest

from porchlight.contracts import RISK_LEVELS, RiskLevel
from porchlight.features.waivers.canonical import sha256_hex
from porchlight.features.waivers.levels import VALIDITY_DAYS, needs_waiver
from porchlight.features.waivers.texts import current_text, load_text

MAX_WORDS = 900
# Texts that people accepted. Never change a line: add a new version.
RELEASED: dict[tuple[RiskLevel, int], str] = {
    ("low", 1): "286682c0a846e941485b20f9f40c4ca620cc39ff07af5da9b637d4dae6537f8a",
    ("medium", 1): "d0b9bbc5c942663976a0382aa9c627b8c49535e32f140de8e8351366b19462ea",
    ("high", 1): "b31a0c2d4a31874c627416ae0b7c2511240bfc9cea015e2c77a268719a729dac",
    ("extreme", 1): "54212ae3212efef1dba2adf7c23b0194c3b29ce5216a2ede056ce4536576cbf2",
}


@pytest.mark.parametrize(("level", "version"), RELEASED)
def test_released_text_keeps_its_sha256(level: RiskLevel, version: int) -> None:
    text = load_text(level, version)
    assert text.reference.sha256 == sha256_hex(text.body.encode()) == RELEASED[level, version]


@pytest.mark.parametrize("level", RISK_LEVELS)
def test_current_text_of_each_level_is_released(level: RiskLevel) -> None:
    text = current_text(level)
    assert (text.name, text.version) in RELEASED
    assert text.title == f"Liability waiver for {level}-risk activities"
    with pytest.raises(KeyError):
        load_text(level, text.version + 1)


@pytest.mark.parametrize("level", RISK_LEVELS)
def test_current_text_has_every_required_part(level: RiskLevel) -> None:
    body = current_text(level).body
    assert len(body.split()) < MAX_WORDS
    assert f"valid for {VALIDITY_DAYS[level]} days" in body
    assert ("## Emergency contact" in body) == needs_waiver(level)
    for part in ("electronically", "printed copy", "withdraw this consent", "you release", "13 to 17", "guardian"):
        assert part in body, part
    # The PDF has headings, paragraphs and lists only.
    assert not re.search(r"[*_`<\[|]|\n(?![-#\n]).+\n(?![\n])", body.strip())
