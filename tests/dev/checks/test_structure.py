"""The counts of what hides decisions from a reader."""

from __future__ import annotations

import pytest

from porchlight_dev.checks.structure import Limit, check, numbers, sql_counts, unused_models

FUNCTION = """
CREATE OR REPLACE FUNCTION app.due() RETURNS integer LANGUAGE sql SECURITY DEFINER AS $$
  SELECT 30 FROM bookings b1 WHERE b1.starts_at < app.now() + interval '2 days' AND b1.seats > 0 LIMIT 1 $$;"""
TRIGGERS = """
CREATE OR REPLACE TRIGGER history AFTER INSERT OR UPDATE ON bookings FOR EACH ROW EXECUTE FUNCTION app.history();
CREATE OR REPLACE TRIGGER seats AFTER INSERT ON appointments FOR EACH ROW EXECUTE FUNCTION app.seats();"""
MODELS = """
class Used:
    __tablename__ = "used"
class Unused:
    __tablename__ = "unused"
class Exported:
    __tablename__ = "exported"
    user_id: Mapped[UUID]
class Mixin:
    pass
def columns() -> Unused: ..."""


def test_sql_counts_of_functions_and_triggers() -> None:
    assert sql_counts({"a/sql/functions/due.sql": FUNCTION, "a/sql/triggers/history.sql": TRIGGERS}) == {
        "SQL functions": 1,
        "SQL functions with the owner's rights": 1,
        "triggers on bookings": 1,
        "numbers written in SQL": 2,
        "numbers written in SQL for a reason": 0,
    }


def test_numbers_of_geometry_are_not_counted() -> None:
    files = dict.fromkeys(("platform/porchlight/geo/sql/functions/miles.sql", "a/sql/miles.sql"), "SELECT 7917.5")
    assert sql_counts(files)["numbers written in SQL"] == 1


def test_numbers_with_a_reason_count_up_to_their_list() -> None:
    files = {"a/sql/functions/angel_score.sql": "SELECT 3, 4.5, 3, 7"}
    found = sql_counts(files)
    assert (found["numbers written in SQL"], found["numbers written in SQL for a reason"]) == (1, 3)


def test_numbers_of_sql_are_amounts_and_times() -> None:
    sql = "SELECT a1, 0, 1.0, 2.5, '7 days' FROM t4 WHERE n = $5 OR m = 'v6' LIMIT 3"
    assert numbers(sql) == ["2.5", "'7 days'", "3"]


@pytest.mark.parametrize(
    "sql",
    [
        "box[3]",
        "split_part(r.name, '/', 2), substr(key, 9)",
        "GROUP BY 2, 3 ORDER BY n.km NULLS LAST, 5 DESC, n.id",
        "'00000000-0000-7000-8000-000000000011'",
        "name ~ '^[a-z0-9][a-z0-9-]{2,61}$'",
        "100 * cents / 60",
        "most_days * interval '1 day'",
        "percentile_cont(0.5) WITHIN GROUP (ORDER BY minutes)",
        "date_trunc('hour', app.now()) + interval '1 hour'",
        "coalesce(before, 9223372036854775807)",
    ],
)
def test_numbers_of_sql_skip_what_no_person_chose(sql: str) -> None:
    assert numbers(sql) == []


@pytest.mark.parametrize(
    "sql",
    [
        "ARRAY[3]",
        "left(words, 120)",
        "n LIMIT 60",
        "cents <= 100",
        "60.5 * points",
        "90 - days",
        "n >= 32766",
        "ORDER BY a.id, b LIMIT 40",
        "GROUP BY a HAVING count(*) > 7",
        "app.now() - interval '1 day'",
        "date_trunc('day', at) + interval '1 hour'",
        "'{0.45}'::real[]",
        "percentile_disc(0.25)",
    ],
)
def test_numbers_of_sql_count_what_a_person_chose(sql: str) -> None:
    assert len(numbers(sql)) == 1


def test_unused_models_are_needed_nowhere_else() -> None:
    assert unused_models({"a/models.py": MODELS, "a/queries.py": "select(Used)"}) == ["Unused"]


def test_count_away_from_its_ceiling_is_a_finding() -> None:
    limits = {"functions": Limit(3, 1)}
    messages = [[finding.message for finding in check({"functions": count}, limits)] for count in (4, 3, 2)]
    assert messages == [["4, and at most 3 are allowed"], [], ["2: set the ceiling of 3 to it"]]
