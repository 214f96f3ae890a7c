"""The schema's history. `upgrade` brings a database to the present release."""

from __future__ import annotations

from pathlib import Path

import psycopg
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

import porchlight.angels.planting
import porchlight.skills.planting
from tenants.kit.db import sqlalchemy_url

HERE = Path(__file__).parent


def config(dsn: str) -> Config:
    """Alembic's configuration for the database at `dsn` (the owner role)."""
    made = Config()
    made.set_main_option("script_location", str(HERE))
    made.attributes["url"] = sqlalchemy_url(dsn)
    return made


def upgrade(dsn: str, revision: str = "head") -> None:
    """Run every migration that the database at `dsn` has not seen yet, as the owner role.

    At the head, the tables of the product's own data then say what its files say.
    """
    command.upgrade(config(dsn), revision)
    if revision == "head":
        with psycopg.connect(dsn) as conn:
            porchlight.skills.planting.plant(conn)
            porchlight.angels.planting.plant(conn)


def head() -> str:
    """The newest migration this release knows."""
    return ScriptDirectory(str(HERE)).get_current_head() or ""
