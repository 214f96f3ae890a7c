"""The POST of a mail program whose user unsubscribes (RFC 8058)."""

from __future__ import annotations

from fastapi import Request

from tenants.kit.errors import ApiError

MAX_BODY_BYTES = 2000


async def require_one_click(request: Request) -> None:
    """Refuse a POST without "List-Unsubscribe=One-Click", as a form or as form data. It needs no sign-in."""
    body = await request.body()
    is_short = len(body) <= MAX_BODY_BYTES
    if not (is_short and b"List-Unsubscribe" in body and b"One-Click" in body):
        raise ApiError(400, "bad_request", "This address is for mail programs. Please use the link in the email.")
