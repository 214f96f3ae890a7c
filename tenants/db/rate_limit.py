"""Rate limits by network address. Only keyed hashes of addresses are stored."""

from __future__ import annotations

import hmac
import ipaddress
from dataclasses import dataclass

RETRY_AFTER_SECONDS = 600  # sent with a 429
_IPV6_PREFIX_BITS = 64  # an IPv6 network of this size counts as one address


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The maximum number of rows per hour: from one address, and from all of them."""

    per_address: int
    total: int


UNLIMITED = RateLimit(1_000_000_000, 1_000_000_000)


def hash_address(secret: bytes, address: str, *, purpose: str = "") -> bytes:
    """Return a keyed hash of a network address. Hashes for different purposes cannot be compared."""
    prefix = purpose.encode() + b"\0" if purpose else b""
    return hmac.digest(secret, prefix + _network(address).encode(), "sha256")[:16]


def _network(address: str) -> str:
    if ":" not in address:
        return address
    try:
        return str(ipaddress.IPv6Network((address.partition("%")[0], _IPV6_PREFIX_BITS), strict=False))
    except ValueError:
        return address


def rate_limit_sql(table: str) -> str:
    """Return a SQL expression: whether the tenant's rate limit allows another row in `table`.

    It is part of the statement that inserts the row, and calls `app.rate_limit`, as the SQL functions that create other
    limited rows do. `table` is a literal, never input; it needs `tenant_id`, `address_hash` and `created_at`.
    Parameters: `tenant`, `address`, `now`, `per_address` and `per_tenant`. A NULL limit allows every row.
    """
    if not table.isidentifier():
        raise ValueError("the table must be an identifier")
    return (
        f"app.rate_limit('{table}', %(tenant)s, %(address)s, %(now)s, %(per_address)s::bigint, %(per_tenant)s::bigint)"
    )
