"""Which addresses of the network a push service may have: a browser names its endpoint, so anyone can name any host."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

from tenants.kit.public_addresses import is_public

MAX_ENDPOINT_LENGTH = 1000


class UnreachableHost(OSError):
    """The host has no address on the public internet."""


def endpoint_problem(endpoint: str) -> str:
    """Return why a text is no endpoint of a push service, for the person, or ""."""
    wrong = "That isn't the address of a push service."
    if len(endpoint) > MAX_ENDPOINT_LENGTH or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
        return wrong
    try:
        parts = urlsplit(endpoint)
        port = parts.port
    except ValueError:
        return wrong
    host = parts.hostname or ""
    if parts.scheme != "https" or parts.username is not None or port == 0 or "." not in host or parts.fragment:
        return wrong
    return wrong if _is_number(host) else ""


def global_address(host: str, port: int) -> str:
    """Return an address of a host, all of whose addresses are on the public internet. Raises UnreachableHost.

    The caller connects to this address and does not look the host up again: it could have another one by then.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UnreachableHost("the host has no address") from error
    addresses = [str(sockaddr[0]) for *_, sockaddr in found]
    if not addresses or not all(map(is_public, addresses)):
        raise UnreachableHost("the host is not on the public internet")
    return addresses[0]


def _is_number(host: str) -> bool:
    """Return whether a host is an address. The last label of a name is never a number (RFC 3696, 2)."""
    last = host.rstrip(".").rpartition(".")[2]
    return ":" in host or last.isdigit() or last.lower().startswith("0x")
