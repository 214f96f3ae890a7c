"""The whole app with the Auth emulator, as in the tests of auth."""

from __future__ import annotations

from tests.porchlight.auth.conftest import app, emulator, web

__all__ = ["app", "emulator", "web"]
