"""Rules of settlement: what each write and each object of the payment provider means to the feature that owns it.

A feature names a module in its manifest (`settlement`), whose function `rules()` returns SettlementRules. Every method
runs in a transaction of the service role, together with the new state of the outbox or inbox row.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from porchlight.payment_ports import Refusal, Write
from porchlight.settlement.disputes import DisputeOwner, DisputeRule
from tenants.db.rows import Connection
from tenants.http.feature import Feature

__all__ = ["Lookup", "ObjectRule", "Refusal", "SettlementRules", "Source", "Write", "WriteRule", "load_rules"]


@dataclass(frozen=True, slots=True)
class Lookup:
    """The list in which a write's object is searched by `metadata.outbox`: newest first, on the write's account."""

    path: str
    params: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fetched object comes from. `event_id` is empty for the hourly fetch of open objects."""

    account: str
    fetched_at: datetime
    event_id: str
    livemode: bool


class WriteRule(Protocol):
    """Every way in which a write of one kind can end. Exactly one of the `on_` methods runs, once."""

    @property
    def kind(self) -> str:
        """Return the kind of the writes."""

    def on_done(self, conn: Connection, write: Write, stripe_object: Mapping[str, Any]) -> None:
        """Record the created or changed object, and post what it moved."""

    def on_refused(self, conn: Connection, write: Write, refusal: Refusal) -> None:
        """Undo the effect of the decision: the provider did nothing. A later decision may create the next attempt."""

    def on_absent(self, conn: Connection, write: Write) -> None:
        """Undo the effect of the decision: 25 hours later, the provider has no object of this write."""

    def lookup(self, write: Write) -> Lookup:
        """Return where to search for the object of a write whose outcome is unknown."""


class ObjectRule(Protocol):
    """One kind of object at the provider. One job at a time fetches an object again and applies it."""

    @property
    def events(self) -> frozenset[str]:
        """Return the types of the events that lead to this object."""

    def object_of(self, event: Mapping[str, Any]) -> str | None:
        """Return the id of the object that an event is about; None if the event does not concern this rule."""

    def path(self, object_id: str) -> str:
        """Return the path of the object, such as `/v1/payouts/po_1`."""

    def apply(self, conn: Connection, object_id: str, fetched: Mapping[str, Any] | None, source: Source) -> None:
        """Store what was fetched if it is newer than the stored state, and post it. None: it does not exist."""

    def open_objects(self, conn: Connection, before: datetime) -> Iterable[tuple[str, str]]:
        """Return account and id of the objects last checked `before` whose state can still change: fetched hourly."""


def _no_accounts(_conn: Connection) -> Sequence[str]:
    return ()


@dataclass(frozen=True, slots=True)
class SettlementRules:
    """The rules of one feature, or of all. `accounts` returns the connected accounts whose lost events are listed.

    `disputes` are of features whose charges can be disputed; all of them together are one of the `objects`.
    """

    writes: tuple[WriteRule, ...] = ()
    objects: tuple[ObjectRule, ...] = ()
    disputes: tuple[DisputeOwner, ...] = ()
    accounts: Callable[[Connection], Sequence[str]] = _no_accounts

    def write_rule(self, kind: str) -> WriteRule:
        """Return the rule of a kind of writes. Raises LookupError."""
        for rule in self.writes:
            if rule.kind == kind:
                return rule
        raise LookupError(f"no feature has a rule for writes of the kind {kind}")

    def object_rule(self, event: Mapping[str, Any]) -> tuple[ObjectRule, str] | None:
        """Return the first rule that an event concerns, and the id of the object; None without one."""
        for rule in self.objects:
            if event.get("type") in rule.events and (object_id := rule.object_of(event)):
                return rule, object_id
        return None


def load_rules(features: Iterable[Feature]) -> SettlementRules:
    """Return the rules of all features. Raises ValueError if two have the same kind of writes."""
    loaded: list[SettlementRules] = [
        importlib.import_module(feature.settlement).rules() for feature in features if feature.settlement
    ]
    writes = tuple(rule for rules in loaded for rule in rules.writes)
    if len({rule.kind for rule in writes}) != len(writes):
        raise ValueError("two features have a rule for the same kind of writes")

    def accounts(conn: Connection) -> Sequence[str]:
        return sorted({account for rules in loaded for account in rules.accounts(conn)})

    objects = tuple(rule for rules in loaded for rule in rules.objects)
    owners = tuple(owner for rules in loaded for owner in rules.disputes)
    return SettlementRules(writes, (*objects, DisputeRule(owners)), accounts=accounts)
