"""Rate limits by network address. Only keyed hashes of addresses are stored."""

from __future__ import annotations

import hmac
import ipaddress
from dataclasses import dataclass
from datetime import timedelta

FLOOD_PERIOD = timedelta(hours=1)
RETRY_AFTER_SECONDS = 600  # sent with a 429
_IPV6_PREFIX_BITS = 64  # an IPv6 network of this size counts as one address
_SHARED_IPV6_PREFIX_BITS = 48  # its addresses have one share in a flood


@dataclass(frozen=True, slots=True)
class FloodLimit:
    """The maximum number of rows per FLOOD_PERIOD of a form that visitors can flood.

    From `flood_from` rows on, every sender solves a proof of work. `total` is no share of honest senders: it bounds
    what a flood can add to the database.
    """

    per_address: int
    per_network: int
    flood_from: int
    total: int


@dataclass(frozen=True, slots=True)
class Sender:
    """Keyed hashes of a sender's network address and of its network (IPv4 /24, IPv6 /48)."""

    address_hash: bytes
    network_hash: bytes


def hash_sender(secret: bytes, address: str, *, purpose: str = "") -> Sender:
    """Return the hashes of a client's network address."""
    network = _shared_network(address)
    return Sender(
        hash_address(secret, address, purpose=purpose), hash_address(secret, network, purpose=f"{purpose} network")
    )


def hash_address(secret: bytes, address: str, *, purpose: str = "") -> bytes:
    """Return a keyed hash of a network address. Hashes for different purposes cannot be compared."""
    prefix = purpose.encode() + b"\0" if purpose else b""
    return hmac.digest(secret, prefix + _network(address).encode(), "sha256")[:16]


def _network(address: str) -> str:
    return _ipv6_network(address, _IPV6_PREFIX_BITS) if ":" in address else address


def _shared_network(address: str) -> str:
    if ":" not in address:
        return address.rpartition(".")[0] or address  # an IPv4 /24, without the cost of parsing
    return _ipv6_network(address, _SHARED_IPV6_PREFIX_BITS)


def _ipv6_network(address: str, prefix_bits: int) -> str:
    try:
        return str(ipaddress.IPv6Network((address.partition("%")[0], prefix_bits), strict=False))
    except ValueError:
        return address


def flood_limit_sql(table: str) -> str:
    """Return a SQL expression: whether the tenant's flood limit allows another row in `table`.

    It is part of the statement that inserts the row, and calls `app.flood_limit`. Its value is `open`, `unproven` or
    `limited`. `table` is a literal, never input; it needs `tenant_id`, `address_hash`, `network_hash` and `created_at`.
    The parameters are those of `flood_limit_params`, `tenant`, `address`, `network` and `now`.
    """
    if not table.isidentifier():
        raise ValueError("the table must be an identifier")
    return (
        f"app.flood_limit('{table}', %(tenant)s, %(address)s, %(network)s, %(now)s - %(period)s, %(is_proven)s,"
        " %(per_address)s::bigint, %(per_network)s::bigint, %(flood_from)s::bigint, %(total)s::bigint)"
    )


def flood_limit_params(limit: FloodLimit | None, *, is_proven: bool) -> dict[str, int | bool | timedelta | None]:
    """Return the parameters of a flood limit. `limit` None allows every row."""
    return {
        "is_proven": is_proven,
        "period": FLOOD_PERIOD,
        "per_address": limit.per_address if limit else None,
        "per_network": limit.per_network if limit else None,
        "flood_from": limit.flood_from if limit else None,
        "total": limit.total if limit else None,
    }
