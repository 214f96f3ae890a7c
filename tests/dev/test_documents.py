"""Tables and diagrams of the documents are those of the code."""

from __future__ import annotations

import re

from porchlight.features.bookings.states import TRANSITIONS as STATES
from porchlight_dev.environment import ROOT
from porchlight_dev.settings_table import FILE, with_table
from tests.e2e.effort import CEILINGS

TRANSITIONS = ROOT / "platform/porchlight/features/bookings/sql/triggers/booking_transitions.sql"
SCHEMA = ROOT / "platform/porchlight/db/schema.sql"
# Exists where pgvector is installed (platform/porchlight/db/vectors.sql).
OPTIONAL_TABLES = {"phrase_vectors"}


def diagram(page: str, kind: str) -> str:
    """Return the first Mermaid diagram of a kind in a page of docs/."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    found = re.search(rf"```mermaid\n{kind}\n(.*?)```", text, re.DOTALL)
    assert found is not None, f"docs/{page} has no {kind}"
    return found[1]


def test_settings_table_is_current() -> None:
    document = FILE.read_text("utf-8")
    assert document == with_table(document), "run `make settings-table` and commit docs/operations.md"


def test_booking_diagram_has_the_transitions() -> None:
    arrows = re.findall(r"(\w+) --> (\w+)", diagram("bookings.md", "stateDiagram-v2"))
    in_python = [(before, after) for before, all_after in STATES.items() for after in all_after]
    in_sql = re.findall(r"\('(\w+)', '(\w+)'\)", TRANSITIONS.read_text("utf-8"))
    assert sorted(arrows) == sorted(in_python) == sorted(in_sql)


def test_data_page_names_every_table() -> None:
    page = (ROOT / "docs/data.md").read_text("utf-8")
    lines = re.findall(r"^ +(\w+) \S+--\S+ (\w+) :", diagram("data.md", "erDiagram"), re.MULTILINE)
    _, _, listed = page.partition("Tables without foreign keys:")
    named = {table for line in lines for table in line} | set(re.findall(r"`(\w+)`", listed))
    tables = set(re.findall(r"^CREATE (?:UNLOGGED )?TABLE (\w+) \(", SCHEMA.read_text("utf-8"), re.MULTILINE))
    assert named == tables | OPTIONAL_TABLES


def test_journeys_table_has_the_ceilings() -> None:
    _, _, section = (ROOT / "docs/webs.md").read_text("utf-8").partition("## Journeys")
    rows = re.findall(r"^\| ([^|]+) \| (\d+) \| (\d+) \|", section, re.MULTILINE)
    assert {name: (int(taps), int(seconds)) for name, taps, seconds in rows} == CEILINGS
