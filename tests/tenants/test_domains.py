"""Names that a guru may add as a custom domain."""

from __future__ import annotations

import pytest

from tenants.kit.errors import ValidationFailed
from tenants.tenancy.domains import (
    INVALID_MESSAGE,
    OWN_HOST_MESSAGE,
    PRIVATE_MESSAGE,
    SUFFIX_MESSAGE,
    DomainFacts,
    addition,
    is_apex,
    parse_domain,
    registrable,
    shown_domain,
    with_or_without_www,
)

OWN = ("gurus.porchlight.app", "www.porchlight.app")


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("www.example.com", "www.example.com"),
        (" WWW.Example.COM. ", "www.example.com"),
        ("https://example.com/about?x=1", "example.com"),
        ("https://example.com:443/?q=1", "example.com"),
        ("http://rosa@www.example.com:80#top", "www.example.com"),
        ("//www.example.com?x", "www.example.com"),
        ("www.example.com.:443", "www.example.com"),
        ("example.co.uk", "example.co.uk"),
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
        ("rosa@example.com", INVALID_MESSAGE),
        ("co.uk", SUFFIX_MESSAGE),
        ("https://github.io/", SUFFIX_MESSAGE),
        ("chef.localhost", PRIVATE_MESSAGE),
    ],
)
def test_unsuitable_domain_is_refused(text: str, message: str) -> None:
    with pytest.raises(ValidationFailed) as refused:
        parse_domain(text, OWN)
    assert refused.value.fields == {"domain": message}


def test_localhost_domain_is_accepted_in_development() -> None:
    assert parse_domain("chef.localhost", OWN, allow_localhost=True) == "chef.localhost"


def test_domain_is_shown_with_its_letters() -> None:
    assert shown_domain("xn--bckerei-5wa.example") == "bäckerei.example"
    assert shown_domain("www.example.com") == "www.example.com"
    assert shown_domain("xn--a.example") == "xn--a.example"


def test_apex_is_the_registered_domain() -> None:
    assert is_apex("example.co.uk")
    assert not is_apex("www.example.co.uk")
    assert registrable("shop.www.example.com") == "example.com"
    assert is_apex("chef.localhost")


@pytest.mark.parametrize(
    ("domain", "other"),
    [
        ("example.co.uk", "www.example.co.uk"),
        ("www.example.com", "example.com"),
        ("shop.example.com", None),
        ("www.shop.example.com", None),
    ],
)
def test_other_name_of_a_domain_is_with_or_without_www(domain: str, other: str | None) -> None:
    assert with_or_without_www(domain) == other


@pytest.mark.parametrize(
    ("facts", "most", "found"),
    [
        (DomainFacts(is_own=False, is_served=False, own_domains=0), 5, "new"),
        (DomainFacts(is_own=False, is_served=False, own_domains=4), 5, "new"),
        (DomainFacts(is_own=False, is_served=False, own_domains=5), 5, "limit"),
        (DomainFacts(is_own=False, is_served=False, own_domains=50), None, "new"),
        (DomainFacts(is_own=False, is_served=True, own_domains=0), 5, "taken"),
        (DomainFacts(is_own=False, is_served=True, own_domains=5), 5, "taken"),
        (DomainFacts(is_own=True, is_served=False, own_domains=5), 5, "own"),
        (DomainFacts(is_own=True, is_served=True, own_domains=1), 5, "own"),
    ],
)
def test_addition_of_domain_follows_facts(facts: DomainFacts, most: int | None, found: str) -> None:
    assert addition(facts, most) == found
