"""Alembic's entry: one transaction a migration, and never a long wait for a lock."""

from __future__ import annotations

from alembic import context
from sqlalchemy import create_engine, pool

from porchlight.registry import metadata
from tenants.kit import timeouts


def _ours(_name: str | None, kind: str, _parents: object) -> bool:
    return not (kind == "schema" and _name not in (None, "public"))


def run() -> None:
    """Run the migrations on the database that `porchlight.db.migrations.config` names."""
    engine = create_engine(context.config.attributes["url"], poolclass=pool.NullPool)
    with engine.connect() as connection:
        connection.exec_driver_sql(f"SET lock_timeout = {timeouts.current.migration_lock_ms}")
        connection.exec_driver_sql("SET client_min_messages = warning")
        connection.commit()
        context.configure(
            connection=connection,
            target_metadata=metadata,
            transaction_per_migration=True,
            compare_type=True,
            compare_server_default=False,
            include_name=_ours,
        )
        with context.begin_transaction():
            context.run_migrations()
    engine.dispose()


run()
