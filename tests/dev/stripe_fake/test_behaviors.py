"""Behaviors that Stripe documents, against the fake and with `--against sandbox` against Stripe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.dev.stripe_fake import (
    behaviors_of_billing,
    behaviors_of_calls,
    behaviors_of_money,
    behaviors_of_sales,
    behaviors_of_saved_cards,
)
from tests.dev.stripe_fake.behaviors import TABLE, Behavior
from tests.dev.stripe_fake.conftest import running_server
from tests.dev.stripe_fake.stripe_server import StripeServer

MODULES = (
    behaviors_of_billing,
    behaviors_of_calls,
    behaviors_of_money,
    behaviors_of_sales,
    behaviors_of_saved_cards,
)


@pytest.fixture(scope="module")
def server_of(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Callable[[str], StripeServer]]:
    """A Stripe for the behaviors of a module: what they buy renews each time that one of them moves the clock."""
    servers: dict[str, StripeServer] = {}
    with ExitStack() as stack:

        def server_of_module(name: str) -> StripeServer:
            if name not in servers:
                servers[name] = stack.enter_context(running_server(tmp_path_factory, request.config))
            return servers[name]

        yield server_of_module


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row.name)
def test_stripe_behavior_is_as_documented(server_of: Callable[[str], StripeServer], row: Behavior) -> None:
    server = server_of(row.check.__module__)
    if row.fake_only and server.fake is None:
        pytest.skip("This behavior needs the control API of the fake.")
    row.check(server)


def test_every_behavior_names_its_docs_and_module() -> None:
    assert len(TABLE) >= 45
    assert len({row.name for row in TABLE}) == len(TABLE)
    assert {row.check.__module__ for row in TABLE} == {module.__name__ for module in MODULES}
    assert all(row.docs.startswith("https://docs.stripe.com/") for row in TABLE)
