"""Unknown paths of a guru's site lead to its home page (SPEC 2.4)."""

from __future__ import annotations

import pytest

from tests.porchlight.app_client import http_client
from tests.sites.malicious_payloads import Target


@pytest.mark.parametrize(
    "path",
    [
        "/nope",
        "/blog/nope",
        "/blog/Nope!",
        "/blog/tag/nope",
        "/blog/tag/N%20O",
        "/blog/older/nope",
        "/report/blog/nope",
    ],
)
async def test_unknown_path_redirects_home(target: Target, path: str) -> None:
    async with http_client(target.app, target.guru.host) as visitor:
        response = await visitor.get(path)
    assert (response.status_code, response.headers["location"]) == (302, "/")
