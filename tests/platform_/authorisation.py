"""Who may call what: a row for every operation of the OpenAPI document.

**To add a row** for a new operation, write a line into `ROWS` under its operation id:

    "read_lead": row("401 404 200 200 401 401", "401 404 404 404 401 401", body={...}, lead_id="lead"),

- The first six statuses answer the six `CALLERS`, in their order, each on something of **their own**. Who owns no guru
  (the neighbor) is given a stranger's where the thing belongs to a guru; anonymous callers and the admin are given
  things of a guru who is neither of the others.
- The second six answer the same callers on a **stranger's** thing; leave them out when the address and the body name
  nothing. Every refusal there is also held against the answer for something that does not exist: they must not differ.
- Keyword arguments say which of `THINGS` stands in the path (`lead_id="lead"` fills {lead_id}); a path parameter that
  is itself called like a thing needs none. `THINGS` make what they name when they are asked for: add yours in
  things.py.
- `body` is the JSON that is sent, or a function of the being that makes it; without one nothing is sent. A body that is
  refused (422) after the caller was let in is an answer like any other: it shows that the caller was let in.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tenants.kit.ids import new_id
from tests.platform_.things import Being

CALLERS = ("anonymous", "neighbor", "guru", "other guru", "admin", "suspended")
KEY = "correct-horse-battery-staple-0123456789"


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
    "add_listing_photo": row(REFUSED_WORDS, NOT_THEIRS, offer_id="offer", content=("image/png", b"none")),
    "arrange_listing_photos": row(SIGNED_IN, NOT_THEIRS, offer_id="offer", body={"photos": []}),
    "remove_listing_photo": row(NOT_THEIRS, NOT_THEIRS, offer_id="offer", photo_id="offer"),
    "listing_photo": row("200 200 200 200 200 401", "200 200 200 200 200 401", name="listing photo"),
    "judge_draft": row(SIGNED_IN, body={"title": "Bread"}),
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
    "remove_need_photo": row(NOT_THEIRS, NOT_THEIRS, need_id="need", photo_id="need"),
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
    "admin_listing_photo": row(*STAFF_ON_ANY, name="listing photo"),
    "hide_listing": row(*STAFF_ON_ANY, listing_id="offer", body=REASON),
    "show_listing": row(*STAFF_ON_ANY, listing_id="offer"),
    "risk_reviews": row(STAFF),
    "risk_review": row(*STAFF_ON_ANY, review_id="risk review"),
    "decide_risk": row(*STAFF_ON_ANY, review_id="risk review", body={"level": "low", "replaces": None}),
    "begin_impersonation": row(*STAFF_ON_ANY, label="subdomain", body=REASON),
    "impersonation": row(STAFF),
    "raise_impersonation": row("401 401 401 401 404 401", body=REASON),
    "end_impersonation": row(STAFF),
    "admin_reports": row(STAFF),
    "admin_report": row(*STAFF_ON_ANY, report_id="report"),
    "resolve_report": row(*STAFF_ON_ANY, report_id="report", body={"outcome": "dismissed"}),
}  # fmt: skip
