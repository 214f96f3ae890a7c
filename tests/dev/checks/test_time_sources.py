"""Times that are not the product's: which are found in code, in SQL and at import."""

from __future__ import annotations

import pytest

from porchlight_dev.checks.time_sources import find_imported, find_python, find_sql


@pytest.mark.parametrize(
    "code",
    [
        "moment = datetime.now(UTC)",
        "moment = dt.datetime.utcnow()",
        "day = date.today()",
        "seconds = time.time()",
        "query = update(User).values(updated_at=func.now())",
        'QUERY = "SELECT id FROM bookings WHERE expires_at > now()"',
        'QUERY = f"WHERE day > current_date - {days}"',
        'columns = {"registered_at": "now()"}',
        'QUERY = "SELECT id FROM calendars c WHERE (starts_at AT TIME ZONE c.zone)::date = %s"',
        "QUERY = \"SELECT date_trunc('day', starts_at, zone) FROM bookings\"",
    ],
)
def test_other_clock_in_python_is_found(code: str) -> None:
    assert [finding.line for finding in find_python("a.py", code)] == [1]


@pytest.mark.parametrize(
    "code",
    [
        "moment = clock.now()",
        '"""Compare with now() and current_date."""',
        'QUERY = "SELECT id FROM bookings WHERE expires_at > app.now()"',
        'QUERY = "SELECT deferred_at + (app.now() - now()) FROM jobs"',
        "started = time.monotonic()",
        'TEXT = "Read now() first."',
    ],
)
def test_product_clock_in_python_is_accepted(code: str) -> None:
    assert list(find_python("a.py", code)) == []


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("  WHERE expires_at > now();", 1),
        ("  created_on date DEFAULT CURRENT_DATE,", 1),
        ("  NEW.at := clock_timestamp();", 1),
        ("  today := (starts_at AT TIME ZONE calendar.zone)::date;", 1),
        ("  today := (starts_at AT TIME ZONE 'UTC')::date;", 0),
        ("  hour := date_trunc('hour', starts_at);", 0),
        ("  WHERE expires_at > app.now();  -- not now()", 0),
        ("  NEW.at := clock_timestamp() + (app.now() - now());", 0),
    ],
)
def test_other_clock_in_sql_is_found(line: str, count: int) -> None:
    assert len(list(find_sql("a.sql", line))) == count


@pytest.mark.parametrize(
    ("code", "count"),
    [
        ("NOW = clock.now()", 1),
        ("class Rows:\n    START = clock.now()", 1),
        ("@pytest.mark.parametrize('day', [clock.now().date()])\ndef test_day(day): pass", 1),
        ("def book(start=clock.now()): pass", 1),
        ("def now():\n    return clock.now()", 0),
        ("later = lambda: clock.now()", 0),
        ("from tests.fixtures.clock import INSTANT\nNOW = INSTANT", 0),
    ],
)
def test_clock_read_at_import_is_found(code: str, count: int) -> None:
    assert len(list(find_imported("tests/test_a.py", code))) == count
