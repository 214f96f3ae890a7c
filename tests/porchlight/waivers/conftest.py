"""Fixtures of the waiver tests."""

from __future__ import annotations

from tests.porchlight.auth.conftest import app, emulator, web

__all__ = ["app", "emulator", "web"]
