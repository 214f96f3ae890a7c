"""Ports, URLs and settings that the services of one run share."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from porchlight_dev.errors import DevError
from porchlight_dev.postgres.server import DATABASE, SUPERUSER, LocalPostgres
from porchlight_dev.state import StateFolder

BASE_HOST = "porchlight.localhost"
ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent


@dataclass(slots=True)
class DevEnvironment:
    """Ports, URLs and settings of one run. All ports follow from `port` (docs/operations.md).

    Services add to `env` what other services need, and to `facts` what people and tests need (`demo.json`). With
    `reload`, the API restarts after each change and both webs run on development servers.
    """

    port: int
    tls_port: int | None
    state: StateFolder
    postgres: LocalPostgres
    reload: bool = False
    env: dict[str, str] = field(default_factory=dict)
    facts: dict[str, Any] = field(default_factory=dict)

    @property
    def auth_port(self) -> int:
        """The Auth emulator."""
        return self.port + 1

    @property
    def stripe_port(self) -> int:
        """The fake Stripe."""
        return self.port + 2

    @property
    def ask_port(self) -> int:
        """Caddy's own endpoint that decides which hosts get a certificate."""
        return self.port + 4

    @property
    def redirect_port(self) -> int:
        """Caddy's plain HTTP, which redirects to https."""
        return self.port + 5

    @property
    def vite_port(self) -> int:
        """The development server of main-web."""
        return self.port + 6

    @property
    def next_port(self) -> int:
        """The development server of guru-web."""
        return self.port + 7

    @property
    def mail_port(self) -> int:
        """The mail receiver."""
        return self.port + 8

    @property
    def base_url(self) -> str:
        """The main platform without TLS."""
        return f"http://{BASE_HOST}:{self.port}"

    @property
    def tls_url(self) -> str | None:
        """The main platform behind Caddy."""
        return f"https://{BASE_HOST}:{self.tls_port}" if self.tls_port else None

    @property
    def superuser_url(self) -> str:
        """The product's database as the superuser. The product itself never gets this URL."""
        return self.postgres.url(SUPERUSER, DATABASE)


def program(name: str) -> str:
    """Return the path of a program in this virtual environment. Raises DevError when it is missing."""
    path = BIN / name
    if not path.exists():
        raise DevError(f"{path} is missing: run `make setup`.")
    return str(path)
