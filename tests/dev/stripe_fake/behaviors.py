"""The table of documented behaviors. Each row is one test, with the page of Stripe's documentation that says so."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import stripe

from tests.dev.stripe_fake.stripe_server import StripeServer

DOCS = "https://docs.stripe.com/"
Check = Callable[[StripeServer], None]


@dataclass(frozen=True)
class Behavior:
    """A documented behavior: its test, its source, and whether it needs the control API."""

    name: str
    docs: str
    check: Check
    fake_only: bool


TABLE: list[Behavior] = []


def behavior(docs: str, *, sandbox: bool = False) -> Callable[[Check], Check]:
    """Add a test to the table. With `sandbox` it needs no control API and runs against a sandbox as well."""

    def register(check: Check) -> Check:
        TABLE.append(Behavior(check.__name__, DOCS + docs, check, not sandbox))
        return check

    return register


def refused(code: str, call: Callable[[], Any], words: str = "") -> stripe.StripeError:
    """Expect a call to be refused with an error code; return the error."""
    with pytest.raises(stripe.StripeError) as caught:
        call()
    error = caught.value
    # The SDK fills `error.code` only for some statuses: not for 403, 409 and 429.
    body: Any = error.json_body
    assert body["error"].get("code", "") == code, error
    assert re.search(words, str(error.user_message))
    return error


def on(account: str) -> Any:
    """Return the options of a call for a connected account."""
    return {"stripe_account": account}


def with_key(key: str, account: str = "") -> Any:
    """Return the options of a call with an idempotency key."""
    return {"idempotency_key": key} | ({"stripe_account": account} if account else {})
