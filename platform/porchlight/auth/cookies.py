"""The cookies of a session: one with the secret, and a marker that scripts can read (docs/sign-in.md)."""

from __future__ import annotations

import hashlib
import secrets

from fastapi import Request, Response

from porchlight.auth.actions import SESSION_TTL
from porchlight.dependencies import is_secure, session_cookie
from porchlight.settings.environment import Settings
from tenants.tenancy.hosts import Host, HostKind

MARKER = "porchlight_signed_in"
SECRET_LENGTH = 43  # characters: 32 random bytes in URL-safe base64


def create_secret() -> str:
    """Return a new secret for a session cookie or a login handoff."""
    return secrets.token_urlsafe(32)


def hash_secret(secret: str) -> bytes:
    """Return the hash of a secret for the database. The secret is random, so a plain hash cannot be reversed."""
    return hashlib.sha256(secret.encode()).digest()


def _domain(request: Request, settings: Settings) -> str | None:
    """Return the base host, so that guru sites receive the cookies; None for loopback addresses and custom domains."""
    host: Host = request.scope["porchlight.host"]  # not request.url: that raises on a query string that is not UTF-8
    is_below_base_host = host.kind is HostKind.GURU or f".{host.name}".endswith(f".{settings.base_host}")
    return settings.base_host if is_below_base_host else None


def set_cookies(request: Request, response: Response, settings: Settings, secret: str) -> None:
    """Set both cookies. The marker tells scripts that there is a session, so that signed-out pages send no request."""
    for name, value, http_only in ((session_cookie(request, settings), secret, True), (MARKER, "1", False)):
        response.set_cookie(
            name,
            value,
            max_age=int(SESSION_TTL.total_seconds()),
            path="/",
            domain=_domain(request, settings),
            secure=is_secure(request, settings),
            httponly=http_only,
            samesite="lax",
        )


def clear_cookies(request: Request, response: Response, settings: Settings) -> None:
    """Delete both cookies."""
    for name, http_only in ((session_cookie(request, settings), True), (MARKER, False)):
        response.delete_cookie(
            name,
            path="/",
            domain=_domain(request, settings),
            secure=is_secure(request, settings),
            httponly=http_only,
            samesite="lax",
        )
