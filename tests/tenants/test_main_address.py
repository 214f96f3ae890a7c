"""Which of a site's hosts is its main address."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import UUID

import pytest

from tenants.tenancy.directory import Tenant
from tenants.tenancy.hosts import has_final_dot
from tenants.tenancy.main_address import ServedDomain, chosen_domain, main_domain, origin_at

NOW = datetime(2026, 12, 16, 16, 0, tzinfo=UTC)
LATER, EARLIER = NOW.timestamp() + 60, NOW.timestamp() - 60
OPEN = ServedDomain("rosa.example", LATER, True)
WWW = ServedDomain("www.rosa.example", LATER, True)
WITHOUT_CERTIFICATE = ServedDomain("rosa.example", None, True)
EXPIRED = ServedDomain("rosa.example", EARLIER, True)
LEADING_ELSEWHERE = ServedDomain("rosa.example", LATER, False)


@pytest.mark.parametrize("closed", [WITHOUT_CERTIFICATE, EXPIRED, LEADING_ELSEWHERE])
@pytest.mark.parametrize(
    ("domains", "choice", "wanted", "main"),
    [
        ([], None, None, None),
        ([OPEN, WWW], None, OPEN.domain, OPEN.domain),
        ([OPEN, WWW], "", None, None),
        ([OPEN, WWW], WWW.domain, WWW.domain, WWW.domain),
        ([OPEN], "gone.example", OPEN.domain, OPEN.domain),
    ],
)
def test_main_domain_is_chosen_or_first_connected(
    closed: ServedDomain, domains: list[ServedDomain], choice: str | None, wanted: str | None, main: str | None
) -> None:
    assert chosen_domain(domains, choice) == wanted
    assert main_domain(domains, choice, NOW) == main
    # A domain that visitors cannot open is never the main one: another that they can, or the subdomain.
    shut = [closed, *domains[1:]] if domains else []
    assert main_domain(shut, OPEN.domain, NOW) is None
    assert main_domain(shut, None, NOW) == (domains[1].domain if len(domains) > 1 else None)


@pytest.mark.parametrize("choice", [None, "", OPEN.domain, WWW.domain, "gone.example"])
@pytest.mark.parametrize("first", [OPEN, WITHOUT_CERTIFICATE, EXPIRED, LEADING_ELSEWHERE])
@pytest.mark.parametrize("second", [None, WWW, ServedDomain(WWW.domain, None, True)])
def test_every_redirect_ends_at_a_host_with_pages(
    choice: str | None, first: ServedDomain, second: ServedDomain | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tenants.kit.clock.now", lambda: NOW)
    site = Tenant(UUID(int=1), "rosa", "active", choice, (first, second) if second else (first,))
    main = site.main_host("base.example")
    assert site.shows_pages(main, "base.example")
    assert main == "rosa.base.example" or next(one for one in site.domains if one.domain == main).opens_at(NOW)


def test_origin_has_no_default_port() -> None:
    assert origin_at("https", "rosa.example", 443) == "https://rosa.example"
    assert origin_at("https", "rosa.example", None) == "https://rosa.example"
    assert origin_at("http", "rosa.example", 443) == "http://rosa.example:443"
    assert origin_at("https", "rosa.example", 8443) == "https://rosa.example:8443"


def test_final_dot_is_found_before_the_port() -> None:
    assert [has_final_dot(host) for host in (b"a.example.", b"a.example.:443", b"a.example", b"a.example:443")] == [
        True,
        True,
        False,
        False,
    ]
