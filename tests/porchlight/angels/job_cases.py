"""Isolation cases of the jobs of Angel's List."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg

from tenants.kit import clock
from tenants.kit.ids import new_id
from tests.porchlight.factories import insert_row
from tests.porchlight.job_cases import JobCase

SERVICE = "handyman-services"
_DENVER = {"city": "Denver", "region": "Colorado", "latitude": 39.74, "longitude": -104.98}

Arguments = tuple[dict[str, Any], dict[str, Any]]


def _seed_user(conn: psycopg.Connection[Any]) -> UUID:
    user_id = new_id()
    email = f"{user_id.hex}@mail.example"
    insert_row(conn, "users", {"user_id": user_id, "firebase_uid": user_id.hex, "email": email, "email_verified": True})
    insert_row(conn, "profiles", {"user_id": user_id, "handle": user_id.hex[-20:]})
    return user_id


def seed_angel(conn: psycopg.Connection[Any], **columns: Any) -> UUID:
    """Create an active angel in Denver, who helps on every day."""
    user_id = _seed_user(conn)
    angel = {"rate_cents": 3000, "days": [1, 2, 3, 4, 5, 6, 7], "radius_miles": 20}
    insert_row(conn, "angels", {"user_id": user_id, "service_id": SERVICE} | angel | _DENVER | columns)
    return user_id


def seed_need(conn: psycopg.Connection[Any], **columns: Any) -> tuple[UUID, UUID]:
    """Create a need and return its owner and its id."""
    user_id, need_id = _seed_user(conn), new_id()
    today = clock.now().date()
    need = {
        "user_id": user_id, "id": need_id, "service_id": SERVICE, "title": "A fence", "description": "It leans.",
        "wanted_from": today, "wanted_until": today + timedelta(days=6), "hours": 2, "idempotency_key": "need",
        "expires_at": clock.now() + timedelta(days=7),
    }  # fmt: skip
    insert_row(conn, "needs", need | _DENVER | columns)
    return user_id, need_id


def _seed_offer(conn: psycopg.Connection[Any], need_id: UUID) -> tuple[UUID, UUID]:
    """Create an offer for a need and return its author and its id."""
    user_id, offer_id = seed_angel(conn), new_id()
    offer = {"user_id": user_id, "id": offer_id, "need_id": need_id, "price_cents": 8000, "message": "I can come."}
    insert_row(conn, "need_offers", offer)
    return user_id, offer_id


def _arguments(conn: psycopg.Connection[Any], owner: UUID, **args: UUID) -> Arguments:
    values = {name: str(value) for name, value in args.items()}
    return values | {"user_id": str(owner)}, values | {"user_id": str(_seed_user(conn))}


def seed_posted_need(conn: psycopg.Connection[Any]) -> Arguments:
    """Create an open need for a new angel, who was asked by name."""
    owner, need_id = seed_need(conn, asked_user_id=seed_angel(conn))
    return _arguments(conn, owner, need_id=need_id)


def _seed_received_offer(conn: psycopg.Connection[Any]) -> Arguments:
    _, need_id = seed_need(conn)
    author, offer_id = _seed_offer(conn, need_id)
    return _arguments(conn, author, offer_id=offer_id)


def _seed_expired_need(conn: psycopg.Connection[Any]) -> Arguments:
    owner, need_id = seed_need(conn, status="expired")
    _seed_offer(conn, need_id)
    return _arguments(conn, owner, need_id=need_id)


def seed_completed_need(conn: psycopg.Connection[Any], angel: UUID | None = None) -> Arguments:
    """Create a need that an angel completed with a rating of 4; by default a new angel."""
    angel = angel or seed_angel(conn)
    accepted = {"accepted_offer_id": new_id(), "accepted_user_id": angel}
    owner, need_id = seed_need(conn, status="done", rating=4, **accepted)
    return _arguments(conn, owner, need_id=need_id)


CASES = (
    JobCase("angels:notify_angels", seed_posted_need),
    JobCase("angels:notify_owner", _seed_received_offer),
    JobCase("angels:notify_result", _seed_expired_need),
    JobCase("angels:update_counters", seed_completed_need),
)
