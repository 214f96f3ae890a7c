"""The address and the password of a connected calendar are in no log of a process that reads it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.porchlight.busy_sources.calendar_files import calendar_file
from tests.porchlight.busy_sources.web_server import serving

# As a worker does it: with the product's logs, and an address that is redirected.
READ = """
import sys
from datetime import UTC, datetime
from porchlight.features.busy_sources.failures import SourceFailed
from porchlight.features.busy_sources.fetching.guarded_web import OutsideWeb
from porchlight.features.busy_sources.reading import read_periods, reading_of
from porchlight.features.busy_sources.source_secrets import SourceSecret
from tenants.kit import logs

logs.configure()
host, kind, path = sys.argv[1:]
secret = SourceSecret(f"http://{host}{path}", "ada", "app-password-1")
reading = reading_of("America/Denver", datetime(2026, 11, 30, tzinfo=UTC), "porchlight.example", all_day_blocks=True)
try:
    print(len(read_periods(OutsideWeb(None, frozenset({host})), kind, secret, reading)), "read", secret)
except SourceFailed as failed:
    logs.log.exception("busy_source_failed")
    print(failed)
"""


@pytest.mark.parametrize(
    ("kind", "path", "said"),
    [
        ("ics", "/to//secret-token.ics", "1 read"),
        ("ics", "/to//secret-token/broken", "unreachable"),
        ("ics", "/to/https://127.0.0.1/secret-token", "not_public"),
        ("caldav", "/secret-token/dav", "answer"),
    ],
)
def test_secret_of_a_calendar_is_in_no_log(kind: str, path: str, said: str) -> None:
    with serving() as server:
        server.files["/secret-token.ics"] = (200, calendar_file("DTSTART:20261130T160000Z | DURATION:PT1H"))
        server.files["/secret-token/broken"] = (500, b"secret-token")
        server.files["/secret-token/dav"] = (200, b"secret-token")
        host = f"127.0.0.1:{server.server_address[1]}"
        ended = subprocess.run(
            [sys.executable, "-c", READ, host, kind, path], capture_output=True, text=True, check=True
        )
    assert server.seen[0] == (path, "Basic YWRhOmFwcC1wYXNzd29yZC0x")
    assert said in ended.stdout
    for output in (ended.stdout, ended.stderr):
        for secret in ("secret-token", "app-password-1", "YWRh"):
            assert secret not in output
