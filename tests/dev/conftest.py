"""Folders for servers, outside of pytest's private ones, because PostgreSQL runs as another account under root."""

from __future__ import annotations

import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def place(run_directory: Path) -> Iterator[Path]:
    """A path that does not exist yet, in a folder that every account can enter."""
    path = run_directory / f"place-{uuid.uuid4().hex[:8]}"
    yield path
    shutil.rmtree(path, ignore_errors=True)
