"""Names that a guru may add as a custom domain."""

from __future__ import annotations

import pytest

from tenants.kit.errors import ValidationFailed
from tenants.tenancy.domains import INVALID_MESSAGE, OWN_HOST_MESSAGE, PRIVATE_MESSAGE, parse_domain

OWN = ("gurus.porchlight.app", "www.porchlight.app")


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("www.example.com", "www.example.com"),
        (" WWW.Example.COM. ", "www.example.com"),
        ("https://example.com/about?x=1", "example.com"),
        ("bäckerei.example", "xn--bckerei-5wa.example"),
        ("xn--bckerei-5wa.example", "xn--bckerei-5wa.example"),
        ("porchlight.app.example.com", "porchlight.app.example.com"),
    ],
)
def test_domain_is_parsed_to_its_host_form(text: str, domain: str) -> None:
    assert parse_domain(text, OWN) == domain


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", INVALID_MESSAGE),
        ("example", INVALID_MESSAGE),
        ("127.0.0.1", INVALID_MESSAGE),
        ("[::1]", INVALID_MESSAGE),
        ("example.com:8443", INVALID_MESSAGE),
        ("-a.example.com", INVALID_MESSAGE),
        (f"{'a' * 64}.example.com", INVALID_MESSAGE),
        ("gurus.porchlight.app", OWN_HOST_MESSAGE),
        ("cooking.gurus.porchlight.app", OWN_HOST_MESSAGE),
        ("porchlight.app", OWN_HOST_MESSAGE),
        ("printer.local", PRIVATE_MESSAGE),
        ("chef.localhost", PRIVATE_MESSAGE),
    ],
)
def test_unsuitable_domain_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        parse_domain(text, OWN)
    assert refused.value.fields == {"domain": message}


def test_localhost_domain_is_accepted_in_development() -> None:
    assert parse_domain("chef.localhost", OWN, allow_localhost=True) == "chef.localhost"
