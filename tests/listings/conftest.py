"""The app with keys of our own, as the tests of Angel's List have it: anybody may come in by their name."""

from __future__ import annotations

from tests.angels.conftest import app, certificates, come, signer, web

__all__ = ["app", "certificates", "come", "signer", "web"]
