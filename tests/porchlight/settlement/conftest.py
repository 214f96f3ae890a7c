"""The fake Stripe with connected gurus, for the tests of settlement."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.porchlight.payouts.stripe_fake import StripeFake
from tests.porchlight.settlement.both_sides import SettableClock


@pytest.fixture(scope="module")
def stripe_fake(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StripeFake]:
    """The fake Stripe of a module."""
    with StripeFake(tmp_path_factory.mktemp("stripe")) as created:
        yield created


@pytest.fixture
def product_clock(monkeypatch: pytest.MonkeyPatch) -> SettableClock:
    """The product's clock, which the test moves."""
    return SettableClock(monkeypatch)
