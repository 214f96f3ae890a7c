"""Folders for servers: outside pytest's private ones, because PostgreSQL runs as another account when we are root."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def place(run_directory: Path) -> Iterator[Path]:
    """A path that does not exist yet, in a folder every account can pass through."""
    path = run_directory / f"place-{uuid.uuid4().hex[:8]}"
    yield path
    shutil.rmtree(path, ignore_errors=True)
