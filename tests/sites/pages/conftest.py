"""The built template and, for the browser, a host that serves it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sites.pages.shell import GuruWeb, NotBuiltError
from tests.sites.pages.village import BUNDLE, OUT, Village, open_village
from tests.support.ports import free_ports


@pytest.fixture(scope="session")
def web() -> Iterator[GuruWeb]:
    """The real export and server bundle of guru-web."""
    try:
        built = GuruWeb(OUT, BUNDLE)
    except NotBuiltError as missing:
        pytest.fail(str(missing), pytrace=False)
    yield built
    built.renderer.close()


@pytest.fixture(scope="session")
def open_doors(web: GuruWeb) -> Iterator[Village]:
    """The host, started once."""
    with open_village(web, free_ports()) as village:
        yield village


@pytest.fixture
def village(open_doors: Village) -> Village:
    """The host, everything working and nothing asked."""
    open_doors.reset()
    return open_doors
