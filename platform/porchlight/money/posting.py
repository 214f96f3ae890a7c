"""Postings to the ledger: the only module that calls its SQL functions.

Every function runs on a connection of the service role, inside the caller's transaction. After an error that can only
be rolled back, so a caller that goes on after a refusal wraps the call in `conn.transaction()`.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from psycopg import errors

from porchlight.money.rules import events, kinds
from tenants.db.rows import Connection, fetch_one, fetch_value
from tenants.kit.ids import new_id

_ACCOUNT = "SELECT app.ledger_account(%s, %s, %s, %s, %s)"
_POST_BY_KIND = """
SELECT app.post(%(id)s, %(event)s, %(subject_kind)s, %(subject_id)s,
                ARRAY(SELECT app.ledger_account(x.kind, 'usd', NULL, x.user_id, NULL)
                        FROM unnest(%(debits)s::text[], %(debtors)s::uuid[]) WITH ORDINALITY AS x (kind, user_id, n)
                       ORDER BY x.n),
                ARRAY(SELECT app.ledger_account(x.kind, 'usd', NULL, x.user_id, NULL)
                        FROM unnest(%(credits)s::text[], %(creditors)s::uuid[]) WITH ORDINALITY AS x (kind, user_id, n)
                       ORDER BY x.n),
                %(amounts)s, %(stripe_object)s)"""
_POST = "SELECT app.post(%s, %s, %s, %s, %s, %s, %s, %s)"
_ARGUMENTS = ("id", "event", "subject_kind", "subject_id", "debits", "credits", "amounts", "stripe_object")
_POST_MANY = "SELECT app.post_many(%s)"
_REVERSE = """
SELECT app.post(%s, %s, %s, %s, array_agg(t.credit_account ORDER BY t.n), array_agg(t.debit_account ORDER BY t.n),
                array_agg(t.amount ORDER BY t.n), %s, %s)
  FROM ledger_transfers t WHERE t.transaction_id = %s"""
_HOLD = "SELECT app.ledger_hold(%s, %s, %s, %s, %s, %s)"
_RELEASE = "SELECT app.ledger_release(%s, %s, %s)"
_DUE = """
SELECT subject_kind, subject_id FROM ledger_holds WHERE state = 'held' AND expires_at <= app.now()
 ORDER BY account_id, id"""
_BALANCE = """
SELECT credits, debits, reserved, credits - debits - reserved - coalesce(floor, 0) AS available FROM ledger_balances
WHERE account_id = %s"""


class LedgerError(Exception):
    """The ledger refused a change."""


class LedgerConflict(LedgerError):
    """The subject has another posting of this event, another hold, or the transaction was reversed before."""


class InsufficientBalance(LedgerError):
    """The change would take an account below its floor, or hold more than is available."""


class InvalidPosting(LedgerError):
    """No rule permits the pair of accounts, an account does not exist, units differ, or an amount is not above 0."""


@dataclass(frozen=True, slots=True)
class Leg:
    """An amount, above 0, from the debited to the credited account: cents, or minutes for accounts in minutes."""

    debit: UUID
    credit: UUID
    amount: int


@dataclass(frozen=True, slots=True)
class Subject:
    """The thing that an event happened to. An event is posted once for each subject."""

    kind: str
    id: str


@dataclass(frozen=True, slots=True)
class Posting:
    """The arguments of one posting, for `post_many`."""

    event: str
    subject: Subject
    legs: Sequence[Leg]
    stripe_object: str = ""


Owner = tuple[str, UUID | None]  # a kind of account and its user, None for the platform's and the outside's


@dataclass(frozen=True, slots=True)
class KindPosting:
    """An event with legs of debited and credited owners and an amount in cents, for `post_by_kind`."""

    event: str
    subject: Subject
    legs: Sequence[tuple[Owner, Owner, int]]
    stripe_object: str = ""


@dataclass(frozen=True, slots=True)
class Balance:
    """An account's sums. `available`: what can still be debited or held, down to the floor, or to 0 without one."""

    credits: int
    debits: int
    reserved: int
    available: int

    @property
    def total(self) -> int:
        """Return the balance: credits less debits."""
        return self.credits - self.debits


def get_or_create_account(
    conn: Connection,
    kind: str,
    *,
    unit: str = "usd",
    tenant_id: UUID | None = None,
    user_id: UUID | None = None,
    pair_id: UUID | None = None,
) -> UUID:
    """Return the account of a kind and its owner, which is created if it is missing.

    Kinds of the platform and of the outside have no owner. Kinds of gurus have the user who owns the payout account.
    Raises InvalidPosting for an unknown kind or another kind of owner.
    """
    with _refusals():
        return _one(conn, _ACCOUNT, [kind, unit, tenant_id, user_id, pair_id])


def post(conn: Connection, event: str, subject: Subject, legs: Sequence[Leg], *, stripe_object: str = "") -> UUID:
    """Post an event of a subject and return its transaction. The same posting again returns the first one's id.

    Legs are posted in the given order: a leg can spend what an earlier one brought to an account with a floor.

    Raises LedgerConflict if the subject has another posting of this event, InsufficientBalance below a floor, and
    InvalidPosting if no rule permits it. Each posting locks users' accounts, then the platform's: a transaction that
    posts for several users can meet another one in a deadlock, which PostgreSQL ends.
    """
    with _refusals():
        return _one(conn, _POST, _values(Posting(event, subject, legs, stripe_object)))


def post_many(conn: Connection, postings: Sequence[Posting]) -> list[UUID]:
    """Post many events with the outcome of one `post` after the other, and return their transactions in order.

    Each account is locked and updated once for all of them. Raises what `post` raises; then none is stored.
    """
    if not postings:
        return []
    arguments = [dict(zip(_ARGUMENTS, _values(one), strict=True)) for one in postings]
    with _refusals():
        return fetch_value(conn, list[UUID], _POST_MANY, [json.dumps(arguments, default=str)]) or []


def post_by_kind(conn: Connection, postings: Sequence[KindPosting]) -> None:
    """Post several events in dollars, whose accounts are named by kind and user, and created if they are missing.

    In a pipeline, they and what is queued before them take one round trip. Raises what `post` raises.
    """
    with _refusals():
        cursors = [conn.execute(_POST_BY_KIND, _values_by_kind(one)) for one in postings]
        for cursor in cursors:
            cursor.fetchall()


def reverse(conn: Connection, transaction_id: UUID, event: str, subject: Subject, *, stripe_object: str = "") -> UUID:
    """Post the opposite of a whole transaction, once, and return the reversal's id.

    `event` is an opposite event of `rules.toml`. Raises what `post` raises, InvalidPosting for an unknown transaction.
    """
    _check_subject(event, subject)
    with _refusals():
        values = [new_id(), event, subject.kind, subject.id, stripe_object, transaction_id, transaction_id]
        return _one(conn, _REVERSE, values)


def create_hold(
    conn: Connection, account_id: UUID, amount: int, subject: Subject, expires_at: datetime | None = None
) -> UUID:
    """Reserve an amount for a subject and return the hold. The same hold again returns the first one's id.

    Without `expires_at`, only its subject ends it. Raises InsufficientBalance above what is available, and
    LedgerConflict if the subject has another hold or one that has ended.
    """
    with _refusals():
        return _one(conn, _HOLD, [new_id(), account_id, amount, subject.kind, subject.id, expires_at])


def post_hold(conn: Connection, subject: Subject) -> UUID:
    """Release a hold because its amount is posted in this transaction. Return the hold. Raises LedgerConflict."""
    with _refusals():
        return _one(conn, _RELEASE, [subject.kind, subject.id, "posted"])


def void_hold(conn: Connection, subject: Subject) -> UUID:
    """Release a hold whose subject did not happen. Return the hold. Raises LedgerConflict if it was posted."""
    with _refusals():
        return _one(conn, _RELEASE, [subject.kind, subject.id, "voided"])


def expire_holds(conn: Connection) -> int:
    """Release the holds whose time is over, and return their number. One that its subject ends meanwhile is left."""
    expired = 0
    for kind, subject_id in conn.execute(_DUE).fetchall():
        with contextlib.suppress(LedgerConflict), _refusals(), conn.transaction():
            conn.execute(_RELEASE, [kind, subject_id, "expired"])
            expired += 1
    return expired


def balance(conn: Connection, account_id: UUID) -> Balance:
    """Return an account's balance. Raises LookupError for an unknown account."""
    found = fetch_one(conn, Balance, _BALANCE, [account_id])
    if found is None:
        raise LookupError(account_id)
    return found


def unit_of(kind: str) -> str:
    """Return the unit of a kind of account: usd or min."""
    return kinds()[kind].unit


def _values(posting: Posting) -> list[Any]:
    _check_subject(posting.event, posting.subject)
    debits, credits_ = [leg.debit for leg in posting.legs], [leg.credit for leg in posting.legs]
    amounts, subject = [leg.amount for leg in posting.legs], posting.subject
    return [new_id(), posting.event, subject.kind, subject.id, debits, credits_, amounts, posting.stripe_object]


def _values_by_kind(posting: KindPosting) -> dict[str, Any]:
    _check_subject(posting.event, posting.subject)
    debits, credits_ = [debit for debit, _, _ in posting.legs], [credit for _, credit, _ in posting.legs]
    return {
        "id": new_id(), "event": posting.event, "subject_kind": posting.subject.kind, "subject_id": posting.subject.id,
        "debits": [kind for kind, _ in debits], "debtors": [user_id for _, user_id in debits],
        "credits": [kind for kind, _ in credits_], "creditors": [user_id for _, user_id in credits_],
        "amounts": [amount for _, _, amount in posting.legs], "stripe_object": posting.stripe_object,
    }  # fmt: skip


def _check_subject(event: str, subject: Subject) -> None:
    known = events().get(event)
    if known is None:
        raise InvalidPosting(f"rules.toml has no event {event}")
    if known.subject and known.subject != subject.kind:
        raise InvalidPosting(f"{event} happens to a {known.subject}, not to a {subject.kind}")


def _one(conn: Connection, statement: str, values: list[Any]) -> UUID:
    found = fetch_value(conn, UUID, statement, values)
    if found is None:
        raise LookupError(statement)
    return found


@contextlib.contextmanager
def _refusals() -> Iterator[None]:
    """Raise the ledger's refusals as its own errors."""
    try:
        yield
    except errors.UniqueViolation as error:
        raise LedgerConflict(str(error)) from error
    except (errors.ForeignKeyViolation, errors.InvalidParameterValue) as error:
        raise InvalidPosting(str(error)) from error
    except errors.NotNullViolation as error:  # an account without a balance has no unit
        raise InvalidPosting("one of the accounts does not exist") from error
    except errors.CheckViolation as error:
        if error.diag.constraint_name in ("ck_ledger_balances_floor", "ledger_hold_available"):
            raise InsufficientBalance(str(error)) from error
        raise InvalidPosting(str(error)) from error
