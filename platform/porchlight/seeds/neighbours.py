"""The neighbours of the demo: a dozen from their file, and the owners of the gurus from their stories."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
from psycopg.types.json import Jsonb

from porchlight.accounts.handles import handle_for
from porchlight.seeds.drawings import SIZE, drawn
from porchlight.seeds.stories import HERE as STORIES
from porchlight.seeds.stories import labels, story_id
from tenants.kit import clock
from tenants.kit.ids import new_id

HERE = Path(__file__).parent / "neighbours.toml"
_WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

Connection = psycopg.Connection[Any]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """One person of the demo. `guru`: the label of the site they run, if any."""

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
        """First and last name (SPEC 3)."""
        return f"{self.first_name} {self.last_name}"

    @property
    def uid(self) -> str:
        """Their uid at the local identity service: the same every time."""
        return story_id("neighbour", self.email).hex[:28]

    @property
    def role(self) -> str:
        """What `demo.json` calls them."""
        return "guru" if self.guru else "neighbour"


def everybody() -> list[Neighbour]:
    """The owners of the gurus, then the dozen."""
    told = tomllib.loads(HERE.read_text(encoding="utf-8"))
    password = told["password"]
    people: list[Neighbour] = []
    for label in labels():
        story = tomllib.loads((STORIES / label / "guru.toml").read_text(encoding="utf-8"))
        owner = story["owner"]
        people.append(
            Neighbour(
                owner["first_name"],
                owner["last_name"],
                owner["email"],
                password,
                location=story["city"],
                bio=story["tagline"],
                offered=[[skill, "expert"] for skill in story["primary_skills"][:5]],
                languages=["English"],
                guru=label,
            )
        )
    people += [Neighbour(password=password, **entry) for entry in told["neighbours"]]
    return people


def tell(conn: Connection) -> int:
    """Write everybody's account and profile. Told again, it changes nothing that is there. Answers how many."""
    now = clock.now()
    people = everybody()
    for number, person in enumerate(people):
        user_id = story_id("neighbour", person.email)
        joined = now - timedelta(days=200 - 9 * number)
        made = conn.execute(
            "INSERT INTO users (user_id, firebase_uid, email, email_verified, created_at)"
            " VALUES (%s, %s, %s, true, %s) ON CONFLICT DO NOTHING RETURNING user_id",
            [user_id, person.uid, person.email, joined],
        ).fetchone()
        if person.guru:  # also in a world that was told before owners were kept
            conn.execute(
                "INSERT INTO memberships (tenant_id, user_id, created_at)"
                " SELECT id, %s, %s FROM gurus WHERE id = %s ON CONFLICT DO NOTHING",
                [user_id, joined, story_id(person.guru)],
            )
        if made is None:
            continue
        conn.execute(
            """
            INSERT INTO profiles (user_id, handle, first_name, last_name, display_name, bio, location, skills_offered,
                                  skills_wanted, languages, availability, is_public, registered_at, created_at)
            VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
            """,
            [
                user_id, handle_for(person.display_name, plain=True), person.first_name, person.last_name,
                person.display_name, person.bio, person.location, _skills(person.offered), _skills(person.wanted),
                person.languages, person.availability, person.public, joined, joined,
            ],
        )  # fmt: skip
    _describe(conn)
    return len(people)


def _describe(conn: Connection) -> None:
    for listing in tomllib.loads(HERE.read_text(encoding="utf-8"))["listings"]:
        conn.execute(
            "UPDATE skill_offers SET details = %s, terms = %s, price_cents = %s, formats = %s, days = %s"
            " WHERE user_id = %s AND title = %s AND details = ''",
            [
                listing["details"], listing["terms"], listing.get("price_cents"), listing["formats"],
                sum(1 << _WEEK.index(day) for day in listing["days"]), story_id("neighbour", listing["email"]),
                listing["title"],
            ],
        )  # fmt: skip
        if "drawing" in listing:
            _illustrate(conn, listing)


def _illustrate(conn: Connection, listing: dict[str, str]) -> None:
    owner = story_id("neighbour", listing["email"])
    bare = conn.execute(
        "SELECT o.id FROM skill_offers o WHERE o.user_id = %s AND o.title = %s AND NOT EXISTS"
        " (SELECT FROM listing_photos p WHERE p.user_id = o.user_id AND p.offer_id = o.id)",
        [owner, listing["title"]],
    ).fetchone()
    if bare is None:
        return
    body, small = drawn(listing["drawing"])
    conn.execute(
        "INSERT INTO listing_photos (user_id, offer_id, id, position, alt, width, height, body, small)"
        " VALUES (%s, %s, %s, 0, %s, %s, %s, %s, %s)",
        [owner, bare[0], new_id(), listing["shows"], *SIZE, body, small],
    )


def _skills(pairs: list[list[str]]) -> Jsonb:
    return Jsonb([{"name": name, "level": level} for name, level in pairs])


def tell_all(overseer_dsn: str) -> int:
    """Write everybody in one transaction."""
    with psycopg.connect(overseer_dsn) as conn:
        return tell(conn)
