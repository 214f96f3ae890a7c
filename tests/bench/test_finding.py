"""Finding each other: how well (the half held out counts) and how fast, beside the plainest ways to do it."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from porchlight.matches.rings import rings_around
from porchlight.meaning.fit import by_meaning
from porchlight.meaning.relating import relate_waiting
from tests.bench.figures import show
from tests.matches import world
from tests.matches.people import Person, add, model, offers, quality, slipped, wants
from tests.support.databases import Database

pytestmark = pytest.mark.bench

PEOPLE = int(os.environ.get("PORCHLIGHT_BENCH_PEOPLE", "100000"))
_SEARCH = (
    "SELECT title FROM app.search(%s::integer, %s, '{offer}', %s::smallint, %s::smallint, NULL, NULL, NULL, NULL, NULL,"
    " NULL, 20)"
)
_SUBSTRING = "SELECT title FROM skill_offers WHERE title ILIKE '%%' || %s || '%%' LIMIT 10"
_TRIGRAM = "SELECT title FROM skill_offers ORDER BY word_similarity(title, %s) DESC, title LIMIT 10"


def _rank(titles: list[str], meant: str) -> int | None:
    return titles.index(meant) + 1 if meant in titles else None


def _titles(conn: psycopg.Connection[Any], query: str, params: list[Any]) -> list[str]:
    return [row[0] for row in conn.execute(query.encode(), params).fetchall()]


def test_how_well(database: Database) -> None:
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        for number, offer in enumerate(offers()):
            add(conn, Person(f"Teacher {number}", [offer]))
        asked = {
            want.words: conn.execute("SELECT phrase_id FROM app.ask_phrase(%s)", [want.words]).fetchone()
            for want in wants()
        }
        relate_waiting(database.overseer_url, model())
        asked = {
            want.words: conn.execute("SELECT phrase_id FROM app.ask_phrase(%s)", [want.words]).fetchone()
            for want in wants()
        }
        relate_waiting(database.overseer_url, model())
        held = [want for want in wants() if not want.tunes]
        ways: dict[str, Callable[[str], list[str]]] = {
            "ours": lambda words: _titles(conn, _SEARCH, [(asked[words] or [None])[0], words, -1, -1]),
            "substring": lambda words: _titles(conn, _SUBSTRING, [words]),
            "trigram": lambda words: _titles(conn, _TRIGRAM, [words]),
        }
        found = {name: quality([_rank(way(want.words), want.offer) for want in held]) for name, way in ways.items()}
        beside = ", ".join(f"{name} {found[name].recall:.3f}" for name in ("substring", "trigram"))
        show("paraphrases: recall@10", found["ours"].recall, None, "", least=0.95, note=beside)
        beside = ", ".join(f"{name} {found[name].mrr:.3f}" for name in ("substring", "trigram"))
        show("paraphrases: MRR", found["ours"].mrr, None, "", least=0.85, note=beside)
        dice = random.Random(5)
        for edits in (1, 2):
            ranks = [
                _rank(_titles(conn, _SEARCH, [None, slipped(offer.lower(), edits, dice), -1, -1])[:10], offer)
                for offer in offers()
                for _ in range(4)
            ]
            show(f"{edits} slips: recall@10", quality(ranks).recall, None, "", least=0.95)
    offered, said = model().vectors(offers()), model().vectors([want.words for want in held])
    scored = right = 0
    for want, vector in zip(held, said, strict=True):
        for offer, other in zip(offers(), offered, strict=True):
            if by_meaning(sum(a * b for a, b in zip(vector, other, strict=True))) >= 0.8:
                scored, right = scored + 1, right + (offer == want.offer)
    show("calibration: of pairs at 80-100, truly fit", right / scored, None, "", least=0.85, note=f"{scored} pairs")


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


def _timed(rounds: int, ask: Callable[[int], object]) -> list[float]:
    times: list[float] = []
    for number in range(rounds):
        began = time.perf_counter()
        ask(number)
        times.append(time.perf_counter() - began)
    return times


def test_how_fast(new_database: Callable[[], Database]) -> None:
    database = new_database()
    people = world.build(database.overseer_url, PEOPLE)
    relate_waiting(database.overseer_url, model())
    with psycopg.connect(database.superuser_url, autocommit=True) as conn:
        conn.execute("VACUUM ANALYZE")
    dice = random.Random(3)
    chosen = dice.sample(people, 300)
    questions = dice.choices(world.phrases(), k=300)
    with psycopg.connect(database.app_url, autocommit=True) as conn:
        match = _timed(
            300, lambda n: conn.execute("SELECT * FROM app.skill_matches(%s, 10, 5)", [chosen[n]]).fetchall()
        )
        show(f"match, {PEOPLE:,} people: p99", _percentile(match, 0.99), None, "ms", most=50,
             note=f"median {_percentile(match, 0.5):.1f}")  # fmt: skip
        known = {
            words: conn.execute("SELECT phrase_id FROM app.ask_phrase(%s)", [words]).fetchone() for words in questions
        }
        search = _timed(
            300,
            lambda n: conn.execute(_SEARCH.encode(), [(known[questions[n]] or [None])[0], questions[n], 6486, 2886]),
        )
        show(
            "search: p99", _percentile(search, 0.99), None, "ms", most=60, note=f"median {_percentile(search, 0.5):.1f}"
        )
        typed = _timed(
            300,
            lambda n: conn.execute("SELECT * FROM app.suggest_skills(%s, 8)", [questions[n][: 3 + n % 6]]).fetchall(),
        )
        show("autocomplete: p99", _percentile(typed, 0.99), None, "ms", most=15)
    with psycopg.connect(database.overseer_url, autocommit=True) as conn:
        vector = "[" + ",".join(map(str, model().vectors(["fix my bike"])[0])) + "]"
        near = "SELECT phrase_id FROM phrase_vectors ORDER BY embedding <=> %s::vector LIMIT 40"
        index = _percentile(_timed(40, lambda _n: conn.execute(near.encode(), [vector]).fetchall()), 0.5)
        conn.execute("SET enable_indexscan = off")
        scan = _percentile(_timed(40, lambda _n: conn.execute(near.encode(), [vector]).fetchall()), 0.5)
        show("nearest phrases: index beside a sequential scan", index, scan, "ms")
    model().vectors(["warm"])
    words = _timed(40, lambda n: model().vectors([f"learn something new number {n}"]))
    show("reading a new phrase", _percentile(words, 0.5), None, "ms", most=50)
