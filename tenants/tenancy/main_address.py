"""The main address of a site: the one host that its links name and its other hosts redirect to (docs/tenancy.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

SUBDOMAIN = ""  # a guru's choice of the subdomain, although there is a domain

DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True)
class ServedDomain:
    """A connected custom domain. `certificate_until`: seconds since 1970, None before its first certificate.

    `leads_here`: whether its DNS records lead all visitors to us.
    """

    domain: str
    certificate_until: float | None
    leads_here: bool

    def opens_at(self, now: datetime) -> bool:
        """Whether every browser opens the site at this domain: visitors are sent to no other one."""
        return self.leads_here and self.certificate_until is not None and self.certificate_until > now.timestamp()


def chosen_domain(domains: Sequence[ServedDomain], choice: str | None) -> str | None:
    """Return the domain that the guru wants as the main address, or None for the subdomain.

    Without a choice, or if the chosen domain is gone, it is the domain that was connected first. `domains` are in the
    order in which they were connected.
    """
    if choice == SUBDOMAIN:
        return None
    names = [one.domain for one in domains]
    return choice if choice in names else next(iter(names), None)


def main_domain(domains: Sequence[ServedDomain], choice: str | None, now: datetime) -> str | None:
    """Return the domain that is the main address now, or None for the subdomain.

    It is the subdomain as well while visitors cannot open the wanted domain: that would close the whole site. Without
    a choice it is the first domain that they can open.
    """
    open_names = [one.domain for one in domains if one.opens_at(now)]
    wanted = chosen_domain(domains, choice)
    if choice is None or wanted != choice:
        return None if choice == SUBDOMAIN else next(iter(open_names), None)
    return wanted if wanted in open_names else None


def origin_at(scheme: str, host: str, port: int | None) -> str:
    """Return an origin, without the scheme's default port."""
    return f"{scheme}://{host}" if port in (None, DEFAULT_PORTS.get(scheme)) else f"{scheme}://{host}:{port}"
