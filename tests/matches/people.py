"""Neighbours by SQL, and the jobs that read them, run at once."""

from __future__ import annotations

import json
import math
import random
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg

from porchlight.listings.placing import place_neighbour
from porchlight.meaning.minilm import MiniLM, model_folder
from porchlight.meaning.relating import relate_waiting
from porchlight.places.gazetteer import Gazetteer
from porchlight.ports import Embedder
from tenants.kit.ids import new_id
from tests.support.databases import Database

DATA = Path(__file__).parent / "data"
GAZETTEER = Gazetteer()


@cache
def model() -> MiniLM:
    """The installed model, loaded once for all tests of this process."""
    folder = model_folder()
    assert folder is not None, "the package with the model is missing: run `make setup`"
    return MiniLM(folder)


@dataclass(frozen=True, slots=True)
class Person:
    """What a test says of a neighbour."""

    name: str
    offers: list[str] = field(default_factory=list)
    wants: list[str] = field(default_factory=list)
    place: str = "Denver, Colorado"
    free: str = "Weekends"
    shown: dict[str, bool] = field(default_factory=dict)


def add(conn: psycopg.Connection[Any], person: Person, *, uid: str = "") -> UUID:
    """Write an account and its profile as registration does."""
    made = new_id()
    conn.execute(
        "INSERT INTO users (user_id, firebase_uid, email) VALUES (%s, %s, %s)",
        [made, uid or f"uid-{made.hex}", f"{made.hex}@mail.example"],
    )
    columns: dict[str, Any] = {
        "user_id": made, "handle": f"n-{made.hex[-16:]}", "display_name": person.name, "location": person.place,
        "availability": person.free, "skills_offered": _skills(person.offers), "skills_wanted": _skills(person.wants),
    } | person.shown  # fmt: skip
    names = ", ".join(columns)
    marks = ", ".join(["%s"] * len(columns))
    conn.execute(
        f"INSERT INTO profiles (registered_at, {names}) VALUES (now(), {marks})".encode(), list(columns.values())
    )
    return made


def _skills(names: list[str]) -> str:
    return json.dumps([{"name": name, "level": None} for name in names])


async def settle(database: Database, people: list[UUID], embedder: Embedder | None = None) -> None:
    """Do what the worker would do for these people."""
    for person in people:
        await place_neighbour(database.overseer_url, person, GAZETTEER)
    relate_waiting(database.overseer_url, embedder)


@dataclass(frozen=True, slots=True)
class Want:
    """One of a set: somebody's words for what `offer` serves. `tunes`: numbers of the product may be chosen by it."""

    words: str
    offer: str
    tunes: bool


def _read(name: str, *, tuning: bool) -> tuple[Want, ...]:
    made: list[Want] = []
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            offer, _, said = line.partition(" | ")
            made += [Want(words, offer, tuning and at % 2 == 0) for at, words in enumerate(said.split("; "))]
    return tuple(made)


@cache
def wants() -> tuple[Want, ...]:
    """The set that tunes, with the half that was held out once."""
    return _read("wants.txt", tuning=True)


@cache
def kept_back() -> tuple[Want, ...]:
    """The set that measures: nothing is tuned by it, and its single failures are never looked at."""
    return _read("kept_back.txt", tuning=False)


def offered(those: tuple[Want, ...]) -> tuple[str, ...]:
    """Everything a set offers, once."""
    return tuple(dict.fromkeys(want.offer for want in those))


@cache
def offers() -> tuple[str, ...]:
    """Everything the set that tunes offers."""
    return offered(wants())


def slipped(text: str, edits: int, dice: random.Random) -> str:
    """`text` with slips of the finger: letters left out, doubled, swapped or mistaken."""
    for _ in range(edits):
        at = dice.randrange(1, max(2, len(text) - 1))
        kind = dice.randrange(4)
        if kind == 0:
            text = text[:at] + text[at + 1 :]
        elif kind == 1:
            text = text[:at] + text[at] + text[at:]
        elif kind == 2 and at + 1 < len(text):
            text = text[:at] + text[at + 1] + text[at] + text[at + 2 :]
        else:
            text = text[:at] + dice.choice("abcdefghijklmnopqrstuvwxyz") + text[at + 1 :]
    return text


@dataclass(frozen=True, slots=True)
class Quality:
    """How well a ranking finds what is meant."""

    recall: float  # among the first ten
    mrr: float


def quality(ranks: list[int | None]) -> Quality:
    """Of the ranks (from 1; None for not found) of what was meant."""
    found = [rank for rank in ranks if rank is not None]
    return Quality(sum(rank <= 10 for rank in found) / len(ranks), math.fsum(1 / rank for rank in found) / len(ranks))
