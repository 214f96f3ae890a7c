"""The whole app with the real Auth emulator beside it, as the accounts' tests have it."""

from __future__ import annotations

from tests.accounts.conftest import app, emulator, web

__all__ = ["app", "emulator", "web"]
