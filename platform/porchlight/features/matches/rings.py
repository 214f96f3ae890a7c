"""Find and propose swap rings: three users who each teach the next one, with a time that all three share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from uuid import UUID

from tenants.db.rows import Connection, fetch_value, fetch_values
from tenants.db.tasks import Job
from tenants.kit.ids import new_id

FIND_SWAP_RINGS_TASK = "matches:find_swap_rings"
MIN_PROBABILITY = 0.6  # of each teacher and learner
MAX_PARTNERS = 120  # learners per teacher and teachers per learner, the best first
BATCH_SIZE = 400  # users per run
MAX_OPEN_RINGS = 3  # per user
RING_TTL_DAYS = 21


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


_START = "SELECT app.start_swap_ring_check(%s, %s)"
_CIRCLE = "SELECT user_id, availability_bits, open_rings FROM app.swap_ring_circle(%s, %s, %s)"
_LESSONS = "SELECT teacher_id, learner_id, skill, probability FROM app.swap_ring_lessons(%s, %s)"
_CREATE = "SELECT app.create_swap_ring(%s, %s, %s, %s, %s)"
_FINISH = "SELECT app.set_ring_check_due(%s, NULL)"


def rings_around(conn: Connection, due: list[UUID]) -> tuple[list[Ring], dict[UUID, int]]:
    """Return the rings with a member of `due`, best first, and the number of proposed rings of each possible member."""
    circle = conn.execute(_CIRCLE, [due, MIN_PROBABILITY, MAX_PARTNERS]).fetchall()
    availability = {user_id: bits for user_id, bits, _count in circle}
    open_rings = {user_id: count for user_id, _bits, count in circle}
    rows = conn.execute(_LESSONS, [list(availability), MIN_PROBABILITY]).fetchall()
    lessons = (RingLesson(teacher, learner, skill, probability) for teacher, learner, skill, probability in rows)
    rings = find_rings(lessons, availability, set(due) & availability.keys())
    return sorted(rings, key=lambda ring: (-ring.probability, ring.digest)), open_rings


def propose_rings(job: Job) -> list[UUID]:
    """Propose rings around users whose skills, location or availability changed, and return the new ring ids.

    A user has at most MAX_OPEN_RINGS proposed rings. The same ring is proposed only once.
    """
    ring_ids: list[UUID] = []
    with job.transaction() as conn:
        due = fetch_values(conn, UUID, _START, [BATCH_SIZE, RING_TTL_DAYS])
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
    values = [ring_id, ring.digest, ring.availability_bits, list(ring.members), skills]
    return bool(fetch_value(conn, bool, _CREATE, values))
