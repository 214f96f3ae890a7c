"""Bulk data for load tests: any number of gurus with services and posts, inserted by COPY."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from porchlight.demo_data.gurus import CONTENT_DIR, front_matter, labels
from sites.posts.markdown import excerpt, render, word_count
from tenants.db.rows import Connection, fetch_value
from tenants.kit import clock
from tenants.kit.ids import new_id

POSTS_PER_GURU = 20
BATCH_SIZE = 2_000  # gurus per transaction
_COLORS = ("#e4572e", "#17bebb", "#ffc914", "#76b041", "#8e6bbf", "#3f88c5", "#d1495b", "#66a182")
_ICONS = ("utensils", "music", "laptop", "leaf", "camera", "hammer", "dumbbell", "languages", "palette", "book")

ProgressCallback = Callable[[int, int], None]


def bulk_label(number: int) -> str:
    """Return the label of bulk guru `number`."""
    return f"guru-{number:06d}"


def _copy(conn: Connection, table: str, columns: tuple[str, ...], rows: Iterable[Sequence[Any]]) -> None:
    # COPY cannot write to a table with row-level security, so it goes through a temporary table.
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    target, stage = sql.Identifier(table), sql.Identifier(f"stage_{table}")
    conn.execute(
        sql.SQL("CREATE TEMPORARY TABLE {} ON COMMIT DROP AS SELECT {} FROM {} LIMIT 0").format(stage, names, target)
    )
    with conn.cursor() as cursor, cursor.copy(sql.SQL("COPY {} ({}) FROM STDIN").format(stage, names)) as copy:
        for row in rows:
            copy.write_row(row)
    conn.execute(sql.SQL("INSERT INTO {} ({}) SELECT {} FROM {}").format(target, names, names, stage))


def _samples() -> list[tuple[str, str, list[str], str, str, str, int]]:
    samples = []
    for label in labels():
        for path in sorted((CONTENT_DIR / label / "posts").glob("*.md")):
            head, body = front_matter(path)
            short = body[:700].rsplit("\n", 1)[0]
            samples.append(
                (head["slug"], head["title"], head["tags"], excerpt(short), short, render(short), word_count(short))
            )
    return samples


def build(
    service_dsn: str,
    gurus: int,
    *,
    posts_per_guru: int = POSTS_PER_GURU,
    on_progress: ProgressCallback = lambda _done, _total: None,
) -> None:
    """Add gurus `guru-000000` … with services and posts. `on_progress(done, total)` is called after each batch."""
    samples = _samples()
    with psycopg.connect(service_dsn) as conn:
        start = fetch_value(conn, int, "SELECT count(*) FROM gurus WHERE label LIKE 'guru-%'") or 0
        for first in range(start, start + gurus, BATCH_SIZE):
            numbers = range(first, min(first + BATCH_SIZE, start + gurus))
            _insert_batch(conn, numbers, samples, posts_per_guru)
            conn.commit()
            on_progress(numbers[-1] + 1 - start, gurus)
    with psycopg.connect(service_dsn, autocommit=True) as conn:
        conn.execute("SET client_min_messages = error")
        conn.execute("ANALYZE")


def _insert_batch(conn: Connection, numbers: range, samples: list[Any], posts_per_guru: int) -> None:
    ids = {number: new_id() for number in numbers}
    now = clock.now()
    about_html = render("About me.")
    _copy(
        conn,
        "gurus",
        (
            "id", "label", "status", "character", "category", "primary_skills", "tagline", "city", "about_markdown",
            "about_html", "primary_color", "secondary_color", "icon", "emoji", "seo_title", "seo_description",
            "contact_email", "content_version", "created_at", "updated_at",
        ),
        (
            (
                tenant, bulk_label(n), "active", f"Guru {n}", "general", ["teaching", "mentoring", "listening"],
                "One of very many neighbors.", "Denver, Colorado", "About me.", about_html,
                _COLORS[n % 8], _COLORS[(n + 3) % 8], _ICONS[n % 10], "", f"Guru {n}", "A guru of the bulk data.",
                f"guru-{n}@example.com", 1, now, now,
            )
            for n, tenant in ids.items()
        ),
    )  # fmt: skip
    _copy(
        conn,
        "services",
        (
            "tenant_id", "id", "name", "description", "price_cents", "currency", "duration_minutes", "duration_label",
            "popular", "features", "position", "created_at", "updated_at",
        ),
        (
            (tenant, new_id(), name, "", cents, "USD", minutes, label, position == 0, ["Notes"], position, now, now)
            for tenant in ids.values()
            for position, (name, cents, minutes, label) in enumerate(
                (
                    ("One-on-One Consultation", 7500, 60, ""),
                    ("Group Workshop", 4500, 90, ""),
                    ("Monthly Mentorship", 20000, None, "Monthly"),
                )
            )
        ),
    )  # fmt: skip
    posts: list[tuple[UUID, UUID, int, int]] = [
        (tenant, new_id(), number, index) for number, tenant in ids.items() for index in range(posts_per_guru)
    ]
    _copy(
        conn,
        "posts",
        (
            "tenant_id", "id", "slug", "title", "tags", "excerpt", "content_markdown", "content_html", "words",
            "status", "published_at", "created_at", "updated_at",
        ),
        (
            (tenant, post, f"{slug}-{index}", title, tags, short, markdown, html, words, "published", at, at, at)
            for tenant, post, number, index in posts
            for slug, title, tags, short, markdown, html, words in (samples[(number + index) % len(samples)],)
            for at in (now - timedelta(days=index * 9 + number % 9, minutes=index),)
        ),
    )  # fmt: skip
    _copy(
        conn,
        "post_views",
        ("tenant_id", "post_id", "views"),
        ((tenant, post, (number * 37 + index * 101) % 5000) for tenant, post, number, index in posts),
    )
