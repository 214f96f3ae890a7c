"""The build of guru-web and, for browser tests, a host that serves it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sites.rendering.templates import GuruWeb, NotBuiltError
from tests.fixtures.ports import free_ports
from tests.sites.rendering.guru_set import BUNDLE, OUT, GuruSet, serve_guru_set


@pytest.fixture(scope="session")
def web() -> Iterator[GuruWeb]:
    """The real export and server bundle of guru-web."""
    try:
        built = GuruWeb(OUT, BUNDLE)
    except NotBuiltError as error:
        pytest.fail(str(error), pytrace=False)
    yield built
    built.renderer.close()


@pytest.fixture(scope="session")
def served_guru_set(web: GuruWeb) -> Iterator[GuruSet]:
    """The host, started once."""
    with serve_guru_set(web, free_ports()) as guru_set:
        yield guru_set


@pytest.fixture
def guru_set(served_guru_set: GuruSet) -> GuruSet:
    """The host, in its default state."""
    served_guru_set.reset()
    return served_guru_set
