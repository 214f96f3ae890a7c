"""Demo neighbors: twelve from `neighbors.toml`, and the owners of the demo gurus."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import psycopg
from psycopg.types.json import Jsonb

from porchlight.demo_data.gurus import CONTENT_DIR, demo_id, labels
from porchlight.demo_data.illustrations import SIZE, draw_illustration
from porchlight.features.profiles.handles import create_handle
from tenants.db.rows import Connection, fetch_value
from tenants.kit import clock
from tenants.kit.ids import new_id

CONTENT_FILE = Path(__file__).parent / "neighbors.toml"
_WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def neighbor_id(email: str) -> UUID:
    """Return the stable id of a demo user."""
    return demo_id("neighbour", email)  # existing state folders hold ids made from this spelling


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A demo user. `guru`: the label of their site, if any."""

    first_name: str
    last_name: str
    email: str
    password: str
    location: str
    bio: str = ""
    offered: list[list[str]] = field(default_factory=list)
    wanted: list[list[str]] = field(default_factory=list)
    languages: list[str] = field(default_factory=list)
    availability: str = ""
    public: bool = True
    guru: str | None = None

    @property
    def display_name(self) -> str:
        """Return the first and last name (SPEC 3)."""
        return f"{self.first_name} {self.last_name}"

    @property
    def uid(self) -> str:
        """Return the user's stable uid in the Auth emulator."""
        return neighbor_id(self.email).hex[:28]

    @property
    def role(self) -> str:
        """Return the role in `demo.json`."""
        return "guru" if self.guru else "neighbour"


def load_neighbors() -> list[Neighbor]:
    """Return the owners of the gurus, then the other neighbors."""
    content = tomllib.loads(CONTENT_FILE.read_text(encoding="utf-8"))
    password = content["password"]
    neighbors: list[Neighbor] = []
    for label in labels():
        guru = tomllib.loads((CONTENT_DIR / label / "guru.toml").read_text(encoding="utf-8"))
        owner = guru["owner"]
        neighbors.append(
            Neighbor(
                owner["first_name"],
                owner["last_name"],
                owner["email"],
                password,
                location=guru["city"],
                bio=guru["tagline"],
                offered=[[skill, "expert"] for skill in guru["primary_skills"][:5]],
                languages=["English"],
                guru=label,
            )
        )
    neighbors += [Neighbor(password=password, **entry) for entry in content["neighbors"]]
    return neighbors


def load(conn: Connection) -> int:
    """Create the accounts and profiles of all neighbors that do not exist yet. Return the number of neighbors."""
    now = clock.now()
    neighbors = load_neighbors()
    for number, neighbor in enumerate(neighbors):
        user_id = neighbor_id(neighbor.email)
        joined = now - timedelta(days=200 - 9 * number)
        row = conn.execute(
            "INSERT INTO users (user_id, firebase_uid, email, email_verified, created_at)"
            " VALUES (%s, %s, %s, true, %s) ON CONFLICT DO NOTHING RETURNING user_id",
            [user_id, neighbor.uid, neighbor.email, joined],
        ).fetchone()
        if neighbor.guru:  # also for users that exist without a membership
            conn.execute(
                "INSERT INTO memberships (tenant_id, user_id, created_at)"
                " SELECT id, %s, %s FROM gurus WHERE id = %s ON CONFLICT DO NOTHING",
                [user_id, joined, demo_id(neighbor.guru)],
            )
        if row is None:
            continue
        # The link to all email settings, as the first email creates it.
        conn.execute("INSERT INTO email_settings (user_id, kind) VALUES (%s, 'all')", [user_id])
        conn.execute(
            """
            INSERT INTO profiles (user_id, handle, first_name, last_name, display_name, bio, location, skills_offered,
                                  skills_wanted, languages, availability, is_public, registered_at, created_at)
            VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
            """,
            [
                user_id, create_handle(neighbor.display_name, plain=True), neighbor.first_name, neighbor.last_name,
                neighbor.display_name, neighbor.bio, neighbor.location, _skills(neighbor.offered),
                _skills(neighbor.wanted), neighbor.languages, neighbor.availability, neighbor.public, joined, joined,
            ],
        )  # fmt: skip
    _update_listings(conn)
    return len(neighbors)


def _update_listings(conn: Connection) -> None:
    for listing in tomllib.loads(CONTENT_FILE.read_text(encoding="utf-8"))["listings"]:
        conn.execute(
            "UPDATE skill_offers SET details = %s, terms = %s, price_cents = %s, formats = %s, days = %s"
            " WHERE user_id = %s AND title = %s AND details = ''",
            [
                listing["details"], listing["terms"], listing.get("price_cents"), listing["formats"],
                sum(1 << _WEEK.index(day) for day in listing["days"]), neighbor_id(listing["email"]),
                listing["title"],
            ],
        )  # fmt: skip
        if "drawing" in listing:
            _illustrate(conn, listing)


def _illustrate(conn: Connection, listing: dict[str, str]) -> None:
    owner = neighbor_id(listing["email"])
    offer_id = fetch_value(
        conn,
        UUID,
        "SELECT o.id FROM skill_offers o WHERE o.user_id = %s AND o.title = %s AND NOT EXISTS"
        " (SELECT FROM listing_photos p WHERE p.user_id = o.user_id AND p.offer_id = o.id)",
        [owner, listing["title"]],
    )
    if offer_id is None:
        return
    body, thumbnail = draw_illustration(listing["drawing"])
    conn.execute(
        "INSERT INTO listing_photos (user_id, offer_id, id, position, alt, width, height, body, thumbnail)"
        " VALUES (%s, %s, %s, 0, %s, %s, %s, %s, %s)",
        [owner, offer_id, new_id(), listing["shows"], *SIZE, body, thumbnail],
    )


def _skills(pairs: list[list[str]]) -> Jsonb:
    return Jsonb([{"name": name, "level": level} for name, level in pairs])


def load_all(service_dsn: str) -> int:
    """Load all neighbors in one transaction. Return their number."""
    with psycopg.connect(service_dsn) as conn:
        return load(conn)
