"""The writes about sessions, waivers and the account, of neighbors and of their guru."""

from __future__ import annotations

import re

from tests.e2e.failing_writes.steps import Write, fill, named, pick_first, press

_BOOKINGS = "main-web/features/bookings/api"
_CALENDAR = "main-web/features/console/calendar/api"
_SESSION = "main-web/lib/session"
_ALERT = "[role=alertdialog]"
_DIALOG = "[role=dialog]"
# Of the demo's sessions of Maya at the cooking guru: the class for two, and the one that the guru asks to move.
_BOOKING = (
    "SELECT b.id::text FROM bookings b JOIN users u ON u.user_id = b.person_id JOIN gurus g ON g.id = b.tenant_id"
    " WHERE u.email = 'maya.lindqvist@example.com' AND g.label = 'cooking' AND b.status = 'confirmed'"
    " AND b.starts_at > app.now() AND b.party = "
)
_CLASS, _PROPOSED = f"{_BOOKING} 2", f"{_BOOKING} 1"
_OTHER_DEVICE = """
INSERT INTO sessions (user_id, id, secret_hash, authenticated_at, token_issued_at, user_agent, expires_at)
SELECT user_id, gen_random_uuid(), sha256(gen_random_uuid()::text::bytea), app.now(), app.now(), 'curl/8.5.0',
       app.now() + interval '1 day' FROM users WHERE email = 'maya.lindqvist@example.com' RETURNING id::text"""

SESSIONS = (
    Write(
        f"{_BOOKINGS}/cancel-booking",
        "POST",
        "/bookings/[^/]+/cancellation",
        "neighbor",
        "/sessions/{}",
        named("Cancel session", inside=_ALERT),
        (press("Cancel session"), fill(re.compile("^Reason for"), "I am ill.")),
        example=_CLASS,
    ),
    Write(
        f"{_BOOKINGS}/answer-proposal",
        "POST",
        "/bookings/[^/]+/answers",
        "neighbor",
        "/sessions/{}",
        named("Cancel for free", inside=_ALERT),
        (press("Cancel for free"), fill(re.compile("^Reason for"), "I am away that day.")),
        example=_PROPOSED,
    ),
    Write(
        f"{_BOOKINGS}/move-booking",
        "POST",
        "/bookings/[^/]+/move",
        "neighbor",
        "/sessions/{}",
        named("Move session", inside=_DIALOG),
        (press("Move session"), pick_first("radio", _DIALOG)),
        example=_PROPOSED,
    ),
    Write(
        "main-web/features/teachers/api/create-hold",
        "POST",
        "/gurus/[^/]+/holds",
        "neighbor",
        "/dashboard?action=find-teachers&category=Language&message=Find+Language+teachers",
        named(re.compile("[AP]M"), inside="ul[aria-label^='Next times for']"),
    ),
    Write(
        "main-web/features/waivers/api/withdraw-waiver",
        "POST",
        "/liability/waivers/[^/]+/withdrawal",
        "signer",
        "/waivers",
        named("Withdraw waiver", inside=_ALERT),
        (press(re.compile("^Withdraw waiver: ")),),
    ),
    Write(
        f"{_CALENDAR}/answer-booking",
        "POST",
        "/guru/bookings/[^/]+/answer",
        "guru",
        "/guru/calendar",
        named("Decline", inside=_ALERT),
        (press("Decline Theo Barnes"), fill(re.compile("^Reason"), "My oven is being repaired.")),
    ),
    Write(
        f"{_CALENDAR}/cancel-booking",
        "POST",
        "/guru/bookings/[^/]+/cancellation",
        "guru",
        "/guru/calendar?tab=upcoming",
        named("Cancel session", inside=_ALERT),
        (
            press("Details of Maya Lindqvist"),
            press("Cancel session"),
            fill(re.compile("^Reason"), "My oven is being repaired."),
        ),
    ),
    Write(
        "main-web/features/profiles/api/delete-device",
        "DELETE",
        "/auth/sessions/[^/]+",
        "neighbor",
        "/profile",
        named(re.compile("^Sign out on ")),
        example=_OTHER_DEVICE,
    ),
    Write(
        f"{_SESSION}/delete-all-sessions",
        "DELETE",
        "/auth/sessions",
        "neighbor",
        "/profile",
        named("Sign out everywhere"),
    ),
    Write(
        f"{_SESSION}/request-email-change",
        "POST",
        "/auth/email-change",
        "neighbor",
        "/profile",
        named("Change email address"),
        (fill("New email address", "maya@example.net"), fill("Confirm with your password", "porchlight")),
    ),
    Write(
        f"{_SESSION}/delete-account",
        "DELETE",
        "/auth/account",
        "neighbor",
        "/profile",
        named("Delete permanently"),
        (
            press("Delete my account"),
            fill(re.compile("^Type .+ to confirm$"), "DELETE"),
            fill("Your password", "porchlight"),
        ),
    ),
    Write(
        "main-web/components/porch-lights/own-porch-light",
        "PUT",
        "/porch-light",
        "neighbor",
        "/be-an-angel",
        named("Porch light", role="switch"),
    ),
    Write(
        "main-web/features/listings/api/update-area",
        "PUT",
        "/skills/area",
        "neighbor",
        "/skills/mine",
        named("Use my location"),
    ),
    Write(
        "main-web/features/onboarding/api/unpublish-site",
        "POST",
        "/onboarding/unpublish",
        "guru",
        "/onboarding/review",
        named("Take it offline", inside=_ALERT),
        (press("Take it offline"),),
    ),
)
