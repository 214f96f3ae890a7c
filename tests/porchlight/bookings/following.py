"""Requests about the rest of a series: a session of it, and those after it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from tenants.kit import clock
from tests.porchlight.angels.users import ApiUser
from tests.porchlight.bookings.series import ZONE, weekly
from tests.porchlight.factories import SeededGuru


def shifted(start: str, *, days: int = 0, hours: int = 0) -> str:
    """Return a start that is later by days and hours of the guru's wall time."""
    moved = datetime.fromisoformat(start).astimezone(ZONE) + timedelta(days=days, hours=hours)
    return clock.to_iso8601(moved.astimezone(UTC))


async def weekly_later(web: httpx.AsyncClient, guru: SeededGuru, count: int) -> list[str]:
    """Return weekly starts from a week after the first free one on, which can still be moved."""
    return (await weekly(web, guru, count + 1))[1:]


async def get_following(user: ApiUser, booking_id: str, start: str = "") -> dict[str, Any]:
    """Return the rest of a series; with a start, where it would move."""
    params = {"startsAt": start} if start else {}
    found: dict[str, Any] = await user.get(f"/api/bookings/{booking_id}/following", **params)
    return found


async def cancel_following(user: ApiUser, booking_id: str, digest: str, reason: str = "") -> httpx.Response:
    body = {"termsDigest": digest, "reason": reason}
    return await user.request("POST", f"/api/bookings/{booking_id}/following/cancellation", json=body)


async def move_following(
    user: ApiUser, booking_id: str, start: str, following: dict[str, Any], ids: list[str] | None = None
) -> httpx.Response:
    """Move the sessions with these ids, by default all of the rest."""
    chosen = ids or [one["id"] for one in following["sessions"]]
    body = {"startsAt": start, "bookings": chosen, "termsDigest": following["digest"]}
    return await user.request("POST", f"/api/bookings/{booking_id}/following/move", json=body)


async def series_of(user: ApiUser, series_id: str) -> list[tuple[str, str]]:
    """Return the status and the start of each session of a series."""
    found = await user.get(f"/api/bookings/series/{series_id}")
    return [(one["status"], one["startsAt"]) for one in found["bookings"]]
