"""Forwarded headers of trusted proxies. They set scheme and client address, never the host (docs/tenancy.md)."""

from __future__ import annotations

from tenants.http.asgi import Scope


def apply_proxy_headers(scope: Scope, headers: dict[bytes, bytes]) -> None:
    """Set the scope's scheme and client from X-Forwarded-Proto and the last address of X-Forwarded-For.

    Call it only for requests that come from a trusted proxy.
    """
    if (proto := headers.get(b"x-forwarded-proto")) is not None:
        scope["scheme"] = "https" if proto == b"https" else "http"
    if (forwarded := headers.get(b"x-forwarded-for")) is not None:
        scope["client"] = (forwarded.rsplit(b",", 1)[-1].strip().decode("latin-1"), 0)
