"""The counts of what hides decisions from a reader."""

from __future__ import annotations

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
    }


def test_numbers_of_sql_are_amounts_and_times() -> None:
    assert numbers("SELECT a1, 0, 1, 2.5, x[3], '7 days' FROM t4 WHERE n = $5 OR m = 'v6'") == ["2.5", "3", "'7 days'"]


def test_unused_models_are_needed_nowhere_else() -> None:
    assert unused_models({"a/models.py": MODELS, "a/queries.py": "select(Used)"}) == ["Unused"]


def test_count_away_from_its_ceiling_is_a_finding() -> None:
    limits = {"functions": Limit(3, 1)}
    messages = [[finding.message for finding in check({"functions": count}, limits)] for count in (4, 3, 2)]
    assert messages == [["4, and at most 3 are allowed"], [], ["2: set the ceiling of 3 to it"]]
