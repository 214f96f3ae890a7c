"""The fake Stripe, one process for each module, and the option to run documented behaviors against a sandbox."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

import pytest

from tests.dev.stripe_fake.stripe_server import StripeServer, fake_server, sandbox_server


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --against (`pytest tests/dev/stripe_fake --against sandbox`, with STRIPE_SANDBOX_KEY)."""
    parser.addoption(
        "--against", choices=("fake", "sandbox"), default="fake", help="Which Stripe behaviors run against."
    )


def against_sandbox(config: pytest.Config) -> bool:
    """Return whether the behaviors run against a sandbox. The option is absent when all of tests/ is collected."""
    return bool(config.getoption("--against", default="fake") == "sandbox")


@contextlib.contextmanager
def running_server(tmp_path_factory: pytest.TempPathFactory, config: pytest.Config) -> Iterator[StripeServer]:
    """Run the Stripe to test; at its end, check the types of all events that the fake created."""
    if against_sandbox(config):
        key = os.environ.get("STRIPE_SANDBOX_KEY", "")
        if not key.startswith(("sk_test_", "rk_test_")):
            pytest.skip("STRIPE_SANDBOX_KEY holds no key of a sandbox.")
        sandbox = sandbox_server(key)
        yield sandbox
        sandbox.recorder.close()  # type: ignore[no-untyped-call]
        return
    created = fake_server(tmp_path_factory.mktemp("stripe"))
    try:
        yield created
        created.check_events()
    finally:
        created.recorder.close()  # type: ignore[no-untyped-call]
        assert created.fake is not None
        created.fake.__exit__()


@pytest.fixture(scope="module")
def stripe_server(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[StripeServer]:
    """The Stripe to test."""
    with running_server(tmp_path_factory, request.config) as server:
        yield server
