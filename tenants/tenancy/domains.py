"""Custom domains: which names a guru may add, and how they are added and removed by the service role.

A domain is served once its owner is proven, either by its DNS records or by the operator's word.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import timedelta
from functools import cache
from typing import Any, Literal, NamedTuple
from uuid import UUID

import idna
import psycopg
from publicsuffixlist import PublicSuffixList

from tenants.db.rows import Connection, fetch_all
from tenants.kit import clock
from tenants.kit.errors import Conflict, NotFound, ValidationFailed
from tenants.tenancy.hosts import is_domain

# Names that no public DNS answers for (RFC 6761, RFC 6762, RFC 9476 and common private ones).
_PRIVATE_ENDINGS = frozenset(
    {"alt", "arpa", "corp", "home", "internal", "invalid", "lan", "local", "localhost", "onion", "test"}
)
FIRST_CHECK_AFTER = timedelta(minutes=5)  # so long it takes until the guru has set the DNS records
# What counts a guru's domains waits for each other.
LOCK_DOMAINS = "SELECT pg_advisory_xact_lock(hashtextextended('domains ' || %(tenant)s::uuid, 0))"
DOMAIN_FACTS = """
SELECT EXISTS (SELECT FROM domains d WHERE d.tenant_id = %(tenant)s AND d.domain = %(domain)s) AS is_own,
       EXISTS (SELECT FROM app.find_site(%(domain)s)) AS is_served,
       (SELECT count(*) FROM domains d WHERE d.tenant_id = %(tenant)s) AS own_domains"""
INSERT_DOMAIN = """
INSERT INTO domains AS d (tenant_id, domain, next_check_at) VALUES (%(tenant)s, %(domain)s, %(next_check_at)s)"""
DELETE_DOMAIN = "DELETE FROM domains WHERE tenant_id = %(tenant)s AND domain = %(domain)s RETURNING domain"
SAVE_CHECK = """
UPDATE domains SET checked_at = %(checked_at)s, outcome = %(outcome)s, found = %(found)s, proof = %(proof)s,
       verified_at = %(verified_at)s, failing_since = %(failing_since)s, next_check_at = %(next_check_at)s,
       leads_here = coalesce(%(leads_here)s, leads_here)
 WHERE tenant_id = %(tenant)s AND domain = %(domain)s RETURNING domain"""
CHECK_SOON = """
UPDATE domains SET next_check_at = %(now)s WHERE tenant_id = %(tenant)s AND domain = %(domain)s RETURNING domain"""
SAVE_CERTIFICATE = """
UPDATE domains SET certificate_until = %(until)s
 WHERE tenant_id = %(tenant)s AND domain = %(domain)s AND verified_at IS NOT NULL RETURNING domain"""
# Only a domain that serves the site.
CHOOSE_MAIN = """
UPDATE gurus SET main_domain = %(domain)s
 WHERE id = %(tenant)s AND (%(domain)s = '' OR EXISTS (
       SELECT FROM domains d WHERE d.tenant_id = %(tenant)s AND d.domain = %(domain)s AND d.verified_at IS NOT NULL
          AND NOT d.over_limit)) RETURNING id"""
_VERIFY = """
UPDATE domains SET verified_at = coalesce(verified_at, app.now()), proof = 'operator', failing_since = NULL
 WHERE tenant_id = %(tenant)s AND domain = %(domain)s"""

# Scheme, slashes and user of a URL. Without them, a name with "@" is an email address, whose host is not the guru's.
_URL_START = re.compile(r"^(?:[a-z]+:)?//(?:[^/?#\\@]*@)?")
_WEB_PORT = re.compile(r":(?:80|443)?$")
SUFFIX_MESSAGE = "Many sites share this ending. Enter your whole domain, such as www.your-name.com."
INVALID_MESSAGE = "Enter a domain, such as www.example.com."
OWN_HOST_MESSAGE = "This address belongs to Porchlight. Enter a domain of your own."
PRIVATE_MESSAGE = "This name works only inside a private network. Enter a public domain."


class DomainFacts(NamedTuple):
    """The facts that decide whether a domain can be added. `is_served`: a site has it, verified."""

    is_own: bool
    is_served: bool
    own_domains: int


class DomainTaken(Conflict):
    """A domain that another site serves. The message does not say whose."""

    code = "domain_taken"
    message = "This domain is connected to another site. If it's yours, contact us."


def addition(facts: DomainFacts, most: int | None) -> Literal["new", "own", "taken", "limit"]:
    """Return whether a domain is new, the guru's own already, served by another site, or one more than `most`.

    Until a domain is verified, others may add it too: the guru who controls its DNS gets it.
    """
    if facts.is_own:
        return "own"
    if facts.is_served:
        return "taken"
    return "limit" if most is not None and facts.own_domains >= most else "new"


def insert_params(tenant_id: UUID, domain: str) -> dict[str, Any]:
    """Return the parameters of LOCK_DOMAINS, DOMAIN_FACTS and INSERT_DOMAIN."""
    return {"tenant": tenant_id, "domain": domain, "next_check_at": clock.now() + FIRST_CHECK_AFTER}


def parse_domain(text: str, own_hosts: Collection[str], *, allow_localhost: bool = False) -> str:
    """Return a domain in the form that hosts are compared in: lower case, international letters encoded.

    Accept a pasted URL. Raise ValidationFailed for what is not a domain, for the platform's own hosts with all names
    below and above them, and for private names. `allow_localhost`: accept names ending in ".localhost", for
    development.
    """
    name = _URL_START.sub("", text.strip().lower())
    name = re.split(r"[/?#\\]", name, maxsplit=1)[0]
    name = _WEB_PORT.sub("", name).rstrip(".").removeprefix("*.")
    try:
        name = idna.encode(name, uts46=True).decode()
    except (idna.IDNAError, UnicodeError):
        raise _refused(INVALID_MESSAGE) from None
    if not is_domain(name):
        raise _refused(INVALID_MESSAGE)
    if any(f".{name}".endswith(f".{own}") or f".{own}".endswith(f".{name}") for own in own_hosts):
        raise _refused(OWN_HOST_MESSAGE)
    ending = name.rpartition(".")[2]
    if ending in _PRIVATE_ENDINGS and not (allow_localhost and ending == "localhost"):
        raise _refused(PRIVATE_MESSAGE)
    if _suffixes().publicsuffix(name, accept_unknown=False) == name:
        raise _refused(SUFFIX_MESSAGE)
    return name


def shown_domain(domain: str) -> str:
    """Return a domain with the letters of its language: "bäckerei.example" for "xn--bckerei-5wa.example"."""
    try:
        return idna.decode(domain)
    except (idna.IDNAError, UnicodeError):
        return domain


def is_apex(domain: str) -> bool:
    """Whether a domain is a registered one itself, where providers allow no CNAME record."""
    return registrable(domain) == domain


def registrable(domain: str) -> str:
    """Return the registered domain of a name: "example.co.uk" of "www.example.co.uk"."""
    return _suffixes().privatesuffix(domain) or domain


def with_or_without_www(domain: str) -> str | None:
    """Return the other name that people type for a site: "www.example.com" for "example.com"; None for another name."""
    if is_apex(domain):
        return f"www.{domain}"
    other = domain.removeprefix("www.")
    return other if other != domain and is_apex(other) else None


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def _refused(message: str) -> ValidationFailed:
    return ValidationFailed(message, fields={"domain": message})


def add_domain(conn: Connection, tenant_id: UUID, domain: str, *, verified: bool) -> None:
    """Add a domain to a guru; with `verified`, the operator vouches for it. Raises DomainTaken."""
    params = insert_params(tenant_id, domain)
    with conn.transaction():
        conn.execute(LOCK_DOMAINS, params)
        (facts,) = fetch_all(conn, DomainFacts, DOMAIN_FACTS, params)
        added = addition(facts, None)
        if added == "taken":
            raise DomainTaken
        if added == "new":
            conn.execute(INSERT_DOMAIN, params)
    if verified:
        try:
            conn.execute(_VERIFY, params)
        except psycopg.errors.UniqueViolation as error:
            raise DomainTaken from error


def remove_domain(conn: Connection, tenant_id: UUID, domain: str) -> None:
    """Remove a domain from a guru. Raises NotFound."""
    if conn.execute(DELETE_DOMAIN, {"tenant": tenant_id, "domain": domain}).fetchone() is None:
        raise NotFound(f"This guru has no domain “{domain}”.")
