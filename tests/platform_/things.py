"""What the table of authorisation names in paths: each made anew for whoever asks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

from porchlight.accounts.door import secret_hash
from tenants.kit.ids import new_id
from tests.platform_.world import Told, insert


@dataclass(frozen=True)
class Being:
    """Somebody with a guru or, as a neighbor, with a stranger's in its place."""

    user_id: UUID
    handle: str
    guru: Told


Connection = psycopg.Connection[Any]
Thing = Callable[[Connection, Being], str]


def _session(conn: Connection, being: Being) -> str:
    made = new_id()
    now = datetime.now(UTC)
    row = {
        "user_id": being.user_id, "id": made, "secret_hash": secret_hash(made.hex), "authenticated_at": now,
        "token_issued_at": now, "expires_at": now + timedelta(days=1),
    }  # fmt: skip
    insert(conn, "sessions", row)
    return str(made)


def _photo(conn: Connection, being: Being) -> str:
    made = new_id()
    insert(conn, "photos", {"user_id": being.user_id, "id": made, "body": b"webp"})
    return f"{made}.webp"


def _offer(conn: Connection, being: Being) -> str:
    """A skill the being teaches, as the profile tells it."""
    skill = {"name": f"Skill {new_id().hex[-8:]}", "level": None}
    conn.execute("UPDATE profiles SET skills_offered = %s WHERE user_id = %s", [Jsonb([skill]), being.user_id])
    found = conn.execute("SELECT id FROM skill_offers WHERE user_id = %s", [being.user_id]).fetchone()
    assert found is not None
    return str(found[0])


def _reported(conn: Connection, being: Being) -> str:
    """A report on the being's profile."""
    made = new_id()
    row = {
        "id": made, "subject_kind": "profile", "subject_id": being.user_id, "subject_name": being.handle,
        "subject_title": "Somebody", "reason": "spam", "address_hash": b"", "idempotency_key": made.hex, "digest": b"",
    }  # fmt: skip
    insert(conn, "reports", row)
    return str(made)


def _want(conn: Connection, being: Being) -> str:
    skill = {"name": f"Skill {new_id().hex[-8:]}", "level": None}
    conn.execute("UPDATE profiles SET skills_wanted = %s WHERE user_id = %s", [Jsonb([skill]), being.user_id])
    found = conn.execute("SELECT id FROM skill_wants WHERE user_id = %s", [being.user_id]).fetchone()
    assert found is not None
    return str(found[0])


def _row_of(table: str, **columns: Any) -> Thing:
    """Makes a row of the being's own in a table, with an id; columns may be functions of the being."""

    def make(conn: Connection, being: Being) -> str:
        made = new_id()
        given = {name: value(being) if callable(value) else value for name, value in columns.items()}
        owner = {} if "tenant_id" in given else {"user_id": being.user_id}
        insert(conn, table, owner | {"id": made} | given)
        return str(made)

    return make


def _of_guru(being: Being) -> UUID:
    return being.guru.id


def _unique(_being: Being) -> str:
    return new_id().hex


_document = _row_of("documents", type="license", provider="The city", status="pending")
_search = _row_of("saved_searches", words=_unique)


ANGEL_SERVICE = "handyman-services"  # of the catalogue, which every database has


def _need(conn: Connection, being: Being) -> str:
    """A need the being posted, for the next days."""
    today = datetime.now(UTC).date()
    return _row_of(
        "needs",
        service_id=ANGEL_SERVICE, title="Walk my dog", description="Twice a day", wanted_from=today,
        wanted_until=today + timedelta(days=3), hours=2, city="Denver", region="Colorado", latitude=39.7,
        longitude=-105.0, idempotency_key=new_id().hex, expires_at=datetime.now(UTC) + timedelta(days=9),
    )(conn, being)  # fmt: skip


_image = _row_of("site_images", tenant_id=_of_guru, width=1, height=1, size=4, data=b"webp")
_note = _row_of("lead_notes", tenant_id=_of_guru, lead_id=lambda being: being.guru.leads[0], body="A note")


def _need_offer(conn: Connection, being: Being) -> str:
    """An offer the being made on a need that somebody else posted."""
    return _row_of("need_offers", need_id=UUID(_need(conn, being)), price_cents=4000, message="I can")(conn, being)


def _need_photo(conn: Connection, being: Being) -> str:
    made = _row_of("need_photos", need_id=UUID(_need(conn, being)), position=0, body=b"webp")(conn, being)
    return f"{made}.webp"


def _listing_photo(conn: Connection, being: Being) -> str:
    offer = UUID(_offer(conn, being))
    drawn = {"width": 1, "height": 1, "body": b"webp", "small": b"webp"}
    return f"{_row_of('listing_photos', offer_id=offer, position=0, **drawn)(conn, being)}.webp"


def _risk_review(conn: Connection, _being: Being) -> str:
    """An activity that nobody has rated: nobody's, and of staff's concern alone."""
    made = new_id()
    conn.execute("SELECT app.ask_risk_review(%s, '', %s, %s)", [made, made.hex, made.bytes])
    return str(made)


# What a path may name, made anew for each caller.
THINGS: dict[str, Thing] = {
    "subdomain": lambda _conn, being: being.guru.label,
    "slug": lambda _conn, being: being.guru.slugs[0],
    "handle": lambda _conn, being: being.handle,
    "user": lambda _conn, being: str(being.user_id),
    "lead": lambda _conn, being: str(being.guru.leads[0]),
    "post": lambda _conn, being: str(being.guru.posts[0]),
    "service": lambda _conn, being: str(being.guru.services[0]),
    "session": _session,
    "photo": _photo,
    "report": _reported,
    "offer": _offer,
    "want": _want,
    "document": _document,
    "search": _search,
    "need": _need,
    "need offer": _need_offer,
    "need photo": _need_photo,
    "listing photo": _listing_photo,
    "risk review": _risk_review,
    "image": _image,
    "note": _note,
    "ring": lambda _conn, _being: str(new_id()),
    "angel service": lambda _conn, _being: ANGEL_SERVICE,
    "token": lambda _conn, _being: new_id().hex,
}
