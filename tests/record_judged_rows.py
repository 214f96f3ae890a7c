"""Records what a search of the demo finds for each judged search: `python -m tests.record_judged_rows --state .state`.

It needs a running demo whose worker has read all texts.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg

from porchlight.embeddings.rules import LOOKUP_PHRASE, lookup_params
from porchlight.features.search.queries import SEARCH, SearchOrigin, is_by_meaning, search_params
from porchlight.features.search.relevance import FoundItem
from porchlight.features.search.schemas import Filters
from tenants.db.rows import fetch_all
from tests.porchlight.search.test_judged_queries import DATA, judged_queries


def _lines(values: dict[str, Any]) -> str:
    """Return an object with a line for each entry, so that a change is seen in a diff."""
    entries = (
        f"{json.dumps(key, ensure_ascii=False)}: {json.dumps(value, ensure_ascii=False)}"
        for key, value in values.items()
    )
    return "{\n" + ",\n".join(entries) + "}"


def _found(demo: dict[str, Any], conn: psycopg.Connection[Any], words: str) -> tuple[bool, list[FoundItem]]:
    host = urlsplit(demo["base_url"])
    # The request reads the meaning of the words.
    httpx.get(
        f"http://127.0.0.1:{host.port}/api/search",
        params={"q": words},
        headers={"host": host.netloc},
        timeout=120,
    ).raise_for_status()
    row = conn.execute(LOOKUP_PHRASE, lookup_params(words)).fetchone()
    phrase_id, related_by = row or (None, None)
    params = search_params(phrase_id, words, Filters(), SearchOrigin())
    return is_by_meaning(related_by), fetch_all(conn, FoundItem, SEARCH, params)


def main() -> None:
    """Record the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", type=Path, required=True)
    demo = json.loads((parser.parse_args().state / "demo.json").read_text())
    items: dict[str, Any] = {}
    found: dict[str, Any] = {}
    with psycopg.connect(demo["overseer_url"], autocommit=True) as conn:
        for query in judged_queries():
            is_read, rows = _found(demo, conn, query.words)
            for row in rows:
                items[f"{row.kind} {row.title}"] = {
                    "kind": row.kind, "title": row.title, "summary": row.summary, "words": row.words,
                }  # fmt: skip
            found[query.words] = {
                "read": is_read,
                "rows": [[f"{row.kind} {row.title}", round(row.probability, 4)] for row in rows],
            }
    text = f'{{"items": {_lines(dict(sorted(items.items())))},\n"found": {_lines(found)}}}\n'
    (DATA / "judged_rows.json").write_text(text)


if __name__ == "__main__":
    main()
