"""Parsing of Host headers: the main platform, a guru's label, a custom domain, or an unknown host.

Pure functions. Only `Host` decides, never a forwarded header (docs/tenancy.md, SPEC 2.4).
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from enum import Enum

from tenants.kit.errors import GuruNotFound

# SPEC 2.4, and the product's own name.
RESERVED_LABELS = frozenset({"www", "api", "admin", "staging", "dev", "test", "porchlight"})

MAX_HOST_LENGTH = 253  # characters of a domain name
MAX_LABEL_LENGTH = 63

_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_PORT = re.compile(r":[0-9]{1,5}")


class HostKind(Enum):
    """The kinds of hosts that a Host header can name."""

    PLATFORM = "platform"
    GURU = "guru"
    CUSTOM = "custom"
    UNKNOWN = "unknown"  # well-formed, but unassigned: two labels below the base host, an IP address, a bare word
    MALFORMED = "malformed"


@dataclass(frozen=True, slots=True)
class Host:
    """A parsed Host header. `name` is the label (GURU), the domain (CUSTOM) or the bare host name."""

    kind: HostKind
    name: str
    port: int | None


MALFORMED = Host(HostKind.MALFORMED, "", None)


def is_label(text: str) -> bool:
    """Whether `text` is a lower-case host label of 1 to 63 letters, digits and inner hyphens (RFC 1123)."""
    return _LABEL.fullmatch(text) is not None


def parse_label_or_404(text: str) -> str:
    """Return the label in a URL. Raises GuruNotFound for an invalid one, as for an unknown site (docs/api.md)."""
    if not is_label(text):
        raise GuruNotFound
    return text


def is_domain(text: str) -> bool:
    """Whether `text` is a lower-case domain name of at least two labels, whose last one is not a number."""
    labels = text.split(".")
    return (
        len(text) <= MAX_HOST_LENGTH
        and len(labels) >= 2
        and all(is_label(label) for label in labels)
        and not labels[-1].isdigit()
    )


def label_error(label: str) -> str | None:
    """Return why a guru cannot have this label, as a sentence for people; None for an allowed one."""
    if len(label) > MAX_LABEL_LENGTH:
        return "A site address can have up to 63 characters."
    if not is_label(label):
        return "Use only letters a–z, numbers and hyphens, and start and end with a letter or number."
    if label in RESERVED_LABELS:
        return f"“{label}” is reserved. Please choose another site address."
    if label.startswith("xn--") or label[2:4] == "--":
        return "A site address can't have two hyphens as its third and fourth characters."
    if len(label) < 3:
        return "A site address needs at least 3 characters."
    return None


def parse_host(raw: bytes | None, base_host: str, *, loopback: bool = False) -> Host:  # noqa: C901 - one rule per branch
    """Parse a raw Host header. `base_host` is lower-case, without a port.

    `loopback`: `localhost` and loopback addresses are the main platform too (for development).
    """
    if not raw or len(raw) > MAX_HOST_LENGTH + 9:  # a trailing dot, a colon, a port, and some slack
        return MALFORMED
    try:
        text = raw.decode("ascii").lower()
    except UnicodeDecodeError:
        return MALFORMED  # an international name that is not encoded; browsers send xn--…
    if text.startswith("["):
        return _parse_ipv6(text, loopback)
    name, colon, digits = text.partition(":")
    port: int | None = None
    if colon:
        if not _PORT.fullmatch(colon + digits) or not 0 < int(digits) < 65536:
            return MALFORMED
        port = int(digits)
    name = name.removesuffix(".")
    if not name or len(name) > MAX_HOST_LENGTH:
        return MALFORMED
    if name == base_host:
        return Host(HostKind.PLATFORM, name, port)
    if name.endswith("." + base_host):
        return _parse_subdomain(name[: -len(base_host) - 1], name, port)
    if loopback and name in ("localhost", "127.0.0.1"):
        return Host(HostKind.PLATFORM, name, port)
    if not all(is_label(part) for part in name.split(".")):
        return MALFORMED
    return Host(HostKind.CUSTOM if is_domain(name) else HostKind.UNKNOWN, name, port)


def has_final_dot(raw: bytes) -> bool:
    """Whether a Host header has the final dot of DNS names, which cookies, certificates and links do not have."""
    return raw.partition(b":")[0].endswith(b".")


def _parse_subdomain(subdomain: str, name: str, port: int | None) -> Host:
    labels = subdomain.split(".")
    if not all(is_label(part) for part in labels):
        return MALFORMED
    if len(labels) > 1:
        return Host(HostKind.UNKNOWN, name, port)
    if subdomain in RESERVED_LABELS:
        return Host(HostKind.PLATFORM, name, port)
    return Host(HostKind.GURU, subdomain, port)


def _parse_ipv6(text: str, loopback: bool) -> Host:
    address, bracket, rest = text[1:].partition("]")
    if not bracket or (rest and not _PORT.fullmatch(rest)):
        return MALFORMED
    try:
        parsed = ipaddress.IPv6Address(address)
    except ValueError:
        return MALFORMED
    port = int(rest[1:]) if rest else None
    if port is not None and not 0 < port < 65536:
        return MALFORMED
    return Host(HostKind.PLATFORM if loopback and parsed.is_loopback else HostKind.UNKNOWN, str(parsed), port)
