"""Tables of the ledger: double entries that are only ever added, and the adjustments that staff decide."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from sqlalchemy import (
    BigInteger,
    CheckConstraint,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    SmallInteger,
    UniqueConstraint,
    func,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from tenants.tenancy.models import Base


class LedgerKind(Base):
    """A kind of account, from `rules.toml`. `unit`: usd (cents) or min (minutes). `floor`: the lowest balance."""

    __tablename__ = "ledger_kinds"
    __table_args__ = (
        UniqueConstraint("kind", "unit"),
        CheckConstraint("holder IN ('external', 'platform', 'guru', 'customer', 'pair')", name="holder"),
        CheckConstraint("unit IN ('usd', 'min')", name="unit"),
    )

    kind: Mapped[str] = mapped_column(primary_key=True)
    holder: Mapped[str]
    unit: Mapped[str]
    floor: Mapped[int | None] = mapped_column(BigInteger)


class LedgerRule(Base):
    """A permitted posting, from `rules.toml`: every transfer has one."""

    __tablename__ = "ledger_rules"
    __table_args__ = (
        ForeignKeyConstraint(["debit_kind", "unit"], ["ledger_kinds.kind", "ledger_kinds.unit"]),
        ForeignKeyConstraint(["credit_kind", "unit"], ["ledger_kinds.kind", "ledger_kinds.unit"]),
    )

    event: Mapped[str] = mapped_column(primary_key=True)
    debit_kind: Mapped[str] = mapped_column(primary_key=True)
    credit_kind: Mapped[str] = mapped_column(primary_key=True)
    unit: Mapped[str] = mapped_column(primary_key=True)


class LedgerAccount(Base):
    """An account and its one owner; accounts of the platform and of the outside have none.

    Accounts of gurus are keyed by the user who owns the payout account. `pair_id`: one side of a pair of neighbors.
    Money outlives accounts of people: no row is deleted with its user.
    """

    __tablename__ = "ledger_accounts"
    __table_args__ = (
        UniqueConstraint("kind", "unit", "tenant_id", "user_id", "pair_id", postgresql_nulls_not_distinct=True),
        UniqueConstraint("id", "unit", "kind"),
        ForeignKeyConstraint(["kind", "unit"], ["ledger_kinds.kind", "ledger_kinds.unit"]),
        CheckConstraint("num_nonnulls(tenant_id, user_id, pair_id) <= 1", name="owner"),
        Index(None, "user_id", postgresql_where=text("user_id IS NOT NULL")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    unit: Mapped[str]
    tenant_id: Mapped[UUID | None]
    user_id: Mapped[UUID | None]
    pair_id: Mapped[UUID | None]
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class LedgerBalance(Base):
    """The sums of an account's transfers. The balance is credits - debits. `reserved`: the sum of its open holds.

    `seq`: the number of its transfers.
    """

    __tablename__ = "ledger_balances"
    __table_args__ = (
        ForeignKeyConstraint(
            ["account_id", "unit", "kind"], ["ledger_accounts.id", "ledger_accounts.unit", "ledger_accounts.kind"]
        ),
        CheckConstraint("debits >= 0 AND credits >= 0 AND seq >= 0", name="sums"),
        CheckConstraint("reserved >= 0", name="reserved"),
        CheckConstraint("floor IS NULL OR credits - debits - reserved >= floor", name="floor"),
    )

    account_id: Mapped[UUID] = mapped_column(primary_key=True)
    kind: Mapped[str]
    unit: Mapped[str]
    debits: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    credits: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    reserved: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))
    floor: Mapped[int | None] = mapped_column(BigInteger)
    seq: Mapped[int] = mapped_column(BigInteger, server_default=text("0"))


class LedgerTransaction(Base):
    """An event that was posted once for its subject.

    `digest` covers everything that was posted. `reverses`: the transaction that it takes back.
    """

    __tablename__ = "ledger_transactions"
    __table_args__ = (
        UniqueConstraint("subject_kind", "subject_id", "event"),
        UniqueConstraint("id", "event"),
        Index("ix_ledger_transactions_stripe_object", "stripe_object", postgresql_where=text("stripe_object <> ''")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    event: Mapped[str]
    subject_kind: Mapped[str]
    subject_id: Mapped[str]
    stripe_object: Mapped[str] = mapped_column(server_default="")
    at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    digest: Mapped[bytes] = mapped_column(LargeBinary)
    reverses: Mapped[UUID | None] = mapped_column(ForeignKey("ledger_transactions.id"), unique=True)


class LedgerTransfer(Base):
    """One leg: an amount from the debited to the credited account, with both accounts' running numbers and balances.

    The foreign keys refuse a mix of units and a pair of kinds that no rule permits.
    """

    __tablename__ = "ledger_transfers"
    __table_args__ = (
        ForeignKeyConstraint(["transaction_id", "event"], ["ledger_transactions.id", "ledger_transactions.event"]),
        ForeignKeyConstraint(
            ["event", "debit_kind", "credit_kind", "unit"],
            ["ledger_rules.event", "ledger_rules.debit_kind", "ledger_rules.credit_kind", "ledger_rules.unit"],
        ),
        ForeignKeyConstraint(
            ["debit_account", "unit", "debit_kind"],
            ["ledger_accounts.id", "ledger_accounts.unit", "ledger_accounts.kind"],
        ),
        ForeignKeyConstraint(
            ["credit_account", "unit", "credit_kind"],
            ["ledger_accounts.id", "ledger_accounts.unit", "ledger_accounts.kind"],
        ),
        UniqueConstraint("debit_account", "debit_seq"),
        UniqueConstraint("credit_account", "credit_seq"),
        CheckConstraint("amount > 0", name="amount"),
        CheckConstraint("debit_account <> credit_account", name="accounts"),
    )

    transaction_id: Mapped[UUID] = mapped_column(primary_key=True)
    n: Mapped[int] = mapped_column(SmallInteger, primary_key=True)
    event: Mapped[str]
    unit: Mapped[str]
    amount: Mapped[int] = mapped_column(BigInteger)
    debit_account: Mapped[UUID]
    debit_kind: Mapped[str]
    debit_seq: Mapped[int] = mapped_column(BigInteger)
    debit_balance_after: Mapped[int] = mapped_column(BigInteger)
    credit_account: Mapped[UUID]
    credit_kind: Mapped[str]
    credit_seq: Mapped[int] = mapped_column(BigInteger)
    credit_balance_after: Mapped[int] = mapped_column(BigInteger)


class LedgerHold(Base):
    """An amount of an account that is reserved for a subject, until it is posted, voided or expires.

    `expires_at`: None for a hold that only its subject ends, such as a payout with an unclear outcome.
    """

    __tablename__ = "ledger_holds"
    __table_args__ = (
        UniqueConstraint("subject_kind", "subject_id"),
        CheckConstraint("amount > 0", name="amount"),
        CheckConstraint("state IN ('held', 'posted', 'voided', 'expired')", name="state"),
        Index("ix_ledger_holds_account_id", "account_id", postgresql_where=text("state = 'held'")),
        Index("ix_ledger_holds_expires_at", "expires_at", postgresql_where=text("state = 'held'")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    account_id: Mapped[UUID] = mapped_column(ForeignKey("ledger_balances.account_id"))
    amount: Mapped[int] = mapped_column(BigInteger)
    subject_kind: Mapped[str]
    subject_id: Mapped[str]
    expires_at: Mapped[datetime | None]
    state: Mapped[str] = mapped_column(server_default="held")
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    ended_at: Mapped[datetime | None]


class Adjustment(Base):
    """A correction by staff, with a reason. Up to $100 a day it is posted at once; a second person approves the rest.

    `requested_by` and `decided_by` are names of admin keys of named persons.
    """

    __tablename__ = "adjustments"
    __table_args__ = (
        CheckConstraint("cents > 0", name="cents"),
        CheckConstraint("btrim(reason) <> ''", name="reason"),
        CheckConstraint("state IN ('requested', 'posted', 'rejected')", name="state"),
        CheckConstraint("(state = 'posted') = (transaction_id IS NOT NULL)", name="posted"),
        CheckConstraint(
            "transaction_id IS NULL OR cents <= 10000"
            " OR (decided_by IS NOT NULL AND lower(decided_by) <> lower(requested_by))",
            name="second_holder",
        ),
        Index("ix_adjustments_requested", "requested_at", postgresql_where=text("state = 'requested'")),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    event: Mapped[str]
    debit_account: Mapped[UUID] = mapped_column(ForeignKey("ledger_accounts.id"))
    credit_account: Mapped[UUID] = mapped_column(ForeignKey("ledger_accounts.id"))
    cents: Mapped[int] = mapped_column(BigInteger)
    reason: Mapped[str]
    state: Mapped[str] = mapped_column(server_default="requested")
    requested_by: Mapped[str]
    requested_at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    decided_by: Mapped[str | None]
    decided_at: Mapped[datetime | None]
    transaction_id: Mapped[UUID | None] = mapped_column(ForeignKey("ledger_transactions.id"), unique=True)
