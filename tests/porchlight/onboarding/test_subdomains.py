"""Rules for subdomains: refused, allowed and suggested labels."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from porchlight.features.onboarding.subdomains import refusal_message, suggest_labels
from tenants.tenancy.hosts import RESERVED_LABELS, is_label, label_error


@pytest.mark.parametrize(
    "label",
    [
        *sorted(RESERVED_LABELS - {"www"}),
        "p0rchlight", "porch1ight", "porchIight".lower(), "porch-light", "p-o-r-c-h-l-i-g-h-t", "porchllight",
        "porchlight-support", "my-porchlight", "theporchlight", "porchlighthelp", "p0rch-1ight-pay", "porchiight",
        "adrnin", "4dmin", "adm1n", "admin-team", "the-admin", "admin1strator", "0fficial", "official-cooking",
        "5upport", "supp0rt", "help", "he1p", "login", "log1n", "l0gin", "vvww", "vvvvvv", "4pi", "ap1", "t3st", "tes7",
        "5taging", "clev", "d3v", "secur1ty", "payrnents", "8illing", "str1pe", "paypa1", "moderat0r", "staff-room",
    ],
)  # fmt: skip
def test_misleading_label_is_refused(label: str) -> None:
    message = refusal_message(label)
    assert message is not None
    assert message.endswith(".")


@pytest.mark.parametrize(
    "label",
    [
        "cooking", "music", "tech", "garden", "fitness", "woodwork", "photo", "spanish", "ada-alvarez", "tech-support",
        "test-prep", "helpful-hands", "light-house", "porch-swings", "developer-dan", "api-ary", "brandy", "clara",
        "status-quo", "admiral", "demo", "7-seas", "100-songs", "chef-marisol", "maildrop", "teams",
    ],
)  # fmt: skip
def test_ordinary_label_is_allowed(label: str) -> None:
    assert refusal_message(label) is None


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("Ada Alvarez", "ada-alvarez"),
        ("  Zoë  Müller-Lüdenscheidt ", "zoe-muller-ludenscheidt"),
        ("Chef's Kitchen & Co.", "chefs-kitchen-co"),
        ("Dev", "dev-guru"),
        ("Al", "al-guru"),
        ("x" * 200, "x" * 40),
    ],
)
def test_suggested_label_derives_from_name(name: str, first: str) -> None:
    assert suggest_labels(name)[0] == first


@pytest.mark.parametrize("name", ["", "李雷", "🎸🎸🎸", "Porchlight", "admin", "---", "xn--bcher-kva"])
def test_unusable_name_still_gets_suggestions(name: str) -> None:
    assert suggest_labels(name)


@given(st.text(max_size=200))
def test_every_suggested_label_is_allowed(name: str) -> None:
    labels = suggest_labels(name)
    assert labels
    for label in labels:
        assert is_label(label)
        assert label_error(label) is None
        assert refusal_message(label) is None
