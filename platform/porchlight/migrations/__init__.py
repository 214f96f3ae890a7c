"""The schema's history. `upgrade` brings a database to the present release."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

import porchlight.angels.planting
import porchlight.skills.planting
from tenants.kit.db import sqlalchemy_url

if TYPE_CHECKING:  # alembic weighs 10 MB, and a worker that serves asks for the head's name alone
    from alembic.config import Config

HERE = Path(__file__).parent


def config(dsn: str) -> Config:
    """Alembic's configuration for the database at `dsn` (the owner role)."""
    from alembic.config import Config

    made = Config()
    made.set_main_option("script_location", str(HERE))
    made.attributes["url"] = sqlalchemy_url(dsn)
    return made


def upgrade(dsn: str, revision: str = "head") -> None:
    """Run every migration that the database at `dsn` has not seen yet, as the owner role.

    At the head, the tables of the product's own data then say what its files say.
    """
    from alembic import command

    command.upgrade(config(dsn), revision)
    if revision == "head":
        with psycopg.connect(dsn) as conn:
            porchlight.skills.planting.plant(conn)
            porchlight.angels.planting.plant(conn)


def head() -> str:
    """The newest migration this release knows."""
    return max((path.name.partition("_")[0] for path in (HERE / "versions").glob("[0-9]*_*.py")), default="")
