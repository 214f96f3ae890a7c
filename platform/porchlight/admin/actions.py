"""What staff do to a neighbor or a guru's site. Each act and its entry in the log are one transaction."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

import psycopg

from porchlight import audit
from porchlight.audit import Act, Connection
from tenants import lifecycle
from tenants.kit.errors import Conflict, NotFound

STANDING_TASK = "tell_identity_standing"

# `published` is left as it is: a site that was unpublished before comes back unpublished.
_SITE_OF = """
SELECT g.label FROM memberships m JOIN gurus g ON g.id = m.tenant_id
 WHERE m.user_id = %s AND g.status {} 'suspended' FOR UPDATE OF g"""
_ENQUEUE = "SELECT app.enqueue(%s, jsonb_build_object('user_id', %s::text), NULL)"
# Staff who act on the site itself have the last word on it: it no longer comes back with its owner.
_OF_ITS_OWN = """
UPDATE users u SET suspended_site = false FROM memberships m JOIN gurus g ON g.id = m.tenant_id
 WHERE u.user_id = m.user_id AND g.label = %s AND u.suspended_site"""


def suspend_site(overseer_dsn: str, actor: str, label: str, reason: str) -> None:
    """Take a site down. Raises GuruNotFound."""
    with psycopg.connect(overseer_dsn) as conn:
        lifecycle.suspend(conn, label)
        conn.execute(_OF_ITS_OWN, [label])
        audit.record(conn, Act(actor, "site.suspend", "site", label, {"reason": reason}))


def restore_site(overseer_dsn: str, actor: str, label: str, reason: str) -> None:
    """Bring a site back. Raises GuruNotFound."""
    with psycopg.connect(overseer_dsn) as conn:
        lifecycle.restore(conn, label)
        conn.execute(_OF_ITS_OWN, [label])
        audit.record(conn, Act(actor, "site.restore", "site", label, {"reason": reason}))


def export_site(overseer_dsn: str, actor: str, label: str) -> bytes:
    """Everything of a guru as a ZIP archive. Raises GuruNotFound."""
    with psycopg.connect(overseer_dsn) as conn:
        archive = lifecycle.export(conn, label)
        audit.record(conn, Act(actor, "site.export", "site", label, {"bytes": len(archive)}))
    return archive


def suspend_user(overseer_dsn: str, actor: str, user_id: UUID, reason: str) -> None:
    """Shut a neighbor out: every sign-in ends at once in all workers, and the identity service lets nobody in.

    Their site goes along: nobody would answer its leads or hold its sessions. Raises NotFound.
    """
    with psycopg.connect(overseer_dsn) as conn:
        if _status(conn, user_id) == "suspended":
            return
        site = conn.execute(_SITE_OF.format("<>"), [user_id]).fetchone()
        conn.execute(
            "UPDATE users SET status = 'suspended', suspended_at = now(), suspended_reason = %s, suspended_site = %s,"
            " signed_out_at = now(), updated_at = now() WHERE user_id = %s",
            [reason, site is not None, user_id],
        )
        conn.execute("DELETE FROM sessions WHERE user_id = %s", [user_id])
        audit.record(conn, Act(actor, "user.suspend", "user", str(user_id), {"reason": reason}))
        if site is not None:
            lifecycle.suspend(conn, site[0])
            audit.record(conn, Act(actor, "site.suspend", "site", site[0], {"with_owner": str(user_id)}))
        conn.execute(_ENQUEUE, [STANDING_TASK, user_id])


def restore_user(overseer_dsn: str, actor: str, user_id: UUID) -> None:
    """Let a neighbor in again, by a new sign-in; a site that went down with them comes back. Raises NotFound."""
    with psycopg.connect(overseer_dsn) as conn:
        if _status(conn, user_id) == "active":
            return
        row = conn.execute("SELECT suspended_site FROM users WHERE user_id = %s", [user_id]).fetchone()
        site = conn.execute(_SITE_OF.format("="), [user_id]).fetchone() if row and row[0] else None
        conn.execute(
            "UPDATE users SET status = 'active', suspended_at = NULL, suspended_reason = '', suspended_site = false,"
            " updated_at = now() WHERE user_id = %s",
            [user_id],
        )
        audit.record(conn, Act(actor, "user.restore", "user", str(user_id)))
        if site is not None:
            lifecycle.restore(conn, site[0])
            audit.record(conn, Act(actor, "site.restore", "site", site[0], {"with_owner": str(user_id)}))
        conn.execute(_ENQUEUE, [STANDING_TASK, user_id])


def hide_listing(overseer_dsn: str, actor: str, listing_id: UUID, reason: str) -> None:
    """Hide a listing: nobody finds it any more. Raises NotFound."""
    with psycopg.connect(overseer_dsn) as conn:
        owner, phrase, title = _listing(conn, listing_id)
        conn.execute(
            "INSERT INTO hidden_listings (owner_id, phrase_id, reason) VALUES (%s, %s, %s)"
            " ON CONFLICT (owner_id, phrase_id) DO UPDATE SET reason = excluded.reason",
            [owner, phrase, reason],
        )
        conn.execute("UPDATE skill_offers SET visible = false WHERE user_id = %s AND id = %s", [owner, listing_id])
        audit.record(conn, Act(actor, "listing.hide", "listing", str(listing_id), {"reason": reason, "title": title}))


def show_listing(overseer_dsn: str, actor: str, listing_id: UUID) -> None:
    """Show a hidden listing again, if its owner shows their skills. Raises NotFound."""
    with psycopg.connect(overseer_dsn) as conn:
        owner, phrase, title = _listing(conn, listing_id)
        conn.execute("DELETE FROM hidden_listings WHERE owner_id = %s AND phrase_id = %s", [owner, phrase])
        conn.execute(
            "UPDATE skill_offers o SET visible = p.is_public AND p.shows_skills AND p.registered_at IS NOT NULL"
            " FROM profiles p WHERE p.user_id = o.user_id AND o.user_id = %s AND o.id = %s",
            [owner, listing_id],
        )
        audit.record(conn, Act(actor, "listing.show", "listing", str(listing_id), {"title": title}))


@dataclass(frozen=True, slots=True)
class RiskDecision:
    """How risky an activity is. `replaces`: what was decided when they looked."""

    level: str
    note: str
    replaces: str | None


def decide_risk(overseer_dsn: str, actor: str, review_id: UUID, decision: RiskDecision) -> None:
    """Decide how risky an activity is that the engine does not know; every worker is told (`app.risk_decided`).

    Raises NotFound, and Conflict when a colleague decided since they looked.
    """
    with psycopg.connect(overseer_dsn) as conn:
        query = "SELECT category, activity, level FROM risk_reviews WHERE id = %s FOR UPDATE"
        row = conn.execute(query, [review_id]).fetchone()
        if row is None:
            raise NotFound
        category, activity, level = row
        if level != decision.replaces:
            raise Conflict("A colleague decided on this meanwhile. Please look at it again.")
        conn.execute(
            "UPDATE risk_reviews SET level = %s, note = %s, decided_by = %s, decided_at = now() WHERE id = %s",
            [decision.level, decision.note, actor, review_id],
        )
        details = {"activity": activity, "category": category, "level": decision.level, "before": level}
        act = Act(actor, "risk.decide", "activity", str(review_id), details | {"note": decision.note})
        audit.record(conn, act)


def _listing(conn: Connection, listing_id: UUID) -> tuple[UUID, int, str]:
    query = "SELECT user_id, phrase_id, title FROM skill_offers WHERE id = %s FOR UPDATE"
    row = conn.execute(query, [listing_id]).fetchone()
    if row is None:
        raise NotFound
    return row[0], row[1], row[2]


def _status(conn: Connection, user_id: UUID) -> str:
    row = conn.execute("SELECT status FROM users WHERE user_id = %s FOR UPDATE", [user_id]).fetchone()
    if row is None or row[0] == "erased":
        raise NotFound
    return str(row[0])
