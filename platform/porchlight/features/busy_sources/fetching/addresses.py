"""Which network addresses the product may connect to when a person names the server: those of the public internet."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_EMBEDDED_LAST = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"), IPv6Network("::/96"))  # NAT64, RFC 4291
# Documentation (RFC 9637) and relays of 6to4 (RFC 7526), which the standard library counts as global.
_NOT_PUBLIC = (IPv6Network("3fff::/20"), IPv4Network("192.88.99.0/24"))


def is_public(text: str) -> bool:
    """Return whether an address, and each that is written within it, is of the public internet."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return all(
        one.is_global
        and not (one.is_multicast or one.is_reserved or one.is_unspecified)
        and not any(one in network for network in _NOT_PUBLIC)
        for one in _within(address)
    )


def _within(address: IPv4Address | IPv6Address) -> Iterator[IPv4Address | IPv6Address]:
    """Yield the address, or the IPv4 address that it represents. 6to4 counts as both."""
    if isinstance(address, IPv4Address):
        yield address
    elif address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    elif any(address in network for network in _EMBEDDED_LAST):
        yield IPv4Address(int(address) & 0xFFFFFFFF)
        # The prefix of local networks may lead anywhere.
        if address in _EMBEDDED_LAST[1]:
            yield IPv4Address("10.0.0.0")
    else:
        yield address
        if address.sixtofour is not None:
            yield address.sixtofour
        if address.teredo is not None:
            yield from address.teredo
