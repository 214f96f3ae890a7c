"""The stories of the demo: eight gurus with real content, told from files and written like any guru's site."""

from __future__ import annotations

import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, UUID, uuid5

import psycopg

from sites.posts.markdown import excerpt, render, word_count
from tenants.kit import clock

HERE = Path(__file__).parent / "stories"
_RULE = "+++"

Connection = psycopg.Connection[Any]


def story_id(*parts: str) -> UUID:
    """The id of a thing in a story: the same every time it is told."""
    return uuid5(NAMESPACE_URL, "porchlight/stories/" + "/".join(parts))


def front_matter(path: Path) -> tuple[dict[str, Any], str]:
    """A post's file: its TOML front matter and its Markdown."""
    _, head, body = path.read_text(encoding="utf-8").split(_RULE + "\n", 2)
    return tomllib.loads(head), body.strip() + "\n"


def labels() -> list[str]:
    """The labels of all stories, cooking, music and tech first."""
    first = ["cooking", "music", "tech"]
    found = sorted(path.name for path in HERE.iterdir() if (path / "guru.toml").is_file())
    return [label for label in first if label in found] + [label for label in found if label not in first]


def tell(conn: Connection, label: str) -> None:
    """Write one guru with posts, services, leads and counts. Told again, it changes nothing that is there."""
    folder = HERE / label
    story = tomllib.loads((folder / "guru.toml").read_text(encoding="utf-8"))
    about = (folder / "about.md").read_text(encoding="utf-8")
    tenant = story_id(label)
    theme, seo = story["theme"], story["seo"]
    made = conn.execute(
        """
        INSERT INTO gurus (id, label, character, category, primary_skills, tagline, city, about_markdown, about_html,
                           primary_color, secondary_color, icon, emoji, seo_title, seo_description, contact_email)
        VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT DO NOTHING RETURNING id
        """,
        [
            tenant, label, story["character"], story["category"], story["primary_skills"], story["tagline"],
            story["city"], about, render(about), theme["primary_color"], theme["secondary_color"], theme["icon"],
            theme["emoji"], seo["title"], seo["description"], story["owner"]["email"],
        ],
    ).fetchone()  # fmt: skip
    if made is None:
        return
    _services(conn, tenant, label, story["services"])
    _posts(conn, tenant, label, folder)
    _leads(conn, tenant, label, story.get("leads", []))


def _services(conn: Connection, tenant: UUID, label: str, services: list[dict[str, Any]]) -> None:
    for position, service in enumerate(services):
        conn.execute(
            """
            INSERT INTO services (tenant_id, id, name, description, price_cents, duration_minutes, duration_label,
                                  popular, features, position) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
            """,
            [
                tenant, story_id(label, "service", service["name"]), service["name"], service["description"],
                service["price_cents"], service.get("duration_minutes"), service.get("duration_label", ""),
                service.get("popular", False), service["features"], position,
            ],
        )  # fmt: skip


def _posts(conn: Connection, tenant: UUID, label: str, folder: Path) -> None:
    now = clock.now()
    views = 0
    for path in sorted((folder / "posts").glob("*.md")):
        head, body = front_matter(path)
        post = story_id(label, "post", head["slug"])
        written = now - timedelta(days=head["days_ago"], hours=3)
        conn.execute(
            """
            INSERT INTO posts (tenant_id, id, slug, title, tags, excerpt, content_markdown, content_html, words, status,
                               published_at, created_at, updated_at)
            VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, 'published', %s, %s, %s)
            """,
            [
                tenant, post, head["slug"], head["title"], head["tags"], head.get("excerpt") or excerpt(body), body,
                render(body), word_count(body), written, written, written,
            ],
        )  # fmt: skip
        conn.execute(
            "INSERT INTO post_views (tenant_id, post_id, views) VALUES (%s, %s, %s)", [tenant, post, head["views"]]
        )
        views += head["views"]
    for days_ago in range(28):
        conn.execute(
            "INSERT INTO daily_visits (tenant_id, day, visitors) VALUES (%s, %s, %s)",
            [tenant, (now - timedelta(days=days_ago)).date(), views // 400 + (days_ago * 7) % 11],
        )


def _leads(conn: Connection, tenant: UUID, label: str, leads: list[dict[str, Any]]) -> None:
    now = clock.now()
    for number, lead in enumerate(leads):
        service = story_id(label, "service", lead["service"]) if lead.get("service") else None
        conn.execute(
            """
            INSERT INTO leads (tenant_id, id, name, email, phone, message, service_id, status, consented_at,
                               address_hash, idempotency_key, digest, created_at)
            VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, '', %s, '', %s)
            """,
            [
                tenant, story_id(label, "lead", str(number)), lead["name"], lead["email"], lead.get("phone", ""),
                lead["message"], service, lead["status"], now, f"story-{number}",
                now - timedelta(days=lead["days_ago"]),
            ],
        )  # fmt: skip


def tell_all(overseer_dsn: str) -> int:
    """Write every story, one transaction each. Answers how many there are."""
    found = labels()
    with psycopg.connect(overseer_dsn) as conn:
        for label in found:
            tell(conn, label)
            conn.commit()
    return len(found)
