"""Users in the database, the jobs that process them, and the sets of paraphrases."""

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

from porchlight.embeddings import relations_job
from porchlight.embeddings.encoder import Encoder, model_folder
from porchlight.embeddings.minilm import MiniLM
from porchlight.features.listings.actions import GEOCODE_USER_TASK
from porchlight.features.listings.jobs import geocode_user
from porchlight.features.search.alerts import SEND_ALERTS_TASK, Alert, new_alerts
from porchlight.geo.gazetteer import Gazetteer
from porchlight.ports import Embedder
from tenants.kit.ids import new_id
from tests.fixtures.databases import Database
from tests.fixtures.jobs import running_job, service_job

DATA = Path(__file__).parent / "data"
GAZETTEER = Gazetteer()


@cache
def embedding_model() -> MiniLM:
    """Return the installed model, loaded once per process."""
    folder = model_folder()
    assert folder is not None, "the package with the model is missing: run `make setup`"
    return MiniLM(Encoder(folder))


@dataclass(frozen=True, slots=True)
class UserData:
    """The profile of a user. `overrides` are columns of the table `profiles`."""

    name: str
    offers: list[str] = field(default_factory=list)
    wants: list[str] = field(default_factory=list)
    location: str = "Denver, Colorado"
    availability: str = "Weekends"
    overrides: dict[str, Any] = field(default_factory=dict)


def insert_user(conn: psycopg.Connection[Any], user: UserData, *, uid: str = "") -> UUID:
    """Insert an account with a verified address and its profile, and return the user id."""
    user_id = new_id()
    conn.execute(
        "INSERT INTO users (user_id, firebase_uid, email, email_verified) VALUES (%s, %s, %s, true)",
        [user_id, uid or f"uid-{user_id.hex}", f"{user_id.hex}@mail.example"],
    )
    columns: dict[str, Any] = {
        "user_id": user_id, "handle": f"n-{user_id.hex[-16:]}", "display_name": user.name, "location": user.location,
        "availability": user.availability, "skills_offered": _skills(user.offers),
        "skills_wanted": _skills(user.wants),
    } | user.overrides  # fmt: skip
    names = ", ".join(columns)
    placeholders = ", ".join(["%s"] * len(columns))
    conn.execute(
        f"INSERT INTO profiles (registered_at, {names}) VALUES (app.now(), {placeholders})".encode(),
        list(columns.values()),
    )
    return user_id


def _skills(names: list[str]) -> str:
    return json.dumps([{"name": name, "level": None} for name in names])


async def run_profile_jobs(database: Database, user_ids: list[UUID], embedder: Embedder | None = None) -> None:
    """Geocode the users and relate all phrases, as the worker does."""
    for user_id in user_ids:
        with running_job(database, GEOCODE_USER_TASK, user_id=user_id) as job:
            await geocode_user(job, user_id, GAZETTEER)
    relate_phrases(database, embedder)


def relate_phrases(database: Database, embedder: Embedder | None) -> int:
    """Relate all pending phrases, as the worker does, and return their number."""
    return relations_job.relate_phrases(service_job(database), embedder)


async def find_alerts(database: Database) -> list[Alert]:
    """Check the saved searches, as the worker does, and return the alerts."""
    with running_job(database, SEND_ALERTS_TASK) as job:
        return [alert async for alert in new_alerts(job, GAZETTEER, "https://porchlight.example")]


@dataclass(frozen=True, slots=True)
class Want:
    """A paraphrase of `offer`. `tunes`: it belongs to the tuning half, which may influence the product's constants."""

    words: str
    offer: str
    tunes: bool


def _read_wants(name: str, *, tuning: bool) -> tuple[Want, ...]:
    result: list[Want] = []
    for line in (DATA / name).read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            offer, _, texts = line.partition(" | ")
            result += [Want(words, offer, tuning and number % 2 == 0) for number, words in enumerate(texts.split("; "))]
    return tuple(result)


@cache
def wants() -> tuple[Want, ...]:
    """Return the tuning set: a tuning half and a half that measures."""
    return _read_wants("wants.txt", tuning=True)


@cache
def held_out_wants() -> tuple[Want, ...]:
    """Return the held-out set. It only measures: no choice depends on it, and its failures are not inspected."""
    return _read_wants("held_out.txt", tuning=False)


@dataclass(frozen=True, slots=True)
class HardWant:
    """A paraphrase of `offer` that is easily taken for one of `lookalike`. `seen`: it may be looked at."""

    words: str
    offer: str
    lookalike: str
    seen: bool


@cache
def hard_wants() -> tuple[HardWant, ...]:
    """Return the set with hard negatives."""
    lines = (DATA / "hard_negatives.txt").read_text(encoding="utf-8").splitlines()
    triples = [line.split(" | ") for line in lines if not line.startswith("#")]
    return tuple(
        HardWant(words, offer, lookalike, number % 2 == 0) for number, (words, offer, lookalike) in enumerate(triples)
    )


def offers_of(those: tuple[Want, ...]) -> tuple[str, ...]:
    """Return the distinct offers of a set."""
    return tuple(dict.fromkeys(want.offer for want in those))


@cache
def offers() -> tuple[str, ...]:
    """Return the distinct offers of the tuning set."""
    return offers_of(wants())


def add_typos(text: str, edits: int, rng: random.Random) -> str:
    """Return `text` with typos: letters left out, doubled, swapped or replaced."""
    for _ in range(edits):
        index = rng.randrange(1, max(2, len(text) - 1))
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:index] + text[index + 1 :]
        elif kind == 1:
            text = text[:index] + text[index] + text[index:]
        elif kind == 2 and index + 1 < len(text):
            text = text[:index] + text[index + 1] + text[index] + text[index + 2 :]
        else:
            text = text[:index] + rng.choice("abcdefghijklmnopqrstuvwxyz") + text[index + 1 :]
    return text


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of a ranking: recall in the first ten, and mean reciprocal rank."""

    recall: float
    mrr: float


def quality(ranks: list[int | None]) -> Quality:
    """Return the quality of ranks, from 1; None for an offer that was not found."""
    found_ranks = [rank for rank in ranks if rank is not None]
    return Quality(
        sum(rank <= 10 for rank in found_ranks) / len(ranks), math.fsum(1 / rank for rank in found_ranks) / len(ranks)
    )
