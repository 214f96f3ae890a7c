"""Behaviors that Stripe documents, against the fake and with `--against sandbox` against Stripe."""

from __future__ import annotations

import pytest

from tests.dev.stripe_fake import behaviors_of_billing, behaviors_of_calls, behaviors_of_money
from tests.dev.stripe_fake.behaviors import TABLE, Behavior
from tests.dev.stripe_fake.stripe_server import StripeServer

MODULES = (behaviors_of_billing, behaviors_of_calls, behaviors_of_money)


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_stripe_behavior_is_as_documented(stripe_server: StripeServer, row: Behavior) -> None:
    if row.fake_only and stripe_server.fake is None:
        pytest.skip("This behavior needs the control API of the fake.")
    row.check(stripe_server)


def test_every_behavior_names_its_docs_and_module() -> None:
    assert len(TABLE) >= 45
    assert len({row.name for row in TABLE}) == len(TABLE)
    assert {row.check.__module__ for row in TABLE} == {module.__name__ for module in MODULES}
    assert all(row.docs.startswith("https://docs.stripe.com/") for row in TABLE)
