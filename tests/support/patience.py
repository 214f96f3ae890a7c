"""How long the product waits inside of a test's own process.

Its patience is made for visitors: out of it, it answers 503, or believes what it heard last. Where tests share two
cores with others, that happens to requests of which a test wants the answer. So it waits long, but in the tests of that
patience itself; and what whole servers do when they are out of it, tests of those show.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

import pytest

from porchlight.accounts import firebase, standing, tokens
from porchlight.places import service as places
from tenants import session
from tenants.kit import db, patience, trip

LONG = 60.0  # seconds
_WAITS: tuple[tuple[ModuleType, str], ...] = (
    (db, "POOL_TIMEOUT"),
    (db, "DEAD_AT_ONCE"),
    (session, "ENTRY"),
    (trip, "ANSWER_TIMEOUT"),
    (patience, "SILENCE"),
    (standing, "PATIENCE"),
    (firebase, "TIMEOUT"),
    (tokens, "FETCH_SECONDS"),
    (places, "TIMEOUT"),
)
_OURS = {(module, name): getattr(module, name) for module, name in _WAITS}


def wait_long() -> None:
    """Have everything that is made from now on wait long."""
    for module, name in _WAITS:
        setattr(module, name, LONG)


@contextmanager
def as_ever() -> Iterator[None]:
    """The product's own patience, for what is made and done inside."""
    with pytest.MonkeyPatch.context() as patched:
        for (module, name), seconds in _OURS.items():
            patched.setattr(module, name, seconds)
        yield
