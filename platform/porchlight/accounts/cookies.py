"""The two cookies of a session: the secret one, and a mark that pages may read (DESIGN 7)."""

from __future__ import annotations

from fastapi import Request, Response

from porchlight.accounts.actions import SESSION_LIFE
from porchlight.parts import over_tls, session_cookie
from porchlight.settings import Settings
from tenants.host import Host, Kind

MARKER = "porchlight_signed_in"


def _domain(request: Request, settings: Settings) -> str | None:
    """The base host, so that guru sites receive the cookies; None for loopback addresses and gurus' own domains."""
    host: Host = request.scope["porchlight.host"]  # not the URL's: making one fails on a query that is no text
    below = host.kind is Kind.GURU or f".{host.name}".endswith(f".{settings.base_host}")
    return settings.base_host if below else None


def set_cookies(request: Request, response: Response, settings: Settings, secret: str) -> None:
    """Give the browser a session. The marker says only that there is one, so that pages need not ask in vain."""
    for name, value, hidden in ((session_cookie(request, settings), secret, True), (MARKER, "1", False)):
        response.set_cookie(
            name,
            value,
            max_age=int(SESSION_LIFE.total_seconds()),
            path="/",
            domain=_domain(request, settings),
            secure=over_tls(request, settings),
            httponly=hidden,
            samesite="lax",
        )


def clear_cookies(request: Request, response: Response, settings: Settings) -> None:
    """Take both cookies away."""
    for name, hidden in ((session_cookie(request, settings), True), (MARKER, False)):
        response.delete_cookie(
            name,
            path="/",
            domain=_domain(request, settings),
            secure=over_tls(request, settings),
            httponly=hidden,
            samesite="lax",
        )
