"""Words inside of titles that are written without spaces."""

from __future__ import annotations

from typing import Any

import httpx
import psycopg
import pytest

from porchlight.features.search.indexer import reindex
from tests.fixtures.databases import Database
from tests.porchlight.factories import seed_guru, seed_post
from tests.porchlight.matches.factories import GAZETTEER, embedding_model, relate_phrases
from tests.porchlight.search.api_client import search, titles

TITLES = {
    "knitting": "初心者のための編み物教室",
    "tea": "静かな茶道の時間",
    "cooking": "家庭料理をゼロから学ぶ",
    "kimchi": "할머니의 김치를 담그는 법",
    "thai": "สอนทำอาหารไทยที่บ้าน",
    "dumplings": "一起包餃子過新年",
}


@pytest.fixture(scope="module")
async def town(database: Database) -> Database:
    """A guru with posts in scripts without spaces, indexed and read by the model."""
    with psycopg.connect(database.service_url) as conn:
        guru = seed_guru(conn, "mei", posts=0)
        for slug, title in TITLES.items():
            seed_post(conn, guru, slug, title=title, tags=[])
    await reindex(database.service_url, GAZETTEER)
    relate_phrases(database, embedding_model())
    return database


@pytest.mark.parametrize(
    ("word", "slug"),
    [
        ("編み物", "knitting"),
        ("茶道", "tea"),
        ("料理", "cooking"),
        ("김치", "kimchi"),
        ("อาหารไทย", "thai"),
        ("餃子", "dumplings"),
        ("編み物 教室", "knitting"),
        ("編み物 class", "knitting"),
    ],
)
async def test_word_inside_of_title_finds_it(web: httpx.AsyncClient, town: Database, word: str, slug: str) -> None:
    assert titles(await search(web, word, kind="post"))[:1] == [TITLES[slug]]


async def test_word_of_other_letters_finds_no_title(web: httpx.AsyncClient, town: Database) -> None:
    found = titles(await search(web, "物編", kind="post")) + titles(await search(web, "教編", kind="post"))
    assert TITLES["knitting"] not in found


def test_grams_are_letters_and_pairs(service_db: psycopg.Connection[Any]) -> None:
    row = service_db.execute(
        "SELECT app.unspaced_grams('編み物 class'), app.unspaced_grams('class'), app.unspaced_grams('Crème')"
    ).fetchone()
    assert row is not None
    assert set(row[0]) == {"編", "編み", "み", "み物", "物"}
    assert row[1:] == (None, None)
