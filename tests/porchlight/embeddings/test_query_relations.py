"""Searches relate their new phrases within the request; the job takes those that a request could not."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from threading import Event
from typing import Any

import psycopg
import pytest

from porchlight.embeddings.encoder import Encoder, model_folder
from porchlight.embeddings.minilm import MiniLM
from porchlight.embeddings.model_thread import MAX_CALLS, ModelThread
from porchlight.embeddings.query_relations import ModelRelations
from porchlight.ports import EmbeddingOutage
from tenants.db.pool import Database as Pools
from tenants.kit.errors import Unavailable
from tests.fixtures.databases import Database
from tests.porchlight.matches.factories import UserData, embedding_model, insert_user, relate_phrases

QUESTION = "someone to bake bread with"


@pytest.fixture(scope="module")
async def pools(database: Database) -> AsyncIterator[Pools]:
    with psycopg.connect(database.service_url) as conn:
        insert_user(conn, UserData("Baker", ["Sourdough baking", "Piano lessons", "Bass fishing"]))
    relate_phrases(database, embedding_model())
    async with Pools(database.app_url) as opened:
        yield opened


async def _new_phrase(pools: Pools, words: str) -> int:
    query = "SELECT phrase_id, related_by FROM app.lookup_phrase(%s, 500, 50000)"
    ((phrase_id, related_by),) = await pools.write(None, query, [words])
    assert related_by is None
    return int(phrase_id)


def _relations(database: Database, phrase_id: int) -> dict[int, float]:
    with psycopg.connect(database.service_url) as conn:
        rows = conn.execute("SELECT other_id, probability FROM phrase_relations WHERE phrase_id = %s", [phrase_id])
        return {other: round(probability, 4) for other, probability in rows if other != phrase_id}


@pytest.mark.parametrize("words", [QUESTION, "qvzx blorf", "sourdugh bakng"])
async def test_request_relates_phrase_as_job_does(pools: Pools, database: Database, words: str) -> None:
    phrase_id = await _new_phrase(pools, words)
    method = await ModelRelations(pools, embedding_model()).relate(phrase_id, words)
    by_request = _relations(database, phrase_id)
    with psycopg.connect(database.service_url) as conn:
        stored = conn.execute("SELECT related_by FROM phrases WHERE id = %s", [phrase_id]).fetchone()
        conn.execute("UPDATE phrases SET related_by = NULL WHERE id = %s", [phrase_id])
    assert stored == (method,)
    assert relate_phrases(database, embedding_model()) == 1
    assert _relations(database, phrase_id) == by_request
    assert bool(by_request) == (words != "qvzx blorf")


class _Outage(MiniLM):
    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        raise EmbeddingOutage("no answer")


async def test_phrase_waits_for_job_during_outage(pools: Pools, database: Database) -> None:
    phrase_id = await _new_phrase(pools, "an evening with bread dough")
    folder = model_folder()
    assert folder is not None
    assert (
        await ModelRelations(pools, _Outage(Encoder(folder))).relate(phrase_id, "an evening with bread dough") is None
    )
    assert await ModelRelations(pools, None).relate(phrase_id, "an evening with bread dough") is None
    assert relate_phrases(database, embedding_model()) == 1
    assert _relations(database, phrase_id)


async def test_concurrent_requests_relate_phrase_once(pools: Pools, database: Database) -> None:
    words = "loaves and rolls from my own oven"
    phrase_id = await _new_phrase(pools, words)
    relations = ModelRelations(pools, embedding_model())
    job = asyncio.to_thread(relate_phrases, database, embedding_model())
    methods = (await asyncio.gather(job, *(relations.relate(phrase_id, words) for _ in range(12))))[1:]
    assert sum(method is not None for method in methods) <= 1
    assert _relations(database, phrase_id)
    with psycopg.connect(database.service_url) as conn:
        assert conn.execute("SELECT count(*) FROM phrases WHERE related_by IS NULL").fetchone() == (0,)


async def test_request_cannot_relate_phrase_of_offer(pools: Pools, database: Database) -> None:
    with psycopg.connect(database.service_url) as conn:
        offer: Any = conn.execute("SELECT id FROM phrases WHERE words = 'piano lessons'").fetchone()
        conn.execute("UPDATE phrases SET related_by = NULL WHERE id = %s", offer)
    before = _relations(database, offer[0])
    saved = await pools.write(None, "SELECT app.save_search_relations(%s, 'forged', '{}', '{}')", [offer[0]])
    similar = await pools.read(None, "SELECT * FROM app.similar_to_search(%s, NULL, 40, 0.3)", [offer[0]])
    assert (saved, similar) == ([(False,)], [])
    assert _relations(database, offer[0]) == before
    relate_phrases(database, embedding_model())


async def test_full_model_thread_rejects_calls() -> None:
    thread, release = ModelThread(), Event()
    calls = [asyncio.create_task(thread.run(release.wait, 30)) for _ in range(MAX_CALLS)]
    await asyncio.sleep(0)
    with pytest.raises(Unavailable):
        await thread.run(release.wait, 30)
    release.set()
    assert all(await asyncio.gather(*calls))
    assert await thread.run(release.wait, 30)


async def test_slow_model_call_times_out() -> None:
    thread, release = ModelThread(), Event()
    with pytest.raises(Unavailable):
        await thread.run(release.wait, 0.01)
    release.set()
