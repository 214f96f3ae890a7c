"""Packages of sessions: what a guru offers, and what a person has of it (`tenants.db.rls.PARTY_ROWS`)."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index, SmallInteger, UniqueConstraint, false, func, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from porchlight.features.bookings.facts import GrantSnapshot, PaymentSnapshot
from tenants.tenancy.models import Base, TenantOwned


class Package(TenantOwned, Base):
    """A number of sessions of a service, to use within some days. `price_cents` is 0 for one that is only given."""

    __tablename__ = "packages"
    __table_args__ = (
        ForeignKeyConstraint(["tenant_id", "service_id"], ["services.tenant_id", "services.id"], ondelete="CASCADE"),
        UniqueConstraint("tenant_id", "idempotency_key"),
        CheckConstraint("days BETWEEN 1 AND 1096", name="days"),
        CheckConstraint("sessions BETWEEN 2 AND 52", name="sessions"),
        CheckConstraint("price_cents = 0 OR price_cents BETWEEN 500 AND 99999999", name="price"),
        Index("ix_packages_tenant_id_service_id", "tenant_id", "service_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    service_id: Mapped[UUID]
    name: Mapped[str]
    sessions: Mapped[int] = mapped_column(SmallInteger)
    days: Mapped[int] = mapped_column(SmallInteger)
    price_cents: Mapped[int] = mapped_column(server_default="0")
    idempotency_key: Mapped[str] = mapped_column(info={"private": True})
    digest: Mapped[bytes] = mapped_column(info={"private": True})
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())


class PackageGrant(TenantOwned, Base):
    """A package that a guru gave to a person: a neighbor, or a customer without an account (`is_customer`).

    Names are copies. Of the `granted` sessions, `left_over` can be booked, `taken_back` were taken back by the guru,
    and the others are used by bookings. It covers sessions that start before `expires_at`, the end of a day in `zone`.

    One that the person bought has its `payment_id`. `settled` are those of its sessions whose money is the guru's by
    now, or went back. `end_told_at`: when the person learned that it ends soon.
    """

    __tablename__ = "package_grants"
    __table_args__ = (
        UniqueConstraint("tenant_id", "idempotency_key"),
        ForeignKeyConstraint(
            ["tenant_id", "package_id"], ["packages.tenant_id", "packages.id"], ondelete="SET NULL (package_id)"
        ),
        CheckConstraint("granted BETWEEN 2 AND 52", name="granted"),
        CheckConstraint("left_over BETWEEN 0 AND granted - taken_back", name="left_over"),
        CheckConstraint("taken_back BETWEEN 0 AND granted", name="taken_back"),
        CheckConstraint("settled BETWEEN 0 AND granted", name="settled"),
        UniqueConstraint("tenant_id", "payment_id"),
        Index(
            "ix_package_grants_ending",
            "tenant_id",
            "expires_at",
            postgresql_where=text("left_over > 0 AND end_told_at IS NULL"),
        ),
        Index("ix_package_grants_person_id", "person_id", "expires_at"),
        Index("ix_package_grants_tenant_id_expires_at", "tenant_id", "expires_at", "id"),
        Index("ix_package_grants_tenant_id_package_id", "tenant_id", "package_id"),
        Index("ix_package_grants_tenant_id_person_id", "tenant_id", "person_id"),
    )

    id: Mapped[UUID] = mapped_column(primary_key=True)
    package_id: Mapped[UUID | None]
    person_id: Mapped[UUID]
    person_name: Mapped[str] = mapped_column(server_default="")
    is_customer: Mapped[bool] = mapped_column(server_default=false())
    guru_label: Mapped[str]
    guru_name: Mapped[str]
    service_id: Mapped[UUID]
    service_name: Mapped[str]
    name: Mapped[str]
    granted: Mapped[int] = mapped_column(SmallInteger)
    left_over: Mapped[int] = mapped_column(SmallInteger)
    taken_back: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    expires_at: Mapped[datetime]
    zone: Mapped[str]
    payment_id: Mapped[UUID | None]
    settled: Mapped[int] = mapped_column(SmallInteger, server_default="0")
    end_told_at: Mapped[datetime | None]
    idempotency_key: Mapped[str] = mapped_column(info={"private": True})
    digest: Mapped[bytes] = mapped_column(info={"private": True})
    created_at: Mapped[datetime] = mapped_column(server_default=func.app.now())

    @property
    def used(self) -> int:
        """The number of sessions that bookings use."""
        return self.granted - self.left_over - self.taken_back

    def snapshot(self, payment: PaymentSnapshot | None) -> GrantSnapshot:
        """Return the package as decisions know it, with its payment if it was bought."""
        return GrantSnapshot(
            id=self.id, service_id=self.service_id, person_id=self.person_id, name=self.name, granted=self.granted,
            left_over=self.left_over, taken_back=self.taken_back, expires_at=self.expires_at,
            is_customer=self.is_customer, settled=self.settled, payment=payment,
        )  # fmt: skip


class PackageEvent(TenantOwned, Base):
    """An event in the history of a person's package, append-only. `details` has numbers, the new end and a reason."""

    __tablename__ = "package_events"
    __table_args__ = (
        ForeignKeyConstraint(
            ["tenant_id", "grant_id"], ["package_grants.tenant_id", "package_grants.id"], ondelete="CASCADE"
        ),
        CheckConstraint("event IN ('granted', 'bought', 'extended', 'taken_back', 'ending')", name="event"),
        Index("ix_package_events_person_id", "person_id"),
        Index("ix_package_events_tenant_id_person_id", "tenant_id", "person_id"),
    )

    grant_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person_id: Mapped[UUID]
    at: Mapped[datetime] = mapped_column(server_default=func.app.now())
    event: Mapped[str]
    details: Mapped[dict[str, Any]] = mapped_column(JSONB, server_default=text("'{}'"))
