"""Swap rings: three neighbours who each teach the next, at a time all three are free."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any
from uuid import UUID

import psycopg

from tenants.kit.ids import new_id

RINGS_TASK = "find_swap_rings"
TELL_TASK = "tell_swap_ring"  # enqueued by the database when a ring was agreed on or declined
LEAST_FIT = 0.6  # of each of the three lessons
PARTNERS = 120  # learners a teacher is thought of with, the best fits first
AT_ONCE = 400  # neighbours whose rings are looked for in one run
OPEN_EACH = 3  # rings a neighbour is asked about at a time
EXPIRE_DAYS = 21

Connection = psycopg.Connection[Any]


@dataclass(frozen=True, slots=True)
class Lesson:
    """One neighbour who could teach another. `fit`: how likely it serves them, 0 to 1."""

    teacher: UUID
    learner: UUID
    skill: str
    fit: float


@dataclass(frozen=True, slots=True)
class Ring:
    """Three lessons that close: the learner of each is the teacher of the next. `free`: times all three share."""

    lessons: tuple[Lesson, Lesson, Lesson]
    free: int

    @property
    def fit(self) -> float:
        """That of its weakest lesson."""
        return min(lesson.fit for lesson in self.lessons)

    @property
    def members(self) -> tuple[UUID, ...]:
        """The three, each before whom they teach."""
        return tuple(lesson.teacher for lesson in self.lessons)

    @property
    def digest(self) -> bytes:
        """The same for the same three going round the same way."""
        first = self.members.index(min(self.members))
        return blake2b(b"".join(one.bytes for one in (self.members * 2)[first : first + 3]), digest_size=16).digest()


def find_rings(lessons: Iterable[Lesson], free: dict[UUID, int], around: set[UUID] | None = None) -> Iterator[Ring]:
    """Every ring there is, each once; with `around`, those with one of these neighbours in it.

    A pair who can teach each other needs no third, but may still be part of a ring. Who did not say when they are
    free is in none.
    """
    best: defaultdict[UUID, dict[UUID, Lesson]] = defaultdict(dict)
    taught_by: defaultdict[UUID, set[UUID]] = defaultdict(set)
    for lesson in lessons:
        if lesson.teacher == lesson.learner or not free.get(lesson.teacher, 0) & free.get(lesson.learner, 0):
            continue
        known = best[lesson.teacher].get(lesson.learner)
        if known is None or (lesson.fit, lesson.skill) > (known.fit, known.skill):
            best[lesson.teacher][lesson.learner] = lesson
            taught_by[lesson.learner].add(lesson.teacher)
    for a, of_a in list(best.items()):
        if around is not None and a not in around:
            continue
        for b, first in of_a.items():
            of_b = best.get(b)
            if not of_b:
                continue
            for c in of_b.keys() & taught_by[a]:
                shared = free[a] & free[b] & free[c]
                # Each ring is met from each of its members that we begin with: the smallest of those tells it.
                begun = [one for one in (a, b, c) if around is None or one in around]
                if c != b and shared and a == min(begun):
                    yield Ring((first, of_b[c], best[c][a]), shared)


_DUE = "SELECT user_id FROM whereabouts WHERE ring_due AND free <> 0 AND tile >= 0 ORDER BY updated_at LIMIT %s"
# The due, whoever they could teach, and whoever could teach them: the third of a ring is both.
_CIRCLE = """
WITH due AS (SELECT w.user_id, w.tile FROM whereabouts w WHERE w.user_id = ANY (%(due)s)),
taught AS (
  SELECT DISTINCT l.user_id FROM due d CROSS JOIN LATERAL (
    SELECT w.user_id FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id AND r.fit >= %(least)s
      JOIN skill_wants w ON w.phrase_id = r.phrase_id AND w.visible AND w.user_id <> o.user_id
       AND w.tile = ANY (ARRAY[d.tile, d.tile - 1, d.tile + 1, d.tile - 1000, d.tile + 1000])
     WHERE o.user_id = d.user_id AND o.visible ORDER BY r.fit DESC LIMIT %(partners)s) l),
teaching AS (
  SELECT DISTINCT l.user_id FROM due d CROSS JOIN LATERAL (
    SELECT o.user_id FROM skill_wants w JOIN phrase_relations r ON r.phrase_id = w.phrase_id AND r.fit >= %(least)s
      JOIN skill_offers o ON o.phrase_id = r.other_id AND o.visible AND w.user_id <> o.user_id
       AND o.tile = ANY (ARRAY[d.tile, d.tile - 1, d.tile + 1, d.tile - 1000, d.tile + 1000])
     WHERE w.user_id = d.user_id AND w.visible ORDER BY r.fit DESC LIMIT %(partners)s) l)
SELECT w.user_id, w.free FROM whereabouts w JOIN users u ON u.user_id = w.user_id AND u.status = 'active'
 WHERE w.free <> 0 AND w.user_id IN (
   SELECT user_id FROM due UNION SELECT user_id FROM taught UNION SELECT user_id FROM teaching)
"""
_LESSONS = """
SELECT o.user_id, w.user_id, o.title, r.fit FROM skill_offers o
  JOIN phrase_relations r ON r.other_id = o.phrase_id AND r.fit >= %(least)s
  JOIN skill_wants w ON w.phrase_id = r.phrase_id AND w.visible AND w.user_id = ANY (%(circle)s)
 WHERE o.user_id = ANY (%(circle)s) AND o.visible AND o.user_id <> w.user_id
   AND app.cell_km(o.cell_lat, o.cell_lon, w.cell_lat, w.cell_lon) <= o.radius_km
   AND o.cell_lat >= 0 AND w.cell_lat >= 0 AND 'swap' = ANY (o.terms)
"""


def rings_around(conn: Connection, due: list[UUID]) -> list[Ring]:
    """The rings with one of the `due` in them, the best first."""
    circle = dict(conn.execute(_CIRCLE, {"due": due, "least": LEAST_FIT, "partners": PARTNERS}).fetchall())
    rows = conn.execute(_LESSONS, {"circle": list(circle), "least": LEAST_FIT}).fetchall()
    lessons = (Lesson(teacher, learner, skill, fit) for teacher, learner, skill, fit in rows)
    found = find_rings(lessons, circle, set(due) & circle.keys())
    return sorted(found, key=lambda ring: (-ring.fit, ring.digest))


def propose_rings(dsn: str) -> list[UUID]:
    """Look for rings around neighbours whose skills, place or time changed, and propose them; the new rings' ids.

    Nobody is asked about more than OPEN_EACH at a time, and the same three only once.
    """
    made: list[UUID] = []
    with psycopg.connect(dsn) as conn:
        conn.execute(
            "UPDATE swap_rings SET state = 'expired'"
            " WHERE state = 'proposed' AND created_at < now() - %s * interval '1 day'",
            [EXPIRE_DAYS],
        )
        due = [row[0] for row in conn.execute(_DUE, [AT_ONCE]).fetchall()]
        if not due:
            return made
        rings = rings_around(conn, due)
        counts = conn.execute(
            "SELECT m.user_id, count(*) FROM swap_ring_members m JOIN swap_rings r ON r.id = m.ring_id"
            " WHERE r.state = 'proposed' AND m.user_id = ANY (%s) GROUP BY 1",
            [[one for ring in rings for one in ring.members]],
        ).fetchall()
        asked: defaultdict[UUID, int] = defaultdict(int, dict(counts))
        for ring in rings:
            if any(asked[one] >= OPEN_EACH for one in ring.members):
                continue
            ring_id = new_id()
            kept = conn.execute(
                "INSERT INTO swap_rings (id, digest, free) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
                [ring_id, ring.digest, ring.free],
            ).rowcount
            if not kept:
                continue
            for place, lesson in enumerate(ring.lessons):
                conn.execute(
                    "INSERT INTO swap_ring_members (user_id, ring_id, place, teaches) VALUES (%s, %s, %s, %s)",
                    [lesson.teacher, ring_id, place, lesson.skill],
                )
                asked[lesson.teacher] += 1
            conn.execute("SELECT app.enqueue(%s, jsonb_build_object('ring_id', %s::text), NULL)", [TELL_TASK, ring_id])
            made.append(ring_id)
        conn.execute("UPDATE whereabouts SET ring_due = false WHERE user_id = ANY (%s)", [due])
    return made
