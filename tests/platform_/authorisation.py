"""Who may call what: a row for every operation of the OpenAPI document.

**To add a row** for a new operation, write a line into `ROWS` under its operation id:

    "read_lead": row("401 404 200 200 401 401", "401 404 404 404 401 401", body={...}, lead_id="lead"),

- The first six statuses answer the six `CALLERS`, in their order, each on something of **their own**. Who owns no guru
  (the neighbor) is given a stranger's where the thing belongs to a guru; anonymous callers and the admin are given
  things of a guru who is neither of the others.
- The second six answer the same callers on a **stranger's** thing; leave them out when the address and the body name
  nothing. Every refusal there is also held against the answer for something that does not exist: they must not differ.
- Keyword arguments say which of `THINGS` stands in the path (`lead_id="lead"` fills {lead_id}); a path parameter that
  is itself called like a thing needs none. `THINGS` make what they name when they are asked for: add yours below.
- `body` is the JSON that is sent, or a function of the being that makes it; without one nothing is sent. A body that is
  refused (422) after the caller was let in is an answer like any other: it shows that the caller was let in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

from porchlight.accounts.door import secret_hash
from tenants.kit.ids import new_id
from tests.platform_.world import Told, insert

CALLERS = ("anonymous", "neighbor", "guru", "other guru", "admin", "suspended")
KEY = "correct-horse-battery-staple-0123456789"


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


def _words(_being: Being) -> dict[str, Any]:
    """A message like no other: what is sent twice is answered as a resend."""
    return {"name": "Ada", "email": "ada@example.com", "message": f"Hello {new_id()}", "consent": True}


def _question(_being: Being) -> dict[str, Any]:
    return {"name": "Ada", "email": "ada@example.com", "subject": "Hi", "message": f"Hello {new_id()}"}


def _wizard(_being: Being) -> dict[str, Any]:
    return {"displayName": "Ada", "city": "Denver", "zip": "80202", "bio": "I bake."}


def _address(_being: Being) -> dict[str, Any]:
    return {"subdomain": f"moved-{new_id().hex[-12:]}"}


def _report(being: Being) -> dict[str, Any]:
    return {"kind": "site", "name": being.guru.label, "reason": "spam", "details": str(new_id())}


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
    "image": _image,
    "note": _note,
    "ring": lambda _conn, _being: str(new_id()),
    "angel service": lambda _conn, _being: ANGEL_SERVICE,
    "token": lambda _conn, _being: new_id().hex,
}


@dataclass(frozen=True)
class Row:
    """What an operation answers. `foreign` is empty when the operation names nothing."""

    own: tuple[int, ...]
    foreign: tuple[int, ...]
    body: Any
    content: tuple[str, bytes] | None
    query: str
    names: Mapping[str, str]


def row(
    own: str,
    foreign: str = "",
    /,
    *,
    body: Any = None,
    content: tuple[str, bytes] | None = None,
    query: str = "",
    **names: str,
) -> Row:
    """A row; see the head of this file."""
    statuses = tuple(tuple(int(status) for status in text.split()) for text in (own, foreign))
    if len(statuses[0]) != len(CALLERS) or len(statuses[1]) not in (0, len(CALLERS)):
        raise ValueError(f"a row has {len(CALLERS)} statuses, one for each of: {', '.join(CALLERS)}")
    return Row(*statuses, body, content, query, names)


OPEN = "200 200 200 200 200 200"
STAFF = "401 401 401 401 200 401"
REFUSED_WORDS = "401 422 422 422 401 401"
GURUS = "401 404 200 200 401 401"
GURUS_WORDS = "401 404 422 422 401 401"
NOT_THEIRS = "401 404 404 404 401 401"
STAFF_ON_ANY = (STAFF, STAFF)
SIGNED_IN = "401 200 200 200 401 401"
CREATED = "201 201 201 201 201 201"
REASON = {"reason": "because"}
POST = {"title": "Bread", "content": "Flour and water"}
SERVICE = {"name": "A lesson", "priceCents": 4000, "durationMinutes": 60}

ROWS: dict[str, Row] = {
    # A guru's site
    "guru_home": row(OPEN, OPEN),
    "guru_posts": row(OPEN, OPEN),
    "guru_post": row(OPEN, OPEN),
    "guru_services": row(OPEN, OPEN),
    "leave_lead": row(CREATED, CREATED, body=_words),
    # The main platform
    "feature_flags": row(OPEN),
    "config": row(OPEN),
    "front_page": row(OPEN),
    "plans": row(OPEN),
    "reverse_geocode": row(OPEN, query="latitude=39.7&longitude=-105"),
    "search_places": row(OPEN, query="q=Denver"),
    "contact": row(CREATED, body=_question),
    "skills": row(OPEN),
    "skill_categories": row(OPEN),
    "skill_suggestions": row(OPEN, query="q=gu"),
    "assess_risk": row(OPEN, body={"skillCategory": "cooking", "activityDescription": "Bread"}),
    "angels": row(OPEN),
    # Accounts
    "session": row("200 200 200 200 200 401"),
    "open_session": row("422 422 422 422 422 422", body={}),
    "end_session": row(OPEN),
    "sessions": row(SIGNED_IN),
    "end_all_sessions": row(SIGNED_IN),
    "end_one_session": row(SIGNED_IN, "401 404 404 404 401 401", session_id="session"),
    "register": row(SIGNED_IN, body={}),
    "profile": row(SIGNED_IN),
    "update_profile": row(SIGNED_IN, body={"bio": "Hello"}),
    "put_photo": row("401 422 422 422 401 401", content=("image/png", b"none")),
    "delete_photo": row(SIGNED_IN),
    "export_account": row(SIGNED_IN),
    "change_email": row("401 202 202 202 401 401", body={"email": "new@example.com"}),
    "delete_account": row(SIGNED_IN),
    "public_profile": row("200 200 200 200 200 404", OPEN),
    "photo": row(OPEN, OPEN, name="photo"),
    # Becoming a guru
    "onboarding_status": row(SIGNED_IN),
    "onboarding_profile": row(SIGNED_IN),
    "save_onboarding_profile": row(SIGNED_IN, body=_wizard),
    "save_onboarding_draft": row(SIGNED_IN, body={"city": "Den"}),
    "save_onboarding_categories": row(SIGNED_IN, body={"categories": ["creative"]}),
    "onboarding_requirements": row(SIGNED_IN),
    "check_subdomain": row(SIGNED_IN, query="name=ada-bakes"),
    "publish": row("401 409 409 409 401 401", body={}),
    "unpublish": row("401 404 200 200 401 401"),
    "rename_site": row("401 404 200 200 401 401", body=_address),
    # A guru's console
    "my_guru": row(SIGNED_IN),
    "guru_overview": row(GURUS),
    "guru_site": row(GURUS),
    "change_guru_site": row("401 404 409 409 401 401", body={"revision": "old", "tagline": "Hello"}),
    "preview_guru_site": row("401 404 201 201 401 401", body={"page": "/"}),
    "desk_posts": row(GURUS),
    "start_post": row("401 404 201 201 401 401", body=POST),
    "desk_post": row(GURUS, NOT_THEIRS, post_id="post"),
    "save_post": row(GURUS, NOT_THEIRS, post_id="post", body=POST | {"revision": 1, "status": "draft"}),
    "delete_post": row(GURUS, NOT_THEIRS, post_id="post"),
    "unpublish_post": row(GURUS, NOT_THEIRS, post_id="post"),
    "autosave_post": row(GURUS, NOT_THEIRS, post_id="post", body=POST | {"revision": 1}),
    "discard_changes": row(GURUS, NOT_THEIRS, post_id="post", query="revision=1"),
    "desk_images": row(GURUS),
    "upload_image": row(GURUS_WORDS, content=("image/png", b"none")),
    "delete_image": row(GURUS, NOT_THEIRS, image_id="image"),
    "desk_services": row(GURUS),
    "add_service": row("401 404 201 201 401 401", body=SERVICE),
    "change_service": row(GURUS, NOT_THEIRS, service_id="service", body=SERVICE),
    "delete_service": row(GURUS, NOT_THEIRS, service_id="service"),
    "order_services": row(GURUS_WORDS, body={}),
    "desk_leads": row(GURUS),
    "export_leads": row(GURUS),
    "desk_lead": row(GURUS, NOT_THEIRS, lead_id="lead"),
    "sort_lead": row(GURUS, NOT_THEIRS, lead_id="lead", body={"status": "archived"}),
    "answer_lead": row("401 404 201 201 401 401", NOT_THEIRS, lead_id="lead", body={"body": "Hello"}),
    "note_lead": row("401 404 201 201 401 401", NOT_THEIRS, lead_id="lead", body={"body": "Hello"}),
    "delete_note": row(GURUS, NOT_THEIRS, lead_id="lead", note_id="note"),
    # Documents and payouts
    "my_documents": row(SIGNED_IN),
    "submit_document": row(REFUSED_WORDS, body={}),
    "upload_document_file": row(REFUSED_WORDS, content=("application/pdf", b"none"), query="name=a.pdf"),
    "pending_documents": row(STAFF),
    "open_document": row("410 410 410 410 410 410", "410 410 410 410 410 410"),
    "documents_of": row(*STAFF_ON_ANY, uid="user"),
    "review_document": row(*STAFF_ON_ANY, uid="user", id="document", body={"status": "rejected", "reason": "Blurred"}),
    "note_opening": row(*STAFF_ON_ANY, uid="user", id="document"),
    "connect_status": row(SIGNED_IN),
    "connect_start": row("401 503 503 503 401 401"),
    "connect_login": row("401 409 409 409 401 401"),
    "stripe_webhook": row("400 400 400 400 400 400", body={}),
    # Skills, matches and search
    "own_skills": row(SIGNED_IN),
    "offer_skill": row(REFUSED_WORDS, body={}),
    "describe_offer": row(SIGNED_IN, NOT_THEIRS, offer_id="offer", body={}),
    "withdraw_offer": row(SIGNED_IN, NOT_THEIRS, offer_id="offer"),
    "want_skill": row(REFUSED_WORDS, body={}),
    "drop_want": row(SIGNED_IN, NOT_THEIRS, want_id="want"),
    "set_area": row(SIGNED_IN, body={"latitude": 39.7, "longitude": -105.0}),
    "forget_area": row(SIGNED_IN),
    "skill_listing": row("200 200 200 200 200 404", OPEN, listing_id="offer"),
    "matches": row(SIGNED_IN, NOT_THEIRS, user_id="user"),
    "openings": row(SIGNED_IN),
    "swap_rings": row(SIGNED_IN),
    "answer_ring": row(NOT_THEIRS, NOT_THEIRS, ring_id="ring", body={"answer": "accepted"}),
    "search": row(OPEN, query="q=guitar"),
    "saved_searches": row(SIGNED_IN),
    "save_search": row("401 201 201 201 401 401", body={"q": "guitar"}),
    "drop_search": row(SIGNED_IN, NOT_THEIRS, search_id="search"),
    # Angel's List
    "service_angels": row("200 200 200 200 200 401", "200 200 200 200 200 401", service_id="angel service"),
    "own_angel_services": row(SIGNED_IN),
    "help_with": row(REFUSED_WORDS, REFUSED_WORDS, service_id="angel service", body={}),
    "stop_helping": row(NOT_THEIRS, NOT_THEIRS, service_id="angel service"),
    "propose_need": row(SIGNED_IN, body={}),
    "post_need": row(REFUSED_WORDS, body={}),
    "open_needs": row(SIGNED_IN),
    "own_needs": row(SIGNED_IN),
    "need": row(SIGNED_IN, SIGNED_IN, need_id="need"),
    "add_need_photo": row(REFUSED_WORDS, NOT_THEIRS, need_id="need", content=("image/png", b"none")),
    "withdraw_need": row(SIGNED_IN, NOT_THEIRS, need_id="need"),
    "accept_need_offer": row(NOT_THEIRS, NOT_THEIRS, need_id="need", body={"offerId": str(new_id())}),
    "complete_need": row("401 409 409 409 401 401", NOT_THEIRS, need_id="need", body={"rating": 5}),
    "need_photo": row(SIGNED_IN, SIGNED_IN, name="need photo"),
    "make_need_offer": row(
        "401 409 409 409 401 401", "401 201 201 201 401 401",
        need_id="need", body={"priceCents": 4000, "message": "I can"}
    ),
    "own_need_offers": row(SIGNED_IN),
    "withdraw_need_offer": row("401 409 409 409 401 401", NOT_THEIRS, offer_id="need offer"),
    # Gurus' own domains
    "walk_to_domain": row("303 303 303 303 303 401"),
    "arrive_at_domain": row("404 404 404 404 404 404"),
    # Reports
    "leave_report": row("201 201 201 201 201 401", "201 201 201 201 201 401", body=_report),
    # Staff
    "admin_login": row(OPEN, body={"key": KEY}),
    "admin_ping": row(STAFF),
    "admin_logout": row(STAFF),
    "admin_dashboard": row(STAFF),
    "admin_sites": row(STAFF),
    "admin_site": row(*STAFF_ON_ANY, label="subdomain"),
    "suspend_site": row(*STAFF_ON_ANY, label="subdomain", body=REASON),
    "restore_site": row(*STAFF_ON_ANY, label="subdomain"),
    "export_site": row(*STAFF_ON_ANY, label="subdomain"),
    "admin_audit": row(STAFF),
    "audit_state": row(STAFF),
    "admin_feature_flags": row(STAFF),
    "admin_users": row(STAFF),
    "admin_user": row(*STAFF_ON_ANY, user_id="user"),
    "suspend_user": row(*STAFF_ON_ANY, user_id="user", body=REASON),
    "restore_user": row(*STAFF_ON_ANY, user_id="user"),
    "admin_sessions": row(STAFF),
    "admin_listings": row(STAFF),
    "admin_listing": row(*STAFF_ON_ANY, listing_id="offer"),
    "hide_listing": row(*STAFF_ON_ANY, listing_id="offer", body=REASON),
    "show_listing": row(*STAFF_ON_ANY, listing_id="offer"),
    "begin_impersonation": row(*STAFF_ON_ANY, label="subdomain", body=REASON),
    "impersonation": row(STAFF),
    "raise_impersonation": row("401 401 401 401 404 401", body=REASON),
    "end_impersonation": row(STAFF),
    "admin_reports": row(STAFF),
    "admin_report": row(*STAFF_ON_ANY, report_id="report"),
    "resolve_report": row(*STAFF_ON_ANY, report_id="report", body={"outcome": "dismissed"}),
}  # fmt: skip
