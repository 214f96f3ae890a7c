"""Find and propose swap rings: three users who each teach the next one, with a time that all three share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from hashlib import blake2b
from typing import NamedTuple
from uuid import UUID

from tenants.db.jobs import enqueue_as_service
from tenants.db.rows import Connection, fetch_all, fetch_values
from tenants.db.tasks import ServiceJob
from tenants.kit import clock
from tenants.kit.ids import new_id

FIND_SWAP_RINGS_TASK, NOTIFY_MEMBERS_TASK = "matches:find_swap_rings", "matches:notify_members"
MIN_PROBABILITY = 0.6  # of each teacher and learner
MAX_PARTNERS = 120  # learners per teacher and teachers per learner, the best first
BATCH_SIZE = 400  # users per run
MAX_OPEN_RINGS = 3  # per user
RING_TTL = timedelta(days=21)


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


_EXPIRE = "UPDATE swap_rings SET state = 'expired' WHERE state = 'proposed' AND created_at < %s"
# Users whose skills, location or availability changed.
_DUE = """
SELECT l.user_id FROM user_locations l WHERE l.ring_check_due AND l.availability_bits <> 0 AND l.tile >= 0
 ORDER BY l.updated_at LIMIT %s"""
# Who can be in a ring with a user of `due`: these, their possible learners and their possible teachers, the best ones
# each. The third member of a ring is both.
_CIRCLE = """
WITH due_users AS (
  SELECT l.user_id, ARRAY(SELECT t.near_tile FROM app.tiles_around(l.tile) t WHERE t.steps <= 1) AS tiles
    FROM user_locations l WHERE l.user_id = ANY (%(due)s)
), learners AS (
  SELECT DISTINCT x.user_id FROM due_users d CROSS JOIN LATERAL (
    SELECT w.user_id FROM skill_offers o
      JOIN phrase_relations r ON r.other_id = o.phrase_id AND r.probability >= %(min_probability)s
      JOIN skill_wants w ON w.phrase_id = r.phrase_id AND w.visible AND w.user_id <> o.user_id
       AND w.tile = ANY (d.tiles)
     WHERE o.user_id = d.user_id AND o.visible ORDER BY r.probability DESC LIMIT %(max_partners)s) x
), teachers AS (
  SELECT DISTINCT x.user_id FROM due_users d CROSS JOIN LATERAL (
    SELECT o.user_id FROM skill_wants w
      JOIN phrase_relations r ON r.phrase_id = w.phrase_id AND r.probability >= %(min_probability)s
      JOIN skill_offers o ON o.phrase_id = r.other_id AND o.visible AND w.user_id <> o.user_id
       AND o.tile = ANY (d.tiles)
     WHERE w.user_id = d.user_id AND w.visible ORDER BY r.probability DESC LIMIT %(max_partners)s) x
)
SELECT l.user_id, l.availability_bits,
       (SELECT count(*) FROM swap_ring_members m JOIN swap_rings s ON s.id = m.ring_id
         WHERE m.user_id = l.user_id AND s.state = 'proposed') AS open_rings
  FROM user_locations l JOIN users u ON u.user_id = l.user_id AND u.status = 'active'
 WHERE l.availability_bits <> 0 AND l.user_id IN (
   SELECT d.user_id FROM due_users d UNION SELECT x.user_id FROM learners x UNION SELECT x.user_id FROM teachers x)"""
_LESSONS = """
SELECT o.user_id AS teacher, w.user_id AS learner, o.title AS skill, r.probability FROM skill_offers o
  JOIN phrase_relations r ON r.other_id = o.phrase_id AND r.probability >= %(min_probability)s
  JOIN skill_wants w ON w.phrase_id = r.phrase_id AND w.visible AND w.user_id = ANY (%(circle)s)
 WHERE o.user_id = ANY (%(circle)s) AND o.visible AND o.user_id <> w.user_id
   AND app.cell_km(o.cell_lat, o.cell_lon, w.cell_lat, w.cell_lon) <= o.radius_km
   AND o.cell_lat >= 0 AND w.cell_lat >= 0 AND 'swap' = ANY (o.terms)
   AND NOT EXISTS (SELECT FROM blocks b
                    WHERE (b.user_id, b.blocked_id) IN ((o.user_id, w.user_id), (w.user_id, o.user_id)))"""
_CREATE = """
WITH ring AS (
  INSERT INTO swap_rings (id, digest, availability_bits) VALUES (%(id)s, %(digest)s, %(bits)s)
  ON CONFLICT DO NOTHING RETURNING id)
INSERT INTO swap_ring_members (user_id, ring_id, place, teaches)
SELECT m.user_id, r.id, m.number - 1, m.teaches
  FROM ring r, unnest(%(members)s::uuid[], %(skills)s::text[]) WITH ORDINALITY m (user_id, teaches, number)"""
_FINISH = "SELECT app.set_ring_check_due(false, %s, NULL)"


class _Candidate(NamedTuple):
    user_id: UUID
    availability_bits: int
    open_rings: int


def rings_around(conn: Connection, due: list[UUID]) -> tuple[list[Ring], dict[UUID, int]]:
    """Return the rings with a member of `due`, best first, and the number of proposed rings of each possible member."""
    bounds = {"due": due, "min_probability": MIN_PROBABILITY, "max_partners": MAX_PARTNERS}
    circle = fetch_all(conn, _Candidate, _CIRCLE, bounds)
    availability = {one.user_id: one.availability_bits for one in circle}
    open_rings = {one.user_id: one.open_rings for one in circle}
    lessons = fetch_all(conn, RingLesson, _LESSONS, bounds | {"circle": list(availability)})
    rings = find_rings(lessons, availability, set(due) & availability.keys())
    return sorted(rings, key=lambda ring: (-ring.probability, ring.digest)), open_rings


def propose_rings(job: ServiceJob) -> list[UUID]:
    """Propose rings around users whose skills, location or availability changed, and return the new ring ids.

    A user has at most MAX_OPEN_RINGS proposed rings. The same ring is proposed only once.
    """
    ring_ids: list[UUID] = []
    with job.transaction() as conn:
        conn.execute(_EXPIRE, [clock.now() - RING_TTL])
        due = fetch_values(conn, UUID, _DUE, [BATCH_SIZE])
        if not due:
            return ring_ids
        rings, open_rings = rings_around(conn, due)
        for ring in rings:
            if all(open_rings[member] < MAX_OPEN_RINGS for member in ring.members):
                ring_id = new_id()
                if _create_ring(conn, ring_id, ring):
                    ring_ids.append(ring_id)
                    for member in ring.members:
                        open_rings[member] += 1
        conn.execute(_FINISH, [due])
    return ring_ids


def _create_ring(conn: Connection, ring_id: UUID, ring: Ring) -> bool:
    """Store the ring and enqueue the emails to its members. Return False if it was proposed before."""
    skills = [lesson.skill for lesson in ring.lessons]
    values = {"id": ring_id, "digest": ring.digest, "bits": ring.availability_bits}
    created = conn.execute(_CREATE, values | {"members": list(ring.members), "skills": skills}).rowcount > 0
    if created:
        enqueue_as_service(conn, NOTIFY_MEMBERS_TASK, ring_id=str(ring_id))
    return created
