"""Find and propose swap rings: three users who each teach the next one, with a time that all three share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any
from uuid import UUID

import psycopg

from tenants.db.jobs import enqueue_as_service
from tenants.kit.ids import new_id

RINGS_TASK = "matches:find_swap_rings"
NOTIFY_TASK = "matches:notify_members"  # the database also enqueues it when a ring is agreed or declined
MIN_PROBABILITY = 0.6  # of each teacher and learner
MAX_PARTNERS = 120  # learners per teacher and teachers per learner, the best first
BATCH_SIZE = 400  # users per run
MAX_OPEN_RINGS = 3  # per user
RING_TTL_DAYS = 21

Connection = psycopg.Connection[Any]


@dataclass(frozen=True, slots=True)
class RingLesson:
    """A teacher and a learner. `probability` (0 to 1): how likely the skill serves the learner's want."""

    teacher: UUID
    learner: UUID
    skill: str
    probability: float


@dataclass(frozen=True, slots=True)
class Ring:
    """Three members in a circle: the learner of each is the teacher of the next.

    `availability_bits`: the times that all three members share.
    """

    lessons: tuple[RingLesson, RingLesson, RingLesson]
    availability_bits: int

    @property
    def probability(self) -> float:
        """The lowest probability of the three pairs."""
        return min(lesson.probability for lesson in self.lessons)

    @property
    def members(self) -> tuple[UUID, ...]:
        """The three members, each before their learner."""
        return tuple(lesson.teacher for lesson in self.lessons)

    @property
    def digest(self) -> bytes:
        """The hash of the members in their order, from any first member."""
        first = self.members.index(min(self.members))
        rotated = (self.members * 2)[first : first + 3]
        return blake2b(b"".join(member.bytes for member in rotated), digest_size=16).digest()


def find_rings(
    lessons: Iterable[RingLesson], availability: dict[UUID, int], around: set[UUID] | None = None
) -> Iterator[Ring]:
    """Yield every ring once; with `around`, only rings with a member of it.

    Two users who can teach each other may also be part of a ring. Users without availability are in no ring.
    """
    best: defaultdict[UUID, dict[UUID, RingLesson]] = defaultdict(dict)
    teachers: defaultdict[UUID, set[UUID]] = defaultdict(set)
    for lesson in lessons:
        shared = availability.get(lesson.teacher, 0) & availability.get(lesson.learner, 0)
        if lesson.teacher == lesson.learner or not shared:
            continue
        known = best[lesson.teacher].get(lesson.learner)
        if known is None or (lesson.probability, lesson.skill) > (known.probability, known.skill):
            best[lesson.teacher][lesson.learner] = lesson
            teachers[lesson.learner].add(lesson.teacher)
    for a, lessons_of_a in list(best.items()):
        if around is not None and a not in around:
            continue
        for b, first in lessons_of_a.items():
            lessons_of_b = best.get(b)
            if not lessons_of_b:
                continue
            for c in lessons_of_b.keys() & teachers[a]:
                shared = availability[a] & availability[b] & availability[c]
                # The loop reaches a ring from each of its starting members. Only the smallest one yields it.
                starting = [member for member in (a, b, c) if around is None or member in around]
                if c != b and shared and a == min(starting):
                    yield Ring((first, lessons_of_b[c], best[c][a]), shared)


_DUE = """
SELECT user_id FROM user_locations WHERE ring_check_due AND availability_bits <> 0 AND tile >= 0
 ORDER BY updated_at LIMIT %s
"""
# The due users, their possible learners and their possible teachers. The third member of a ring is both.
_CIRCLE = """
WITH due AS (SELECT w.user_id, w.tile FROM user_locations w WHERE w.user_id = ANY (%(due)s)),
taught AS (
  SELECT DISTINCT l.user_id FROM due d CROSS JOIN LATERAL (
    SELECT w.user_id FROM skill_offers o
      JOIN phrase_relations r ON r.other_id = o.phrase_id AND r.probability >= %(least)s
      JOIN skill_wants w ON w.phrase_id = r.phrase_id AND w.visible AND w.user_id <> o.user_id
       AND w.tile = ANY (ARRAY[d.tile, d.tile - 1, d.tile + 1, d.tile - 1000, d.tile + 1000])
     WHERE o.user_id = d.user_id AND o.visible ORDER BY r.probability DESC LIMIT %(partners)s) l),
teaching AS (
  SELECT DISTINCT l.user_id FROM due d CROSS JOIN LATERAL (
    SELECT o.user_id FROM skill_wants w
      JOIN phrase_relations r ON r.phrase_id = w.phrase_id AND r.probability >= %(least)s
      JOIN skill_offers o ON o.phrase_id = r.other_id AND o.visible AND w.user_id <> o.user_id
       AND o.tile = ANY (ARRAY[d.tile, d.tile - 1, d.tile + 1, d.tile - 1000, d.tile + 1000])
     WHERE w.user_id = d.user_id AND w.visible ORDER BY r.probability DESC LIMIT %(partners)s) l)
SELECT w.user_id, w.availability_bits FROM user_locations w
  JOIN users u ON u.user_id = w.user_id AND u.status = 'active'
 WHERE w.availability_bits <> 0 AND w.user_id IN (
   SELECT user_id FROM due UNION SELECT user_id FROM taught UNION SELECT user_id FROM teaching)
"""
_LESSONS = """
SELECT o.user_id, w.user_id, o.title, r.probability FROM skill_offers o
  JOIN phrase_relations r ON r.other_id = o.phrase_id AND r.probability >= %(least)s
  JOIN skill_wants w ON w.phrase_id = r.phrase_id AND w.visible AND w.user_id = ANY (%(circle)s)
 WHERE o.user_id = ANY (%(circle)s) AND o.visible AND o.user_id <> w.user_id
   AND app.cell_km(o.cell_lat, o.cell_lon, w.cell_lat, w.cell_lon) <= o.radius_km
   AND o.cell_lat >= 0 AND w.cell_lat >= 0 AND 'swap' = ANY (o.terms)
"""


def rings_around(conn: Connection, due: list[UUID]) -> list[Ring]:
    """Return the rings with a member of `due`, best first."""
    params = {"due": due, "least": MIN_PROBABILITY, "partners": MAX_PARTNERS}
    availability = dict(conn.execute(_CIRCLE, params).fetchall())
    rows = conn.execute(_LESSONS, {"circle": list(availability), "least": MIN_PROBABILITY}).fetchall()
    lessons = (RingLesson(teacher, learner, skill, probability) for teacher, learner, skill, probability in rows)
    rings = find_rings(lessons, availability, set(due) & availability.keys())
    return sorted(rings, key=lambda ring: (-ring.probability, ring.digest))


def propose_rings(dsn: str) -> list[UUID]:
    """Propose rings around users whose skills, location or availability changed, and return the new ring ids.

    A user has at most MAX_OPEN_RINGS proposed rings. The same ring is proposed only once.
    """
    ring_ids: list[UUID] = []
    with psycopg.connect(dsn) as conn:
        conn.execute(
            "UPDATE swap_rings SET state = 'expired'"
            " WHERE state = 'proposed' AND created_at < now() - %s * interval '1 day'",
            [RING_TTL_DAYS],
        )
        due = [row[0] for row in conn.execute(_DUE, [BATCH_SIZE]).fetchall()]
        if not due:
            return ring_ids
        rings = rings_around(conn, due)
        counts = conn.execute(
            "SELECT m.user_id, count(*) FROM swap_ring_members m JOIN swap_rings r ON r.id = m.ring_id"
            " WHERE r.state = 'proposed' AND m.user_id = ANY (%s) GROUP BY 1",
            [[member for ring in rings for member in ring.members]],
        ).fetchall()
        open_rings: defaultdict[UUID, int] = defaultdict(int, dict(counts))
        for ring in rings:
            if any(open_rings[member] >= MAX_OPEN_RINGS for member in ring.members):
                continue
            ring_id = new_id()
            inserted = conn.execute(
                "INSERT INTO swap_rings (id, digest, availability_bits) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
                [ring_id, ring.digest, ring.availability_bits],
            ).rowcount
            if not inserted:
                continue
            for place, lesson in enumerate(ring.lessons):
                conn.execute(
                    "INSERT INTO swap_ring_members (user_id, ring_id, place, teaches) VALUES (%s, %s, %s, %s)",
                    [lesson.teacher, ring_id, place, lesson.skill],
                )
                open_rings[lesson.teacher] += 1
            enqueue_as_service(conn, NOTIFY_TASK, ring_id=str(ring_id))
            ring_ids.append(ring_id)
        conn.execute("UPDATE user_locations SET ring_check_due = false WHERE user_id = ANY (%s)", [due])
    return ring_ids
