"""The origin that canonical links, feeds and the sitemap have."""

from __future__ import annotations

import pytest
from starlette.requests import Request

from sites.rendering.assets import origin_of


@pytest.mark.parametrize(
    ("scheme", "host", "origin"),
    [
        ("https", "Chef.Example.", "https://chef.example"),
        ("https", "chef.example:443", "https://chef.example"),
        ("http", "chef.example.:80", "http://chef.example"),
        ("http", "chef.example:443", "http://chef.example:443"),
        ("https", "chef.example:8443", "https://chef.example:8443"),
    ],
)
def test_origin_has_one_form(scheme: str, host: str, origin: str) -> None:
    scope = {"type": "http", "scheme": scheme, "path": "/", "headers": [(b"host", host.encode())]}
    assert origin_of(Request(scope)) == origin
