"""Gurus with something in every table, the app around them, and ways to ask it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from uuid import UUID

import httpx
import psycopg
from psycopg import sql

from porchlight.app import Porchlight
from porchlight.settings import Settings
from sites.posts.markdown import excerpt, render, word_count
from tenants.kit.ids import new_id
from tenants.lifecycle import NewGuru, create, tenant_tables
from tests.support.databases import Database

BASE = "porchlight.localhost"
NOWHERE = Path("/nonexistent")
BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


@dataclass
class Told:
    """A guru of a test: what an adversary would like to get at. `mark` stands in every text of theirs."""

    id: UUID
    label: str
    mark: str
    posts: list[UUID] = field(default_factory=list)
    slugs: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    services: list[UUID] = field(default_factory=list)
    leads: list[UUID] = field(default_factory=list)
    domain: str = ""
    former: str = ""
    owner: UUID | None = None

    @property
    def host(self) -> str:
        """The guru's own host."""
        return f"{self.label}.{BASE}"


def tell(conn: psycopg.Connection[Any], label: str, *, posts: int = 5, email: str = "") -> Told:
    """Write a guru with rows in every table of tenants."""
    mark = f"mark{label}"
    guru = Told(
        create(conn, NewGuru(label, f"Guru {mark}", f"category {mark}", email or f"{mark}@mail.example")), label, mark
    )
    conn.execute(
        "UPDATE gurus SET primary_skills = %s, tagline = %s, city = %s, about_markdown = %s, about_html = %s,"
        " seo_title = %s, seo_description = %s WHERE id = %s",
        [
            [f"skill {mark}"], f"tagline {mark}", f"city {mark}", f"about {mark}", f"<p>about {mark}</p>",
            f"title {mark}", f"description {mark}", guru.id,
        ],
    )  # fmt: skip
    guru.tags = [f"tag-{label}", f"other-{label}"]
    for number in range(posts):
        post(conn, guru, f"post-{label}-{number}", days_ago=number + 1)
    for number in range(3):
        service(conn, guru, f"service {number} {mark}")
    for number in range(2):
        lead(conn, guru, f"lead-{number}")
    day = datetime.now(UTC).date()
    conn.execute("INSERT INTO daily_visits (tenant_id, day, visitors) VALUES (%s, %s, 7)", [guru.id, day])
    conn.execute(
        "INSERT INTO view_marks (tenant_id, day, subject_id, visitor) VALUES (%s, %s, %s, %s)",
        [guru.id, day, guru.posts[0] if guru.posts else new_id(), b"somebody"],
    )
    guru.domain, guru.former = f"www.{label}-guru.example", f"former-{label}"
    conn.execute("INSERT INTO guru_flags (tenant_id, name, enabled) VALUES (%s, 'booking', false)", [guru.id])
    insert(
        conn,
        "guru_categories",
        {
            "tenant_id": guru.id,
            "slug": f"category-{label}",
            "name": f"Category {mark}",
            "needs_documents": True,
            "listed": True,
        },
    )
    conn.execute("INSERT INTO domains (tenant_id, domain, verified_at) VALUES (%s, %s, now())", [guru.id, guru.domain])
    conn.execute("INSERT INTO retired_labels (tenant_id, label) VALUES (%s, %s)", [guru.id, guru.former])
    guru.owner = owner(conn, guru)
    _desk(conn, guru)
    return guru


def _desk(conn: psycopg.Connection[Any], guru: Told) -> None:
    """What the guru works on in the console."""
    if guru.posts:
        insert(conn, "post_edits", {"tenant_id": guru.id, "post_id": guru.posts[0]})
    picture = {"id": new_id(), "width": 1, "height": 1, "size": 1, "data": b"x"}
    insert(conn, "site_images", {"tenant_id": guru.id} | picture)
    secret = sha256(guru.mark.encode()).digest()
    preview = {"secret_hash": secret, "page": "/", "changes": "{}", "framed_by": f"http://{BASE}"}
    insert(conn, "site_previews", {"tenant_id": guru.id} | preview)
    about = {"tenant_id": guru.id, "lead_id": guru.leads[0], "body": f"About {guru.mark}"}
    insert(conn, "lead_notes", about | {"id": new_id()})
    insert(conn, "lead_answers", about | {"id": new_id(), "idempotency_key": "first"})


def owner(conn: psycopg.Connection[Any], guru: Told) -> UUID:
    """Write an account that owns the guru; its uid at the identity service is `uid-<hex of its id>`.

    It carries no mark: the person stays when the guru goes.
    """
    made = new_id()
    insert(conn, "users", {"user_id": made, "firebase_uid": f"uid-{made.hex}", "email": f"{made.hex}@mail.example"})
    insert(conn, "profiles", {"user_id": made, "handle": f"owner-{made.hex[-12:]}"})
    insert(conn, "memberships", {"tenant_id": guru.id, "user_id": made})
    return made


def post(conn: psycopg.Connection[Any], guru: Told, slug: str, *, days_ago: float = 1.0, **columns: Any) -> UUID:
    """Write a published post with views; `columns` replace what it would have."""
    body = f"# Heading\n\nWords of {guru.mark} for **everybody**.\n"
    written = datetime.now(UTC) - timedelta(days=days_ago)
    made: UUID = columns.get("id") or new_id()
    row = {
        "tenant_id": guru.id, "id": made, "slug": slug, "title": f"Title {guru.mark}", "tags": guru.tags,
        "excerpt": excerpt(body), "content_markdown": body, "content_html": render(body), "words": word_count(body),
        "status": "published", "published_at": written, "created_at": written, "updated_at": written,
    } | columns  # fmt: skip
    insert(conn, "posts", row)
    insert(conn, "post_views", {"tenant_id": guru.id, "post_id": made, "views": 11})
    guru.posts.append(made)
    guru.slugs.append(slug)
    return made


def service(conn: psycopg.Connection[Any], guru: Told, name: str, **columns: Any) -> UUID:
    """Write a service."""
    made: UUID = columns.get("id") or new_id()
    row = {
        "tenant_id": guru.id, "id": made, "name": name, "description": f"About {guru.mark}", "price_cents": 7500,
        "duration_minutes": 60, "features": [f"feature {guru.mark}"], "position": len(guru.services),
    } | columns  # fmt: skip
    insert(conn, "services", row)
    guru.services.append(made)
    return made


def lead(conn: psycopg.Connection[Any], guru: Told, key: str, **columns: Any) -> UUID:
    """Write a lead."""
    made: UUID = columns.get("id") or new_id()
    row = {
        "tenant_id": guru.id, "id": made, "name": f"Ada {guru.mark}", "email": f"ada@{guru.mark}.example",
        "message": f"Message {guru.mark}", "address_hash": b"", "idempotency_key": key, "digest": b"",
    } | columns  # fmt: skip
    insert(conn, "leads", row)
    guru.leads.append(made)
    return made


def insert(conn: psycopg.Connection[Any], table: str, row: dict[str, Any]) -> None:
    """Write one row."""
    conn.execute(
        sql.SQL("INSERT INTO {} ({}) VALUES ({})").format(
            sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, row)), sql.SQL(", ").join(
                sql.Placeholder() * len(row)
            )
        ),
        list(row.values()),
    )  # fmt: skip


def checksum(conn: psycopg.Connection[Any], guru: Told, tables: Sequence[str] | None = None) -> dict[str, str]:
    """A digest of every row a guru has, by table; of all tables unless they are named."""
    found = {}
    for table in ["gurus", *tenant_tables(conn)] if tables is None else tables:
        key = "id" if table == "gurus" else "tenant_id"
        query = sql.SQL("SELECT md5(coalesce(string_agg(t::text, ',' ORDER BY t::text), '')) FROM {} t WHERE {} = %s")
        row = conn.execute(query.format(sql.Identifier(table), sql.Identifier(key)), [guru.id]).fetchone()
        found[table] = row[0] if row else ""
    return found


def settings_of(database: Database, **changes: Any) -> Settings:
    """The settings of a test's app; `changes` are fields of Settings."""
    given: dict[str, Any] = {
        "database_url": database.app_url,
        "overseer_database_url": database.overseer_url,
        "limits": "off",
        "base_host": BASE,
    }
    return Settings(**(given | changes))


@asynccontextmanager
async def serving(database: Database, **changes: Any) -> AsyncIterator[Porchlight]:
    """The whole app on a database, with its listener listening."""
    app = Porchlight(settings_of(database, **changes))
    async with app.running():
        await asyncio.wait_for(app.listener.listening.wait(), 60)
        yield app


def visitor(app: Any, host: str, *, address: str = "203.0.113.7", scheme: str = "http") -> httpx.AsyncClient:
    """Somebody at `address` who looks at `host`."""
    transport = httpx.ASGITransport(app=app, client=(address, 40000))
    return httpx.AsyncClient(
        transport=transport, base_url=f"{scheme}://{host}", headers={"user-agent": BROWSER}, timeout=30
    )


@dataclass(frozen=True)
class Answered:
    """What came back."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes

    def header(self, name: str) -> str | None:
        """The first header of this name."""
        return next((value.decode("latin-1") for key, value in self.headers if key == name.encode()), None)


async def ask(
    app: Any,
    target: bytes,
    host: str | bytes | None,
    *,
    method: str = "GET",
    headers: Sequence[tuple[bytes, bytes]] = (),
    body: bytes | Iterable[bytes] = b"",
    address: str = "203.0.113.7",
) -> Answered:
    """One request as the server hands it to the app, byte for byte: what no well-behaved client would send."""
    raw, _, query = target.partition(b"?")
    sent = list(headers)
    if host is not None:
        sent.insert(0, (b"host", host.encode() if isinstance(host, str) else host))
    chunks = [body] if isinstance(body, bytes) else list(body)
    if isinstance(body, bytes) and not any(name == b"content-length" for name, _ in sent):
        sent.append((b"content-length", str(len(body)).encode()))
    scope = {
        "type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "method": method,
        "scheme": "http", "path": unquote(raw.decode("ascii", "replace")), "raw_path": raw, "query_string": query,
        "root_path": "", "headers": sent, "client": (address, 40000), "server": ("127.0.0.1", 8000), "state": {},
    }  # fmt: skip
    came: list[Any] = []
    waiting = [
        {"type": "http.request", "body": chunk, "more_body": number < len(chunks) - 1}
        for number, chunk in enumerate(chunks)
    ]
    done = asyncio.Event()

    async def receive() -> Any:
        if waiting:
            return waiting.pop(0)
        await done.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        came.append(message)

    await app(scope, receive, send)
    done.set()
    if not came:
        raise AssertionError("nothing was answered")
    return Answered(
        came[0]["status"], list(came[0].get("headers", [])), b"".join(part.get("body", b"") for part in came[1:])
    )


async def until(what: str, check: Callable[[], Awaitable[bool]], seconds: float = 120) -> float:
    """Ask again and again until it holds; answers how long that took, in seconds."""
    began = asyncio.get_running_loop().time()
    while not await check():
        if asyncio.get_running_loop().time() - began > seconds:
            raise AssertionError(f"within {seconds:g} s: {what}")
        await asyncio.sleep(0.01)
    return asyncio.get_running_loop().time() - began
