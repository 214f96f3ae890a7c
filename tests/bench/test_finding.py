"""Finding each other: how well (the set kept back counts) and how fast, beside the plainest ways to do it."""

from __future__ import annotations

import contextlib
import os
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from porchlight.matches.rings import rings_around
from porchlight.meaning.relating import relate_waiting
from tests.bench.figures import show
from tests.matches import world
from tests.matches.people import Person, add, kept_back, model, offered, quality, slipped, wants
from tests.support.databases import Database

pytestmark = pytest.mark.bench

PEOPLE = int(os.environ.get("PORCHLIGHT_BENCH_PEOPLE", "100000"))
_SEARCH = (
    "SELECT title FROM app.search(%s::integer, %s, '{offer}', %s::smallint, %s::smallint, NULL, NULL, NULL, NULL, NULL,"
    " NULL, 20)"
)
_MATCH = b"SELECT * FROM app.skill_matches(%s, 10, 5)"
_TYPED = b"SELECT * FROM app.suggest_skills(%s, 8)"
# The plainest ways to the same: everybody is looked at.
_SCAN_MATCH = b"""
WITH asked AS MATERIALIZED (
  SELECT r.other_id AS phrase_id, max(r.fit) AS fit
    FROM skill_wants w JOIN phrase_relations r ON r.phrase_id = w.phrase_id WHERE w.user_id = %s GROUP BY 1
), given AS MATERIALIZED (
  SELECT r.phrase_id, max(r.fit) AS fit
    FROM skill_offers o JOIN phrase_relations r ON r.other_id = o.phrase_id WHERE o.user_id = %s GROUP BY 1
)
SELECT p.user_id FROM (
  SELECT o.user_id, a.fit FROM skill_offers o JOIN asked a ON a.phrase_id = o.phrase_id WHERE o.visible
   UNION ALL
  SELECT w.user_id, 0.6 * g.fit FROM skill_wants w JOIN given g ON g.phrase_id = w.phrase_id WHERE w.visible) p
 WHERE p.user_id <> %s GROUP BY 1
 ORDER BY 0.9 * max(p.fit) + 0.1 * (1 - exp(-0.5 * (sum(p.fit) - max(p.fit)))) DESC LIMIT 10
"""
_SCAN_SEARCH = b"SELECT title FROM skill_offers WHERE visible ORDER BY similarity(title, %s) DESC LIMIT 20"
_SCAN_TYPED = b"SELECT name FROM skill_needles ORDER BY similarity(needle, %s) DESC LIMIT 8"
_FITS = b"""
SELECT o.title, r.fit FROM phrase_relations r JOIN skill_offers o ON o.phrase_id = r.other_id WHERE r.phrase_id = %s
"""
_SUBSTRING = "SELECT title FROM skill_offers WHERE title ILIKE '%%' || %s || '%%' LIMIT 10"
_TRIGRAM = "SELECT title FROM skill_offers ORDER BY word_similarity(title, %s) DESC, title LIMIT 10"


def _rank(titles: list[str], meant: str) -> int | None:
    return titles.index(meant) + 1 if meant in titles else None


def _titles(conn: psycopg.Connection[Any], query: str, params: list[Any]) -> list[str]:
    return [row[0] for row in conn.execute(query.encode(), params).fetchall()]


def _ask_all(database: Database, conn: psycopg.Connection[Any], asked: list[str]) -> dict[str, int | None]:
    """The phrases of questions, read; a queue takes 500 at a time."""
    for _ in range(2):
        found = {words: conn.execute("SELECT phrase_id FROM app.ask_phrase(%s)", [words]).fetchone() for words in asked}
        relate_waiting(database.overseer_url, model())
    return {words: row[0] if row else None for words, row in found.items()}


@pytest.mark.parametrize("kind", ["kept back", "once held out", "tuning"])
def test_how_well(new_database: Callable[[], Database], kind: str) -> None:
    """Only what was kept back has targets; the set that tunes is shown beside it."""
    which = kept_back() if kind == "kept back" else wants()
    counted = [want for want in which if want.tunes == (kind == "tuning")]
    counts = kind == "kept back"
    database = new_database()
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        for number, offer in enumerate(offered(which)):
            add(conn, Person(f"Teacher {number}", [offer]))
        asked = _ask_all(database, conn, [want.words for want in counted])
        ways: dict[str, Callable[[str], list[str]]] = {
            "ours": lambda words: _titles(conn, _SEARCH, [asked[words], words, -1, -1]),
            "substring": lambda words: _titles(conn, _SUBSTRING, [words]),
            "trigram": lambda words: _titles(conn, _TRIGRAM, [words]),
        }
        found = {name: quality([_rank(way(want.words), want.offer) for want in counted]) for name, way in ways.items()}
        beside = ", ".join(f"{name} {found[name].recall:.3f}" for name in ("substring", "trigram"))
        show(f"{kind}: recall@10", found["ours"].recall, None, "", least=0.95 if counts else None, note=beside)
        beside = ", ".join(f"{name} {found[name].mrr:.3f}" for name in ("substring", "trigram"))
        show(f"{kind}: MRR", found["ours"].mrr, None, "", least=0.85 if counts else None, note=beside)
        if kind == "tuning":
            return
        dice = random.Random(5)
        for edits in (1, 2):
            ranks = [
                _rank(_titles(conn, _SEARCH, [None, slipped(offer.lower(), edits, dice), -1, -1])[:10], offer)
                for offer in offered(which)
                for _ in range(4)
            ]
            show(f"{kind}: {edits} slips: recall@10", quality(ranks).recall, None, "", least=0.95)
        # As matches score: an offer's fit for the question, spelling and meaning together.
        pairs = [
            (fit, title == want.offer)
            for want in counted
            for title, fit in conn.execute(_FITS, [asked[want.words]]).fetchall()
        ]
    high = [right for fit, right in pairs if fit >= 0.8]
    show(f"{kind}: of pairs at 80-100, truly fit", sum(high) / max(1, len(high)), None, "",
         least=0.85 if counts else None, note=f"{len(high)} pairs")  # fmt: skip


def test_swap_rings(database: Database) -> None:
    with psycopg.connect(database.overseer_url) as conn:
        planted = world.plant_rings(conn, 1000)
        conn.commit()
        with psycopg.connect(database.superuser_url, autocommit=True) as owner:
            owner.execute("VACUUM ANALYZE")
        due = [row[0] for row in conn.execute("SELECT user_id FROM whereabouts WHERE free <> 0").fetchall()]
        began = time.perf_counter()
        found = {frozenset(ring.members) for ring in rings_around(conn, due)}
        taken = time.perf_counter() - began
    show("planted swap rings found", len(found & set(planted)) / len(planted), None, "", least=1.0)
    show("impossible rings proposed", len(found - set(planted)), None, "", most=0)
    show("swap rings among 1,000 people", taken, None, "s", most=2)


def _percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] * 1000


def _cpu(conn: psycopg.Connection[Any]) -> float:
    """Seconds this connection's backend has spent on a processor: what a busy machine does not stretch."""
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{conn.info.backend_pid}/schedstat").read_text().split()[0]) / 1e9
    return 0.0


def _timed(conn: psycopg.Connection[Any], rounds: int, ask: Callable[[int], object]) -> tuple[list[float], list[float]]:
    """The seconds each round took, and those of them that were spent on a processor."""
    for number in range(8):
        ask(number)  # plans are made
    times: list[float] = []
    work: list[float] = []
    for number in range(rounds):
        before, began = _cpu(conn), time.perf_counter()
        ask(number)
        times.append(time.perf_counter() - began)
        work.append(_cpu(conn) - before)
    return times, work


def _show_speed(name: str, taken: tuple[list[float], list[float]], most: float, scan: float) -> None:
    times, work = taken
    show(f"{name}: p99", _percentile(times, 0.99), None, "ms", most=most,
         note=f"median {_percentile(times, 0.5):.1f}; CPU p99 {_percentile(work, 0.99):.1f}")  # fmt: skip
    show(f"{name}: beside a sequential scan", _percentile(times, 0.5), scan, "ms")


def test_how_fast(new_database: Callable[[], Database]) -> None:
    database = new_database()
    people = world.build(database.overseer_url, PEOPLE)
    relate_waiting(database.overseer_url, model())
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        conn.execute("VACUUM ANALYZE")
    dice = random.Random(3)
    chosen = dice.sample(people, 300)
    questions = dice.choices(world.phrases(), k=300)
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        for setting in ("enable_indexscan", "enable_indexonlyscan", "enable_bitmapscan"):
            conn.execute(f"SET {setting} = off".encode())
        scans = {
            "match": _percentile(
                _timed(conn, 3, lambda n: conn.execute(_SCAN_MATCH, [chosen[n]] * 3).fetchall())[0], 0.5
            ),
            "search": _percentile(
                _timed(conn, 3, lambda n: conn.execute(_SCAN_SEARCH, [questions[n]]).fetchall())[0], 0.5
            ),
            "autocomplete": _percentile(
                _timed(conn, 20, lambda n: conn.execute(_SCAN_TYPED, [questions[n][: 3 + n % 6]]).fetchall())[0], 0.5
            ),
        }
    with psycopg.connect(database.app_url, autocommit=True) as conn:
        known = {
            words: conn.execute("SELECT phrase_id FROM app.ask_phrase(%s)", [words]).fetchone() for words in questions
        }
        ways: dict[str, tuple[float, Callable[[int], object]]] = {
            "match": (50, lambda n: conn.execute(_MATCH, [chosen[n]]).fetchall()),
            "search": (
                60,
                lambda n: conn.execute(
                    _SEARCH.encode(), [(known[questions[n]] or [None])[0], questions[n], 6486, 2886]
                ).fetchall(),
            ),
            "autocomplete": (15, lambda n: conn.execute(_TYPED, [questions[n][: 3 + n % 6]]).fetchall()),
        }
        for name, (most, ask) in ways.items():
            _show_speed(f"{name}, {PEOPLE:,} people", _timed(conn, 300, ask), most, scans[name])
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        vector = "[" + ",".join(map(str, model().vectors(["fix my bike"])[0])) + "]"
        near = b"SELECT phrase_id FROM phrase_vectors ORDER BY embedding <=> %s::vector LIMIT 40"
        index = _percentile(_timed(conn, 40, lambda _n: conn.execute(near, [vector]).fetchall())[0], 0.5)
        conn.execute("SET enable_indexscan = off")
        scan = _percentile(_timed(conn, 40, lambda _n: conn.execute(near, [vector]).fetchall())[0], 0.5)
        show("nearest phrases: index beside a sequential scan", index, scan, "ms")
    model().vectors(["warm"])
    times: list[float] = []
    for number in range(40):
        began = time.perf_counter()
        model().vectors([f"learn something new number {number}"])
        times.append(time.perf_counter() - began)
    show("reading a new phrase", _percentile(times, 0.5), None, "ms", most=50)
