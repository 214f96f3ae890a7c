"""Demo gurus: eight sites with posts, services, hours and leads, loaded from the files in `content`."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime, time, timedelta
from itertools import product
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5
from zoneinfo import ZoneInfo

import psycopg
from psycopg.types.json import Jsonb

from sites.posts.markdown import excerpt, render, word_count
from sites.slugs import tag_slug
from tenants.db.rows import Connection
from tenants.kit import clock

CONTENT_DIR = Path(__file__).parent / "content"
_FRONT_MATTER_DELIMITER = "+++"


def demo_id(*parts: str) -> UUID:
    """Return a stable id of a demo row, so that loading twice changes nothing."""
    return uuid5(NAMESPACE_URL, "porchlight/stories/" + "/".join(parts))


def front_matter(path: Path) -> tuple[dict[str, Any], str]:
    """Split a post's file into its TOML front matter and its Markdown."""
    _, head, body = path.read_text(encoding="utf-8").split(_FRONT_MATTER_DELIMITER + "\n", 2)
    return tomllib.loads(head), body.strip() + "\n"


def labels() -> list[str]:
    """Return the labels of all demo gurus, cooking, music and tech first."""
    first = ["cooking", "music", "tech"]
    names = sorted(path.name for path in CONTENT_DIR.iterdir() if (path / "guru.toml").is_file())
    return [label for label in first if label in names] + [label for label in names if label not in first]


def load(conn: Connection, label: str) -> None:
    """Create one guru with posts, services, leads and statistics. Does nothing if the guru exists."""
    folder = CONTENT_DIR / label
    content = tomllib.loads((folder / "guru.toml").read_text(encoding="utf-8"))
    about = (folder / "about.md").read_text(encoding="utf-8")
    tenant = demo_id(label)
    theme, seo = content["theme"], content["seo"]
    row = conn.execute(
        """
        INSERT INTO gurus (id, label, character, category, primary_skills, tagline, city, about_markdown, about_html,
                           primary_color, secondary_color, icon, emoji, appearance, typeface, seo_title,
                           seo_description, contact_email)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
        ON CONFLICT DO NOTHING RETURNING id
        """,
        [
            tenant, label, content["character"], content["category"], content["primary_skills"], content["tagline"],
            content["city"], about, render(about), theme["primary_color"], theme["secondary_color"], theme["icon"],
            theme["emoji"], theme["appearance"], theme["typeface"], seo["title"], seo["description"],
            content["owner"]["email"],
        ],
    ).fetchone()  # fmt: skip
    if row is None:
        return
    _services(conn, tenant, label, content["services"])
    _hours(conn, tenant, label, content["calendar"], content["services"])
    if waiver_text := content.get("waiver_text"):
        insert_text = "INSERT INTO guru_waiver_texts (tenant_id, version, body) VALUES (%s, 1, %s)"
        conn.execute(insert_text, [tenant, waiver_text.strip()])
    _posts(conn, tenant, label, folder)
    _leads(conn, tenant, label, content.get("leads", []))


def _services(conn: Connection, tenant: UUID, label: str, services: list[dict[str, Any]]) -> None:
    for position, service in enumerate(services):
        conn.execute(
            """
            INSERT INTO services (tenant_id, id, name, description, price_cents, duration_minutes, duration_label,
                                  popular, features, position) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
            """,
            [
                tenant, demo_id(label, "service", service["name"]), service["name"], service["description"],
                service["price_cents"], service.get("duration_minutes"), service.get("duration_label", ""),
                service.get("popular", False), service["features"], position,
            ],
        )  # fmt: skip


def _hours(
    conn: Connection, tenant: UUID, label: str, calendar: dict[str, Any], services: list[dict[str, Any]]
) -> None:
    """Create the calendar. Every service with minutes can be booked; a `fixed_start` repeats for its weeks from now."""
    conn.execute(
        "INSERT INTO calendars (tenant_id, zone, confirmed_at) VALUES (%s, %s, %s)",
        [tenant, calendar["zone"], clock.now()],
    )
    for group in calendar["week"]:
        for weekday, (start, end) in product(group["weekdays"], group["ranges"]):
            conn.execute(
                "INSERT INTO weekly_hours (tenant_id, weekday, during) VALUES (%s, %s, int4range(%s, %s))",
                [tenant, weekday, _minute(start), _minute(end)],
            )
    for service in services:
        if "duration_minutes" not in service:
            continue
        service_id, capacity = demo_id(label, "service", service["name"]), service.get("capacity", 1)
        fixed_start = service.get("fixed_start")
        conn.execute(
            "INSERT INTO booking_settings (tenant_id, service_id, open, capacity, party_max, starts, place, place_text,"
            " bring, approval, waiver, questions) VALUES (%s, %s, true, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            [
                tenant, service_id, capacity, min(capacity, 4), "fixed" if fixed_start else "hours", calendar["place"],
                calendar["place_text"], service.get("bring", ""), service.get("approval", "instant"),
                service.get("waiver", "risk"),
                Jsonb([{"choices": []} | one for one in service.get("questions", [])]),
            ],
        )  # fmt: skip
        if fixed_start:
            _fixed_starts(conn, tenant, service_id, service | {"zone": calendar["zone"]})


def _fixed_starts(conn: Connection, tenant: UUID, service_id: UUID, service: dict[str, Any]) -> None:
    zone, fixed_start = ZoneInfo(service["zone"]), service["fixed_start"]
    tomorrow = clock.now().astimezone(zone).date() + timedelta(days=1)
    first_day = tomorrow + timedelta(days=(fixed_start["weekday"] - tomorrow.weekday()) % 7)
    for week in range(fixed_start["weeks"]):
        day = first_day + timedelta(weeks=week)
        starts_at = datetime.combine(day, time.fromisoformat(fixed_start["time"]), zone).astimezone(UTC)
        ends_at = starts_at + timedelta(minutes=service["duration_minutes"])
        conn.execute(
            "INSERT INTO appointments (tenant_id, id, service_id, fixed, starts_at, ends_at, zone, blocked, capacity)"
            " VALUES (%s, %s, %s, true, %s, %s, %s, tstzrange(%s, %s), %s)",
            [
                tenant, demo_id(str(service_id), "start", str(week)), service_id, starts_at, ends_at, service["zone"],
                starts_at, ends_at, service["capacity"],
            ],
        )  # fmt: skip


def _minute(text: str) -> int:
    """Return the minutes after midnight of a time such as "09:30"."""
    wall = time.fromisoformat(text)
    return 60 * wall.hour + wall.minute


def _posts(conn: Connection, tenant: UUID, label: str, folder: Path) -> None:
    now = clock.now()
    views = 0
    for path in sorted((folder / "posts").glob("*.md")):
        head, body = front_matter(path)
        post = demo_id(label, "post", head["slug"])
        written = now - timedelta(days=head["days_ago"], hours=3)
        conn.execute(
            """
            INSERT INTO posts (tenant_id, id, slug, title, tags, tag_names, excerpt, content_markdown, content_html,
                               words, status, published_at, created_at, updated_at)
            VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, 'published', %s, %s, %s)
            """,
            [
                tenant, post, head["slug"], head["title"], [tag_slug(name) for name in head["tags"]], head["tags"],
                head.get("excerpt") or excerpt(body), body,
                render(body), word_count(body), written, written, written,
            ],
        )  # fmt: skip
        seen = head["views"] // 10  # as few as one neighborhood reads
        conn.execute(
            "INSERT INTO post_views (tenant_id, post_id, views) VALUES (%s, %s, %s)",
            [tenant, post, seen],
        )
        views += seen
    for days_ago in range(28):
        conn.execute(
            "INSERT INTO daily_visits (tenant_id, day, visitors) VALUES (%s, %s, %s)",
            [tenant, (now - timedelta(days=days_ago)).date(), views // 400 + (days_ago * 7) % 11],
        )


def _leads(conn: Connection, tenant: UUID, label: str, leads: list[dict[str, Any]]) -> None:
    now = clock.now()
    for number, lead in enumerate(leads):
        lead_id, written = demo_id(label, "lead", str(number)), now - timedelta(days=lead["days_ago"])
        service = demo_id(label, "service", lead["service"]) if lead.get("service") else None
        conn.execute(
            """
            INSERT INTO leads (tenant_id, id, name, email, phone, message, service_id, status, consented_at,
                               address_hash, idempotency_key, digest, created_at)
            VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, '', %s, '', %s)
            """,
            [
                tenant, lead_id, lead["name"], lead["email"], lead.get("phone", ""),
                lead["message"], service, lead["status"], now, f"story-{number}", written,
            ],
        )  # fmt: skip
        if "address" in lead:
            conn.execute(
                "INSERT INTO lead_addresses (tenant_id, email, state) VALUES (%s, %s, %s)",
                [tenant, lead["email"], lead["address"]],
            )
        if "reply" in lead:
            answered = written + timedelta(minutes=lead["answered_after"])
            conn.execute(
                "INSERT INTO lead_replies (tenant_id, id, lead_id, body, idempotency_key, created_at, sent_at)"
                " VALUES (%s, %s, %s, %s, %s, %s, %s)",
                [
                    tenant, demo_id(label, "reply", str(number)), lead_id, lead["reply"], f"story-{number}", answered,
                    answered,
                ],
            )  # fmt: skip


def load_all(service_dsn: str) -> int:
    """Load all gurus, each in its own transaction. Return their number."""
    all_labels = labels()
    with psycopg.connect(service_dsn) as conn:
        for label in all_labels:
            load(conn, label)
            conn.commit()
    return len(all_labels)
