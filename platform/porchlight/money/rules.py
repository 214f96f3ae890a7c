"""The account kinds and posting rules of `rules.toml`, and their copy in the database."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tenants.db.rows import Connection, fetch_all

SOURCE = Path(__file__).with_name("rules.toml")
_KINDS = "SELECT kind AS name, holder, unit, floor FROM ledger_kinds"
_RULES = "SELECT event, debit_kind, credit_kind, unit FROM ledger_rules"
_INSERT_KIND = "INSERT INTO ledger_kinds (kind, holder, unit, floor) VALUES (%s, %s, %s, %s)"
_INSERT_RULE = "INSERT INTO ledger_rules (event, debit_kind, credit_kind, unit) VALUES (%s, %s, %s, %s)"
_DELETE_RULE = "DELETE FROM ledger_rules WHERE (event, debit_kind, credit_kind, unit) = (%s, %s, %s, %s)"


@dataclass(frozen=True, slots=True)
class AccountKind:
    """A kind of account. `floor`: the lowest balance, or None. The unit is usd (cents) or min (minutes)."""

    name: str
    holder: str
    unit: str
    floor: int | None


@dataclass(frozen=True, slots=True, order=True)
class PostingRule:
    """One permitted posting: the event may debit an account of one kind and credit one of the other."""

    event: str
    debit_kind: str
    credit_kind: str
    unit: str


@dataclass(frozen=True, slots=True)
class PostingEvent:
    """An event with its rules. `subject`: the kind of its subject, or empty for any. `opposite`: what takes it back."""

    name: str
    subject: str
    rules: tuple[PostingRule, ...]
    opposite: str
    is_test: bool


@cache
def kinds() -> Mapping[str, AccountKind]:
    """Return all kinds by name."""
    return {
        name: AccountKind(name, row["holder"], row["unit"], row.get("floor"))
        for name, row in _source()["kinds"].items()
    }


@cache
def events() -> Mapping[str, PostingEvent]:
    """Return all events by name, the opposite ones too."""
    made: dict[str, PostingEvent] = {}
    for name, row in _source()["events"].items():
        legs = [tuple(leg.split(" -> ")) for leg in row["legs"]]
        is_test, subject, opposite = row.get("test", False), row.get("subject", ""), row.get("opposite", "")
        made[name] = PostingEvent(name, subject, tuple(_rule(name, *leg) for leg in legs), opposite, is_test)
        if opposite:
            rules = tuple(_rule(opposite, credit, debit) for debit, credit in legs)
            # What takes an adjustment back is an adjustment; a refund that fails may have another subject.
            subject = subject if subject == "adjustment" else ""
            made[opposite] = PostingEvent(opposite, subject, rules, "", is_test)
    return made


def rules(*, live: bool = False) -> set[PostingRule]:
    """Return all rules; with `live`, without those for test keys only."""
    return {rule for event in events().values() for rule in event.rules if not (live and event.is_test)}


def sync_rules(conn: Connection, *, live: bool = False) -> None:
    """Make the tables match `rules.toml`, as the owner role. A rule that was used and is no longer listed fails.

    `live`: Stripe's keys are live, and rules for test money go. Raises ValueError for a kind that changed: a migration
    must change its accounts too.
    """
    stored = {kind.name: kind for kind in fetch_all(conn, AccountKind, _KINDS)}
    for kind in kinds().values():
        if kind.name not in stored:
            conn.execute(_INSERT_KIND, [kind.name, kind.holder, kind.unit, kind.floor])
        elif stored[kind.name] != kind:
            raise ValueError(f"The kind {kind.name} changed: write a migration that changes ledger_kinds and accounts.")
    wanted, present = rules(live=live), set(fetch_all(conn, PostingRule, _RULES))
    for rule in sorted(wanted - present):
        conn.execute(_INSERT_RULE, [rule.event, rule.debit_kind, rule.credit_kind, rule.unit])
    for rule in sorted(present - wanted):
        conn.execute(_DELETE_RULE, [rule.event, rule.debit_kind, rule.credit_kind, rule.unit])


@cache
def _source() -> dict[str, Any]:
    return tomllib.loads(SOURCE.read_text("utf-8"))


def _rule(event: str, debit: str, credit: str) -> PostingRule:
    unit = kinds()[debit].unit
    if kinds()[credit].unit != unit:
        raise ValueError(f"{event}: {debit} and {credit} have different units.")
    return PostingRule(event, debit, credit, unit)
