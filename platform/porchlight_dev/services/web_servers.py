"""The development servers of both webs, for `make dev`."""

from __future__ import annotations

import os

from porchlight_dev.environment import ROOT, DevEnvironment
from porchlight_dev.errors import DevError
from porchlight_dev.probes import http_probe
from porchlight_dev.processes import require_free_port
from porchlight_dev.supervisor import DevService


def vite_service(environment: DevEnvironment) -> DevService | None:
    """Return Vite with main-web, which proxies /api to the API, or None without `reload`."""
    return _web_service(environment, "main-web", environment.vite_port, ["vite", "--host", "127.0.0.1", "--strictPort"])


def next_service(environment: DevEnvironment) -> DevService | None:
    """Return Next.js with guru-web, which proxies /api to the API, or None without `reload`."""
    return _web_service(environment, "guru-web", environment.next_port, ["next", "dev", "--hostname", "127.0.0.1"])


def _web_service(environment: DevEnvironment, web: str, port: int, command: list[str]) -> DevService | None:
    if not environment.reload:
        return None

    async def prepare() -> None:
        require_free_port(port, web)

    def argv() -> list[str]:
        program = ROOT / "node_modules" / ".bin" / command[0]
        if not program.exists():
            raise DevError(f"{program} is missing: run `make setup`.")
        return [str(program), *command[1:], "--port", str(port)]

    return DevService(
        name=web,
        argv=argv,
        env={
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": os.environ.get("HOME", str(environment.state.path)),
            "NEXT_TELEMETRY_DISABLED": "1",
            "PORCHLIGHT_DEV_API": f"127.0.0.1:{environment.port}",
            "PORCHLIGHT_DEV_MAIN_URL": environment.base_url,
        },
        prepare=prepare,
        # Pages compile on demand, so the probe asks for a path without one.
        ready=http_probe(port, "/_ready", timeout_seconds=60, any_status=True),
        cwd=ROOT / web,
    )
