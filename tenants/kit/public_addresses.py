"""Which network addresses the product may connect to when a person names the server: those of the public internet."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_EMBEDDED_LAST = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"), IPv6Network("::/96"))  # NAT64, RFC 4291
_LOCAL_NAT64 = _EMBEDDED_LAST[1]  # may lead anywhere
# All other IPv6 addresses that are in use on the internet. The standard library also counts what is not assigned, and
# the former site-local ones, as global.
_GLOBAL_UNICAST = IPv6Network("2000::/3")
# Documentation (RFC 9637), relays of 6to4 (RFC 7526) and protocols (RFC 6890), which the standard library counts as
# global, at least in part.
_NOT_PUBLIC = (IPv6Network("3fff::/20"), IPv4Network("192.88.99.0/24"), IPv4Network("192.0.0.0/24"))
_ISATAP = frozenset({0x0000_5EFE, 0x0200_5EFE})  # before an IPv4 address, after any prefix (RFC 5214)
_LOW = 0xFFFF_FFFF


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
        and (isinstance(one, IPv4Address) or one in _GLOBAL_UNICAST)
        for one in _within(address)
    )


def _within(address: IPv4Address | IPv6Address) -> Iterator[IPv4Address | IPv6Address]:
    """Yield the address, or the IPv4 address that it represents. 6to4 and ISATAP count as both."""
    if isinstance(address, IPv4Address):
        yield address
        return
    last = IPv4Address(int(address) & _LOW)
    if address.ipv4_mapped is not None:
        yield address.ipv4_mapped
    elif any(address in network for network in _EMBEDDED_LAST):
        yield last
        if address in _LOCAL_NAT64:
            yield IPv4Address("10.0.0.0")
    else:
        yield address
        if address.sixtofour is not None:
            yield address.sixtofour
        if address.teredo is not None:
            yield from address.teredo
        if int(address) >> 32 & _LOW in _ISATAP:
            yield last
