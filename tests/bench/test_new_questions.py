"""The time of a new question, whose meaning is read within the request."""

from __future__ import annotations

import time
from collections.abc import Callable

import psycopg
import pytest

from tests.bench.figures import print_figure
from tests.fixtures.databases import Database
from tests.porchlight.app_client import BASE_HOST, http_client, run_app
from tests.porchlight.matches.factories import UserData, embedding_model, insert_user, offers, relate_phrases, wants

pytestmark = pytest.mark.bench


async def test_new_question_time(new_database: Callable[[], Database]) -> None:
    database = new_database()
    with psycopg.connect(database.service_url) as conn:
        for number, title in enumerate(offers()):
            insert_user(conn, UserData(f"Teacher {number}", [title]))
    relate_phrases(database, embedding_model())
    times, pending = [], 0
    async with run_app(database) as app, http_client(app, BASE_HOST) as client:
        await app.risk.load()
        for want in wants():
            began = time.perf_counter()
            response = await client.get("/api/search", params={"q": want.words})
            times.append(1000 * (time.perf_counter() - began))
            assert response.status_code == 200
            pending += response.json()["data"]["pending"]
    times.sort()
    print_figure("new question: median", times[len(times) // 2], None, "ms")
    print_figure("new question: p95", times[int(0.95 * len(times))], None, "ms", at_most=300)
    print_figure("new question: answered without its meaning", pending / len(times), None, "", at_most=0.01)
