"""A large world, quickly: any number of gurus with services and posts, by COPY."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from porchlight.seeds.stories import HERE, front_matter, labels
from sites.posts.markdown import excerpt, render, word_count
from tenants.kit import clock
from tenants.kit.ids import new_id

POSTS_EACH = 20
BATCH = 2_000  # gurus a transaction
_COLOURS = ("#e4572e", "#17bebb", "#ffc914", "#76b041", "#8e6bbf", "#3f88c5", "#d1495b", "#66a182")
_ICONS = ("utensils", "music", "laptop", "leaf", "camera", "hammer", "dumbbell", "languages", "palette", "book")

Connection = psycopg.Connection[Any]
Told = Callable[[int, int], None]


def label_of(number: int) -> str:
    """The label of the world's guru number `number`."""
    return f"guru-{number:06d}"


def _copy(conn: Connection, table: str, columns: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> None:
    # COPY cannot enter a fenced table, so it goes by way of a temporary one.
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
    made = []
    for label in labels():
        for path in sorted((HERE / label / "posts").glob("*.md")):
            head, body = front_matter(path)
            short = body[:700].rsplit("\n", 1)[0]
            made.append(
                (head["slug"], head["title"], head["tags"], excerpt(short), short, render(short), word_count(short))
            )
    return made


def build(
    overseer_dsn: str, gurus: int, *, posts_each: int = POSTS_EACH, told: Told = lambda _done, _all: None
) -> None:
    """Add gurus `guru-000000` … with services and posts. `told(done, all)` hears of the progress."""
    samples = _samples()
    with psycopg.connect(overseer_dsn) as conn:
        row = conn.execute("SELECT count(*) FROM gurus WHERE label LIKE 'guru-%'").fetchone()
        start = row[0] if row else 0
        for first in range(start, start + gurus, BATCH):
            numbers = range(first, min(first + BATCH, start + gurus))
            _batch(conn, numbers, samples, posts_each)
            conn.commit()
            told(numbers[-1] + 1 - start, gurus)
    with psycopg.connect(overseer_dsn, autocommit=True) as conn:
        conn.execute("SET client_min_messages = error")
        conn.execute("ANALYZE")


def _batch(conn: Connection, numbers: range, samples: list[Any], posts_each: int) -> None:
    ids = {number: new_id() for number in numbers}
    now = clock.now()
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
                tenant, label_of(n), "active", f"Guru {n}", "general", ["teaching", "mentoring", "patience"],
                "One of very many neighbours.", "Denver, Colorado", "About me.", "<p>About me.</p>",
                _COLOURS[n % 8], _COLOURS[(n + 3) % 8], _ICONS[n % 10], "", f"Guru {n}", "A guru of the large world.",
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
        (tenant, new_id(), number, index) for number, tenant in ids.items() for index in range(posts_each)
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
