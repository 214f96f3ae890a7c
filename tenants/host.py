"""From a Host header to what it names: the main platform, a guru's label, a custom domain, or nothing of ours.

Pure functions; only `Host` decides, never a forwarded header (DESIGN 3, SPEC 2.4).
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from enum import Enum

# SPEC 2.4, with the product's own name.
RESERVED_LABELS = frozenset({"www", "api", "admin", "staging", "dev", "test", "porchlight"})

_LABEL = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_PORT = re.compile(r":[0-9]{1,5}")


class Kind(Enum):
    """What a Host header names."""

    PLATFORM = "platform"
    GURU = "guru"
    CUSTOM = "custom"
    UNKNOWN = "unknown"  # well-formed, but no name of ours: two labels deep, an address, a bare word
    MALFORMED = "malformed"


@dataclass(frozen=True, slots=True)
class Host:
    """A parsed Host header. `name` is the label (GURU), the domain (CUSTOM) or the bare host name."""

    kind: Kind
    name: str
    port: int | None


MALFORMED = Host(Kind.MALFORMED, "", None)


def is_label(text: str) -> bool:
    """Whether `text` is a lower-case host label of 1 to 63 letters, digits and inner hyphens (RFC 1123)."""
    return _LABEL.fullmatch(text) is not None


def is_domain(text: str) -> bool:
    """Whether `text` is a lower-case domain name of at least two labels, whose last is no number."""
    labels = text.split(".")
    return (
        len(text) <= 253 and len(labels) >= 2 and all(is_label(label) for label in labels) and not labels[-1].isdigit()
    )


def label_refusal(label: str) -> str | None:
    """Why a guru may not have this label, in a sentence a person reads; None when they may."""
    if len(label) > 63:
        return "A site address has at most 63 characters."
    if not is_label(label):
        return "A site address has only letters a–z, digits and hyphens, and begins and ends with a letter or digit."
    if label in RESERVED_LABELS:
        return f"“{label}” is reserved. Please choose another site address."
    if label.startswith("xn--") or label[2:4] == "--":
        return "A site address cannot begin like an encoded international name."
    if len(label) < 3:
        return "A site address has at least 3 characters."
    return None


def parse(raw: bytes | None, base_host: str, *, loopback: bool = False) -> Host:
    """What the raw Host header names below `base_host` (lower-case, no port).

    `loopback`: in development the machine's own addresses and `localhost` are the main platform too.
    """
    if not raw or len(raw) > 262:  # 253 characters, a trailing dot, a colon and a port
        return MALFORMED
    try:
        text = raw.decode("ascii").lower()
    except UnicodeDecodeError:
        return MALFORMED  # an unencoded international name; a registered one arrives as xn--…
    if text.startswith("["):
        return _bracketed(text, loopback)
    name, colon, digits = text.partition(":")
    port: int | None = None
    if colon:
        if not _PORT.fullmatch(colon + digits) or not 0 < int(digits) < 65536:
            return MALFORMED
        port = int(digits)
    name = name.removesuffix(".")
    if not name or len(name) > 253:
        return MALFORMED
    if name == base_host:
        return Host(Kind.PLATFORM, name, port)
    if name.endswith("." + base_host):
        return _below(name[: -len(base_host) - 1], name, port)
    if loopback and name in ("localhost", "127.0.0.1"):
        return Host(Kind.PLATFORM, name, port)
    if not all(is_label(part) for part in name.split(".")):
        return MALFORMED
    return Host(Kind.CUSTOM if is_domain(name) else Kind.UNKNOWN, name, port)


def _below(rest: str, name: str, port: int | None) -> Host:
    labels = rest.split(".")
    if not all(is_label(part) for part in labels):
        return MALFORMED
    if len(labels) > 1:
        return Host(Kind.UNKNOWN, name, port)
    if rest in RESERVED_LABELS:
        return Host(Kind.PLATFORM, name, port)
    return Host(Kind.GURU, rest, port)


def _bracketed(text: str, loopback: bool) -> Host:
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
    return Host(Kind.PLATFORM if loopback and parsed.is_loopback else Kind.UNKNOWN, str(parsed), port)
